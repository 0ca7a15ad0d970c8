#include "engine/evaluator.h"

#include <algorithm>

namespace pm::engine {
namespace {

class AllAtOnce final : public Questioner {
 public:
  AllAtOnce(std::span<const Question> questions, const Answered& answered)
      : questions_(questions), answered_(answered) {}

  Group next() override {
    const auto some = questions_.subspan(asked_, std::min(group_length(questions_.size()), questions_.size() - asked_));
    Group group{asked_, {some.begin(), some.end()}};
    asked_ += some.size();
    return group;
  }
  void take(std::size_t ticket, const Answer& answer) override { answered_(ticket, answer); }

 private:
  std::span<const Question> questions_;
  const Answered& answered_;
  std::size_t asked_ = 0;
};

}  // namespace

void evaluate_all(Evaluator& evaluator, std::span<const Question> questions, const Answered& answered,
                  const std::stop_token& stop) {
  AllAtOnce all(questions, answered);
  evaluator.evaluate(all, stop);
}

std::size_t group_length(std::size_t questions) {
  constexpr std::size_t shortest = 4;
  constexpr std::size_t longest = 40;
  return std::clamp((questions + 7) / 8, shortest, longest);
}

}  // namespace pm::engine
