#define PM_LANES 4
#define PM_KERNELS kernels_sse2
#define PM_KERNELS_NAME "SSE2"
#include "nn/kernels_impl.h"
