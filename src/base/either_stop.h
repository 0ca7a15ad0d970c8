// One stop token for two: asked to stop when either is.
//
//   const EitherStop stop(of_the_program, of_the_job);
//   work(stop.token());                                  // for as long as `stop` is there
#pragma once

#include <stop_token>

namespace pm {

class EitherStop {
 public:
  EitherStop(const std::stop_token& one, const std::stop_token& other)
      : on_one_(one, PassOn{source_}), on_other_(other, PassOn{source_}) {}
  EitherStop(const EitherStop&) = delete;
  EitherStop& operator=(const EitherStop&) = delete;
  ~EitherStop() = default;

  std::stop_token token() const { return source_.get_token(); }
  bool stop_requested() const { return source_.stop_requested(); }

 private:
  struct PassOn {
    std::stop_source& source;
    void operator()() const { source.request_stop(); }
  };
  std::stop_source source_;
  std::stop_callback<PassOn> on_one_;  // after what they use
  std::stop_callback<PassOn> on_other_;
};

}  // namespace pm
