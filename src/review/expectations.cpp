#include "review/expectations.h"

#include <algorithm>
#include <span>

#include "chess/position_history.h"
#include "expect/growth.h"
#include "expect/interval.h"
#include "expect/worth.h"
#include "review/model_batches.h"

namespace pm::review {
namespace {

using expect::Node;
using expect::Tree;
using score::WinRate;

constexpr double quick_threshold = .1;  // of trees that only give a figure
constexpr double fine_threshold = .01;  // of those that must tell whether a move is RISKY
constexpr int fine_plies = 3;           // the move, the reply, the answer: what confidence is about
constexpr int deepest = 12;             // of People::full: there are many of them
constexpr int deepest_quick = 8;
constexpr int deepest_fine = 10;

constexpr int glance_depth = 6;
constexpr double likely_reply = .05;  // looked at in a glance
constexpr double glance_slack = .02;  // a glance may be off by so much
constexpr double hard_to_find = .1;   // fewer than that play the better move

// What is known of their replies is held for so many moves at a time: more than a game usually has.
constexpr std::size_t suspects_at_once = 600;

bool lost_something(verdict::PointsClass cls) {
  switch (cls) {
    case verdict::PointsClass::excellent:
    case verdict::PointsClass::okay:
    case verdict::PointsClass::inaccuracy:
    case verdict::PointsClass::mistake:
    case verdict::PointsClass::blunder:
    case verdict::PointsClass::risky: return true;
    default: return false;
  }
}

// A move that lost something, beside the engine's first choice.
struct Suspect {
  std::size_t ply;
  chess::Colour mover;
  chess::Move played;
  chess::Move best;
  WinRate after_played;
  WinRate after_best;
};

WinRate win_rate_of(const score::Line& line, chess::Colour mover) {
  return score::win_rate(line.score.seen_by(mover), score::lichess_slope);
}

// What leads up to ply `at`.
chess::PositionHistory history_before(const GameReview& review, std::size_t at) {
  return chess::PositionHistory::at_end_of(std::span(review.positions).first(at + 1));
}

std::vector<Suspect> suspects_of(const GameReview& review, std::size_t from) {
  std::vector<Suspect> suspects;
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    const PlyReview& ply = review.plies[at];
    const PlyEvidence& evidence = review.evidence.plies[at];
    const score::Line* best = review.better_line(at);
    if (at >= from && ply.verdicts && evidence.human && !evidence.expectation && best != nullptr &&
        lost_something(ply.verdicts->points.cls)) {
      suspects.push_back({at, ply.mover, ply.move, best->pv.front(),
                          win_rate_of(review.after(at).lines.front(), ply.mover), win_rate_of(*best, ply.mover)});
    }
  }
  return suspects;
}

// What people do after a move: how likely its replies are, and what they are worth to the one who moved.
class Replies {
 public:
  Replies(chess::PositionHistory before, const Suspect& suspect, chess::Move move, WinRate after)
      : history_(std::move(before)), mover_(suspect.mover), rest_(after) {
    history_.play(move);
    over_ = expect::ending_of(history_, mover_).known.has_value();
  }

  bool over() const { return over_; }
  const chess::PositionHistory& history() const { return history_; }

  // `known`: lines of the review from the position after the move.
  void set(const human::Prediction& prediction, const std::vector<score::Line>& known) {
    for (const auto& [move, probability] : prediction.moves) {
      Reply reply{move, probability, std::nullopt, std::nullopt};
      for (const score::Line& line : known) {
        if (!line.pv.empty() && line.pv.front() == move) reply.value = win_rate_of(line, mover_);
      }
      replies_.push_back(reply);
    }
  }

