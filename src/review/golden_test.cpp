// Whole games against the figures Lichess, or its formulas, give for them (../shared/data/README.md).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/shared_data.h"
#include "pgn/reader.h"
#include "review/game_review.h"
#include "review/pgn_evals.h"

namespace pm::review {
namespace {

using nlohmann::json;
using verdict::Judgement;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// As the golden figures were made.
verdict::SchemeOptions golden_options() {
  verdict::SchemeOptions options;
  options.points.mates = verdict::Mates::distance;
  return options;
}

const char* name_of(chess::Colour side) { return side == chess::Colour::white ? "white" : "black"; }

TEST(Golden, summaries_of_two_thousand_games) {
  const auto path = shared_data("golden/lichess-summaries.json");
  const auto games = shared_data("games/lichess-3000.pgn.zst");
  if (!path || !games) GTEST_SKIP() << no_shared_data;
  const json summaries = json::parse(std::ifstream(*path));
  const auto source = pgn::open_source(*games);
  pgn::GameReader reader(**source);
  std::size_t compared = 0;
  auto next = summaries.begin();
  for (std::size_t index = 0; const auto read = reader.next(); ++index) {
    if (next == summaries.end() || (*next)["game"] != index) continue;
    const GameReview review = assemble(read->game, evidence_of_comments(read->game), golden_options());
    for (const auto side : {chess::Colour::white, chess::Colour::black}) {
      const json& expected = (*next)[name_of(side)];
      const verdict::Summary& sum = review.of(side).game;
      if (!sum.lichess_acpl) continue;
      EXPECT_EQ(verdict::rounded_acpl(*sum.lichess_acpl), expected["acpl"]) << (*next)["site"];
      EXPECT_NEAR(*sum.lichess_accuracy, expected["accuracy"], 1e-4) << (*next)["site"];
      EXPECT_EQ(sum.lichess_errors.of(Judgement::inaccuracy), expected["inaccuracy"]) << (*next)["site"];
      EXPECT_EQ(sum.lichess_errors.of(Judgement::mistake), expected["mistake"]) << (*next)["site"];
      EXPECT_EQ(sum.lichess_errors.of(Judgement::blunder), expected["blunder"]) << (*next)["site"];
    }
    ++compared;
    ++next;
  }
  EXPECT_EQ(compared, 2000U);
}

TEST(Golden, every_evaluated_ply_of_three_thousand_games_has_a_verdict_with_a_reason) {
  const auto games = shared_data("games/lichess-3000.pgn.zst");
  if (!games) GTEST_SKIP() << no_shared_data;
  const auto source = pgn::open_source(*games);
  pgn::GameReader reader(**source);
  std::size_t plies = 0;
  std::size_t judged = 0;
  while (const auto read = reader.next()) {
    const auto lines = evidence_of_comments(read->game).positions;
    const GameReview review = assemble(read->game, evidence_of_comments(read->game), {});
    std::size_t sum = 0;
    for (std::size_t at = 0; at < review.plies.size(); ++at) {
      ++plies;
      const auto& verdicts = review.plies[at].verdicts;
      const bool evaluated = !lines[at].lines.empty() && !lines[at + 1].lines.empty();
      EXPECT_TRUE(verdicts || !evaluated) << review.plies[at].san;
      EXPECT_NE(verdicts.has_value(), !review.plies[at].no_verdict.empty());
      if (!verdicts) continue;
      ++judged;
      ++sum;
      for (const auto* reason :
           {&verdicts->points.reason, &verdicts->labels.reason, &verdicts->acpl.reason, &verdicts->lichess.reason}) {
        ASSERT_FALSE(reason->text().empty());
        ASSERT_EQ(reason->text().find_first_of("{}"), std::string::npos) << reason->text();
      }
    }
    // Every judged move is in exactly one class of each scheme.
    const auto total = [](const auto& counts) {
      std::size_t n = 0;
      for (const int c : counts) n += static_cast<std::size_t>(c);
      return n;
    };
    EXPECT_EQ(total(review.white.game.classes) + total(review.black.game.classes), sum);
    EXPECT_EQ(total(review.white.game.labels) + total(review.black.game.labels), sum);
  }
  EXPECT_EQ(plies, 228'517U);
  EXPECT_GT(judged, 228'000U);
}

// Two games as the site's own interface gives them, one of a variant: scores, judgements and sums, but no chess.
TEST(Golden, the_sites_own_figures) {
  const auto path = shared_data("golden/lichess-games.ndjson");
  if (!path) GTEST_SKIP() << no_shared_data;
  std::ifstream file(*path);
  std::string line;
  int games = 0;
  for (; std::getline(file, line); ++games) {
    const json game = json::parse(line);
    std::vector<verdict::PlyScore> plies;
    std::vector<std::optional<Judgement>> judgements;
    for (const json& ply : game["analysis"]) {
      const score::Score score = ply.contains("mate")
                                     ? score::Score(score::Mate{std::abs(ply["mate"].get<int>()), ply["mate"] > 0})
                                     : score::Score(score::Centipawns{ply["eval"]});
      const auto before = plies.empty() ? score::WhiteScore(verdict::start_score) : plies.back().after;
      plies.push_back(
          {plies.size() % 2 == 0 ? chess::Colour::white : chess::Colour::black, before, score::WhiteScore(score)});
      // The site keeps a better move only where another one was played than the engine's first choice, which is never
      // judged.
      const bool first_choice = !ply.contains("best");
      const chess::Colour mover = plies.back().mover;
      const auto judgement = first_choice
                                 ? std::nullopt
                                 : verdict::lichess_judgement(before.seen_by(mover), plies.back().after.seen_by(mover));
      judgements.push_back(judgement);
      const json name = judgement ? json(verdict::name_of(*judgement)) : json(nullptr);
      EXPECT_EQ(name, ply.contains("judgment") ? json(lower(ply["judgment"]["name"])) : json(nullptr))
          << game["id"] << " ply " << plies.size();
    }
    const std::vector<double> weights = verdict::lichess_weights(plies);
    for (const auto side : {chess::Colour::white, chess::Colour::black}) {
      const json& expected = game["players"][name_of(side)]["analysis"];
      std::vector<verdict::WeighedAccuracy> accuracies;
      int loss = 0;
      verdict::ErrorCounts errors;
      for (std::size_t i = 0; i < plies.size(); ++i) {
        if (plies[i].mover != side) continue;
        const auto before = plies[i].before.seen_by(side);
        const auto after = plies[i].after.seen_by(side);
        accuracies.push_back({verdict::lichess_move_accuracy(before, after), weights[i]});
        loss += verdict::centipawn_loss(before, after);
        errors.add(judgements[i]);
      }
      EXPECT_EQ(verdict::rounded_acpl(static_cast<double>(loss) / static_cast<double>(accuracies.size())),
                expected["acpl"]);
      EXPECT_EQ(errors.of(Judgement::inaccuracy), expected["inaccuracy"]);
      EXPECT_EQ(errors.of(Judgement::mistake), expected["mistake"]);
      EXPECT_EQ(errors.of(Judgement::blunder), expected["blunder"]);
      if (expected.contains("accuracy")) {
        EXPECT_NEAR(*verdict::lichess_accuracy(accuracies), expected["accuracy"], .5);
      }
    }
  }
  EXPECT_EQ(games, 2);
}

}  // namespace
}  // namespace pm::review
