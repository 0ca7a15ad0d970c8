#include "expect/analysis.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "expect/tree_builder.h"
#include "expect/valuations.h"

namespace pm::expect {
namespace {

bool ranks_before(const Candidate& a, const Candidate& b) {
  const auto rank = [](const Candidate& c) {
    return std::tuple(-c.summary.expected, c.engine_win_rate ? -c.engine_win_rate->value() : 0,
                      std::string_view(c.uci));
  };
  return rank(a) < rank(b);
}

using chess::Colour;
using chess::Move;
using chess::Position;
using chess::PositionHistory;

constexpr int first_look_depth = 8;

// One run. The steps of docs/expected-winrate.md 2, in order.
class Run {
 public:
  Run(const Request& request, human::HumanModel& model, engine::Evaluator& evaluator, const OnProgress& on_progress,
      std::stop_token stop)
      : request_(request),
        parameters_(request.parameters),
        player_(request.history.newest().side_to_move()),
        model_(model),
        valuations_(evaluator),
        builder_(analysis_, model, player_),
        on_progress_(on_progress),
        stop_(std::move(stop)) {
    analysis_.parameters = parameters_;
    analysis_.history_known = request.history.is_complete();
  }

  Analysis run() {
    for (const auto step : {&Run::prepare, &Run::filter, &Run::build_trees, &Run::evaluate}) {
      if (!(this->*step)()) return finish();
    }
    analysis_.phase = Phase::complete;
    return finish();
  }

 private:
  bool fail_with(const std::string& sentence) {
    analysis_.phase = Phase::failed;
    analysis_.error = sentence;
    return false;
  }
  bool go_on() {
    if (!stop_.stop_requested()) return true;
    analysis_.phase = Phase::cancelled;
    return false;
  }

  void enter(Phase phase, std::size_t total, bool is_final) {
    analysis_.phase = phase;
    analysis_.counts = {0, total, is_final};
    publish();
  }
  void publish() {
    if (!on_progress_) return;
    for (const std::size_t changed : changed_) refresh(changed);
    changed_.clear();
    on_progress_(analysis_);
  }
  void refresh(std::size_t index) {
    Candidate& candidate = analysis_.candidates[index];
    candidate.summary = summarise(candidate.tree, parameters_.uncovered, base());
    candidate.is_final = last_round_ && due_of(candidate.tree, *last_round_).empty();
  }
  WinRate base() const { return analysis_.base.value_or(WinRate(0.5)); }
  WinRate least() const { return WinRate(std::clamp(base().value() + parameters_.loss, 0.0, 1.0)); }

  bool prepare() {
    if (const auto sound = check(parameters_); !sound) return fail_with(sound.error().sentence);
    for (const int rating : {parameters_.rating, parameters_.opponent_rating}) {
      if (const auto covered = model_.check_rating(rating); !covered) return fail_with(covered.error().sentence);
    }
    return true;
  }

  struct Legal {
    Move move;
    chess::PositionHistory after;
    std::optional<WinRate> win_rate;
    bool is_known = false;  // the win rate, without the engine
    int depth = 0;          // it is known from a search so deep
  };

  std::vector<Legal> legal_moves() const {
    std::vector<Legal> legal;
    const bool only_these = request_.base && !request_.only.empty();
    for (const Move move : chess::legal_moves(request_.history.newest())) {
      if (only_these && !is_wanted(move)) continue;
      chess::PositionHistory after = request_.history;
      after.play(move);
      std::optional<WinRate> known = ending_of(after, player_).known;
      int depth = 0;
      for (const Request::Known& each : request_.known) {
        if (each.move != move || known) continue;
        known = each.win_rate;
        depth = each.depth;
      }
      legal.push_back({move, std::move(after), known, known.has_value(), depth});
    }
    return legal;
  }