  // Likely ones whose worth is not known.
  void add_questions(std::vector<engine::Question>& questions) {
    for (Reply& reply : replies_) {
      if (reply.value || reply.probability < likely_reply) continue;
      chess::PositionHistory after = history_;
      after.play(reply.move);
      reply.value = expect::ending_of(after, mover_).known;
      if (reply.value) continue;
      reply.question = questions.size();
      questions.push_back({after.newest(), glance_depth});
    }
  }
  void take(const std::vector<std::optional<engine::Valuation>>& answers) {
    for (Reply& reply : replies_) {
      if (!reply.question) continue;
      if (const auto& answer = answers[*reply.question]) {
        reply.value = expect::Worth(expect::WinRateMap::logistic, mover_)(*answer);
      }
      reply.question.reset();
    }
  }

  // Replies of unknown worth count as the position itself, or at the most as a win.
  double expected() const { return sum(rest_.value()); }
  double at_most() const { return sum(1); }

 private:
  struct Reply {
    chess::Move move;
    double probability;
    std::optional<WinRate> value;
    std::optional<std::size_t> question;
  };
  double sum(double unknown) const {
    if (over_) return rest_.value();
    double sum = 0;
    for (const Reply& reply : replies_) sum += reply.probability * (reply.value ? reply.value->value() : unknown);
    return sum;
  }

  chess::PositionHistory history_;
  chess::Colour mover_;
  WinRate rest_;
  bool over_;
  std::vector<Reply> replies_;
};

// One run over the suspects of a game. What is still RISKY after each step goes on to the next.
class Glance {
 public:
  Glance(const GameReview& review, human::HumanModel& model, engine::Evaluator& evaluator, const std::stop_token& stop)
      : review_(review), model_(model), evaluator_(evaluator), stop_(stop) {}

  // Which of them may be RISKY; none when somebody asked to stop.
  Expected<std::vector<bool>> may_be_risky(std::span<const Suspect> suspects) {
    std::vector<bool> may_be(suspects.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < suspects.size(); ++i) {
      const auto& verdicts = review_.plies[suspects[i].ply].verdicts;
      if (verdict::may_be_risky(judged(suspects[i]), verdicts->points.cls)) open.push_back(i);
    }
    std::vector<Replies> played;
    played.reserve(open.size());
    for (const std::size_t i : open) {
      played.emplace_back(history_before(review_, suspects[i].ply), suspects[i], suspects[i].played,
                          suspects[i].after_played);
    }
    if (auto asked = ask_model(played, suspects, open, true); !asked) return tl::make_unexpected(asked.error());
    keep(open, played, [&](std::size_t i, const Replies& r) { return r.at_most() - suspects[i].after_best.value(); });
    if (!ask_engine(played)) return may_be;
    keep(open, played, [&](std::size_t i, const Replies& r) { return r.expected() - suspects[i].after_best.value(); });
    std::vector<Replies> best;
    best.reserve(open.size());
    for (const std::size_t i : open) {
      best.emplace_back(history_before(review_, suspects[i].ply), suspects[i], suspects[i].best,
                        suspects[i].after_best);
    }
    if (auto asked = ask_model(best, suspects, open, false); !asked) return tl::make_unexpected(asked.error());
    if (!ask_engine(best)) return may_be;
    for (std::size_t k = 0; k < open.size(); ++k) {
      may_be[open[k]] = is_enough(played[k].expected() - best[k].expected());
    }
    return may_be;
  }

  // The probability that people of the mover's rating play the engine's move.
  Expected<std::vector<double>> finders_of_best(std::span<const Suspect> suspects) {
    std::vector<double> found(suspects.size(), 1);
    ModelBatches batches(model_, stop_);
    for (std::size_t i = 0; i < suspects.size() && !stop_.stop_requested(); ++i) {
      const auto take = [&into = found[i], best = suspects[i].best](const human::Prediction& prediction) {
        for (const auto& [move, probability] : prediction.moves) {
          if (move == best) into = probability;
        }
      };
      const auto asked = batches.ask(query(history_before(review_, suspects[i].ply), suspects[i].mover), take);
      if (!asked) return tl::make_unexpected(asked.error());
    }
    if (auto asked = batches.finish(); !asked) return tl::make_unexpected(asked.error());
    return found;
  }

