#include "review/traps.h"

#include <algorithm>

#include "chess/movegen.h"
#include "chess/position_history.h"
#include "review/model_batches.h"

namespace pm::review {
namespace {

constexpr double most_people = .5;

// A move that might set a trap, with what the engine says of the position after it.
struct Setting {
  std::size_t ply;
  chess::PositionHistory after;
  chess::Move move;
  std::vector<score::Line> lines;
};

// The move played, unless it is an error or nobody had a choice; else the engine's.
std::optional<Setting> setting_at(const GameReview& review, std::size_t at, const chess::PositionHistory& before) {
  const PlyReview& ply = review.plies[at];
  if (!ply.verdicts || ply.ends_game) return std::nullopt;
  const verdict::PointsClass cls = ply.verdicts->points.cls;
  if (cls == verdict::PointsClass::theory || cls == verdict::PointsClass::forced) return std::nullopt;
  Setting setting{at, before, ply.move, review.after(at).lines};
  if (verdict::is_plain_error(cls)) {
    const score::Line* better = review.better_line(at);
    if (better == nullptr || better->pv.size() < 2) return std::nullopt;
    setting.move = better->pv.front();
    setting.lines = {{better->score, better->depth, {better->pv.begin() + 1, better->pv.end()}}};
  }
  if (setting.lines.empty() || setting.lines.front().pv.empty()) return std::nullopt;
  setting.after.play(setting.move);
  return setting;
}

// What the review knows of the position after the reply.
std::optional<score::Line> known_line(const GameReview& review, const Setting& setting, chess::Move reply) {
  const std::size_t next = setting.ply + 1;
  const bool was_played = next < review.plies.size() && review.plies[setting.ply].move == setting.move &&
                          review.plies[next].move == reply && review.after(next).known();
  if (was_played) return review.after(next).lines.front();
  for (const score::Line& line : setting.lines) {
    if (line.pv.size() < 2 || line.pv.front() != reply) continue;
    return score::Line{line.score, line.depth, {line.pv.begin() + 1, line.pv.end()}};
  }
  return std::nullopt;
}

void add_questions(const GameReview& review, const Setting& setting, const human::Prediction& prediction,
                   std::vector<TrapQuestion>& questions) {
  for (const auto& [reply, probability] : prediction.moves) {
    if (probability < most_people || reply == setting.lines.front().pv.front()) continue;
    const chess::Position after = setting.after.newest().after(reply);
    if (chess::count_legal_moves(after) == 0) continue;
    questions.push_back({setting.ply, setting.move, reply, probability, setting.lines.front().score, after,
                         known_line(review, setting, reply)});
  }
}

}  // namespace

Expected<std::vector<TrapQuestion>> possible_traps(const GameReview& review, human::HumanModel& model, std::size_t from,
                                                   const std::stop_token& stop) {
  std::vector<TrapQuestion> questions;
  ModelBatches batches(model, stop);
  chess::PositionHistory history(review.game.start);
  for (std::size_t at = 0; at < review.plies.size() && !stop.stop_requested(); ++at) {
    if (auto setting = at >= from ? setting_at(review, at, history) : std::nullopt) {
      const chess::Colour side = setting->after.newest().side_to_move();
      const human::Query query{setting->after, review.evidence.human->rating_of(side),
                               review.evidence.human->rating_of(!side)};
      const auto take = [&, setting = std::move(*setting)](const human::Prediction& prediction) {
        add_questions(review, setting, prediction, questions);
      };
      if (auto asked = batches.ask(query, take); !asked) return tl::make_unexpected(asked.error());
    }
    history.play(review.plies[at].move);
  }
  if (auto asked = batches.finish(); !asked) return tl::make_unexpected(asked.error());
  return questions;
}

std::optional<explain::Trap> trap_of(const TrapQuestion& question, const score::Line& line) {
  const chess::Colour replier = !question.after.side_to_move();
  const auto chances = [&](const score::WhiteScore& score) {
    return score::win_rate(score.seen_by(replier), score::points_slope).value();
  };
  if (line.pv.empty() || chances(question.otherwise) - chances(line.score) < explain::clear_error) return std::nullopt;
  return explain::Trap{question.move, question.reply, question.probability, line};
}

}  // namespace pm::review