  // False when somebody asked to stop.
  bool ask_for(std::vector<Legal>& legal, int depth) {
    std::vector<engine::Question> questions;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < legal.size(); ++i) {
      if (legal[i].is_known) continue;
      asked.push_back(i);
      questions.push_back({legal[i].after.newest(), depth});
      legal[i].win_rate.reset();
      legal[i].depth = depth;
    }
    return ask(questions, [&](std::size_t i, const std::optional<engine::Valuation>& valuation) {
      if (valuation) legal[asked[i]].win_rate = win_rate(*valuation, player_, parameters_.map);
    });
  }

  // 1. Every legal move is evaluated; those not too far below the best are candidates.
  bool filter() {
    std::vector<Legal> legal = legal_moves();
    if (legal.empty()) {
      analysis_.empty_reason = request_.history.newest().in_check() ? "checkmate" : "stalemate";
      return true;
    }
    const auto asked = static_cast<std::size_t>(
        std::count_if(legal.begin(), legal.end(), [](const Legal& each) { return !each.is_known; }));
    const bool look_first = on_progress_ && parameters_.depth > first_look_depth && !request_.base;
    enter(Phase::filter, look_first ? 2 * asked : asked, true);
    if (look_first && !first_look(legal)) return false;
    return ask_for(legal, parameters_.depth) && choose(legal);
  }

  // Somebody is watching: a glance at all moves gives trees to show within a second, while the real filter runs.
  bool first_look(std::vector<Legal> legal) {
    if (!ask_for(legal, first_look_depth) || !choose(legal) || !grow_all()) return false;
    analysis_.warnings.clear();
    return true;
  }

  // Makes candidates of the moves not too far below the best, in place of any there are.
  bool choose(const std::vector<Legal>& legal) {
    const Position& root = request_.history.newest();
    std::optional<WinRate> best = request_.base;
    for (const Legal& each : legal) {
      if (each.win_rate && !request_.base && (!best || *each.win_rate > *best)) best = each.win_rate;
    }
    if (!best) return fail_with("the engine evaluated none of the moves");
    const auto policy =
        model_.predict(std::vector{query_of(request_.history, player_, parameters_)}, human::Want::moves);
    if (!policy) return fail_with(policy.error().sentence);
    analysis_.base = best;
    analysis_.candidates.clear();
    analysis_.nodes = 0;
    analysis_.truncated = false;
    changed_.clear();
    for (const Legal& each : legal) {
      if (!each.win_rate) {
        analysis_.warnings.push_back(
            fmt::format("{} could not be evaluated and is left out", chess::format_san(root, each.move)));
        continue;
      }
      const bool sensible = each.win_rate->value() >= least().value() - win_rate_slack;
      const bool also = std::find(request_.also.begin(), request_.also.end(), each.move) != request_.also.end();
      if (request_.only.empty() ? !sensible && !also : !is_wanted(each.move)) continue;
      add_candidate(each, policy->front());
    }
    return true;
  }

  bool is_wanted(Move move) const {
    return std::find(request_.only.begin(), request_.only.end(), move) != request_.only.end();
  }

  void add_candidate(const Legal& legal, const human::Prediction& policy) {
    const Position& root = request_.history.newest();
    const Move move = legal.move;
    Candidate candidate;
    candidate.move = move;
    candidate.san = chess::format_san(root, move);
    candidate.uci = chess::format_uci(move, chess::natural_notation(root));
    candidate.engine_win_rate = *legal.win_rate;
    for (const auto& [each, probability] : policy.moves) {
      if (each == move) candidate.human_probability = probability;
    }
    Node node;
    node.move = move;
    node.san = candidate.san;
    node.position = legal.after.newest();
    node.depth = legal.depth;
    const Ending ending = ending_of(legal.after, player_);
    if (ending.known) node.kind = NodeKind::terminal;
    if (ending.repeated) node.kind = NodeKind::repetition;
    node.win_rate = *legal.win_rate;
    candidate.tree.nodes.push_back(std::move(node));
    ++analysis_.nodes;
    if (!ending.known && !ending.repeated) builder_.add_root(analysis_.candidates.size(), legal.after);
    changed_.insert(analysis_.candidates.size());
    analysis_.candidates.push_back(std::move(candidate));
  }

