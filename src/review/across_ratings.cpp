#include "review/across_ratings.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "chess/position_history.h"
#include "chess/san.h"
#include "review/human_statistics.h"

namespace pm::review {
namespace {

constexpr std::size_t plies_at_once = 8;  // few, to stop soon; enough for all cores
constexpr double clearly_worse = .05;     // winning chances

struct AskedPly {
  std::size_t ply;
  chess::Move played;
  chess::Move best;
};

// As many decimals as are kept.
double kept(double probability) {
  constexpr double decimals = 1e5;
  return std::round(probability * decimals) / decimals;
}

// The engine's choice; null: there is none.
chess::Move first_choice(const engine::Evaluation& position) {
  if (!position.known() || position.lines.empty() || position.lines.front().pv.empty()) return chess::Move::null();
  return position.lines.front().pv.front();
}

AcrossRatings across_of(std::span<const human::Prediction> predictions, chess::Move played, chess::Move best) {
  AcrossRatings across;
  if (best != played) across.best = best;
  for (const human::Prediction& each : predictions) {
    across.played.push_back(kept(human::probability_of(each, played)));
    if (!across.best.is_null()) across.best_played.push_back(kept(human::probability_of(each, best)));
  }
  return across;
}

// At a rating between the sampled ones.
double at_rating(std::span<const int> ratings, std::span<const double> probabilities, int rating) {
  const auto above = std::lower_bound(ratings.begin(), ratings.end(), rating);
  if (above == ratings.begin()) return probabilities.front();
  if (above == ratings.end()) return probabilities.back();
  const auto i = static_cast<std::size_t>(above - ratings.begin());
  const double part = static_cast<double>(rating - ratings[i - 1]) / (ratings[i] - ratings[i - 1]);
  return (1 - part) * probabilities[i - 1] + part * probabilities[i];
}

bool is_alone(const engine::Evaluation& before, chess::Colour mover) {
  if (before.lines.size() < 2) return false;
  const auto chances = [&](const score::Line& line) {
    return score::win_rate(line.score.seen_by(mover), score::points_slope).value();
  };
  return chances(before.lines[0]) - chances(before.lines[1]) >= clearly_worse;
}

}  // namespace

Expected<void> ask_across_ratings(Evidence& evidence, const pgn::Game& game, human::HumanModel& model, std::size_t from,
                                  const std::function<bool()>& stopped) {
  const std::vector<int> ratings = human::sampled_ratings(model.identity().ratings);
  if (evidence.human->sampled != ratings) {
    for (PlyEvidence& ply : evidence.plies) ply.across.reset();
    evidence.human->sampled = ratings;
  }
  std::vector<AskedPly> asked;
  std::vector<human::Query> queries;
  const auto ask = [&]() -> Expected<void> {
    const auto predictions = model.predict(queries, human::Want::moves);
    if (!predictions) return tl::make_unexpected(predictions.error());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto own = std::span(*predictions).subspan(i * ratings.size(), ratings.size());
      evidence.plies[asked[i].ply].across = across_of(own, asked[i].played, asked[i].best);
    }
    asked.clear();
    queries.clear();
    return {};
  };
  const std::vector<chess::Move> moves = reviewed_moves(game);
  chess::PositionHistory history(game.start);
  for (std::size_t at = 0; at < moves.size() && !stopped(); ++at) {
    const chess::Move played = moves[at];
    const PlyEvidence& ply = evidence.plies[at];
    const chess::Move best = first_choice(evidence.positions[at]);
    const bool known = ply.across && (best == played || best.is_null() || ply.across->best == best);
    if (ply.human && at >= from && !known) {
      asked.push_back({at, played, best});
      for (const int rating : ratings) queries.push_back({history, rating, rating});
    }
    if (asked.size() == plies_at_once) {
      if (auto done = ask(); !done) return done;
    }
    history.play(played);
  }
  return stopped() ? Expected<void>() : ask();
}

std::optional<Finding> finding_of(const GameReview& review, std::size_t at) {
  const PlyReview& ply = review.plies[at];
  const auto& across = review.evidence.plies[at].across;
  const auto& people = review.evidence.human;
  if (!ply.verdicts || !across || !people) return std::nullopt;
  const verdict::PointsClass cls = ply.verdicts->points.cls;
  const bool feat = cls == verdict::PointsClass::critical || cls == verdict::PointsClass::brilliant;
  const score::Line* better = review.better_line(at);
  const bool missed = verdict::is_plain_error(cls) && better != nullptr && better->pv.front() == across->best;
  if (!feat && !missed) return std::nullopt;
  const std::vector<double>& probabilities = feat ? across->played : across->best_played;
  return Finding{feat ? ply.move : across->best,
                 at_rating(people->sampled, probabilities, people->rating_of(ply.mover)), probabilities,
                 human::difficulty_of(people->sampled, probabilities), is_alone(review.before(at), ply.mover)};
}

std::optional<human::PlayedLike> played_like(const GameReview& review, chess::Colour player) {
  const auto& people = review.evidence.human;
  if (!people || people->sampled.empty()) return std::nullopt;
  human::Likelihood likelihood(people->sampled);
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    const auto& across = review.evidence.plies[at].across;
    if (review.plies[at].mover == player && across) likelihood.add(across->played);
  }
  return human::played_like(likelihood, people->model);
}

std::string finding_sentence(const GameReview& review, std::size_t at) {
  constexpr double most_miss = 1.0 / 3;  // with fewer, two of three play something else
  constexpr double clearly_more = .05;
  const PlyReview& ply = review.plies[at];
  const auto& finding = ply.finding;
  if (!finding || finding->found > most_miss) return "";
  const bool about = finding->difficulty.reach == human::Difficulty::Reach::about;
  const std::string takes = fmt::format("takes {}", human::difficulty_text(finding->difficulty));
  const int strongest = review.evidence.human->sampled.back();
  const double of_strongest = finding->by_rating.back();
  const bool more = of_strongest >= finding->found + clearly_more;
  if (finding->move == ply.move) {
    if (about) return fmt::format("It {}.", takes);
    return more ? fmt::format("Of {}s {} do.", strongest, share_text(of_strongest)) : "";
  }
  if (!finding->alone) return "";
  const std::string missed =
      fmt::format("Most {}s miss {} ({} find it", review.evidence.human->rating_of(ply.mover),
                  chess::format_san(review.positions[at], finding->move), share_text(finding->found));
  if (about) return fmt::format("{}); it {}.", missed, takes);
  return more ? fmt::format("{}, {} of {}s).", missed, share_text(of_strongest), strongest)
              : fmt::format("{}), as do most {}s.", missed, strongest);
}

}  // namespace pm::review
