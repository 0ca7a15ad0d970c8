// How much memory the bodies of all requests under way may take together. Each takes its part as its bytes come, so
// that whoever announces much and sends nothing costs nothing.
//
//   BodyBudget budget(64U << 20U);
//   BodyBudget::Share share(budget);
//   if (!share.grow_to(16'384)) ...  // come again later
//
// Any thread; one thread per share.
#pragma once

#include <atomic>
#include <cstddef>

namespace pm::server {

class BodyBudget {
 public:
  explicit BodyBudget(std::size_t most_bytes) : most_(most_bytes) {}
  std::size_t used() const { return used_; }

  // What one request has taken; given back when it goes away.
  class Share {
   public:
    explicit Share(BodyBudget& budget) : budget_(budget) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() { give_back(); }

    // False, and as it was, when that is more than there is.
    bool grow_to(std::size_t bytes) {
      if (bytes <= taken_) return true;
      const std::size_t more = bytes - taken_;
      std::size_t used = budget_.used_;
      do {
        if (more > budget_.most_ - used) return false;
      } while (!budget_.used_.compare_exchange_weak(used, used + more));
      taken_ = bytes;
      return true;
    }
    void give_back() {
      budget_.used_ -= taken_;
      taken_ = 0;
    }

   private:
    BodyBudget& budget_;
    std::size_t taken_ = 0;
  };

 private:
  std::size_t most_;
  std::atomic<std::size_t> used_ = 0;
};

}  // namespace pm::server
