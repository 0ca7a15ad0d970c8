// Memory to compute in, kept for later calls: each call borrows one, and as many are made as ever run at once.
//
//   const auto work = spare_.borrow([&] { return std::make_unique<Workspace>(*this); });
//   use(*work);
//
// Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace pm::nn {

template <class T>
class Spare {
 public:
  class Borrowed {
   public:
    Borrowed(Spare& home, std::unique_ptr<T> thing) : home_(home), thing_(std::move(thing)) {}
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    ~Borrowed() {
      const std::scoped_lock lock(home_.mutex_);
      home_.things_.push_back(std::move(thing_));
    }
    T& operator*() const { return *thing_; }

   private:
    Spare& home_;
    std::unique_ptr<T> thing_;
  };

  template <class Make>
  Borrowed borrow(const Make& make) {
    std::unique_ptr<T> thing;
    {
      const std::scoped_lock lock(mutex_);
      if (!things_.empty()) {
        thing = std::move(things_.back());
        things_.pop_back();
      }
    }
    return Borrowed(*this, thing ? std::move(thing) : make());
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> things_;
};

}  // namespace pm::nn
