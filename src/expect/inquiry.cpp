#include "expect/inquiry.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pm::expect {
namespace {

constexpr std::size_t batches_at_once = 2;  // of a settled run: engines have work while the next is chosen
constexpr std::size_t most_failures = 50;   // one after the other; then nobody is there to answer

}  // namespace

Inquiry::Inquiry(Request request, bool watched, const std::string& engine)
    : request_(std::move(request)),
      parameters_(request_.parameters),
      player_(request_.history.newest().side_to_move()),
      worth_(parameters_, player_),
      watched_(watched),
      measured_(engine == measured_engine),
      growth_(analysis_, player_) {
  analysis_.parameters = parameters_;
  analysis_.history_known = request_.history.is_complete();
  then_ = &Inquiry::begin;
  if (const auto sound = check(parameters_); !sound) fail_with(sound.error().sentence);
}

void Inquiry::advance() {
  while (then_ != nullptr && !take_predictions_) {
    if (failures_ >= most_failures) return fail_with("the engine answers no more");
    if (then_ == &Inquiry::settle) {
      // One batch is taken, another chosen, whichever answers come first.
      const bool full = questions_.batches() == batches_at_once || nothing_new_;
      if (full && !questions_.take_oldest()) return;
    } else if (questions_.batches() > 0) {
      return;
    }
    (this->*then_)();
  }
}

std::vector<human::Query> Inquiry::queries() {
  advance();
  return std::exchange(queries_, {});
}

void Inquiry::take(std::vector<human::Prediction> predictions) {
  if (const auto take = std::exchange(take_predictions_, {})) take(predictions);
}

engine::Group Inquiry::next() {
  engine::Group group = questions_.next();
  if (!group.questions.empty()) return group;
  advance();
  return questions_.next();
}

void Inquiry::take(std::size_t ticket, const engine::Answer& answer) { questions_.take(ticket, answer); }

void Inquiry::ask(std::vector<engine::Question> questions, const Told& told, const Take& take, Questions::Order order,
                  std::function<void()> done) {
  questions_.ask(
      std::move(questions),
      [this, told, take](std::size_t i, const engine::Answer& answer, bool fresh) {
        if (fresh) {
          ++(answer.cached ? analysis_.known : analysis_.evaluations);
          told(i, answer);
          failures_ = answer.valuation ? 0 : failures_ + 1;
        }
        analysis_.counts.done = std::min(analysis_.counts.total, analysis_.counts.done + 1);
        take(i, answer.valuation);
      },
      order, std::move(done));
}

void Inquiry::count(std::size_t index, const engine::Answer& answer) {
  Candidate& candidate = analysis_.candidates[index];
  analysis_.candidate_now = index + 1;
  ++(answer.cached ? candidate.known : candidate.evaluations);
  candidate.seconds += answer.seconds;
}

void Inquiry::enter(Phase phase, std::size_t total, bool is_final) {
  analysis_.phase = phase;
  analysis_.counts = {0, total, is_final};
}

void Inquiry::end(Phase phase, Stopped stopped) {
  analysis_.phase = phase;
  analysis_.stopped = stopped;
  analysis_.counts.total_is_final = true;
  questions_.give_up();
  queries_.clear();
  take_predictions_ = {};
  then_ = nullptr;
}

void Inquiry::fail_with(const std::string& sentence) {
  analysis_.error = sentence;
  end(Phase::failed);
}

void Inquiry::cancel() {
  if (!ended() || analysis_.phase != Phase::failed) end(Phase::cancelled);
}

void Inquiry::out_of_time() {
  if (!ended()) end(Phase::complete, Stopped::time);
}

void Inquiry::refresh(std::size_t index) {
  Candidate& candidate = analysis_.candidates[index];
  candidate.summary = summarise(candidate.tree, parameters_.uncovered, base());
  TreeSummary& summary = candidate.summary;
  candidate.interval = {WinRate(summary.lower), WinRate(summary.upper)};
  if (summary.pending_mass <= probability_slack) {
    const Uncertainty uncertainty(candidate.tree, target());
    if (settles()) {
      const double expected = std::clamp(summary.expected + uncertainty.drift(), 0.0, 1.0);
      candidate.drift = expected - std::exchange(summary.expected, expected);
    }
    candidate.interval = uncertainty.around(summary.expected);
  }
  candidate.is_final =
      settles() ? candidate.interval.width() == 0 : last_round_ && due_of(candidate.tree, *last_round_).empty();
}

Target Inquiry::target() const {
  Target target{parameters_.depth, false, measured_ ? 1 : widened_for_others, steepness(parameters_.map)};
  if (parameters_.pruning == Pruning::player) target.least = least();
  return target;
}

const Analysis& Inquiry::so_far() {
  for (const std::size_t changed : changed_) refresh(changed);
  changed_.clear();
  return analysis_;
}

Analysis Inquiry::result() {
  auto& candidates = analysis_.candidates;
  analysis_.candidate_now = candidates.size();
  bool failed_some = false;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    decide_again(candidates[c].tree, followed_from());
    hide_below_pruned(candidates[c].tree);
    refresh(c);
    failed_some = failed_some || candidates[c].summary.unevaluated_mass > 0;
  }
  if (failed_some) {
    analysis_.warnings.emplace_back("some positions could not be evaluated; their parents' values stand in for them");
  }
  if (shallow_only_) analysis_.warnings.emplace_back("some positions have only the value of a shallower search");
  const bool unsure = std::any_of(candidates.begin(), candidates.end(),
                                  [](const Candidate& each) { return each.interval.width() > 0; });
  if (unsure && !measured_ && parameters_.effort != Effort::exact) {
    analysis_.warnings.push_back(
        fmt::format("how far values of this engine are off was not measured: the intervals are half as wide again as "
                    "those of {}",
                    measured_engine));
  }
  sort_by_rank(candidates);
  return std::move(analysis_);
}

}  // namespace pm::expect
