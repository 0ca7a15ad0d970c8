#include "expect/analysis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "chess/draws.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci.h"

namespace pm::expect {
namespace {

using chess::Colour;
using chess::Move;
using chess::Position;
using human::Trail;

constexpr std::size_t nodes_at_once = 64;  // of the evaluation's frontier: enough for all engines, few enough to steer
constexpr std::size_t queries_at_once = 256;
constexpr int first_look_depth = 8;

// How a position ends a line without the engine, for `player`; and whether it has been there before.
struct Ending {
  std::optional<WinRate> known;
  bool repeated = false;
};

Ending ending_of(const Trail& trail, Colour player) {
  const Position& position = trail.newest();
  const int occurrences = trail.occurrences();
  if (const auto end = chess::game_end(position, occurrences)) {
    if (*end != chess::GameEnd::checkmate) return {WinRate(0.5), false};
    return {WinRate(position.side_to_move() == player ? 0.0 : 1.0), false};
  }
  if (chess::draw_claim(position, occurrences)) return {WinRate(0.5), false};
  return {std::nullopt, occurrences > 1};
}

// One run. The steps of the spec's section 2, in order.
class Run {
 public:
  Run(const Request& request, human::HumanModel& model, Evaluator& evaluator, const OnProgress& on_progress,
      std::stop_token stop)
      : request_(request),
        parameters_(request.parameters),
        player_(request.trail.newest().side_to_move()),
        model_(model),
        evaluator_(evaluator),
        on_progress_(on_progress),
        stop_(std::move(stop)) {
    analysis_.parameters = parameters_;
    analysis_.history_known = request.trail.is_complete();
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
    for (const std::size_t changed : changed_) {
      Candidate& candidate = analysis_.candidates[changed];
      candidate.summary = summarise(candidate.tree, parameters_.uncovered, base());
    }
    changed_.clear();
    on_progress_(analysis_);
  }
  void count(std::size_t done) {
    analysis_.counts.done = std::min(analysis_.counts.total, analysis_.counts.done + done);
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
    Trail after;
    std::optional<WinRate> win_rate;
    bool is_over = false;  // its win rate is known without the engine
  };

  std::vector<Legal> legal_moves() const {
    std::vector<Legal> legal;
    const bool only_these = request_.base && !request_.only.empty();
    for (const Move move : chess::legal_moves(request_.trail.newest())) {
      if (only_these && !is_wanted(move)) continue;
      Trail after = request_.trail;
      after.play(move);
      const Ending ending = ending_of(after, player_);
      legal.push_back({move, std::move(after), ending.known, ending.known.has_value()});
    }
    return legal;
  }

  void ask_for(std::vector<Legal>& legal, int depth) {
    std::vector<Question> questions;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < legal.size(); ++i) {
      if (legal[i].is_over) continue;
      asked.push_back(i);
      questions.push_back({legal[i].after.newest(), depth});
      legal[i].win_rate.reset();
    }
    ask(questions, [&](std::size_t i, const Valuation& valuation) {
      legal[asked[i]].win_rate = win_rate(valuation, player_, parameters_.map);
    });
  }

  // 1. Every legal move is evaluated; those not too far below the best are candidates.
  bool filter() {
    std::vector<Legal> legal = legal_moves();
    if (legal.empty()) {
      analysis_.empty_reason = request_.trail.newest().in_check() ? "checkmate" : "stalemate";
      return true;
    }
    const auto asked = static_cast<std::size_t>(
        std::count_if(legal.begin(), legal.end(), [](const Legal& each) { return !each.is_over; }));
    const bool look_first = on_progress_ && parameters_.depth > first_look_depth && !request_.base;
    enter(Phase::filter, look_first ? 2 * asked : asked, true);
    if (look_first && !first_look(legal)) return false;
    ask_for(legal, parameters_.depth);
    return go_on() && choose(legal);
  }

  // Somebody is watching: a glance at all moves gives trees to show within a second, while the real filter runs.
  bool first_look(std::vector<Legal> legal) {
    ask_for(legal, first_look_depth);
    if (!go_on() || !choose(legal) || !grow_all()) return false;
    analysis_.base.reset();
    analysis_.warnings.clear();
    return true;
  }