 private:
  static bool is_enough(double gain) { return gain >= verdict::risky_gain - glance_slack; }

  verdict::JudgedMove judged(const Suspect& suspect) const {
    return {review_.positions[suspect.ply], suspect.played, review_.positions[suspect.ply + 1],
            review_.before(suspect.ply).lines, review_.after(suspect.ply).lines};
  }

  human::Query query(const chess::PositionHistory& history, chess::Colour side) const {
    return {history, review_.evidence.human->rating_of(side), review_.evidence.human->rating_of(!side)};
  }

  Expected<void> ask_model(std::vector<Replies>& all, std::span<const Suspect> suspects,
                           const std::vector<std::size_t>& open, bool played) {
    ModelBatches batches(model_, stop_);
    for (std::size_t k = 0; k < all.size() && !stop_.stop_requested(); ++k) {
      if (all[k].over()) continue;
      const Suspect& suspect = suspects[open[k]];
      const auto take = [this, played, &into = all[k], ply = suspect.ply](const human::Prediction& prediction) {
        into.set(prediction, played ? review_.after(ply).lines : std::vector<score::Line>{});
      };
      if (auto asked = batches.ask(query(all[k].history(), !suspect.mover), take); !asked) return asked;
    }
    return batches.finish();
  }

  // False when somebody asked to stop.
  bool ask_engine(std::vector<Replies>& all) {
    std::vector<engine::Question> questions;
    for (Replies& each : all) each.add_questions(questions);
    std::vector<std::optional<engine::Valuation>> answers(questions.size());
    std::size_t answered = 0;
    engine::evaluate_all(
        evaluator_, questions,
        [&](std::size_t i, const engine::Answer& answer) {
          answers[i] = answer.valuation;
          ++answered;
        },
        stop_);
    for (Replies& each : all) each.take(answers);
    return answered == questions.size();
  }

  template <class Gain>
  static void keep(std::vector<std::size_t>& open, std::vector<Replies>& replies, Gain gain) {
    std::vector<std::size_t> kept;
    std::vector<Replies> kept_replies;
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (!is_enough(gain(open[k], replies[k]))) continue;
      kept.push_back(open[k]);
      kept_replies.push_back(std::move(replies[k]));
    }
    open = std::move(kept);
    replies = std::move(kept_replies);
  }

  const GameReview& review_;
  human::HumanModel& model_;
  engine::Evaluator& evaluator_;
  const std::stop_token& stop_;
};

// What the tree below a node comes to.
double expected_below(const Tree& tree, const Node& node) {
  const double own = node.win_rate ? node.win_rate->value() : 0;
  if (node.kind != expect::NodeKind::inner) return own;
  double sum = 0;
  double followed = 0;
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    const Node& child = tree.nodes[node.first_child + i];
    sum += child.probability * (child.win_rate ? expected_below(tree, child) : own);
    followed += child.probability;
  }
  return sum + (std::max(0.0, 1 - followed) * own);
}

// The reply that raises the move most above what the engine says of it, and the best answer to that.
void find_line(const Tree& tree, Expectation& into) {
  const Node& root = tree.candidate();
  const double own = root.win_rate ? root.win_rate->value() : 0;
  const Node* reply = nullptr;
  double most = 0;
  for (std::uint32_t i = 0; i < root.child_count; ++i) {
    const Node& child = tree.nodes[root.first_child + i];
    const double gain = child.probability * (expected_below(tree, child) - own);
    if (child.win_rate && gain > most) {
      most = gain;
      reply = &child;
    }
  }
  if (reply == nullptr) return;
  into.reply = reply->move;
  into.reply_probability = reply->probability;
  double best = -1;
  for (std::uint32_t i = 0; i < reply->child_count; ++i) {
    const Node& child = tree.nodes[reply->first_child + i];
    if (child.kind == expect::NodeKind::pruned || !child.win_rate || child.win_rate->value() <= best) continue;
    best = child.win_rate->value();
    into.answer = child.move;
  }
}

