#include "review/human_statistics.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/position_history.h"
#include "chess/san.h"
#include "review/across_ratings.h"
#include "review/model_batches.h"

namespace pm::review {
namespace {

std::optional<int> tagged(const pgn::Game& game, std::string_view name) {
  const std::string* value = game.find_tag(name);
  const auto rating = value != nullptr ? parse_number<int>(*value) : std::nullopt;
  return rating && *rating > 0 ? rating : std::nullopt;
}

HumanStatistics statistics_of(const human::Prediction& prediction, chess::Move played) {
  const auto likeliest = std::max_element(prediction.moves.begin(), prediction.moves.end(),
                                          [](const auto& a, const auto& b) { return a.probability < b.probability; });
  return {human::probability_of(prediction, played), likeliest->move, likeliest->probability};
}

// "the natural recapture, but it loses to Ne7+." of an error that most people make; else empty.
std::string what_most_overlook(const GameReview& review, std::size_t at) {
  constexpr double most = .5;
  const PlyReview& ply = review.plies[at];
  const auto& claims = ply.explanation.claims;
  const bool error = ply.verdicts && verdict::is_plain_error(ply.verdicts->points.cls);
  if (!error || claims.empty() || review.evidence.plies[at].human->probability < most) return "";
  const explain::Claim& first = claims.front();
  if (first.line.empty()) return "";
  const bool allows = first.kind == explain::ClaimKind::allows;
  if (!allows && first.kind != explain::ClaimKind::misses) return "";
  const chess::Position& before = review.positions[at];
  const std::string san = chess::format_san(review.positions[allows ? at + 1 : at], first.line.front());
  const bool recapture = at > 0 && !review.plies[at - 1].move.is_null() &&
                         review.positions[at - 1].captured_by(review.plies[at - 1].move) != chess::Piece::none &&
                         review.plies[at - 1].move.to() == ply.move.to();
  const bool capture = before.captured_by(ply.move) != chess::Piece::none;
  const bool check = review.positions[at + 1].in_check();
  const char* kind = recapture ? "recapture" : capture ? "capture" : check ? "check" : "move";
  if (allows) return fmt::format("the natural {}, but it {} {}.", kind, first.wins ? "loses to" : "allows", san);
  return fmt::format("the natural {}, but {} was better.", kind, san);
}

bool is_hard_to_find(const PlyReview& ply, const HumanStatistics& human) {
  constexpr double few = .1;
  if (!ply.verdicts || human.probability >= few || human.likeliest == ply.move) return false;
  const verdict::PointsClass cls = ply.verdicts->points.cls;
  return cls == verdict::PointsClass::critical || cls == verdict::PointsClass::brilliant;
}

}  // namespace

std::string share_text(double share) {
  if (share > 0 && share < 0.01) return "fewer than 1%";
  return fmt::format("{:.0f}%", 100 * share);
}

human::TaggedRatings tagged_ratings(const pgn::Game& game) {
  return {tagged(game, "WhiteElo"), tagged(game, "BlackElo")};
}

Expected<void> ask_about_people(Evidence& evidence, const pgn::Game& game, human::HumanModel& model,
                                const human::Ratings& ratings, People people, const std::stop_token& stop) {
  const std::vector<chess::Move> moves = reviewed_moves(game);
  std::vector<std::optional<HumanStatistics>> statistics(moves.size());
  ModelBatches batches(model, stop);
  chess::PositionHistory history(game.start);
  for (std::size_t at = 0; at < moves.size() && !stop.stop_requested(); ++at) {
    const chess::Colour mover = history.newest().side_to_move();
    const auto take = [&into = statistics[at], played = moves[at]](const human::Prediction& prediction) {
      if (!played.is_null() && !prediction.moves.empty()) into = statistics_of(prediction, played);
    };
    if (auto asked = batches.ask({history, ratings.of(mover), ratings.of(!mover)}, take); !asked) return asked;
    history.play(moves[at]);
  }
  if (auto asked = batches.finish(); !asked || stop.stop_requested()) return asked;
  HumanUsed used{model.identity().name, model.identity().sha256, ratings.white, ratings.black, people, {}};
  const bool same_people = evidence.human && evidence.human->sha256 == used.sha256 &&
                           evidence.human->white_rating == ratings.white &&
                           evidence.human->black_rating == ratings.black;
  for (std::size_t at = 0; at < moves.size(); ++at) {
    PlyEvidence& ply = evidence.plies[at];
    ply.human = statistics[at];
    if (evidence.human && evidence.human->sha256 != used.sha256) ply.across.reset();
    if (same_people) continue;
    ply.expectation.reset();
    ply.trap.reset();
  }
  if (evidence.human && evidence.human->sha256 == used.sha256) used.sampled = evidence.human->sampled;
  evidence.human = used;
  return {};
}

std::string human_sentence(const GameReview& review, std::size_t at) {
  const PlyEvidence& evidence = review.evidence.plies[at];
  if (!evidence.human || !review.evidence.human) return "";
  const HumanStatistics& human = *evidence.human;
  const PlyReview& ply = review.plies[at];
  const int rating = review.evidence.human->rating_of(ply.mover);
  const std::string played = share_text(human.probability);
  const std::string likeliest = share_text(human.likeliest_probability);
  const auto san = [&](chess::Move move) { return chess::format_san(review.positions[at], move); };
  std::string text;
  const std::string but = what_most_overlook(review, at);
  if (!but.empty()) {
    text = fmt::format("{} of {}s play this: {}", played, rating, but);
  } else if (is_hard_to_find(ply, human)) {
    text =
        fmt::format("Only {} of {}s find this; {} ({}) is likelier.", played, rating, san(human.likeliest), likeliest);
  } else if (human.likeliest != ply.move && played == likeliest) {
    text = fmt::format("{} of {}s play this, as many as {}.", played, rating, san(human.likeliest));
  } else if (human.likeliest != ply.move) {
    text = fmt::format("{} of {}s play this; {} ({}) is likelier.", played, rating, san(human.likeliest), likeliest);
  } else if (human.probability > 0.5) {
    text = fmt::format("Most {}s play this ({}).", rating, played);
  } else {
    text = fmt::format("The likeliest move of {}s ({}).", rating, played);
  }
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (const std::string finding = finding_sentence(review, at); !finding.empty()) text += " " + finding;
  if (evidence.expectation) {
    text += fmt::format(" Against {}s it scores {:.1f}%, {} {:.1f}%.", review.evidence.human->rating_of(!ply.mover),
                        evidence.expectation->played.expected.percent(), san(evidence.expectation->best_move),
                        evidence.expectation->best.expected.percent());
  }
  return text;
}

}  // namespace pm::review
