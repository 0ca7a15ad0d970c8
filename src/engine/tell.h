// Who is told of trouble with engines while it is being dealt with: a sentence that says what happened and what is done
// about it. Called on any thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace pm::engine {

using Tell = std::function<void(const std::string& sentence)>;

// At most one sentence per `pause`: an engine that crashes at every search has one thing to say, not hundreds. Empty
// when `tell` is.
inline Tell not_too_often(Tell tell, std::chrono::milliseconds pause) {
  using Clock = std::chrono::steady_clock;
  struct State {
    std::mutex mutex;
    std::optional<Clock::time_point> last;
  };
  if (!tell) return {};
  return [tell = std::move(tell), pause, state = std::make_shared<State>()](const std::string& sentence) {
    {
      const std::scoped_lock lock(state->mutex);
      const auto now = Clock::now();
      if (state->last && now - *state->last < pause) return;
      state->last = now;
    }
    tell(sentence);
  };
}

}  // namespace pm::engine
