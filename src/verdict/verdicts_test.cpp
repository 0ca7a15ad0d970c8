// Properties of all schemes together, on positions reached by random play with random scores.
#include "verdict/verdicts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "chess/movegen.h"

namespace pm::verdict {
namespace {

using chess::Position;

struct AnyMove {
  Position before;
  chess::Move move;
  Position after;
  std::vector<Line> lines_before;
  std::vector<Line> lines_after;

  Verdicts judge() const { return verdict::judge({before, move, after, lines_before, lines_after}); }
};

WhiteScore any_score(std::mt19937& random) {
  const int value = static_cast<int>(random() % 2400) - 1200;
  if (random() % 8 == 0) return WhiteScore(Mate{1 + std::abs(value) % 12, value > 0});
  return WhiteScore(Centipawns{value / (random() % 2 == 0 ? 1 : 10)});
}

AnyMove any_move(unsigned seed) {
  std::mt19937 random(seed);
  Position position = Position::start();
  for (unsigned ply = 0, plies = random() % 80; ply < plies; ++ply) {
    const auto moves = chess::legal_moves(position);
    const Position next = position.after(moves[random() % moves.size()]);
    if (chess::legal_moves(next).empty()) break;
    position = next;
  }
  const auto moves = chess::legal_moves(position);
  const chess::Move move = moves[random() % moves.size()];
  const Position after = position.after(move);
  AnyMove scene{position, move, after, {}, {}};
  scene.lines_before.push_back({any_score(random), 10, {random() % 2 == 0 ? move : moves[0]}});
  if (moves.size() > 1) scene.lines_before.push_back({any_score(random), 10, {}});
  scene.lines_after.push_back({score::finished_score(after).value_or(any_score(random)), 10, {}});
  const auto replies = chess::legal_moves(after);
  if (!replies.empty()) scene.lines_after[0].pv.push_back(replies[random() % replies.size()]);
  return scene;
}

chess::Square mirrored(chess::Square s) { return static_cast<chess::Square>(static_cast<int>(s) ^ 56); }

chess::Move mirrored(chess::Move m) {
  switch (m.kind()) {
    case chess::MoveKind::promotion: return chess::Move::promotion(mirrored(m.from()), mirrored(m.to()), m.promoted());
    case chess::MoveKind::en_passant: return chess::Move::en_passant(mirrored(m.from()), mirrored(m.to()));
    case chess::MoveKind::castling: return chess::Move::castling(mirrored(m.from()), mirrored(m.to()));
    case chess::MoveKind::plain: break;
  }
  return chess::Move::plain(mirrored(m.from()), mirrored(m.to()));
}

// The same position with the colours exchanged.
Position mirrored(const Position& position) {
  chess::Setup setup;
  for (const chess::Square s : position.occupied()) {
    const chess::Piece piece = position.piece_on(s);
    setup.board[static_cast<std::size_t>(mirrored(s))] = make_piece(!colour_of(piece), kind_of(piece));
  }
  setup.side_to_move = !position.side_to_move();
  for (const chess::Square rook : position.castling_rooks()) setup.castling_rooks |= chess::Bitboard(mirrored(rook));
  if (position.en_passant()) setup.en_passant = mirrored(*position.en_passant());
  setup.halfmove_clock = position.halfmove_clock();
  setup.move_number = position.move_number();
  return Position::from(setup).value();
}

std::vector<Line> mirrored(const std::vector<Line>& lines) {
  std::vector<Line> result;
  for (const Line& line : lines) {
    result.push_back({WhiteScore(line.score.score().reversed()), line.depth, {}});
    for (const chess::Move m : line.pv) result.back().pv.push_back(mirrored(m));
  }
  return result;
}

RC_GTEST_PROP(Schemes, mirroring_the_colours_mirrors_the_verdicts, (unsigned seed)) {
  const AnyMove scene = any_move(seed);
  const AnyMove mirror{mirrored(scene.before), mirrored(scene.move), mirrored(scene.after),
                       mirrored(scene.lines_before), mirrored(scene.lines_after)};
  RC_ASSERT(mirror.before.after(mirror.move).key() == mirror.after.key());
  const Verdicts a = scene.judge();
  const Verdicts b = mirror.judge();
  RC_ASSERT(a.points.cls == b.points.cls);
  RC_ASSERT(a.points.loss == b.points.loss);
  RC_ASSERT(a.points.reason.rule() == b.points.reason.rule());
  RC_ASSERT(a.labels.label == b.labels.label);
  RC_ASSERT(a.labels.reason.rule() == b.labels.reason.rule());
  RC_ASSERT(a.acpl.loss == b.acpl.loss);
  RC_ASSERT(a.acpl.reason.rule() == b.acpl.reason.rule());
  RC_ASSERT((a.lichess.judgement == b.lichess.judgement));
  RC_ASSERT(a.lichess.reason.rule() == b.lichess.reason.rule());
}

RC_GTEST_PROP(Schemes, the_same_input_gives_the_same_words, (unsigned seed)) {
  const AnyMove scene = any_move(seed);
  const Verdicts a = scene.judge();
  const Verdicts b = any_move(seed).judge();
  RC_ASSERT(a.points.reason.text() == b.points.reason.text());
  RC_ASSERT(a.labels.reason.text() == b.labels.reason.text());
}

// However bad the numbers are, every scheme finds exactly one class, finite figures and a sentence without gaps.
RC_GTEST_PROP(Schemes, every_move_gets_a_verdict_and_a_sentence, (unsigned seed)) {
  const Verdicts v = any_move(seed).judge();
  RC_ASSERT(info(v.points.cls).id == v.points.cls);
  RC_ASSERT(v.points.loss.value() >= 0 && v.points.loss.value() <= 1);
  RC_ASSERT(v.points.accuracy >= -1.29 && v.points.accuracy <= 100);
  RC_ASSERT(v.acpl.loss >= 0 && v.acpl.loss <= 2000);
  RC_ASSERT(v.lichess.accuracy >= 0 && v.lichess.accuracy <= 100);
  RC_ASSERT(!name_of(v.labels.label).empty());
  for (const Reason* reason : {&v.points.reason, &v.labels.reason, &v.acpl.reason, &v.lichess.reason}) {
    RC_ASSERT(reason->text().size() > 5 && reason->text().back() == '.');
    RC_ASSERT(reason->text().find_first_of("{}") == std::string::npos);
  }
}

RC_GTEST_PROP(Schemes, a_growing_loss_never_gets_a_better_label_or_judgement, ()) {
  const auto before = *rc::gen::inRange(-1500, 1500);
  const auto a = *rc::gen::inRange(-2000, 2000);
  const auto b = *rc::gen::inRange(-2000, 2000);
  const MoverScore start(Centipawns{before});
  const MoverScore worse(Centipawns{std::min(a, b)});
  const MoverScore better(Centipawns{std::max(a, b)});
  for (const Dual dual : {Dual::lenient, Dual::strict}) {
    RC_ASSERT(label_by_loss(start, worse, dual) >= label_by_loss(start, better, dual));
  }
  RC_ASSERT((lichess_judgement(start, worse) >= lichess_judgement(start, better)));
  RC_ASSERT(
      (judge_centipawn_loss(centipawn_loss(start, worse)) >= judge_centipawn_loss(centipawn_loss(start, better))));
}

}  // namespace
}  // namespace pm::verdict
