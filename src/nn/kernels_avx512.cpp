#define PM_LANES 16
#define PM_KERNELS kernels_avx512
#define PM_KERNELS_NAME "AVX-512"
#include "nn/kernels_impl.h"
