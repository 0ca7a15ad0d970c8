// The verdicts against reference figures for real games (../shared/data/golden; its README says what each file is).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/shared_data.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "verdict/tactics.h"
#include "verdict/verdicts.h"

namespace pm::verdict {
namespace {

using chess::Position;
using chess::Square;
using nlohmann::json;

std::optional<json> golden(const char* name) {
  const auto path = shared_data(std::string("golden/") + name);
  if (!path) return std::nullopt;
  return json::parse(std::ifstream(*path));
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// {"cp": n} or {"mate": n}; mate 0 stands for the position on the board.
WhiteScore score_of(const json& line, const Position& position) {
  if (line.contains("cp")) return WhiteScore(Centipawns{line["cp"]});
  const int mate = line["mate"];
  if (mate == 0) return score::finished_score(position).value();
  return WhiteScore(Mate{std::abs(mate), mate > 0});
}

std::vector<Line> lines_of(const json& lines, const Position& position) {
  std::vector<Line> result;
  for (const json& line : lines) {
    Line parsed{score_of(line, position), line.value("depth", 0), {}};
    if (!line["pv"].empty()) parsed.pv.push_back(chess::parse_uci(position, line["pv"][0].get<std::string>()).value());
    result.push_back(std::move(parsed));
  }
  return result;
}

// The reference differs from the rules only here (data README).
std::string allowed_cause(const JudgedMove& judged, PointsClass ours, const std::string& theirs) {
  const auto second = judged.second_score();
  if (second && second->is_winning_mate() && (theirs == "CRITICAL" || theirs == "BRILLIANT"))
    return "second line mates";
  if (judged.best_score().is_losing_mate() && ours == PointsClass::best) return "escaped a losing mate";
  if (judged.before.en_passant() || judged.after.en_passant()) return "en passant attacker";
  const auto pawns = [&](chess::Colour c) { return judged.before.pieces(c, chess::PieceKind::pawn); };
  const bool about_to_promote =
      (pawns(chess::Colour::white) & chess::rank_bits(6)) || (pawns(chess::Colour::black) & chess::rank_bits(1));
  if (about_to_promote) return "promoting capture";
  return "";
}

TEST(Golden, points_agree_on_98_percent_and_every_difference_is_allowed) {
  const auto data = golden("verdicts.json");
  if (!data) GTEST_SKIP() << no_shared_data;
  struct Variant {
    const char* key;
    PointsOptions options;
  };
  const std::vector<Variant> variants{
      {"wintrchess", {.mates = Mates::distance}},
      {"wintrchess_no_brilliant", {.brilliant = false, .mates = Mates::distance}},
      {"wintrchess_no_critical_no_brilliant", {.critical = false, .brilliant = false, .mates = Mates::distance}}};
  for (const Variant& variant : variants) {
    std::size_t moves = 0;
    std::map<std::string, int> causes;
    std::size_t different = 0;
    for (const json& p : (*data)["positions"]) {
      const Position before = chess::parse_fen(p["fen"].get<std::string>()).value();
      const chess::Move move = chess::parse_uci(before, p["move"].get<std::string>()).value();
      const Position after = before.after(move);
      const auto lines_before = lines_of(p["before"], before);
      const auto lines_after = lines_of(p["after"], after);
      const JudgedMove judged{before, move, after, lines_before, lines_after};
      const PointsVerdict verdict = judge_points(judged, variant.options);
      ++moves;
      EXPECT_FALSE(verdict.reason.text().empty());
      const std::string theirs = p["expected"][variant.key];
      if (info(verdict.cls).name == theirs) continue;
      ++different;
      const std::string cause = allowed_cause(judged, verdict.cls, theirs);
      EXPECT_NE(cause, "") << p["id"] << " " << p["san"] << ": " << info(verdict.cls).name << ", reference " << theirs;
      ++causes[cause];
    }
    EXPECT_EQ(moves, 1684U);
    EXPECT_LE(different, moves / 50) << variant.key;
    for (const auto& [cause, count] : causes) std::printf("%s: %d differ, %s\n", variant.key, count, cause.c_str());
  }
}

TEST(Golden, lichess_judgement_accuracy_and_loss_are_all_equal) {
  const auto data = golden("verdicts.json");
  if (!data) GTEST_SKIP() << no_shared_data;
  for (const json& p : (*data)["positions"]) {
    const Position before = chess::parse_fen(p["fen"].get<std::string>()).value();
    const chess::Move move = chess::parse_uci(before, p["move"].get<std::string>()).value();
    const Position after = before.after(move);
    const auto lines_before = lines_of(p["before"], before);
    const auto lines_after = lines_of(p["after"], after);
    const JudgedMove judged{before, move, after, lines_before, lines_after};
    const json& expected = p["expected"];
    const Verdicts verdicts = judge(judged);
    const auto& judgement = verdicts.lichess.judgement;
    EXPECT_EQ(judgement ? json(name_of(*judgement)) : json(nullptr), expected["lichess_judgement"]) << p["id"];
    EXPECT_NEAR(verdicts.lichess.accuracy, expected["lichess_accuracy"], 1e-4) << p["id"];
    EXPECT_EQ(verdicts.acpl.loss, expected["cp_loss"]) << p["id"];
  }
}

// Scores as the cases write them: {"type": "cp", "value": n}.
std::vector<Line> case_lines(const json& lines, const Position& position) {
  std::vector<Line> result;
  for (const json& line : lines) {
    const int value = line["value"];
    Line parsed{WhiteScore(Centipawns{value}), 0, {}};
    if (line["type"] == "mate") {
      parsed.score =
          value == 0 ? score::finished_score(position).value() : WhiteScore(Mate{std::abs(value), value > 0});
    }
    if (!line["move"].is_null()) {
      const std::string text = line["move"];
      const auto uci = chess::parse_uci(position, text);
      const auto move = uci ? uci : chess::parse_san(position, text);
      if (move) parsed.pv.push_back(*move);
    }
    result.push_back(std::move(parsed));
  }
  return result;
}

TEST(Golden, small_cases) {
  const auto cases = golden("verdict-cases.json");
  if (!cases) GTEST_SKIP() << no_shared_data;
  int judged_cases = 0;
  for (const json& c : *cases) {
    const std::string kind = c["kind"];
    if (kind != "classify" && kind != "point_loss") continue;
    const auto fen = chess::parse_fen(c["fen"].get<std::string>());
    const auto move =
        fen ? chess::parse_san(*fen, c["move"].get<std::string>()) : chess::parse_san(Position::start(), "");
    if (!move) {
      std::printf("not a legal case: %s %s\n", c["fen"].get<std::string>().c_str(),
                  c["move"].get<std::string>().c_str());
      continue;
    }
    const Position& before = *fen;
    const Position after = before.after(*move);
    const auto lines_before = case_lines(c["evals"]["before"], before);
    const auto lines_after = case_lines(c["evals"]["after"], after);
    const JudgedMove judged{before, *move, after, lines_before, lines_after};
    const std::string expected = upper(c.value("recommended", c["expected"].get<std::string>()));
    if (expected == "THEORY") continue;  // the book's own cases
    const PointsVerdict verdict = judge_points(judged, {.mates = Mates::distance});
    const std::string name(info(verdict.cls).name);
    const bool second_mates = judged.second_score() && judged.second_score()->is_winning_mate();
    if (second_mates && expected == "BRILLIANT") continue;  // the reference lets it pass the gate, the rules do not
    EXPECT_EQ(name, expected) << c.dump();
    if (c.contains("accuracy")) {
      EXPECT_NEAR(verdict.accuracy, c["accuracy"], 0.006) << c.dump();
    }
    ++judged_cases;
  }
  EXPECT_GE(judged_cases, 50);
}

TEST(Golden, tactics) {
  const auto data = golden("tactics.json");
  if (!data) GTEST_SKIP() << no_shared_data;
  for (const json& p : (*data)["positions"]) {
    const Position position = chess::parse_fen(p["fen"].get<std::string>()).value();
    for (const json& piece : p["pieces"]) {
      const Square s = chess::parse_square(piece["sq"].get<std::string>()).value();
      const chess::Colour enemy = !colour_of(position.piece_on(s));
      EXPECT_EQ(direct_attackers(position, s, enemy).count(), piece["direct"]) << p["fen"] << piece;
      EXPECT_EQ(xray_attackers(position, s, enemy).count(), piece["attackers"]) << p["fen"] << piece;
      EXPECT_EQ(xray_defenders(position, s).count(), piece["defenders"]) << p["fen"] << piece;
      EXPECT_EQ(is_safe(position, s), piece["safe"]) << p["fen"] << piece;
      EXPECT_EQ(is_trapped(position, s), piece["trapped"]) << p["fen"] << piece;
    }
  }
  for (const json& m : (*data)["moves"]) {
    const Position before = chess::parse_fen(m["fen"].get<std::string>()).value();
    const chess::Move move = chess::parse_uci(before, m["uci"].get<std::string>()).value();
    EXPECT_EQ(find_sacrifice(before, move).has_value(), m["brilliant"]) << m;
  }
}

}  // namespace
}  // namespace pm::verdict