  bool build_trees() {
    enter(Phase::trees, analysis_.nodes, false);
    return grow_all();
  }

  // 2. and 3.
  bool grow_all() {
    while (!builder_.done()) {
      if (!go_on()) return false;
      if (const auto grown = builder_.step(changed_); !grown) return fail_with(grown.error().sentence);
      if (analysis_.phase == Phase::trees) analysis_.counts = {analysis_.nodes, analysis_.nodes, false};
      publish();
    }
    return true;
  }

  // 4. A glance at all lines says which of them will be pruned; after that there is little to wait for, and all engines
  // are busy. The likely lines at the full depth complete the quick round, the others the exact one.
  enum class Round : std::uint8_t { glance, quick, exact };

  int depth_of(const Node& node, Round round) const {
    switch (round) {
      case Round::glance: return glance_depth(parameters_.depth, node.cumulative_probability);
      case Round::quick: return fast_depth(parameters_.depth, node.cumulative_probability);
      default: return parameters_.depth;
    }
  }

  bool evaluate() {
    std::vector<Round> rounds{Round::glance, Round::quick};
    if (parameters_.effort == Effort::exact) rounds.push_back(Round::exact);
    std::vector<std::size_t> searches;  // to the end of each round, should nothing be pruned
    searches.reserve(rounds.size());
    std::size_t total = 0;
    for (const Round round : rounds) searches.push_back(total += searches_of(round));
    enter(Phase::evaluation, total, true);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      if (searches[i] == total) last_round_ = rounds[i];
      if (!value_all(rounds[i])) return false;
      analysis_.counts.done = std::max(analysis_.counts.done, searches[i]);
    }
    return true;
  }

  std::size_t searches_of(Round round) const {
    std::size_t searches = 0;
    for (const Candidate& each : analysis_.candidates) {
      for (const Node& node : each.tree.nodes) {
        const int before = round == Round::glance  ? 0
                           : round == Round::quick ? depth_of(node, Round::glance)
                                                   : depth_of(node, Round::quick);
        if (depth_of(node, round) > before) ++searches;
      }
    }
    return searches;
  }

  // The nodes that count and still lack an answer of this round, line by line. What is below a node of which nothing is
  // known yet has to wait.
  std::vector<std::uint32_t> due_of(const Tree& tree, Round round) const {
    std::vector<std::uint32_t> due;
    std::vector<std::uint32_t> reached{0};
    while (!reached.empty()) {
      const std::uint32_t at = reached.back();
      reached.pop_back();
      const Node& node = tree.nodes[at];
      const bool known = at == 0 || node.kind == NodeKind::terminal;  // the candidate's is from the filter
      if (!known && node.depth < depth_of(node, round)) due.push_back(at);
      if (node.kind != NodeKind::inner || (!known && node.depth == 0)) continue;
      for (std::uint32_t child = node.child_count; child > 0; --child) reached.push_back(node.first_child + child - 1);
    }
    return due;
  }

  struct Place {
    std::size_t candidate;
    std::uint32_t node;
  };
  Node& node_at(Place place) { return analysis_.candidates[place.candidate].tree.nodes[place.node]; }

  std::vector<Place> all_due(Round round) {
    std::vector<Place> due;
    for (std::size_t c = 0; c < analysis_.candidates.size(); ++c) {
      for (const std::uint32_t node : due_of(analysis_.candidates[c].tree, round)) due.push_back({c, node});
    }
    // The likeliest first at a glance. Later a line stays together: its positions have much in common, and the rounds
    // themselves see to it that what is likely comes first.
    if (round == Round::glance) {
      std::sort(due.begin(), due.end(), [&](Place a, Place b) {
        return std::tuple(-node_at(a).cumulative_probability, a.candidate, a.node) <
               std::tuple(-node_at(b).cumulative_probability, b.candidate, b.node);
      });
    }
    return due;
  }

