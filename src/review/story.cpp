#include "review/story.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "chess/san.h"
#include "explain/haul.h"
#include "motif/placement.h"
#include "pgn/glyphs.h"

namespace pm::review {
namespace {

using explain::Claim;
using explain::ClaimKind;

constexpr std::size_t most_moments = 6;

const char* side_name(chess::Colour side) { return side == chess::Colour::white ? "White" : "Black"; }

// What an error does, in both tenses: "loses the queen", "lost the queen".
struct Deed {
  std::string now;
  std::string then;
};

Deed deed_of(const Claim& claim) {
  const bool misses = claim.kind == ClaimKind::misses;
  if (claim.wins && claim.wins->mate_in) {
    const std::string mate =
        *claim.wins->mate_in == 1 ? std::string("mate") : fmt::format("mate in {}", *claim.wins->mate_in);
    return misses ? Deed{"misses " + mate, "missed " + mate} : Deed{"allows " + mate, "allowed " + mate};
  }
  if (claim.motif == "exchangeLost") {
    return misses ? Deed{"misses a chance to win the exchange", "missed a chance to win the exchange"}
                  : Deed{"loses the exchange", "lost the exchange"};
  }
  if (claim.wins && claim.wins->piece) {
    // A queen that costs a rook and a bishop is not lost.
    constexpr int cheap = 3;
    const bool whole = claim.wins->material + cheap >= motif::value_of(*claim.wins->piece);
    const std::string piece = whole ? explain::with_article(*claim.wins->piece) : "material";
    return misses ? Deed{"misses a chance to win " + piece, "missed a chance to win " + piece}
                  : Deed{"loses " + piece, "lost " + piece};
  }
  if (claim.motif == "perpetualCheck" && !misses)
    return {"lets a draw by perpetual check in", "let a draw by perpetual check in"};
  if (misses) return {"misses " + claim.san, "missed " + claim.san};
  return {"allows " + claim.san, "allowed " + claim.san};
}

std::string best_san(const GameReview& review, std::size_t at) {
  const score::Line* line = review.better_line(at);
  return line == nullptr ? "" : chess::format_san(review.positions[at], line->pv.front());
}

double loss_at(const GameReview& review, std::size_t at) { return review.plies[at].verdicts->points.loss.value(); }

// By the scores alone.
Deed plain_deed(const GameReview& review, std::size_t at) {
  const chess::Colour mover = review.plies[at].mover;
  const auto before = review.before(at).lines.front().score.seen_by(mover);
  const auto after = review.after(at).lines.front().score.seen_by(mover);
  const auto mate = [](const score::MoverScore& score) { return fmt::format("mate in {}", score.mate()->moves); };
  if (after.is_losing_mate() && !before.is_losing_mate()) return {"allows " + mate(after), "allowed " + mate(after)};
  if (before.is_winning_mate() && !after.is_winning_mate()) return {"misses " + mate(before), "missed " + mate(before)};
  const std::string best = best_san(review, at);
  if (!best.empty()) return {"misses " + best, "missed " + best};
  const std::string loss = fmt::format("{:.0f}% winning chances", 100 * loss_at(review, at));
  return {"loses " + loss, "lost " + loss};
}

Deed deed_at(const GameReview& review, std::size_t at) {
  const auto& claims = review.plies[at].explanation.claims;
  const bool telling = !claims.empty() && claims.front().kind != ClaimKind::gives_up && !claims.front().san.empty();
  return telling ? deed_of(claims.front()) : plain_deed(review, at);
}

std::string number_of(const PlyReview& ply) {
  return fmt::format("{}{}", ply.number, ply.mover == chess::Colour::white ? "." : "...");
}

bool is_error_at(const GameReview& review, std::size_t at) {
  const auto& verdicts = review.plies[at].verdicts;
  return verdicts && verdict::is_plain_error(verdicts->points.cls);
}

// The move an error is about: the reply it allows, or the move it misses.
std::optional<chess::Move> point_of(const GameReview& review, std::size_t at) {
  const auto& claims = review.plies[at].explanation.claims;
  if (!claims.empty() && !claims.front().line.empty()) return claims.front().line.front();
  return std::nullopt;
}

// Allowed and then not seen, or not seen twice.
bool is_same_mistake(const GameReview& review, std::size_t a, std::size_t b) {
  const std::size_t distance = a > b ? a - b : b - a;
  if (distance == 0 || distance > 2) return distance == 0;
  const auto first = point_of(review, a);
  return first && first == point_of(review, b);
}

std::vector<std::size_t> turning_points(const GameReview& review) {
  std::vector<std::size_t> errors;
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    if (is_error_at(review, at)) errors.push_back(at);
  }
  std::sort(errors.begin(), errors.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(-loss_at(review, a), a) < std::pair(-loss_at(review, b), b);  // of equal ones the first
  });
  std::vector<std::size_t> chosen;
  for (const std::size_t at : errors) {
    const bool known = std::any_of(chosen.begin(), chosen.end(),
                                   [&](std::size_t other) { return is_same_mistake(review, at, other); });
    if (!known && chosen.size() < most_moments) chosen.push_back(at);
  }
  return chosen;
}

