#include "nn/aligned.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace pm::nn {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

}  // namespace

AlignedFloats::AlignedFloats(std::size_t size) : size_(size) {
  const std::size_t bytes = std::max<std::size_t>(size, 1) * sizeof(float);
  const std::size_t boundary = bytes >= huge_page / 2 ? huge_page : cache_line;
  const std::size_t whole = rounded_up(bytes, boundary);
  floats_.reset(static_cast<float*>(std::aligned_alloc(boundary, whole)));
  if (!floats_) throw std::bad_alloc();
  if (boundary == huge_page) ::madvise(floats_.get(), whole, MADV_HUGEPAGE);  // a wish: no harm when refused
  std::fill_n(floats_.get(), size, 0.0F);
}

void AlignedFloats::Free::operator()(float* p) const { std::free(p); }

}  // namespace pm::nn
