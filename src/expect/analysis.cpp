#include "expect/analysis.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "expect/inquiry.h"

namespace pm::expect {
namespace {

bool ranks_before(const Candidate& a, const Candidate& b) {
  const auto rank = [](const Candidate& c) {
    return std::tuple(-c.summary.expected, c.engine_win_rate ? -c.engine_win_rate->value() : 0,
                      std::string_view(c.uci));
  };
  return rank(a) < rank(b);
}

// Stands between an inquiry and those who answer it: the human model at once, the engines when they are ready.
class Between final : public engine::Questioner {
 public:
  // `give_up`: nobody needs the answers that are still to come.
  Between(Inquiry& inquiry, human::HumanModel& model, const OnProgress& on_progress, std::stop_token stop,
          std::function<void()> give_up)
      : inquiry_(inquiry),
        model_(model),
        on_progress_(on_progress),
        stop_(std::move(stop)),
        give_up_(std::move(give_up)) {}

  engine::Group next() override {
    while (!stop_.stop_requested() && !inquiry_.ended()) {
      const std::vector<human::Query> queries = inquiry_.queries();
      if (queries.empty()) return inquiry_.next();
      auto predictions = model_.predict(queries, human::Want::moves);
      if (predictions) {
        inquiry_.take(std::move(*predictions));
      } else {
        inquiry_.fail_with(predictions.error().sentence);
        give_up_();
      }
      publish();
    }
    return {};
  }

  void take(std::size_t ticket, const engine::Answer& answer) override {
    inquiry_.take(ticket, answer);
    // What was known before comes all at once, and is told when the engine has something to add.
    if (!answer.cached) publish();
  }

 private:
  void publish() {
    if (on_progress_ && !inquiry_.ended()) on_progress_(inquiry_.so_far());
  }

  Inquiry& inquiry_;
  human::HumanModel& model_;
  const OnProgress& on_progress_;
  std::stop_token stop_;
  std::function<void()> give_up_;
};

// Stops when somebody asks for it, or when the time is up.
class Deadline {
 public:
  Deadline(const std::stop_token& asked, std::optional<double> seconds)
      : pass_on_(asked, [this] { stop_.request_stop(); }) {
    if (!seconds) return;
    timer_ = std::jthread([this, time = std::chrono::duration<double>(*seconds)](const std::stop_token& over) {
      std::unique_lock lock(mutex_);
      std::condition_variable_any().wait_for(lock, over, time, [] { return false; });
      stop_.request_stop();
    });
  }
  std::stop_token token() const { return stop_.get_token(); }
  void stop() { stop_.request_stop(); }

 private:
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> pass_on_;
  std::mutex mutex_;
  std::jthread timer_;
};

}  // namespace

Analysis analyse(const Request& request, human::HumanModel& model, engine::Evaluator& evaluator,
                 const OnProgress& on_progress, const std::stop_token& stop) {
  Inquiry inquiry(request, static_cast<bool>(on_progress), evaluator.identity().name);
  for (const int rating : {request.parameters.rating, request.parameters.opponent_rating}) {
    const auto covered = model.check_rating(rating);
    if (!covered && !inquiry.ended()) inquiry.fail_with(covered.error().sentence);
  }
  {
    Deadline deadline(stop, request.parameters.seconds);
    Between between(inquiry, model, on_progress, deadline.token(), [&] { deadline.stop(); });
    evaluator.evaluate(between, deadline.token());
    const bool in_time = stop.stop_requested() || !deadline.token().stop_requested();
    if (!inquiry.ended()) in_time ? inquiry.cancel() : inquiry.out_of_time();
  }
  Analysis analysis = inquiry.result();
  if (on_progress) on_progress(analysis);
  return analysis;
}

void sort_by_rank(std::vector<Candidate>& candidates) { std::sort(candidates.begin(), candidates.end(), ranks_before); }

std::size_t valued_nodes(const Analysis& analysis) {
  std::size_t valued = 0;
  for (const Candidate& candidate : analysis.candidates) {
    for (const Node& node : candidate.tree.nodes) valued += node.win_rate ? 1 : 0;
  }
  return valued;
}

const char* cache_word(const Candidate& candidate) {
  if (candidate.known == 0) return "fresh";
  return candidate.evaluations == 0 ? "cached" : "partly";
}

const char* word_of(Stopped stopped) {
  switch (stopped) {
    case Stopped::settled: return "settled";
    case Stopped::time: return "time";
    case Stopped::searches: return "searches";
    case Stopped::exact: return "exact";
    default: return "";
  }
}

std::vector<const Candidate*> ranked(const std::vector<Candidate>& candidates) {
  std::vector<const Candidate*> order;
  order.reserve(candidates.size());
  for (const Candidate& candidate : candidates) order.push_back(&candidate);
  std::sort(order.begin(), order.end(), [](const Candidate* a, const Candidate* b) { return ranks_before(*a, *b); });
  return order;
}

const char* word_of(Phase phase) {
  switch (phase) {
    case Phase::filter: return "filter";
    case Phase::trees: return "trees";
    case Phase::evaluation: return "evaluation";
    case Phase::complete: return "complete";
    case Phase::cancelled: return "cancelled";
    default: return "failed";
  }
}

}  // namespace pm::expect