  // Makes candidates of the moves not too far below the best, in place of any there are.
  bool choose(const std::vector<Legal>& legal) {
    const Position& root = request_.trail.newest();
    std::optional<WinRate> best = request_.base;
    for (const Legal& each : legal) {
      if (each.win_rate && !request_.base && (!best || *each.win_rate > *best)) best = each.win_rate;
    }
    if (!best) return fail_with("the engine evaluated none of the moves");
    const auto policy = model_.predict(std::vector<human::Query>{query(request_.trail)}, human::Want::moves);
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
      if (request_.only.empty() ? !sensible : !is_wanted(each.move)) continue;
      add_candidate(each.move, each.after, *each.win_rate, policy->front());
    }
    return true;
  }

  bool is_wanted(Move move) const {
    return std::find(request_.only.begin(), request_.only.end(), move) != request_.only.end();
  }

  void add_candidate(Move move, Trail after, WinRate engine_win_rate, const human::Prediction& policy) {
    const Position& root = request_.trail.newest();
    Candidate candidate;
    candidate.move = move;
    candidate.san = chess::format_san(root, move);
    candidate.uci = chess::format_uci(move, chess::natural_notation(root));
    candidate.engine_win_rate = engine_win_rate;
    for (const auto& [each, probability] : policy.moves) {
      if (each == move) candidate.human_probability = probability;
    }
    Node node;
    node.move = move;
    node.san = candidate.san;
    node.position = after.newest();
    const Ending ending = ending_of(after, player_);
    if (ending.known) node.kind = NodeKind::terminal;
    if (ending.repeated) node.kind = NodeKind::repetition;
    node.win_rate = engine_win_rate;
    candidate.tree.nodes.push_back(std::move(node));
    ++analysis_.nodes;
    if (!ending.known && !ending.repeated) {
      growing_.push_back({analysis_.candidates.size(), 0, std::move(after)});
    }
    changed_.insert(analysis_.candidates.size());
    analysis_.candidates.push_back(std::move(candidate));
  }

  human::Query query(const Trail& trail) const {
    const bool own = trail.newest().side_to_move() == player_;
    return {trail, own ? parameters_.rating : parameters_.opponent_rating,
            own ? parameters_.opponent_rating : parameters_.rating};
  }

  bool build_trees() {
    enter(Phase::trees, analysis_.nodes, false);
    return grow_all();
  }

  // 2. and 3. The trees grow level by level, all candidates together, so that the model answers in large batches.
  bool grow_all() {
    while (!growing_.empty()) {
      // The likeliest first: should the nodes run out, the least likely lines are missing.
      std::sort(growing_.begin(), growing_.end(), [&](const Growing& a, const Growing& b) {
        return std::tuple(-node_of(a).cumulative_probability, a.candidate, a.node) <
               std::tuple(-node_of(b).cumulative_probability, b.candidate, b.node);
      });
      std::vector<Growing> next;
      for (std::size_t done = 0; done < growing_.size(); done += queries_at_once) {
        if (!go_on()) return false;
        if (!grow(std::span(growing_).subspan(done, std::min(queries_at_once, growing_.size() - done)), next)) {
          return false;
        }
        if (analysis_.phase == Phase::trees) analysis_.counts = {analysis_.nodes, analysis_.nodes, false};
        publish();
      }
      growing_ = std::move(next);
    }
    return true;
  }

  struct Growing {
    std::size_t candidate;
    std::uint32_t node;
    Trail trail;
  };
  const Node& node_of(const Growing& g) const { return analysis_.candidates[g.candidate].tree.nodes[g.node]; }

  bool grow(std::span<const Growing> some, std::vector<Growing>& next) {
    std::vector<human::Query> queries;
    queries.reserve(some.size());
    for (const Growing& each : some) queries.push_back(query(each.trail));
    auto policies = model_.predict(queries, human::Want::moves);
    if (!policies) return fail_with(policies.error().sentence);
    for (std::size_t i = 0; i < some.size(); ++i) add_children(some[i], (*policies)[i], next);
    return true;
  }

