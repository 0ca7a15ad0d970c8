#include "nn/aligned.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace pm::nn {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  const std::size_t boundary = bytes >= huge_page / 2 ? huge_page : cache_line;
  const std::size_t whole = rounded_up(bytes, boundary);
  void* memory = std::aligned_alloc(boundary, whole);
  if (memory == nullptr) throw std::bad_alloc();
  if (boundary == huge_page) ::madvise(memory, whole, MADV_HUGEPAGE);  // a wish: no harm when refused
  return std::memset(memory, 0, whole);
}

void free_aligned(void* memory) { std::free(memory); }

}  // namespace pm::nn
