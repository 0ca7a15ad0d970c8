#include <gtest/gtest.h>

#include <set>

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "chess/test_long_games.h"
#include "pgn/reader.h"
#include "pgn/writer.h"
#include "report/annotate.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/text.h"
#include "review/pgn_evals.h"

namespace pm::report {
namespace {

using nlohmann::json;

pgn::ReadGame read(std::string_view text) {
  pgn::MemorySource source(text);
  return pgn::GameReader(source).next().value();
}

review::GameReview review_of(const pgn::Game& game) {
  return review::assemble(game, review::evidence_of_comments(game), {});
}

constexpr std::string_view fools_mate =
    "[White \"A \\\"quoted\\\" name\"]\n[Black \"Tab\there\"]\n[WhiteElo \"1500\"]\n[Date \"2020.01.??\"]\n\n"
    "1. f3 { [%eval -0.80] [%clk 0:10:00] } e5 { [%eval -0.70] } 2. g4 { [%eval #-1] } Qh4# 0-1";

TEST(JsonWriter, writes_what_a_parser_reads) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().field("text", "a \"b\" \\ \n \x01 \xc3\xa9").field("int", -7).field("flag", true);
  w.field("none", std::optional<double>()).key("list").begin_array().value(1).value("x").begin_array().end_array();
  w.end_array().key("empty").begin_object().end_object().end_object();
  const json parsed = json::parse(out);
  EXPECT_EQ(parsed["text"], "a \"b\" \\ \n \x01 \xc3\xa9");
  EXPECT_EQ(parsed["int"], -7);
  EXPECT_EQ(parsed["flag"], true);
  EXPECT_EQ(parsed["none"], nullptr);
  EXPECT_EQ(parsed["list"].dump(), "[1,\"x\",[]]");
  EXPECT_EQ(parsed["empty"], json::object());
}

TEST(JsonWriter, rounds_real_numbers_to_six_decimals) {
  const auto written = [](double number) {
    std::string out;
    JsonWriter(out).value(number);
    return out;
  };
  EXPECT_EQ(written(0), "0.0");
  EXPECT_EQ(written(-0.0000001), "0.0");
  EXPECT_EQ(written(99.99), "99.99");
  EXPECT_EQ(written(-1.28), "-1.28");
  EXPECT_EQ(written(1.0 / 3), "0.333333");
  EXPECT_EQ(written(0.000001), "0.000001");
  EXPECT_EQ(written(100), "100.0");
  EXPECT_EQ(written(-0.25), "-0.25");
}

TEST(ReviewJson, has_every_documented_part) {
  const auto game = read(fools_mate);
  const std::string line = review_json(review_of(game.game), game.problems);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const json r = json::parse(line);
  EXPECT_EQ(r["schema"], "postmortem.review/1");
  EXPECT_EQ(r["tags"]["White"], "A \"quoted\" name");
  EXPECT_EQ(r["result"], "0-1");
  EXPECT_EQ(r["start_fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  EXPECT_EQ(r["opening"]["eco"], "A00");
  EXPECT_EQ(r["engine"]["source"], "pgn");
  const json& white = r["summary"]["white"];
  for (const char* key : {"moves", "points", "labels", "acpl", "lichess", "phases"}) EXPECT_TRUE(white.contains(key));
  EXPECT_EQ(white["points"]["counts"].size(), 11U);
  EXPECT_EQ(white["labels"]["counts"].size(), 9U);
  EXPECT_EQ(white["acpl"]["blunders"], 1);
  EXPECT_EQ(white["phases"]["endgame"]["points"]["accuracy"], nullptr);
  const json& g4 = r["plies"][2];
  EXPECT_EQ(g4["ply"], 3);
  EXPECT_EQ(g4["number"], 2);
  EXPECT_EQ(g4["colour"], "white");
  EXPECT_EQ(g4["san"], "g4");
  EXPECT_EQ(g4["uci"], "g2g4");
  EXPECT_EQ(g4["fen"], "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
  EXPECT_EQ(g4["before"][0]["cp"], -70);
  EXPECT_EQ(g4["after"][0]["mate"], -1);
  EXPECT_EQ(g4["best"], nullptr);
  EXPECT_EQ(g4["win_after"], 0.0);
  EXPECT_EQ(g4["verdicts"]["points"]["class"], "BLUNDER");
  EXPECT_EQ(g4["verdicts"]["points"]["nag"], 4);
  EXPECT_EQ(g4["verdicts"]["points"]["reason"]["rule"], "mate_allowed");
  EXPECT_EQ(g4["verdicts"]["lichess"]["judgement"], "blunder");
  EXPECT_EQ(r["plies"][0]["clock"], 600.0);
  EXPECT_FALSE(r["plies"][1].contains("clock"));
}

TEST(ReviewJson, a_ply_without_verdict_says_why_and_problems_are_listed) {
  const auto game = read("1. e4 e5 2. Zz4 *");
  const json r = json::parse(review_json(review_of(game.game), game.problems));
  EXPECT_EQ(r["plies"][0]["verdicts"], nullptr);
  EXPECT_EQ(r["plies"][0]["no_verdict"], "no score after this move");
  EXPECT_EQ(r["problems"].size(), 1U);
  EXPECT_EQ(r["problems"][0]["column"], 13);
}

TEST(ReviewJson, the_same_game_gives_the_same_bytes) {
  const auto game = read(fools_mate);
  EXPECT_EQ(review_json(review_of(game.game), {}), review_json(review_of(game.game), {}));
}

TEST(Annotate, adds_glyphs_and_reasons_and_keeps_everything_else) {
  const auto game = read(
      "1. f3 $2 { [%eval -0.80] dubious } e5 { [%eval -0.70] } (1... d5 { solid }) 2. g4 { [%eval #-1] } Qh4# 0-1");
  const std::string text = pgn::write_game(annotated(review_of(game.game), Scheme::points));
  EXPECT_NE(text.find("1. f3 $2 { [%eval -0.80] dubious }"), std::string::npos) << text;
  EXPECT_NE(text.find("(1... d5 { solid }"), std::string::npos) << text;
  EXPECT_NE(text.find("2. g4 $4 { [%eval #-1]"), std::string::npos) << text;
  EXPECT_NE(text.find("BLUNDER: Allows a forced mate:"), std::string::npos) << text;
}

TEST(Annotate, reading_it_again_gives_the_same_verdicts_and_annotating_twice_adds_nothing) {
  for (const Scheme scheme : {Scheme::points, Scheme::labels, Scheme::acpl, Scheme::lichess}) {
    const auto game = read(fools_mate);
    const auto once = read(pgn::write_game(annotated(review_of(game.game), scheme)));
    EXPECT_TRUE(once.problems.empty());
    const json before = json::parse(review_json(review_of(game.game), {}));
    const json after = json::parse(review_json(review_of(once.game), {}));
    EXPECT_EQ(before["plies"], after["plies"]);
    EXPECT_EQ(before["summary"], after["summary"]);
    EXPECT_TRUE(same_tree(annotated(review_of(once.game), scheme), once.game));
  }
}

// As an engine gives them: two lines and a depth.
review::Evidence engine_evidence(const pgn::Game& game) {
  review::Evidence evidence = review::evidence_of_comments(game);
  evidence.engine = review::EngineUsed{"engine", "", {}, {}, 2};
  auto& lines = evidence.positions;
  const chess::Position start = game.start;
  const auto move = [&](const char* san) { return chess::resolve_san(start, san).move; };
  lines[0].lines = {{score::WhiteScore(score::Centipawns{30}), 18, {move("e4")}},
                    {score::WhiteScore(score::Centipawns{25}), 18, {move("d4")}}};
  return evidence;
}

TEST(Annotate, shows_the_better_line_of_an_error_and_writes_scores_the_file_lacks) {
  const auto game = read("1. g4 { [%eval -1.40] } *");
  review::Evidence evidence = engine_evidence(game.game);
  auto& lines = evidence.positions;
  lines[1].lines = {{score::WhiteScore(score::Centipawns{-140}), 18, {}}};
  const auto bare = read("1. g4 *");
  const std::string text = pgn::write_game(annotated(review::assemble(bare.game, evidence, {}), Scheme::lichess));
  EXPECT_NE(text.find("1. g4 $2 { [%eval -1.40] mistake: Loses 14.0% winning chances"), std::string::npos) << text;
  EXPECT_NE(text.find("(1. e4)"), std::string::npos) << text;
}

// The file's scores are those of another engine, and its words somebody's: a new annotation takes the place of the old.
TEST(Annotate, replaces_an_earlier_annotation_and_keeps_what_is_not_ours) {
  const std::string own =
      "[White \"A\"]\n\n"
      "{ A start. } 1. g4 $13 { [%eval 0.50] [%clk 0:10:00] BOLD: a spike. } { Mine. } (1. d4 { [%eval 0.2] } d5) *";
  const auto game = read(own);
  verdict::SchemeOptions options;
  options.theory = false;
  const auto judged = [&](const pgn::Game& of, int after) {
    review::Evidence evidence = engine_evidence(of);
    evidence.positions[1].lines = {{score::WhiteScore(score::Centipawns{after}), 18, {}}};
    evidence.plies[0].annotated.reset();  // an engine knows better
    return review::assemble(of, evidence, options);
  };
  const auto on_one_line = [](std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  };
  for (const Scheme scheme : {Scheme::points, Scheme::labels, Scheme::acpl, Scheme::lichess}) {
    const pgn::Game once = annotated(judged(game.game, -140), scheme);
    const std::string written = pgn::write_game(once);
    const std::string text = on_one_line(written);
    EXPECT_NE(text.find("[%eval -1.40] [%clk 0:10:00]"), std::string::npos) << text;
    EXPECT_EQ(text.find("0.50"), std::string::npos) << text;
    for (const char* kept : {"A start.", "BOLD: a spike.", "Mine.", "$13", "[%eval 0.2]", "1. e4)"}) {
      EXPECT_NE(text.find(kept), std::string::npos) << kept << '\n' << text;
    }
    const auto read_again = read(written);
    EXPECT_EQ(pgn::write_game(annotated(judged(read_again.game, -140), scheme)), written) << "annotating twice";
    const std::string milder = on_one_line(pgn::write_game(annotated(judged(read_again.game, 20), scheme)));
    EXPECT_EQ(milder.find("1. e4)"), std::string::npos) << "no error any more\n" << milder;
    EXPECT_EQ(milder.find("$2"), std::string::npos) << milder;
    EXPECT_EQ(milder.find("was best"), std::string::npos) << milder;
    for (const char* kept : {"A start.", "BOLD: a spike.", "Mine.", "$13", "[%eval 0.2]"}) {
      EXPECT_NE(milder.find(kept), std::string::npos) << kept << '\n' << milder;
    }
  }
  const std::string kept = pgn::write_game(annotated(judged(game.game, -140), Scheme::points, Evals::kept));
  EXPECT_NE(kept.find("[%eval 0.50]"), std::string::npos) << kept;
}

TEST(Annotate, shows_the_refutation_of_an_error_as_a_variation_and_takes_it_out_again) {
  const std::string own =
      "1. f3 { [%eval -0.5] } 1... e5 { [%eval -0.5] } 2. g4 { [%eval #-1] } 2... a6 { [%eval -0.5] } *";
  const auto game = read(own);
  verdict::SchemeOptions options;
  options.theory = false;
  const auto judged = [&](const pgn::Game& of, bool mate) {
    review::Evidence evidence = review::evidence_of_comments(of);
    evidence.engine = review::EngineUsed{"engine", "", {}, {}, 2};
    for (review::PlyEvidence& each : evidence.plies) each.annotated.reset();
    chess::Position position = of.start;
    for (const char* san : {"f3", "e5", "g4"}) position.play(chess::resolve_san(position, san).move);
    const score::WhiteScore score =
        mate ? score::WhiteScore(score::Mate{1, false}) : score::WhiteScore(score::Centipawns{-50});
    evidence.positions[3].lines = {{score, 18, {chess::resolve_san(position, mate ? "Qh4" : "d5").move}}};
    return review::assemble(of, evidence, options);
  };
  const std::string text = pgn::write_game(annotated(judged(game.game, true), Scheme::points));
  EXPECT_NE(text.find("Refuted by 2... Qh4#"), std::string::npos) << text;
  EXPECT_NE(text.find("(2... Qh4#)"), std::string::npos) << text;
  const auto again = read(text);
  EXPECT_EQ(pgn::write_game(annotated(judged(again.game, true), Scheme::points)), text) << "annotating twice";
  const std::string milder = pgn::write_game(annotated(judged(again.game, false), Scheme::points));
  EXPECT_EQ(milder.find("Qh4#"), std::string::npos) << milder;
}

TEST(Annotate, keeps_words_that_only_look_like_ours) {
  const std::string own =
      "[ReviewedBy \"Postmortem 0.1.0\"]\n\n1. e4 { Most masters play this. } e5 2. Qh5 $2 { Mistake: I wanted Nf3 } *";
  const auto game = read(own);
  const pgn::Game stripped = without_annotation(game.game, Evals::replaced, BetterLines::removed);
  EXPECT_TRUE(same_tree(stripped, game.game)) << pgn::write_game(stripped);
}

// Without an engine nobody could find them again.
TEST(Annotate, by_the_scores_of_the_file_keeps_better_lines) {
  const auto game = read(
      "[ReviewEngine \"X\"]\n\n1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } 2. Nf3 { [%eval 0.3] } f6 $4 { [%eval 4.0] "
      "BLUNDER: "
      "Loses 28.4% winning chances, from 47.4% to 19.8% (BLUNDER is 22% and more). Nc6 was best. } (2... Nc6 3. Bb5) "
      "*");
  const std::string once = pgn::write_game(annotated(review_of(game.game), Scheme::points));
  EXPECT_NE(once.find("(2... Nc6 3. Bb5)"), std::string::npos) << once;
  EXPECT_NE(once.find("was best"), std::string::npos) << once;
  EXPECT_EQ(once.find("BLUNDER:"), once.rfind("BLUNDER:")) << once;
}

TEST(Annotate, writes_labels_with_their_icons) {
  const auto game = read(fools_mate);
  const std::string text = pgn::write_game(annotated(review_of(game.game), Scheme::labels));
  EXPECT_NE(text.find("⊘ Miss: Missed the draw"), std::string::npos) << text;
}

TEST(Annotate, says_who_judged) {
  const auto game = read("1. g4 { [%eval -1.40] } *");
  review::Evidence evidence = engine_evidence(game.game);
  evidence.engine->sha256 = "abc";
  evidence.engine->options = {{"Hash", "64"}};
  evidence.human = review::HumanUsed{"Maia", "def", 1500, 1600, review::People::quick};
  const std::string text = pgn::write_game(annotated(review::assemble(game.game, evidence, {}), Scheme::points));
  EXPECT_NE(text.find("[ReviewedBy \"Postmortem "), std::string::npos) << text;
  EXPECT_NE(text.find("[ReviewEngine \"engine, sha256 abc, Hash=64, depth 18, effort full\"]"), std::string::npos)
      << text;
  EXPECT_NE(text.find("[ReviewPeople \"Maia, sha256 def, people quick, White 1500, Black 1600\"]"), std::string::npos)
      << text;
}

TEST(Text, shows_players_summary_and_every_move_with_its_reason) {
  const auto game = read(fools_mate);
  EXPECT_EQ(review_text(review_of(game.game), {}),
            "A \"quoted\" name (1500) - Tab?here  0-1\n"
            "2020.01\n"
            "A00 Barnes Opening, to move 1\n"
            "Scores from the file\n"
            "\n"
            "White allowed mate in 1 on move 2. Black won by checkmate.\n"
            "\n"
            "Key moments\n"
            "  2. g4?? allows mate in 1\n"
            "\n"
            "                             White       Black\n"
            "  accuracy                    42.8        98.2\n"
            "  Lichess accuracy            27.0        97.0\n"
            "  centipawn loss               513           5\n"
            "  BEST                           0           2\n"
            "  BLUNDER                        1           0\n"
            "  THEORY                         1           0\n"
            "\n"
            "  accuracy by phase\n"
            "  opening                     42.8        98.2\n"
            "\n"
            "  White's winning chances, in tenths\n"
            "  54400\n"
            "\n"
            "  Scores are White's; the sentences speak for the one who moved.\n"
            "\n"
            "     1. f3          -0.80  THEORY           A known opening position: Barnes Opening. It costs 8.3%\n"
            "                                            winning chances, though.\n"
            "   1... e5          -0.70  BEST\n"
            "     2. g4??          #-1  BLUNDER          Allows a forced mate: -0.70 before, being mated in 1\n"
            "                                            now.\n"
            "   2... Qh4#         mate  BEST             Checkmate.\n");
}

TEST(Text, lists_errors_alone_or_nothing_when_asked_to) {
  const auto game = read(fools_mate);
  TextOptions options;
  options.moves = Moves::errors;
  const std::string errors = review_text(review_of(game.game), options);
  EXPECT_EQ(errors.find("1... e5"), std::string::npos) << errors;
  EXPECT_NE(errors.find("2. g4??          #-1"), std::string::npos) << errors;
  options.moves = Moves::none;
  const std::string brief = review_text(review_of(game.game), options);
  EXPECT_EQ(brief.find("#-1"), std::string::npos) << brief;
  EXPECT_NE(brief.find("Key moments"), std::string::npos) << brief;
}

TEST(Text, has_a_sentence_for_every_move_when_asked_to) {
  const auto game = read(fools_mate);
  TextOptions options;
  options.verbose = true;
  const std::string text = review_text(review_of(game.game), options);
  EXPECT_NE(text.find("Keeps the winning chances: 57.0% before, 56.1% after."), std::string::npos) << text;
}

TEST(Text, the_graph_of_a_long_game_fits_the_line) {
  std::string moves;
  for (const char* step :
       {"{0}3 {{ [%eval 0.0] }} {0}6 {{ [%eval 0.0] }} ", "{0}4 {{ [%eval #-3] }} {0}5 {{ [%eval #-3] }} "}) {
    for (char file = 'a'; file <= 'h'; ++file) moves += fmt::format(fmt::runtime(step), file);
  }
  const auto game = read(moves + "*");
  TextOptions options;
  const auto graph = [&](std::size_t width) {
    options.width = width;
    const std::string text = review_text(review_of(game.game), options);
    const std::size_t begin = text.find('\n', text.find("winning chances, in tenths")) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(graph(35), "  555555555555555550000000000000000");
  EXPECT_EQ(graph(22), "  55555555552000000000");  // one of each falls together
  EXPECT_EQ(graph(1), graph(22));                  // narrower makes no sense
}

TEST(Text, each_scheme_has_its_own_figures_and_colours_only_on_request) {
  const auto game = read(fools_mate);
  const auto review = review_of(game.game);
  EXPECT_NE(review_text(review, {Scheme::labels}).find("Miss "), std::string::npos);
  EXPECT_NE(review_text(review, {Scheme::acpl}).find("centipawn loss"), std::string::npos);
  EXPECT_NE(review_text(review, {Scheme::lichess}).find("inaccuracies"), std::string::npos);
  EXPECT_EQ(review_text(review, {Scheme::points, false}).find('\033'), std::string::npos);
  EXPECT_NE(review_text(review, {Scheme::points, true, true, 60}).find("\033[1;31mBLUNDER"), std::string::npos);
}

// 1. g4 judged so, with a better line beside it.
review::GameReview review_with(const pgn::Game& game, verdict::PointsClass cls) {
  review::Evidence evidence = engine_evidence(game);
  evidence.plies[0].annotated = review::AnnotatedVerdict{cls, "So it was said."};
  return review::assemble(game, std::move(evidence), {});
}

TEST(Scheme, a_risky_move_is_notable_but_no_error) {
  const auto game = read("1. g4 { [%eval -1.40] } *");
  const auto risky = review_with(game.game, verdict::PointsClass::risky);
  EXPECT_NE(review_text(risky, {}).find("g4!?"), std::string::npos);
  EXPECT_EQ(review_text(risky, {}).find("Better:"), std::string::npos);
  const std::string pgn = pgn::write_game(annotated(risky, Scheme::points));
  EXPECT_NE(pgn.find("1. g4 $5"), std::string::npos) << pgn;
  EXPECT_EQ(pgn.find("(1. e4)"), std::string::npos) << pgn;
  const auto mistake = review_with(game.game, verdict::PointsClass::mistake);
  EXPECT_NE(review_text(mistake, {}).find("Better: 1. e4"), std::string::npos);
}

TEST(Scheme, a_miss_looks_as_bad_as_its_loss) {
  for (const auto& [severity, tone, nag] :
       {std::tuple{verdict::Label::good, Tone::bad, 2}, std::tuple{verdict::Label::mistake, Tone::bad, 2},
        std::tuple{verdict::Label::blunder, Tone::terrible, 4}}) {
    const Look look = look_of_miss(severity);
    EXPECT_EQ(look.name, "Miss");
    EXPECT_EQ(look.tone, tone);
    EXPECT_EQ(look.nag, nag);
    EXPECT_TRUE(look.error);
  }
}

TEST(Scheme, labels_have_nine_icons_and_nine_colours) {
  std::set<std::string_view> icons;
  std::set<int> hues;
  for (const Look& look : all_looks()) {
    if (look.icon.empty()) continue;
    icons.insert(look.icon);
    hues.insert(look.hue);
  }
  EXPECT_EQ(icons.size(), verdict::label_count);
  EXPECT_EQ(hues.size(), verdict::label_count);
  const auto game = read(fools_mate);
  EXPECT_NE(review_text(review_of(game.game), {Scheme::labels, true, true}).find("⊘ Miss"), std::string::npos);
  EXPECT_EQ(review_text(review_of(game.game), {Scheme::labels}).find("⊘"), std::string::npos) << "plain text";
}

TEST(Scheme, names_are_read_and_every_class_has_a_look) {
  EXPECT_EQ(parse_scheme("lichess"), Scheme::lichess);
  EXPECT_EQ(parse_scheme("Points"), std::nullopt);
  EXPECT_EQ(glyph_of(4), "??");
  std::vector<std::string_view> names;
  names.reserve(verdict::points_classes.size() + verdict::label_count + verdict::judgement_kinds);
  for (const auto& info : verdict::points_classes) names.push_back(info.name);
  for (std::size_t i = 0; i < verdict::label_count; ++i) names.push_back(name_of(static_cast<verdict::Label>(i)));
  for (std::size_t i = 0; i < verdict::judgement_kinds; ++i)
    names.push_back(name_of(static_cast<verdict::Judgement>(i)));
  std::vector<std::string_view> looks;
  for (const Look& look : all_looks()) looks.push_back(look.name);
  EXPECT_EQ(looks, names);
}

// A game of three plies more than a review goes.
pgn::Game too_long_game() {
  pgn::Game game;
  pgn::NodeId at = pgn::Game::root;
  for (const chess::Move move : chess::knights_shuffle(review::most_plies + 3).moves) at = game.add_move(at, move);
  return game;
}

TEST(LeftOut, is_said_by_every_report_of_a_game_that_is_too_long) {
  const pgn::Game game = too_long_game();
  const review::GameReview review = review_of(game);
  const std::string said = fmt::format("Reviewed up to ply {}; the 3 plies after it are left out.", review::most_plies);
  TextOptions options;
  options.moves = Moves::none;
  EXPECT_NE(review_text(review, options).find(said), std::string::npos);
  const json parsed = json::parse(review_json(review, {}));
  EXPECT_EQ(parsed["left_out"], 3);
  EXPECT_EQ(parsed["plies"].size(), review::most_plies);
  const pgn::Game once = annotated(review, Scheme::points);
  ASSERT_NE(once.find_tag("ReviewLeftOut"), nullptr);
  EXPECT_EQ(*once.find_tag("ReviewLeftOut"), said);
  EXPECT_EQ(pgn::main_line(once).moves.size(), review::most_plies + 3) << "the rest stays, without verdicts";
  EXPECT_EQ(pgn::write_game(annotated(review_of(once), Scheme::points)), pgn::write_game(once));
}

TEST(LeftOut, is_not_said_of_others) {
  pgn::ReadGame game = read(fools_mate);
  game.game.tags.push_back({"ReviewLeftOut", "of another version, with another limit"});
  const review::GameReview review = review_of(game.game);
  EXPECT_FALSE(json::parse(review_json(review, {})).contains("left_out"));
  EXPECT_EQ(annotated(review, Scheme::points).find_tag("ReviewLeftOut"), nullptr);
  EXPECT_EQ(review_text(review, {}).find("left out"), std::string::npos);
}

TEST(Reports, end_soon_when_asked_to_stop) {
  const pgn::Game game = too_long_game();
  const review::GameReview review = review_of(game);
  const std::stop_source stop;
  stop.request_stop();
  constexpr std::size_t little = 20'000;  // bytes: what stands before and after the moves
  EXPECT_LT(review_json(review, {}, {}, stop.get_token()).size(), little);
  EXPECT_LT(review_text(review, {}, stop.get_token()).size(), little);
  EXPECT_LT(review_csv(review, 1, stop.get_token()).size(), little);
}

}  // namespace
}  // namespace pm::report