// White's winning chances after so many plies.
std::optional<double> chances_after(const GameReview& review, std::size_t plies) {
  const engine::Evaluation& evaluation = review.evidence.positions[plies];
  if (!evaluation.known()) return std::nullopt;
  return score::win_rate(evaluation.lines.front().score.seen_by(chess::Colour::white), score::points_slope).value();
}

std::string about_the_opening(const GameReview& review) {
  constexpr double better = .6;
  constexpr std::size_t least = 10;  // plies: fewer are no opening
  std::size_t plies = 0;
  while (plies < review.plies.size() && review.plies[plies].phase == verdict::Phase::opening) ++plies;
  const auto white = plies < least ? std::nullopt : chances_after(review, plies);
  if (!white) return "";
  if (*white >= better) return "White came out of the opening better.";
  if (*white <= 1 - better) return "Black came out of the opening better.";
  return "The opening was even.";
}

std::string about_the_errors(const GameReview& review, const std::vector<std::size_t>& worst) {
  constexpr std::size_t told = 2;
  std::vector<std::size_t> order(worst.begin(),
                                 worst.begin() + static_cast<std::ptrdiff_t>(std::min(told, worst.size())));
  std::sort(order.begin(), order.end());
  std::string text;
  for (const std::size_t at : order) {
    const PlyReview& ply = review.plies[at];
    const bool again = !text.empty() && review.plies[order.front()].mover == ply.mover;
    text += text.empty() ? "" : again ? " and " : ", and ";
    text += fmt::format("{}{} on move {}{}", again ? "" : fmt::format("{} ", side_name(ply.mover)),
                        deed_at(review, at).then, ply.number, ply.time.trouble ? " in time trouble" : "");
  }
  return text.empty() ? "" : text + ".";
}

std::string about_the_end(const GameReview& review) {
  const bool mate = !review.plies.empty() && review.plies.back().ends_game && review.positions.back().in_check();
  const std::string* termination = review.game.find_tag("Termination");
  const bool on_time = termination != nullptr && *termination == "Time forfeit";
  const char* how = mate ? " by checkmate" : on_time ? " on time" : "";
  switch (review.game.result) {
    case pgn::Result::white_wins: return fmt::format("White won{}.", how);
    case pgn::Result::black_wins: return fmt::format("Black won{}.", how);
    case pgn::Result::draw: return "The game was drawn.";
    default: return "";
  }
}

}  // namespace

std::vector<KeyMoment> key_moments(const GameReview& review) {
  std::vector<std::size_t> plies = turning_points(review);
  std::sort(plies.begin(), plies.end());
  std::vector<KeyMoment> moments;
  moments.reserve(plies.size());
  for (const std::size_t at : plies) {
    const PlyReview& ply = review.plies[at];
    const std::string_view glyph = pgn::sign_of(verdict::info(ply.verdicts->points.cls).nag);
    moments.push_back({at, fmt::format("{} {}{} {}", number_of(ply), ply.san, glyph, deed_at(review, at).now)});
  }
  return moments;
}

std::string story(const GameReview& review) {
  std::string text;
  for (const std::string& sentence :
       {about_the_opening(review), about_the_errors(review, turning_points(review)), about_the_end(review)}) {
    if (sentence.empty()) continue;
    if (!text.empty()) text += ' ';
    text += sentence;
  }
  return text;
}

}  // namespace pm::review
