#define PM_LANES 8
#define PM_KERNELS kernels_avx2
#define PM_KERNELS_NAME "AVX2"
#include "nn/kernels_impl.h"
