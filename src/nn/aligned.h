// Floats on a 64-byte boundary, all zero at first. Big arrays ask for huge pages: a network read front to back for
// every position would otherwise spend its time looking up addresses.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace pm::nn {

class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(std::size_t size);

  float* data() { return floats_.get(); }
  const float* data() const { return floats_.get(); }
  std::size_t size() const { return size_; }
  float& operator[](std::size_t i) { return floats_.get()[i]; }
  float operator[](std::size_t i) const { return floats_.get()[i]; }

 private:
  struct Free {
    void operator()(float* p) const;
  };
  std::unique_ptr<float, Free> floats_;
  std::size_t size_ = 0;
};

}  // namespace pm::nn