  void add_children(const Growing& from, human::Prediction& policy, std::vector<Growing>& next) {
    Tree& tree = analysis_.candidates[from.candidate].tree;
    changed_.insert(from.candidate);
    const double reached = tree.nodes[from.node].cumulative_probability;
    std::erase_if(policy.moves, [&](const human::MoveProbability& m) {
      return reached * m.probability < parameters_.threshold - probability_slack;
    });
    if (policy.moves.empty()) return;
    const int ply = tree.nodes[from.node].ply + 1;
    if (ply > parameters_.max_ply || analysis_.nodes + policy.moves.size() > parameters_.max_nodes) {
      analysis_.truncated = true;
      return;
    }
    std::sort(policy.moves.begin(), policy.moves.end(),
              [](const human::MoveProbability& a, const human::MoveProbability& b) {
                return std::tuple(-a.probability, a.move.bits()) < std::tuple(-b.probability, b.move.bits());
              });
    tree.nodes[from.node].kind = NodeKind::inner;
    tree.nodes[from.node].first_child = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes[from.node].child_count = static_cast<std::uint32_t>(policy.moves.size());
    for (const auto& [move, probability] : policy.moves) {
      Trail trail = from.trail;
      trail.play(move);
      Node node;
      node.move = move;
      node.san = chess::format_san(from.trail.newest(), move);
      node.position = trail.newest();
      node.parent = from.node;
      node.ply = ply;
      node.probability = probability;
      node.cumulative_probability = reached * probability;
      const Ending ending = ending_of(trail, player_);
      const auto at = static_cast<std::uint32_t>(tree.nodes.size());
      if (ending.known) {
        node.kind = NodeKind::terminal;
        node.win_rate = ending.known;
      } else if (ending.repeated) {
        node.kind = NodeKind::repetition;
      } else {
        next.push_back({from.candidate, at, std::move(trail)});
      }
      tree.nodes.push_back(std::move(node));
      ++analysis_.nodes;
    }
  }

  // 4. Values from the top, the likeliest lines first; what a pruned node leads to is not asked for.
  bool evaluate() {
    std::size_t quick = 0;
    std::size_t again = 0;
    for (const Candidate& each : analysis_.candidates) {
      for (const Node& node : each.tree.nodes) {
        ++quick;
        if (fast_depth(parameters_.depth, node.cumulative_probability) < parameters_.depth) ++again;
      }
    }
    const bool exact = parameters_.effort == Effort::exact;
    enter(Phase::evaluation, quick + (exact ? again : 0), true);
    if (!round([&](double probability) { return fast_depth(parameters_.depth, probability); }, quick,
               !exact || again == 0)) {
      return false;
    }
    return !exact || again == 0 || round([&](double) { return parameters_.depth; }, quick + again, true);
  }

  struct Place {
    std::size_t candidate;
    std::uint32_t node;
  };
  Node& node_at(Place place) { return analysis_.candidates[place.candidate].tree.nodes[place.node]; }

  template <class DepthOf>
  bool round(const DepthOf& depth_of, std::size_t done_in_the_end, bool last) {
    std::vector<Place> frontier;
    for (std::size_t c = 0; c < analysis_.candidates.size(); ++c) reach({c, 0}, frontier);
    while (!frontier.empty()) {
      if (!go_on()) return false;
      // A fixed number of the likeliest, whatever the number of engines: the same run asks the same questions.
      std::sort(frontier.begin(), frontier.end(), [&](Place a, Place b) {
        return std::tuple(-node_at(a).cumulative_probability, a.candidate, a.node) <
               std::tuple(-node_at(b).cumulative_probability, b.candidate, b.node);
      });
      std::vector<Place> now(frontier.begin(),
                             frontier.begin() + static_cast<std::ptrdiff_t>(std::min(nodes_at_once, frontier.size())));
      frontier.erase(frontier.begin(), frontier.begin() + static_cast<std::ptrdiff_t>(now.size()));
      std::sort(now.begin(), now.end(), [](Place a, Place b) {
        return std::tie(a.candidate, a.node) < std::tie(b.candidate, b.node);  // neighbours have much in common
      });
      std::vector<Question> questions;
      questions.reserve(now.size());
      for (const Place place : now) {
        questions.push_back({node_at(place).position, depth_of(node_at(place).cumulative_probability)});
      }
      std::vector<bool> valued(now.size());
      ask(questions, [&](std::size_t i, const Valuation& valuation) {
        Tree& tree = analysis_.candidates[now[i].candidate].tree;
        set_win_rate(tree, now[i].node, win_rate(valuation, player_, parameters_.map), least());
        changed_.insert(now[i].candidate);
        valued[i] = true;
      });
      if (!go_on()) return false;
      for (std::size_t i = 0; i < now.size(); ++i) {
        Node& node = node_at(now[i]);
        if (!valued[i] && !node.win_rate) node.unevaluated = true;
        if (!valued[i] && node.win_rate) quick_only_ = true;
        reach_children(now[i], frontier);
      }
      if (last) mark_final(frontier);
      publish();
    }
    analysis_.counts.done = std::max(analysis_.counts.done, std::min(done_in_the_end, analysis_.counts.total));
    if (last) mark_final({});
    return true;
  }

