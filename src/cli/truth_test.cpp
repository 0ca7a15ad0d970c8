// Explanations checked by somebody who knows nothing of how they are made: plays the line of every claim and counts the
// men on the board, by the rules of chess alone.
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include "base/shared_data.h"

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "cli/puzzle_file.h"
#include "cli/test_run.h"
#include "explain/explanation.h"
#include "review/verdicts_input.h"

namespace pm::cli {
namespace {

using chess::Colour;
using chess::Position;
using explain::Claim;
using explain::ClaimKind;

// White's points less Black's, by the letters of the FEN.
int points_on_board(const Position& position) {
  const std::map<char, int> values{{'p', 1}, {'n', 3}, {'b', 3}, {'r', 5}, {'q', 9}};
  int sum = 0;
  for (const char c : chess::format_fen(position)) {
    if (c == ' ') break;
    const auto found = values.find(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    if (found != values.end()) sum += std::isupper(static_cast<unsigned char>(c)) != 0 ? found->second : -found->second;
  }
  return sum;
}

int points_for(const Position& position, Colour side) {
  return side == Colour::white ? points_on_board(position) : -points_on_board(position);
}

// The least the side that is not to move keeps when the other takes what it can in one exchange on one square.
int after_best_exchange(const Position& position, Colour side);

// What the side to move comes to when both go on taking on this square as long as they like.
int exchange_on(const Position& position, chess::Square square, Colour mover) {
  int best = points_for(position, mover);
  for (const chess::Move move : chess::legal_moves(position)) {
    if (move.to() != square || position.captured_by(move) == chess::Piece::none) continue;
    best = std::max(best, -exchange_on(position.after(move), square, !mover));
  }
  return best;
}

int after_best_exchange(const Position& position, Colour side) {
  const Colour mover = !side;
  int best = points_for(position, mover);
  for (const chess::Move move : chess::legal_moves(position)) {
    const bool takes = position.captured_by(move) != chess::Piece::none || move.kind() == chess::MoveKind::promotion;
    if (takes) best = std::max(best, -exchange_on(position.after(move), move.to(), side));
  }
  return -best;
}

struct Scene {
  Position before;
  chess::Move move;
  std::optional<motif::Step> previous;
  std::vector<motif::Step> recent;
};

// Empty: the claim is true.
std::string lie_in(const Claim& claim, const Scene& scene) {
  if (claim.kind == ClaimKind::trap) {  // true if the reply, judged as a move of its own, allows it
    if (claim.line.size() < 3 || !chess::is_legal(scene.before, claim.line[0])) return "no trap";
    const motif::Step setting(scene.before, claim.line[0]);
    if (!chess::is_legal(setting.after, claim.line[1])) return "the reply is not legal";
    Claim fall = claim;
    fall.kind = ClaimKind::allows;
    fall.line.erase(fall.line.begin(), fall.line.begin() + 2);
    return lie_in(fall, {setting.after, claim.line[1], setting, {}});
  }
  const Position after = scene.before.after(scene.move);
  Position position = claim.kind == ClaimKind::allows || claim.kind == ClaimKind::gives_up ? after : scene.before;
  const Position start = position;
  bool targets_seen = claim.targets.empty();
  const auto look = [&] {
    bool all = true;
    for (const explain::Target& each : claim.targets) {
      const chess::Piece piece = position.piece_on(each.square);
      all = all && piece != chess::Piece::none && chess::kind_of(piece) == each.piece;
    }
    targets_seen = targets_seen || all;
  };
  look();
  bool does_it =
      claim.kind == ClaimKind::gives_up || claim.kind == ClaimKind::mate || claim.kind == ClaimKind::stalemate;
  for (const chess::Move move : claim.line) {
    if (!chess::is_legal(position, move)) return "the line is not legal";
    if (move == claim.move && position.side_to_move() == claim.by) {
      does_it = does_it || chess::format_san(position, move) == claim.san;
    }
    position.play(move);
    look();
  }
  if (!does_it) return "the move is not in the line";
  if (!targets_seen) return "the targets do not stand there";
  if (!claim.wins) return "";
  if (claim.wins->mate_in) {
    const bool mated = position.in_check() && chess::count_legal_moves(position) == 0;
    if (!mated) return "";  // the engine's word
    return static_cast<int>(claim.line.size() + 1) / 2 == *claim.wins->mate_in ? ""
                                                                               : "mate takes another number of moves";
  }
  // Against the position before the move; what was taken earlier on the square where the line first takes something is
  // part of the same trade.
  const bool allows = claim.kind == ClaimKind::allows;
  int had = points_for(start, claim.by);
  std::optional<chess::Square> square;
  Position played = start;
  for (std::size_t i = 0; i < std::min<std::size_t>(claim.line.size(), 5) && !square; ++i) {
    const bool takes = played.captured_by(claim.line[i]) != chess::Piece::none;
    if (i % 2 == 0 && takes) square = claim.line[i].to();
    played.play(claim.line[i]);
  }
  int given = allows ? points_for(scene.before, claim.by) - had : 0;
  for (const motif::Step& step : scene.recent) {
    const bool same = step.is_capture() && step.to == square;
    if (same) given += points_for(step.before, claim.by) - points_for(step.after, claim.by);
  }
  had += std::max(0, given);
  const bool quiet_to_move = position.side_to_move() == claim.by;
  const int has = quiet_to_move ? points_for(position, claim.by) : after_best_exchange(position, claim.by);
  return has - had >= claim.wins->material ? "" : fmt::format("says {}, has {}", claim.wins->material, has - had);
}

TEST(Truth, no_claim_about_twenty_thousand_puzzles_is_false) {
  const auto shared = shared_data("puzzles/lichess-puzzles-60k.csv.zst");
  if (!shared) GTEST_SKIP() << no_shared_data;
  const auto source = pgn::open_source(*shared);
  ASSERT_TRUE(source);
  PuzzleFile file(**source);
  ASSERT_TRUE(file.open());
  int claims = 0;
  int lies = 0;
  int explained = 0;
  int puzzles = 0;
  while (const auto puzzle = file.next()) {
    if (++puzzles > 20'000) break;
    ASSERT_TRUE(*puzzle);
    const motif::Line& line = (**puzzle).line;
    std::vector<chess::Move> solution;
    solution.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) solution.push_back(line[i].move);
    const bool mates = line.ends_in_mate();
    const score::Mate mate{static_cast<int>(line.size() + 1) / 2, line.solver() == Colour::white};
    const score::Centipawns winning{line.solver() == Colour::white ? 2'000 : -2'000};
    const score::WhiteScore score = mates ? score::WhiteScore(mate) : score::WhiteScore(winning);
    const std::vector<score::Line> after{{score, 20, solution}};
    const std::vector<score::Line> before{{score::WhiteScore(score::Centipawns{0}), 20, {}}};
    const Scene scene{line.error()->before, line.error()->move, std::nullopt, {}};
    const explain::Explanation explanation =
        explain::explain({scene.before, scene.move, scene.previous, {}, before, after, verdict::PointsClass::blunder});
    explained += explanation.claims.empty() ? 0 : 1;
    for (const Claim& claim : explanation.claims) {
      ++claims;
      const std::string lie = lie_in(claim, scene);
      if (lie.empty()) continue;
      if (++lies <= 20) ADD_FAILURE() << (**puzzle).id << ": " << claim.text << " " << lie;
    }
  }
  EXPECT_EQ(lies, 0);
  EXPECT_GT(claims, 17'500);
  EXPECT_GT(explained, 17'000);
}

// Real moves with an engine's lines; the ones before are known where the games go on.
TEST(Truth, no_claim_about_real_moves_is_false) {
  const auto shared = shared_data("golden/verdicts.json");
  if (!shared) GTEST_SKIP() << no_shared_data;
  const nlohmann::json golden = nlohmann::json::parse(std::ifstream(*shared));
  nlohmann::json moves;
  for (const nlohmann::json& each : golden["positions"]) {
    nlohmann::json& move = moves["positions"].emplace_back();
    for (const char* field : {"fen", "move", "before", "after"}) move[field] = each[field];
    for (nlohmann::json& line : move["after"]) line.erase("over");
  }
  const auto given = review::parse_given(moves.dump());
  ASSERT_TRUE(given) << given.error().sentence;
  std::optional<motif::Step> previous;
  std::vector<motif::Step> recent;
  int claims = 0;
  int errors = 0;
  int explained = 0;
  for (std::size_t i = 0; i < given->size(); ++i) {
    const auto move = given->move(i);
    ASSERT_TRUE(move) << move.error().sentence;
    if (previous && previous->after != move->before) {
      previous.reset();
      recent.clear();
    }
    const verdict::PointsClass cls = review::judge(*move, given->options()).points.cls;
    const Scene scene{move->before, move->move, previous, recent};
    const explain::Explanation explanation =
        explain::explain({scene.before, scene.move, previous, recent, move->lines_before, move->lines_after, cls});
    errors += verdict::is_error(cls) ? 1 : 0;
    explained += verdict::is_error(cls) && !explanation.claims.empty() ? 1 : 0;
    for (const Claim& claim : explanation.claims) {
      ++claims;
      EXPECT_EQ(lie_in(claim, scene), "") << i << ": " << claim.text;
    }
    previous.emplace(move->before, move->move);
    recent.push_back(*previous);
    if (recent.size() > 6) recent.erase(recent.begin());
  }
  EXPECT_GT(claims, 200);
  EXPECT_GT(explained, errors * 7 / 10);
}

}  // namespace
}  // namespace pm::cli
