// Draws one diagram for every motif into a folder: those of docs/explanations.md. Each position is held against the
// definition of its motif (src/motif) before it is drawn.
//   build/test/tools/make_diagrams docs/motifs
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "motif/find.h"
#include "report/diagram.h"

namespace {

using namespace pm;
using motif::Motif;

struct Example {
  Motif motif;
  const char* fen;
  const char* line;        // the motif's side begins
  const char* error = "";  // the move before it, where the motif needs one
};

// clang-format off: a table
const Example examples[] = {
    {Motif::fork, "r3kb1r/pp3ppp/3p1n2/1N6/4P3/8/PPP2PPP/R3K2R w KQkq - 0 1", "b5c7 e8d7 c7a8"},
    {Motif::pin, "4k3/pp2qppp/8/8/8/8/PPP2PPP/R4K2 w - - 0 1", "a1e1 e7e1 f1e1"},
    {Motif::skewer, "4q3/1p4p1/8/2p5/4k3/8/PP4PP/R5K1 w - - 0 1", "a1e1 e4d5 e1e8"},
    {Motif::discovered_attack, "3q2k1/5ppp/8/8/8/3N4/5PPP/3R2K1 w - - 0 1", "d3f4 g8f8 d1d8"},
    {Motif::discovered_check, "3k4/5ppp/p7/8/8/3N4/5PPP/3R2K1 w - - 0 1", "d3f4 d8c7 f4d5"},
    {Motif::double_check, "3k4/1p3ppp/8/8/3N4/8/5PPP/3R2K1 w - - 0 1", "d4c6 d8c7 d1d7"},
    {Motif::x_ray_attack, "3r3R/8/6k1/6p1/8/8/6P1/R5K1 w - - 0 1", "a1a8 d8a8 h8a8"},
    {Motif::hanging_piece, "4k3/ppp2ppp/8/3n4/8/8/PPP2PPP/3RK3 w - - 0 1", "d1d5"},
    {Motif::trapped_piece, "7k/6pp/8/8/8/1P6/b1P3PP/5RK1 w - - 0 1", "f1a1 h8g8 a1a2"},
    {Motif::attraction, "6k1/5pp1/8/8/8/8/5PP1/R5KR w - - 0 1", "h1h8 g8h8 a1a8"},
    {Motif::deflection, "3q2k1/5pp1/7p/3r4/8/8/Q5PP/4R2K w - - 0 1", "e1e8 d8e8 a2d5"},
    {Motif::interference, "6k1/5pp1/8/r6n/8/8/6B1/6KR w - - 0 1", "g2d5 g8f8 h1h5"},
    {Motif::intermezzo, "6k1/6p1/8/8/1b6/2N5/1P3PP1/R5K1 b - - 0 1", "a1a8 g8h7 b2c3", "b4c3"},
    {Motif::clearance, "6k1/5ppp/8/8/3N4/8/5PPP/3R2K1 w - - 0 1", "d4f5 h7h6 d1d8"},
    {Motif::capturing_defender, "6k1/p4p1p/5n2/3n2B1/8/8/5PPP/3R2K1 w - - 0 1", "g5f6 a7a6 d1d5"},
    {Motif::sacrifice, "6k1/5pp1/8/8/8/8/5PP1/R5KR w - - 0 1", "h1h8 g8h8 a1a8"},
    {Motif::quiet_move, "7k/6pp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1b1 h7h6 b1b8"},
    {Motif::defensive_move, "4r2k/6pp/8/8/8/8/5PPP/R3K3 w Q - 0 1", "e1d2"},
    {Motif::exposed_king, "6k1/8/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a7 g8h8 a7a8 h8g7 g1f1"},
    {Motif::attacking_f2_f7, "4k3/5p2/8/6N1/8/8/8/4K3 w - - 0 1", "g5f7"},
    {Motif::kingside_attack, "rnbq1rk1/ppppbppp/5n2/8/8/3B4/PPPPQPPP/RNB1K1NR w KQ - 0 1", "d3h7"},
    {Motif::queenside_attack, "1nkr1bnr/pppqpppp/8/8/8/1Q6/PPPPPPPP/RNB1KBNR w KQ - 0 1", "b3b7"},
    {Motif::advanced_pawn, "7k/6pp/P7/8/8/8/8/4K3 w - - 0 1", "a6a7"},
    {Motif::promotion, "7k/P5pp/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"},
    {Motif::under_promotion, "8/2P1k3/8/8/8/8/q5PP/6K1 w - - 0 1", "c7c8n e7d7 c8b6"},
    {Motif::en_passant, "7k/3p2pp/8/4P3/8/8/8/4K3 b - - 0 1", "e5d6", "d7d5"},
    {Motif::castling, "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"},
    {Motif::mate, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"},
    {Motif::mate_in_1, "7k/6pp/8/8/8/8/1Q6/4R1K1 w - - 0 1", "e1e8"},
    {Motif::mate_in_2, "5rk1/5ppp/8/8/8/8/R4PPP/R5K1 w - - 0 1", "a2a8 f8a8 a1a8"},
    {Motif::smothered_mate, "6rk/6pp/8/4N3/8/8/6PP/6K1 w - - 0 1", "e5f7"},
    {Motif::back_rank_mate, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"},
    {Motif::anastasia_mate, "8/4N1pk/8/8/R7/8/6PP/6K1 w - - 0 1", "a4h4"},
    {Motif::hook_mate, "8/8/3ppN2/4knP1/R7/8/8/6K1 w - - 0 1", "a4e4"},
    {Motif::arabian_mate, "7k/R7/5N2/8/8/8/6PP/6K1 w - - 0 1", "a7h7"},
    {Motif::boden_mate, "2kr4/3p4/8/8/5B2/8/4B3/6K1 w - - 0 1", "e2a6"},
    {Motif::double_bishop_mate, "7k/7p/8/8/2B5/8/8/2B3K1 w - - 0 1", "c1b2"},
    {Motif::dovetail_mate, "8/5p2/5kp1/8/3P4/8/8/4Q1K1 w - - 0 1", "e1e5"},
    {Motif::kill_box_mate, "7k/7p/7Q/8/8/8/8/5RK1 w - - 0 1", "f1f8"},
    {Motif::vukovic_mate, "7k/1R3R2/7N/8/8/8/8/6K1 w - - 0 1", "f7h7"},
    {Motif::pawn_endgame, "8/p4k2/8/8/8/8/P4K2/8 w - - 0 1", "a2a4"},
    {Motif::knight_endgame, "6n1/p4k2/8/8/8/8/P4K2/8 w - - 0 1", "a2a4"},
    {Motif::bishop_endgame, "6b1/p4k2/8/8/8/8/P4K2/2B5 w - - 0 1", "a2a4"},
    {Motif::rook_endgame, "6r1/p4k2/8/8/8/8/P4K2/2R5 w - - 0 1", "a2a4"},
    {Motif::queen_endgame, "6q1/p4k2/8/8/8/8/P4K2/2Q5 w - - 0 1", "a2a4"},
    {Motif::queen_rook_endgame, "6q1/p4k2/8/8/8/8/P4K2/2R5 w - - 0 1", "a2a4"},
};
// clang-format on

motif::Line line_of(const Example& example) {
  chess::Position position = chess::parse_fen(example.fen).value();
  std::optional<motif::Step> error;
  if (*example.error != '\0') {
    error.emplace(position, chess::parse_uci(position, example.error).value());
    position = error->after;
  }
  std::vector<chess::Move> moves;
  std::istringstream words(example.line);
  chess::Position now = position;
  for (std::string word; words >> word;) {
    moves.push_back(chess::parse_uci(now, word).value());
    now.play(moves.back());
  }
  return {position, moves, error};
}

// Empty: the line does not show the motif.
std::string drawn(const Example& example) {
  const motif::Line line = line_of(example);
  for (const motif::Finding& each : motif::find_motifs(line)) {
    if (each.motif != example.motif) continue;
    report::Diagram diagram{line.start(), {}, {}, std::string(motif::name_of(example.motif))};
    for (std::size_t i = 0; i < line.size() && i < 3; i += 2) {
      diagram.arrows.push_back({line[i].from, line[i].to, i == 0 ? report::Ink::plain : report::Ink::faint});
    }
    const chess::Bitboard there = line.start().pieces(line.opponent());
    if (each.seen.step == 0) diagram.marked = each.seen.targets & there;
    return report::diagram_svg(diagram);
  }
  return "";
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("make_diagrams FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder(words[1]);
  std::filesystem::create_directories(folder);
  bool failed = false;
  for (const Example& example : examples) {
    const std::string svg = drawn(example);
    if (svg.empty()) {
      fmt::print(stderr, "{}: the line does not show it\n", motif::name_of(example.motif));
      failed = true;
      continue;
    }
    std::ofstream(folder / fmt::format("{}.svg", motif::name_of(example.motif)), std::ios::binary) << svg;
  }
  return failed ? 1 : 0;
}
