#define PM_LANES 16
#define PM_KERNELS kernels_avx512_bf16
#define PM_KERNELS_NAME "AVX-512 with bf16"
#include "nn/kernels_impl.h"
