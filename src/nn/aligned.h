// Numbers on a 64-byte boundary, all zero at first. Big arrays ask for huge pages: a network read front to back for
// every position would otherwise spend its time looking up addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace pm::nn {

void* allocate_aligned(std::size_t bytes);
void free_aligned(void* memory);

template <class Number>
class Aligned {
 public:
  Aligned() = default;
  explicit Aligned(std::size_t size)
      : numbers_(size == 0 ? nullptr : static_cast<Number*>(allocate_aligned(size * sizeof(Number)))), size_(size) {}

  Number* data() { return numbers_.get(); }
  const Number* data() const { return numbers_.get(); }
  std::size_t size() const { return size_; }
  Number& operator[](std::size_t i) { return numbers_.get()[i]; }
  Number operator[](std::size_t i) const { return numbers_.get()[i]; }

 private:
  struct Free {
    void operator()(Number* p) const { free_aligned(p); }
  };
  std::unique_ptr<Number, Free> numbers_;
  std::size_t size_ = 0;
};

using AlignedFloats = Aligned<float>;
// The upper halves of floats: sign and exponent, and eight bits of precision.
using Bfloat = std::uint16_t;
using AlignedBfloats = Aligned<Bfloat>;

}  // namespace pm::nn
