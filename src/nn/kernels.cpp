#include "nn/kernels.h"

#include <vector>

namespace pm::nn {

extern const Kernels kernels_sse2;
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
extern const Kernels kernels_avx512_bf16;

std::span<const Kernels* const> usable_kernels() {
  static const std::vector<const Kernels*> usable = [] {
    std::vector<const Kernels*> kernels{&kernels_sse2};  // every x86-64 has SSE2
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) kernels.push_back(&kernels_avx2);
    if (__builtin_cpu_supports("avx512f") != 0) kernels.push_back(&kernels_avx512);
    if (__builtin_cpu_supports("avx512bf16") != 0) kernels.push_back(&kernels_avx512_bf16);
    return kernels;
  }();
  return usable;
}

const Kernels& best_kernels() { return *usable_kernels().back(); }

}  // namespace pm::nn
