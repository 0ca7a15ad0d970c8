// The filter of an inquiry: which moves are sensible (docs/expected-winrate.md 2, step 1).
#include <algorithm>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "expect/inquiry.h"

namespace pm::expect {
namespace {

using chess::Move;
using chess::PositionHistory;

constexpr int first_look_depth = 8;
constexpr int plies_before_full = 4;  // of the second look
// A move that is worse than a candidate may be is none, when it is so many times the error of its search; two are
// compared, so that is the root of two times the error of one.
constexpr double sure_to_be_none = 1.5;

// Where moves that may be sensible are looked at for the second time.
int second_look_depth(int full_depth) {
  const int depth = full_depth - plies_before_full;
  return depth > first_look_depth ? depth : full_depth;
}

bool is_one_of(const std::vector<Move>& moves, Move move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

}  // namespace

WinRate Inquiry::least() const { return WinRate(std::clamp(base().value() + parameters_.loss, 0.0, 1.0)); }

WinRate Inquiry::followed_from() const { return parameters_.pruning == Pruning::player ? least() : WinRate(0); }

bool Inquiry::is_wanted(Move move) const { return is_one_of(request_.only, move); }

std::vector<Inquiry::Legal> Inquiry::legal_moves() const {
  std::vector<Legal> legal;
  const bool only_these = request_.base && !request_.only.empty();
  for (const Move move : chess::legal_moves(request_.history.newest())) {
    if (only_these && !is_wanted(move)) continue;
    PositionHistory after = request_.history;
    after.play(move);
    std::optional<WinRate> known = ending_of(after, player_).known;
    int depth = 0;
    for (const Request::Known& each : request_.known) {
      if (each.move != move || known) continue;
      known = each.win_rate;
      depth = each.depth;
    }
    legal.push_back({move, std::move(after), known, known.has_value(), depth, depth, {}, {}});
  }
  return legal;
}

void Inquiry::begin() {
  legal_ = legal_moves();
  if (legal_.empty()) {
    analysis_.empty_reason = request_.history.newest().in_check() ? "checkmate" : "stalemate";
    return end(Phase::complete, Stopped::exact);
  }
  const auto asked = static_cast<std::size_t>(
      std::count_if(legal_.begin(), legal_.end(), [](const Legal& each) { return !each.is_known; }));
  const bool look_first = (watched_ || settles()) && parameters_.depth > first_look_depth && !request_.base;
  enter(Phase::filter, look_first ? 2 * asked : asked, true);
  queries_ = {query_of(request_.history, player_, parameters_)};
  take_predictions_ = [this](std::vector<human::Prediction>& predictions) { policy_ = std::move(predictions.front()); };
  then_ = look_first ? &Inquiry::look_first : &Inquiry::filter;
}

bool Inquiry::may_be_sensible(const Legal& legal) const {
  if (!narrows() || !analysis_.base || !legal.win_rate || is_one_of(request_.also, legal.move)) return true;
  const double error = target().widened * steepness(parameters_.map) * value_error(legal.depth, parameters_.depth, .5) *
                       std::numbers::sqrt2;
  return legal.win_rate->value() >= least().value() - sure_to_be_none * error;
}

std::vector<std::size_t> Inquiry::worth_asking(int depth) const {
  std::vector<std::size_t> moves;
  for (std::size_t i = 0; i < legal_.size(); ++i) {
    if (!legal_[i].is_known && legal_[i].asked < depth && may_be_sensible(legal_[i])) moves.push_back(i);
  }
  return moves;
}

void Inquiry::ask_for(int depth) {
  const std::vector<std::size_t> asked = worth_asking(depth);
  std::vector<engine::Question> questions;
  for (const std::size_t i : asked) {
    questions.push_back({legal_[i].after.newest(), depth});
    legal_[i].asked = depth;
  }
  ask(
      std::move(questions),
      [this, asked](std::size_t i, const engine::Answer& answer) { legal_[asked[i]].answer = answer; },
      [this, asked, depth](std::size_t i, const std::optional<engine::Valuation>& valuation) {
        if (!valuation) return;
        Legal& legal = legal_[asked[i]];
        if (settles() && legal.win_rate) legal.before.emplace(legal.depth, *legal.win_rate);
        legal.win_rate = worth_(*valuation);
        legal.depth = depth;
      });
}

// Somebody is watching: a glance at all moves gives a ranking to show within a second, while the real filter runs.
void Inquiry::look_first() {
  ask_for(first_look_depth);
  then_ = &Inquiry::choose_first;
}

void Inquiry::choose_first() {
  if (!choose()) return;
  then_ = settles() ? &Inquiry::filter : &Inquiry::grow_first;
}

void Inquiry::grow_first() {
  if (!growth_.done()) return grow_level();
  analysis_.warnings.clear();
  then_ = &Inquiry::filter;
}

// 1. Every legal move is evaluated; those not too far below the best are candidates. A settled run leaves out what a
// less deep look shows to be none, and looks again should the best turn out worse than it seemed.
void Inquiry::filter() {
  int depth = parameters_.depth;
  if (narrows()) {
    const int second = second_look_depth(parameters_.depth);
    if (!worth_asking(second).empty()) depth = second;
  } else if (!settles()) {
    for (Legal& each : legal_) {
      if (!each.is_known) each.win_rate.reset();
    }
  }
  analysis_.warnings.clear();
  ask_for(depth);
  then_ = &Inquiry::choose_all;
}

void Inquiry::choose_all() {
  if (!choose()) return;
  if (settles()) {
    if (!worth_asking(parameters_.depth).empty()) return filter();
    enter(Phase::evaluation, 0, false);
    then_ = &Inquiry::settle;
  } else {
    enter(Phase::trees, analysis_.nodes, false);
    then_ = &Inquiry::grow_all;
  }
}

// Makes candidates of the moves not too far below the best, in place of any there are.
bool Inquiry::choose() {
  std::optional<WinRate> best = request_.base;
  for (const Legal& each : legal_) {
    if (each.win_rate && !request_.base && (!best || *each.win_rate > *best)) best = each.win_rate;
  }
  if (!best) {
    fail_with("the engine evaluated none of the moves");
    return false;
  }
  analysis_.base = best;
  analysis_.candidates.clear();
  analysis_.nodes = 0;
  analysis_.truncated = false;
  growth_.clear();
  changed_.clear();
  for (const Legal& each : legal_) {
    if (!each.win_rate) {
      analysis_.warnings.push_back(fmt::format("{} could not be evaluated and is left out",
                                               chess::format_san(request_.history.newest(), each.move)));
      continue;
    }
    const bool sensible = each.win_rate->value() >= least().value() - win_rate_slack;
    const bool also = is_one_of(request_.also, each.move);
    if (request_.only.empty() ? sensible || also : is_wanted(each.move)) add_candidate(each);
  }
  return true;
}

void Inquiry::add_candidate(const Legal& legal) {
  const chess::Position& root = request_.history.newest();
  Candidate candidate;
  candidate.move = legal.move;
  candidate.san = chess::format_san(root, legal.move);
  candidate.uci = chess::format_uci(legal.move, chess::natural_notation(root));
  candidate.engine_win_rate = *legal.win_rate;
  candidate.human_probability = human::probability_of(policy_, legal.move);
  Node node;
  node.move = legal.move;
  node.san = candidate.san;
  node.position = legal.after.newest();
  node.depth = legal.depth;
  node.asked = legal.asked;
  node.before = legal.before;
  const Ending ending = ending_of(legal.after, player_);
  if (ending.known) node.kind = NodeKind::terminal;
  if (ending.repeated) node.kind = NodeKind::repetition;
  node.open = !ending.known && !ending.repeated;
  node.win_rate = *legal.win_rate;
  candidate.tree.nodes.push_back(std::move(node));
  ++analysis_.nodes;
  changed_.insert(analysis_.candidates.size());
  analysis_.candidates.push_back(std::move(candidate));
  if (!legal.is_known) count(analysis_.candidates.size() - 1, legal.answer);
  growth_.add_root(legal.after);
}

}  // namespace pm::expect
