#include "report/csv.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "pgn/reader.h"
#include "pgn/writer.h"
#include "report/game_id.h"
#include "review/pgn_evals.h"

namespace pm::report {
namespace {

pgn::Game game_of(std::string_view text) {
  pgn::MemorySource source(text);
  return pgn::GameReader(source).next().value().game;
}

std::vector<std::string> fields_of(std::string_view row) {
  std::vector<std::string> fields(1);
  bool in_quotes = false;
  for (const char c : row) {
    if (c == '"') {
      in_quotes = !in_quotes;
    } else if (c == ',' && !in_quotes) {
      fields.emplace_back();
    } else if (c != '\r' && c != '\n') {
      fields.back() += c;
    }
  }
  return fields;
}

// Column by name, of the first move.
std::map<std::string, std::string> first_row(const pgn::Game& game) {
  const std::string rows = review_csv(review::assemble(game, review::evidence_of_comments(game), {}), 1);
  const auto names = fields_of(csv_header());
  const auto values = fields_of(rows.substr(0, rows.find("\r\n")));
  EXPECT_EQ(names.size(), values.size());
  std::map<std::string, std::string> row;
  for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) row[names[i]] = values[i];
  return row;
}

TEST(Csv, names_the_game_in_every_row) {
  const pgn::Game game = game_of(
      "[Site \"Paris, FRA\"]\n[Date \"1858.??.??\"]\n[White \"Morphy, Paul\"]\n[Black \"Duke\"]\n[WhiteElo \"2690\"]\n"
      "[ECO \"C20\"]\n\n1. e4 { [%eval 0.3] } e5 2. Nf3 d6 1-0");
  auto row = first_row(game);
  EXPECT_EQ(row["game"], "1");
  EXPECT_EQ(row["white"], "Morphy, Paul");
  EXPECT_EQ(row["game_id"], game_id(game));
  EXPECT_EQ(row["site"], "Paris, FRA");
  EXPECT_EQ(row["date"], "1858.??.??");
  EXPECT_EQ(row["white_elo"], "2690");
  EXPECT_EQ(row["black_elo"], "");
  EXPECT_EQ(row["eco"], "C41");  // as the position is named, not as the file says
}

TEST(Csv, takes_the_opening_from_the_file_where_no_position_is_named) {
  auto row = first_row(game_of("[ECO \"B99\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *"));
  EXPECT_EQ(row["eco"], "B99");
}

TEST(Csv, no_cell_is_a_formula) {
  const struct {
    const char* given;
    const char* cell;
  } cases[] = {
      {"=HYPERLINK(\"http://x\")", "'=HYPERLINK(http://x)"},  // fields_of() drops the quotes
      {"+1", "'+1"},
      {"-2+3|cmd", "'-2+3|cmd"},
      {"@SUM(A1)", "'@SUM(A1)"},
      {"\t=1", "'\t=1"},
      {"\r=1", "'=1"},  // and line ends
      {"1=1", "1=1"},
      {"'=1", "'=1"},
      {"", ""},
  };
  for (const auto& each : cases) {
    pgn::Game game = game_of("1. Nf3 *");
    for (const char* name : {"White", "Black", "Site", "Date", "ECO"}) game.tags.push_back({name, each.given});
    auto row = first_row(game);
    for (const char* column : {"white", "black", "site", "date"}) EXPECT_EQ(row[column], each.cell) << column;
  }
}

TEST(Csv, numbers_stay_numbers) {
  auto row = first_row(game_of("[WhiteElo \"-5\"]\n[BlackElo \"-\"]\n\n1. e4 { [%eval -0.3] } e5 *"));
  EXPECT_EQ(row["score_after"], "-30");
  EXPECT_EQ(row["white_elo"], "-5");
  EXPECT_EQ(row["black_elo"], "'-");
}

TEST(Csv, a_null_move_is_no_formula_either) { EXPECT_EQ(first_row(game_of("1. -- e5 *"))["san"], "'--"); }

TEST(Csv, no_name_of_an_engine_or_a_model_is_a_formula) {
  const pgn::Game game = game_of("1. e4 e5 *");
  review::Evidence evidence = review::evidence_of_comments(game);
  evidence.engine.emplace();
  evidence.engine->name = "=cmd|' /C calc'!A0";
  evidence.human.emplace();
  evidence.human->model = "@model";
  evidence.human->sha256 = std::string(64, '0');
  evidence.plies[0].human.emplace();
  evidence.plies[0].human->likeliest = pgn::main_line(game).moves[0];
  const std::string rows = review_csv(review::assemble(game, evidence, {}), 1);
  EXPECT_NE(rows.find(",\"'=cmd|"), std::string::npos) << rows;
  EXPECT_EQ(rows.find(",\"=cmd|"), std::string::npos) << rows;
  EXPECT_NE(rows.find(",'@model"), std::string::npos) << rows;
}

TEST(Csv, new_columns_stand_behind_the_old_ones) {
  EXPECT_TRUE(csv_header().starts_with("game,white,black,result,ply,"));
  EXPECT_TRUE(
      csv_header().ends_with(",reason,game_id,site,date,white_elo,black_elo,eco,confidence_probability,provenance,to_"
                             "find,found,difficulty\r\n"));
}

TEST(GameId, is_that_of_the_game_and_not_of_the_file) {
  const std::string tags = "[Site \"x\"]\n[Date \"2020.01.02\"]\n[White \"A\"]\n[Black \"B\"]\n";
  const std::string id = game_id(game_of(tags + "\n1. e4 e5 *"));
  EXPECT_EQ(id.size(), 16U);
  const struct {
    std::string text;
    bool same;
  } cases[] = {
      {tags + "\n1. e4 {hello} (1. d4) e5 $1 1-0", true},
      {tags + "[Round \"?\"]\n[Event \"y\"]\n\n1.e4 e5", true},
      {tags + "[Round \"2\"]\n\n1. e4 e5 *", false},
      {tags + "\n1. e4 e6 *", false},
      {tags + "\n1. e4 *", false},
      {"[Site \"x\"]\n[Date \"2020.01.02\"]\n[White \"B\"]\n[Black \"A\"]\n\n1. e4 e5 *", false},
  };
  for (const auto& each : cases) EXPECT_EQ(game_id(game_of(each.text)) == id, each.same) << each.text;
  EXPECT_EQ(game_id(game_of(pgn::write_game(game_of(tags + "\n1. e4 e5 *")))), id);
}

TEST(GameId, does_not_change_from_version_to_version) {
  EXPECT_EQ(game_id(game_of("[White \"A\"]\n\n1. e4 e5 *")), "894d102ec6ffaa18");
}

}  // namespace
}  // namespace pm::report