  bool value_all(Round round) {
    for (std::vector<Place> due = all_due(round); !due.empty(); due = all_due(round)) {
      if (!go_on()) return false;
      std::vector<engine::Question> questions;
      questions.reserve(due.size());
      for (const Place place : due) questions.push_back({node_at(place).position, depth_of(node_at(place), round)});
      const bool all = ask(questions, [&](std::size_t i, const std::optional<engine::Valuation>& valuation) {
        Node& node = node_at(due[i]);
        node.depth = questions[i].depth;
        changed_.insert(due[i].candidate);
        if (valuation) {
          set_win_rate(analysis_.candidates[due[i].candidate].tree, due[i].node,
                       win_rate(*valuation, player_, parameters_.map), least());
        } else if (node.win_rate) {
          shallow_only_ = true;
        } else {
          node.unevaluated = true;
        }
      });
      if (!all) return false;
      for (Candidate& each : analysis_.candidates) decide_again(each.tree, least());
      publish();
    }
    for (std::size_t c = 0; c < analysis_.candidates.size(); ++c) changed_.insert(c);
    publish();
    return true;
  }

  // False when an answer is missing: somebody asked to stop, here or the engines themselves.
  bool ask(const std::vector<engine::Question>& questions, const Valuations::Take& take) {
    std::size_t answers = 0;
    valuations_.ask(
        questions,
        [&](std::size_t i, const std::optional<engine::Valuation>& valuation) {
          ++answers;
          take(i, valuation);
          analysis_.counts.done = std::min(analysis_.counts.total, analysis_.counts.done + 1);
          analysis_.known = valuations_.known();
          // What was known before comes all at once, and is told when the engine has something to add.
          if (std::exchange(analysis_.evaluations, valuations_.made()) != valuations_.made()) publish();
        },
        stop_);
    if (go_on() && answers == questions.size()) return true;
    analysis_.phase = Phase::cancelled;
    return false;
  }

  Analysis finish() {
    auto& candidates = analysis_.candidates;
    bool failed_some = false;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      decide_again(candidates[c].tree, least());
      hide_below_pruned(candidates[c].tree);
      refresh(c);
      failed_some = failed_some || candidates[c].summary.unevaluated_mass > 0;
    }
    if (failed_some) {
      analysis_.warnings.emplace_back("some positions could not be evaluated; their parents' values stand in for them");
    }
    std::sort(candidates.begin(), candidates.end(), ranks_before);
    if (shallow_only_) analysis_.warnings.emplace_back("some positions have only the value of a shallower search");
    if (on_progress_) on_progress_(analysis_);
    return std::move(analysis_);
  }

  const Request& request_;
  const Parameters& parameters_;
  Colour player_;
  human::HumanModel& model_;
  Analysis analysis_;
  Valuations valuations_;
  TreeBuilder builder_;
  const OnProgress& on_progress_;
  std::stop_token stop_;
  std::set<std::size_t> changed_;    // candidates, since the last word of progress
  std::optional<Round> last_round_;  // once it has begun
  bool shallow_only_ = false;
};

}  // namespace

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

score::WinRate win_rate(const engine::Valuation& valuation, Colour player, WinRateMap map) {
  const score::MoverScore score = valuation.score.seen_by(player);
  if (map == WinRateMap::wdl && valuation.results && score.mate() == nullptr) {
    const double white = (valuation.results->wins + valuation.results->draws / 2.0) / 1000;
    return WinRate(player == Colour::white ? white : 1 - white);
  }
  return score::win_rate(score, score::lichess_slope);
}

Analysis analyse(const Request& request, human::HumanModel& model, engine::Evaluator& evaluator,
                 const OnProgress& on_progress, const std::stop_token& stop) {
  return Run(request, model, evaluator, on_progress, stop).run();
}

}  // namespace pm::expect