verdict::PracticalScore score_of(const expect::Candidate& candidate) {
  const expect::Interval interval = expect::Uncertainty(candidate.tree, {16, true}).around(candidate.summary.expected);
  return {WinRate(candidate.summary.expected), interval.low, interval.high, candidate.summary.confidence};
}

}  // namespace

Expected<std::vector<PlyToCompare>> plies_to_compare(const GameReview& review, People people, human::HumanModel& model,
                                                     engine::Evaluator& evaluator, const std::stop_token& stop,
                                                     std::size_t from) {
  const std::vector<Suspect> suspects = suspects_of(review, from);
  Glance glance(review, model, evaluator, stop);
  std::vector<PlyToCompare> plies;
  for (std::size_t done = 0; done < suspects.size(); done += suspects_at_once) {
    const auto some = std::span(suspects).subspan(done, std::min(suspects_at_once, suspects.size() - done));
    const auto may_be_risky = glance.may_be_risky(some);
    if (!may_be_risky) return tl::make_unexpected(may_be_risky.error());
    const auto found = people == People::quick ? glance.finders_of_best(some) : std::vector<double>{};
    if (!found) return tl::make_unexpected(found.error());
    if (stop.stop_requested()) return std::vector<PlyToCompare>{};
    for (std::size_t i = 0; i < some.size(); ++i) {
      const bool error = verdict::is_error(review.plies[some[i].ply].verdicts->points.cls);
      const bool worth_it = people == People::full || (error && (*found)[i] < hard_to_find);
      if ((*may_be_risky)[i] || worth_it) plies.push_back({some[i].ply, (*may_be_risky)[i]});
    }
  }
  return plies;
}

expect::Parameters review_parameters(const engine::Limit& limit, People people, bool may_be_risky) {
  expect::Parameters parameters;
  parameters.map = expect::WinRateMap::logistic;  // as the review's own scores
  parameters.pruning = expect::Pruning::player;
  parameters.effort = expect::Effort::exact;
  parameters.threshold = may_be_risky ? fine_threshold : quick_threshold;
  if (may_be_risky) parameters.max_ply = fine_plies;
  if (may_be_risky || people == People::quick) parameters.effort = expect::Effort::fast;
  const int most = people == People::full ? deepest : may_be_risky ? deepest_fine : deepest_quick;
  const bool by_depth = limit.kind == engine::Limit::Kind::depth;
  parameters.depth =
      by_depth ? static_cast<int>(std::clamp<std::uint64_t>(limit.value, 1, static_cast<std::uint64_t>(most))) : most;
  return parameters;
}

std::optional<Expectation> compare_with_best(const GameReview& review, const PlyToCompare& which,
                                             const expect::Parameters& parameters, human::HumanModel& model,
                                             engine::Evaluator& evaluator, const std::stop_token& stop) {
  const PlyReview& ply = review.plies[which.ply];
  const score::Line& best = *review.better_line(which.ply);
  const score::Line& after = review.after(which.ply).lines.front();
  const WinRate base = win_rate_of(best, ply.mover);
  expect::Request request{history_before(review, which.ply), parameters, {ply.move, best.pv.front()}, base, {}};
  request.known = {{ply.move, win_rate_of(after, ply.mover), after.depth}, {best.pv.front(), base, best.depth}};
  request.parameters.rating = review.evidence.human->rating_of(ply.mover);
  request.parameters.opponent_rating = review.evidence.human->rating_of(!ply.mover);
  const expect::Analysis analysis = expect::analyse(request, model, evaluator, {}, stop);
  if (analysis.phase != expect::Phase::complete || analysis.candidates.size() != 2) return std::nullopt;
  const bool played_first = analysis.candidates[0].move == ply.move;
  const expect::Candidate& played = analysis.candidates[played_first ? 0 : 1];
  Expectation expectation{score_of(played), score_of(analysis.candidates[played_first ? 1 : 0]), best.pv.front()};
  find_line(played.tree, expectation);
  return expectation;
}

}  // namespace pm::review