  // Puts a node on the frontier, or passes it by when its value is known without the engine.
  void reach(Place place, std::vector<Place>& frontier) {
    const Node& node = node_at(place);
    if (node.kind == NodeKind::terminal || place.node == 0) {  // the candidate has its value from the filter
      reach_children(place, frontier);
    } else {
      frontier.push_back(place);
    }
  }
  void reach_children(Place place, std::vector<Place>& frontier) {
    const Node node = node_at(place);
    if (node.kind != NodeKind::inner) return;
    for (std::uint32_t child = 0; child < node.child_count; ++child) {
      reach({place.candidate, node.first_child + child}, frontier);
    }
  }

  void mark_final(const std::vector<Place>& frontier) {
    for (Candidate& each : analysis_.candidates) each.is_final = true;
    for (const Place place : frontier) analysis_.candidates[place.candidate].is_final = false;
  }

  // Each distinct position and depth once in a run; the same questions in the same order in every run.
  template <class Take>
  void ask(const std::vector<Question>& questions, const Take& take) {
    std::vector<Question> fresh;
    std::vector<std::vector<std::size_t>> wanted;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      std::string key = fmt::format("{} {}", questions[i].depth, chess::format_fen(questions[i].position));
      if (const auto found = valuations_.find(key); found != valuations_.end()) {
        take(i, found->second);
        count(1);
        continue;
      }
      const auto [place, is_new] = places.emplace(std::move(key), fresh.size());
      if (is_new) {
        fresh.push_back(questions[i]);
        wanted.emplace_back();
      }
      wanted[place->second].push_back(i);
    }
    evaluator_.evaluate(
        fresh,
        [&](std::size_t f, const Answer& answer) {
          count(wanted[f].size());
          ++(answer.cached ? analysis_.known : analysis_.evaluations);
          if (answer.valuation) {
            valuations_.emplace(fmt::format("{} {}", fresh[f].depth, chess::format_fen(fresh[f].position)),
                                *answer.valuation);
            for (const std::size_t i : wanted[f]) take(i, *answer.valuation);
          }
          publish();
        },
        stop_);
  }

  Analysis finish() {
    auto& candidates = analysis_.candidates;
    bool failed_some = false;
    for (Candidate& each : candidates) {
      each.summary = summarise(each.tree, parameters_.uncovered, base());
      failed_some = failed_some || each.summary.unevaluated_mass > 0;
    }
    if (failed_some) {
      analysis_.warnings.emplace_back("some positions could not be evaluated; their parents' values stand in for them");
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::tuple(-a.summary.expected, -a.engine_win_rate->value(), a.uci) <
             std::tuple(-b.summary.expected, -b.engine_win_rate->value(), b.uci);
    });
    if (quick_only_) analysis_.warnings.emplace_back("some positions have only the value of the quick round");
    if (on_progress_) on_progress_(analysis_);
    return std::move(analysis_);
  }

  const Request& request_;
  const Parameters& parameters_;
  Colour player_;
  human::HumanModel& model_;
  Evaluator& evaluator_;
  const OnProgress& on_progress_;
  std::stop_token stop_;
  Analysis analysis_;
  std::vector<Growing> growing_;
  std::set<std::size_t> changed_;  // candidates, since the last word of progress
  bool quick_only_ = false;
  std::map<std::string, Valuation> valuations_;  // by depth and FEN
};

}  // namespace

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

verdict::WinRate win_rate(const Valuation& valuation, Colour player, WinRateMap map) {
  const verdict::MoverScore score = valuation.score.seen_by(player);
  if (map == WinRateMap::wdl && valuation.results && score.mate() == nullptr) {
    const double white = (valuation.results->wins + valuation.results->draws / 2.0) / 1000;
    return WinRate(player == Colour::white ? white : 1 - white);
  }
  return verdict::win_rate(score, verdict::lichess_slope);
}

Analysis analyse(const Request& request, human::HumanModel& model, Evaluator& evaluator, const OnProgress& on_progress,
                 const std::stop_token& stop) {
  return Run(request, model, evaluator, on_progress, stop).run();
}

}  // namespace pm::expect
