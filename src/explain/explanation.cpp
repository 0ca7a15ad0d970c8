#include "explain/explanation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "chess/san.h"
#include "explain/outcome.h"
#include "explain/positional.h"
#include "explain/tactic.h"
#include "motif/exchange.h"
#include "motif/find.h"
#include "motif/placement.h"
#include "score/score_text.h"

namespace pm::explain {
namespace {

using chess::Bitboard;
using chess::Colour;
using chess::PieceKind;
using chess::Square;
using motif::Line;
using motif::Step;
using verdict::PointsClass;

constexpr std::string_view new_queen = "a new queen";
constexpr std::size_t most_claims = 3;
constexpr std::size_t most_sentences = 2;
constexpr std::size_t refutation_moves = 5;

std::string san_of(const Step& step) { return chess::format_san(step.before, step.move); }

std::vector<chess::Move> moves_of(const Line& line, std::size_t count) {
  std::vector<chess::Move> moves;
  for (std::size_t i = 0; i < std::min(count, line.size()); ++i) moves.push_back(line[i].move);
  return moves;
}

const char* mate_words(motif::Motif pattern) {
  switch (pattern) {
    case motif::Motif::smothered_mate: return "a smothered mate";
    case motif::Motif::back_rank_mate: return "mate on the back rank";
    case motif::Motif::anastasia_mate: return "Anastasia's mate";
    case motif::Motif::hook_mate: return "a hook mate";
    case motif::Motif::arabian_mate: return "an Arabian mate";
    case motif::Motif::boden_mate: return "Boden's mate";
    case motif::Motif::double_bishop_mate: return "mate by two bishops";
    case motif::Motif::dovetail_mate: return "a dovetail mate";
    default: return "mate";
  }
}

// What one side can do by a line, as a claim without its kind and its first words.
struct Idea {
  Claim claim;
  std::string doing;  // "Ne7+, forking king and queen"
  std::string does;   // "Forks king and queen."
};

class Explainer {
 public:
  explicit Explainer(const ExplainedMove& move)
      : move_(move), mover_(move.before.side_to_move()), played_(move.before, move.move) {}

  Explanation explain() && {
    if (chess::count_legal_moves(played_.after) == 0) {
      end_of_game();
    } else if (verdict::is_error(move_.cls) && move_.cls != PointsClass::risky) {
      error();
    } else if (is_worth_praise()) {
      praise();
    }
    return std::move(result_);
  }

 private:
  bool is_worth_praise() const {
    return move_.cls == PointsClass::best || move_.cls == PointsClass::critical || move_.cls == PointsClass::brilliant;
  }

  void end_of_game() {
    const bool mate = played_.after.in_check();
    Claim claim{mate ? ClaimKind::mate : ClaimKind::stalemate, mate ? "mate" : "stalemate", mover_, move_.move};
    claim.san = san_of(played_);
    const std::vector<chess::Move> last{move_.move};
    const Line line(move_.before, last);
    if (mate) {
      const auto pattern = motif::mate_pattern(line);
      const std::string words = pattern ? mate_words(*pattern) : "mate";
      if (pattern) claim.motif = motif::name_of(*pattern);
      claim.text = pattern ? fmt::format("Checkmate: {}.", words) : "Checkmate.";
    } else {
      const bool thrown_away = !move_.lines_before.empty() && seen_before().at_least(score::Centipawns{200});
      claim.text = thrown_away ? "Stalemate: the win is gone." : "Stalemate.";
    }
    result_.text = claim.text;
    result_.claims.push_back(std::move(claim));
  }

  score::MoverScore seen_before() const { return move_.lines_before.front().score.seen_by(mover_); }
  score::MoverScore seen_after() const { return move_.lines_after.front().score.seen_by(mover_); }

  // The opponent's line after the move, with the move as the error it is.
  std::optional<Line> reply_line() const {
    if (move_.lines_after.empty() || move_.lines_after.front().pv.empty()) return std::nullopt;
    return Line(played_.after, move_.lines_after.front().pv, played_);
  }
  // The mover's line instead of it.
  std::optional<Line> better_line() const {
    if (move_.lines_before.empty() || move_.lines_before.front().pv.empty()) return std::nullopt;
    if (move_.lines_before.front().pv.front() == move_.move) return std::nullopt;
    return Line(move_.before, move_.lines_before.front().pv, move_.previous);
  }

  // "mate in 3", by the engine's count; the pattern when the line gets there.
  static Idea mate_idea(const Line& line, int moves) {
    Idea idea;
    idea.claim.by = line.solver();
    idea.claim.move = line[0].move;
    idea.claim.san = san_of(line[0]);
    idea.claim.motif = "mate";
    idea.claim.wins = Wins{std::nullopt, moves, 0};
    idea.claim.squares = {line[0].from, line[0].to, line.start().king(line.opponent())};
    idea.claim.targets = {{PieceKind::king, line.start().king(line.opponent())}};
    const bool whole = line.ends_in_mate() && line.size() % 2 == 1;
    idea.claim.line = moves_of(line, line.size());
    std::string words = moves == 1 ? "mate" : fmt::format("mate in {}", moves);
    if (whole) {
      if (const auto pattern = motif::mate_pattern(line)) {
        idea.claim.motif = motif::name_of(*pattern);
        words = moves == 1 ? mate_words(*pattern) : fmt::format("{}, {}", words, mate_words(*pattern));
      }
    }
    idea.doing = fmt::format("{}, {}", idea.claim.san, words);
    idea.does = fmt::format("Forces {}.", words);
    return idea;
  }

  // What the line wins and how; nothing when it wins nothing that can be shown.
  static std::optional<Idea> material_idea(const Line& line, const Outcome& outcome) {
    const std::string haul = outcome.haul.text();
    if (outcome.points < 1 || haul.empty() || !outcome.can_be_told()) return std::nullopt;
    Idea idea;
    Claim& claim = idea.claim;
    claim.by = line.solver();
    claim.wins = Wins{outcome.haul.prize(), std::nullopt, outcome.points};
    claim.line = moves_of(line, outcome.steps);
    claim.line.insert(claim.line.end(), outcome.settled.begin(), outcome.settled.end());
    const std::string first = san_of(line[0]);
    const Line whole(line.start(), claim.line, line.error() != nullptr ? std::optional(*line.error()) : std::nullopt);
    if (auto tactic = find_tactic(whole)) {
      const Step& step = whole[tactic->step];
      claim.motif = tactic->motif;
      claim.move = step.move;
      claim.san = san_of(step);
      claim.ply = tactic->step;
      claim.targets = tactic->targets;
      claim.squares = {step.from, step.to};
      for (const Target& each : claim.targets) claim.squares.push_back(each.square);
      const bool plain = outcome.haul.prize() && haul == with_article(*outcome.haul.prize());
      const bool said = tactic->names_prize && (plain || haul == new_queen);
      const std::string gain = said ? "" : fmt::format(", winning {}", haul);
      const std::string way = tactic->step == 0 ? first : fmt::format("{}, followed by {}", first, claim.san);
      idea.doing = fmt::format("{}, {}{}", way, tactic->doing, gain);
      idea.does = tactic->step == 0 ? fmt::format("{}{}.", tactic->does, gain)
                                    : fmt::format("{} follows, {}{}.", claim.san, tactic->doing, gain);
      return idea;
    }
    const Step& last = line[outcome.steps - 1];

    const bool at_once = outcome.steps == 1;
    claim.motif = at_once && motif::find_hanging_piece(line) ? "hangingPiece" : "material";
    if (haul == "the exchange") claim.motif = "exchangeLost";
    claim.move = last.move;
    claim.san = san_of(last);
    claim.ply = outcome.steps - 1;
    claim.squares = {last.from, last.to};
    std::string what = haul;
    if (last.captured) {
      const Square victim = last.move.kind() == chess::MoveKind::en_passant
                                ? chess::make_square(chess::file_of(last.to), chess::rank_of(last.from))
                                : last.to;
      claim.targets = {{*last.captured, victim}};
      if (at_once && haul == with_article(*last.captured)) what = named(claim.targets.front());
    }
    if (at_once) {
      idea.doing = fmt::format("{}, which wins {}", first, what);
      idea.does = fmt::format("Wins {}.", what);
    } else {
      idea.doing = fmt::format("{}, which wins {}", first, what);
      idea.does = fmt::format("Wins {}: {}.", what, line_text(line, outcome.steps));
    }
    return idea;
  }

  // "Nxe5 Bxd1 Nxc6".
  static std::string line_text(const Line& line, std::size_t steps) {
    std::string text;
    for (std::size_t i = 0; i < std::min(steps, line.size()); ++i) text += (i == 0 ? "" : " ") + san_of(line[i]);
    return text;
  }

  void error() {
    const auto reply = reply_line();
    const auto better = better_line();
    const auto lost = reply ? outcome_of(*reply, move_.previous) : std::nullopt;
    const auto won = better ? outcome_of(*better, move_.before_previous) : std::nullopt;
    // What the best move would have kept or won; without a quiet end nobody knows.
    const int best_points = won ? won->points : 0;
    const bool mated = seen_after().is_losing_mate();
    if (reply && mated && !seen_before().is_losing_mate()) {
      add(ClaimKind::allows, mate_idea(*reply, std::max(1, seen_after().mate()->moves)));
    } else if (reply && lost && lost->points > -best_points) {
      if (auto idea = material_idea(*reply, *lost)) add(ClaimKind::allows, std::move(*idea));
    }
    if (better && seen_before().is_winning_mate() && !seen_after().is_winning_mate()) {
      add(ClaimKind::misses, mate_idea(*better, std::max(1, seen_before().mate()->moves)));
    } else if (better && won && won->points >= 1 && (!lost || won->points > -lost->points)) {
      if (auto idea = material_idea(*better, *won)) add(ClaimKind::misses, std::move(*idea));
    }
    if (result_.claims.empty() && better) recaptures(*better);
    constexpr auto level = score::MoverScore(score::Centipawns{0});
    if (result_.claims.empty() && reply) look_for_plans(*reply, ClaimKind::allows, seen_after() == level);
    if (result_.claims.empty() && better) look_for_plans(*better, ClaimKind::misses, seen_before() == level);
    if (result_.claims.empty()) threats(reply, better);
    if (reply && (result_.claims.empty() || result_.claims.front().motif == "threat")) {
      for (Claim& claim : positional_claims(played_, *reply)) {
        if (result_.claims.size() < most_claims) result_.claims.push_back(std::move(claim));
      }
    }
    if (result_.claims.empty()) attacked_pawns(reply, better);
    if (result_.claims.empty() && better) missed_trade(*better);
    say(reply);
  }

  // // Checks without end, a king on the run, a pawn that goes through, castling that is lost: what a line does that
  // wins no material. `level`: the engine calls it a draw.
  void look_for_plans(const Line& line, ClaimKind kind, bool level) {
    if (perpetual_check(line, kind, level) || king_hunt(line, kind) || running_pawn(line, kind)) return;
    if (lost_castling(line, kind)) return;
    const Step& first = line[0];
    const bool seventh = first.piece == PieceKind::rook && chess::relative_rank(line.solver(), first.to) == 6 &&
                         chess::relative_rank(line.solver(), first.from) != 6;
    if (seventh && motif::exchange_gain(first.before, first.move) >= 0) {
      Idea idea = idea_of(line, "seventhRank", 1);
      idea.doing = fmt::format("{}, a rook on the seventh rank", idea.claim.san);
      add(kind, std::move(idea));
    }
  }

  // Something was just taken, and the move takes back the wrong way or not at all.
  void recaptures(const Line& better) {
    const Step& best = better[0];
    if (!move_.previous || !move_.previous->is_capture() || !best.is_capture() || best.to != move_.previous->to) return;
    const bool took_back = played_.to == best.to;
    if (took_back && played_.from == best.from) return;
    Idea idea = idea_of(better, took_back ? "wrongRecapture" : "recapture", 1);
    idea.claim.targets = {{*best.captured, best.to}};
    idea.doing = fmt::format("{}, taking back on {}", idea.claim.san, chess::format_square(best.to));
    add(ClaimKind::misses, std::move(idea));
    if (took_back) {
      result_.claims.back().text =
          fmt::format("Takes back with the {}; {} was right.", name_of(played_.piece), result_.claims.back().san);
    }
  }

  static constexpr std::size_t chase = 3;  // checks in a row

  bool perpetual_check(const Line& line, ClaimKind kind, bool level) {
    std::size_t solver = 0;
    std::size_t opponent = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      std::size_t& in_a_row = i % 2 == 0 ? solver : opponent;
      in_a_row = line[i].gives_check() ? in_a_row + 1 : 0;
    }
    if (!level || std::max(solver, opponent) < chase) return false;
    Idea idea = idea_of(line, "perpetualCheck", line.size());
    idea.doing =
        kind == ClaimKind::allows ? "perpetual check" : fmt::format("{}, with perpetual check", idea.claim.san);
    const bool only_way = opponent > solver;
    if (only_way && kind == ClaimKind::misses) return false;
    if (only_way) {
      const std::size_t check = line[1].gives_check() ? 1 : line.size() - (line.size() % 2) - 1;
      idea.claim.by = line.opponent();
      idea.claim.move = line[check].move;
      idea.claim.san = san_of(line[check]);
      idea.claim.ply = check;
    }
    add(kind, std::move(idea));
    if (only_way) result_.claims.back().text = "Only perpetual check is left.";
    return true;
  }

  bool king_hunt(const Line& line, ClaimKind kind) {
    std::size_t checks = 0;
    while (2 * checks < line.size() && line[2 * checks].gives_check()) ++checks;
    if (checks < chase) return false;
    const Square start = line.start().king(line.opponent());
    const Square goal = line[(2 * checks) - 2].after.king(line.opponent());
    Idea idea = idea_of(line, "kingHunt", (2 * checks) - 1);
    idea.claim.targets = {{PieceKind::king, start}};
    idea.doing = fmt::format("{} and more checks, chasing the king{}", idea.claim.san,
                             goal == start ? "" : " to " + chess::format_square(goal));
    add(kind, std::move(idea));
    return true;
  }

  // A pawn that promotes, or a passed pawn that gets to the sixth or seventh rank, and is not taken there at once.
  bool running_pawn(const Line& line, ClaimKind kind) {
    constexpr std::size_t soon = 7;
    constexpr int sixth_rank = 5;
    for (const bool promotes : {true, false}) {
      for (std::size_t i = 0; i < std::min(line.size(), soon); i += 2) {
        const Step& step = line[i];
        const bool far = step.piece == PieceKind::pawn && chess::relative_rank(line.solver(), step.to) >= sixth_rank &&
                         is_passed(step.after, step.to);
        if (promotes ? !step.is_promotion() : !far) continue;
        if (i + 1 < line.size() ? line[i + 1].to == step.to : motif::is_badly_placed(step.after, step.to)) continue;
        if (motif::is_badly_placed(step.after, step.to)) continue;
        Idea idea = idea_of(line, promotes ? "unstoppablePawn" : "advancedPawn", i + 1);
        idea.claim.squares = {step.from, step.to};
        const std::string goal = promotes ? "promotes" : "gets to " + chess::format_square(step.to);
        idea.doing = fmt::format(
            "{}, {} {}", idea.claim.san,
            i == 0 ? "a pawn that" : fmt::format("and the {}-pawn", chess::file_letter(chess::file_of(step.from))),
            goal);
        add(kind, std::move(idea));
        return true;
      }
    }
    return false;
  }

  bool lost_castling(const Line& line, ClaimKind kind) {
    const auto may_castle = [&](const chess::Position& position) {
      return (position.castling_rooks() & position.pieces(line.opponent())).operator bool();
    };
    const bool lost = line.size() >= 2 && may_castle(line.start()) && !may_castle(line[1].after) &&
                      line[1].piece == PieceKind::king && line[1].move.kind() != chess::MoveKind::castling;
    if (!lost) return false;
    Idea idea = idea_of(line, "castlingRights", 2);
    idea.claim.targets = {{PieceKind::king, line[1].to}};
    idea.doing = fmt::format("{}, after which {} cannot castle", idea.claim.san,
                             line.opponent() == Colour::white ? "White" : "Black");
    add(kind, std::move(idea));
    return true;
  }

  // About the first move of a line.
  static Idea idea_of(const Line& line, std::string_view motif, std::size_t steps) {
    Idea idea;
    idea.claim.motif = motif;
    idea.claim.by = line.solver();
    idea.claim.move = line[0].move;
    idea.claim.san = san_of(line[0]);
    idea.claim.squares = {line[0].from, line[0].to};
    idea.claim.line = moves_of(line, steps);
    return idea;
  }

  // A man that is attacked now and was not badly placed before.
  static std::optional<Target> threatened_by(const Step& step, bool pawns = false) {
    std::optional<Target> found;
    const Colour victim = !step.before.side_to_move();
    for (const Square s : motif::attacks_from(step.after, step.to) & step.after.pieces(victim)) {
      const PieceKind kind = chess::kind_of(step.after.piece_on(s));
      if (kind == PieceKind::king || (kind == PieceKind::pawn) != pawns) continue;
      if (!motif::is_badly_placed(step.after, s)) continue;
      if (motif::is_badly_placed(step.before, s) || motif::is_badly_placed(step.after, step.to)) continue;
      if (!found || motif::value_of(kind) > motif::value_of(found->piece)) found = Target{kind, s};
    }
    return found;
  }

  // The best move trades a piece.
  void missed_trade(const Line& better) {
    const Step& first = better[0];
    const bool trade = better.size() >= 2 && first.captured && *first.captured != PieceKind::pawn &&
                       better[1].is_capture() && better[1].to == first.to;
    if (!trade) return;
    Idea idea = idea_of(better, "trade", 2);
    idea.claim.targets = {{*first.captured, first.to}};
    idea.doing =
        fmt::format("{}, trading the {} for {}", idea.claim.san, name_of(first.piece), with_article(*first.captured));
    add(ClaimKind::misses, std::move(idea));
  }

  void attacked_pawns(const std::optional<Line>& reply, const std::optional<Line>& better) {
    look(reply, ClaimKind::allows, true);
    if (result_.claims.empty()) look(better, ClaimKind::misses, true);
  }

  void look(const std::optional<Line>& line, ClaimKind kind, bool pawns = false) {
    if (!line) return;
    const Step& first = (*line)[0];
    const auto target = threatened_by(first, pawns);
    if (!target) return;
    Idea idea = idea_of(*line, "threat", 1);
    idea.claim.targets = {*target};
    idea.claim.squares.push_back(target->square);
    idea.doing = fmt::format("{}, attacking {}", idea.claim.san, named(*target));
    add(kind, std::move(idea));
  }

  // The first choice of either side pins something.
  void new_pin(const Line& line, ClaimKind kind) {
    const auto found = motif::find_pin(line.first(1));
    if (!found) return;
    const Square pinned = found->targets.first();
    if (line[0].before.pinned(line.opponent()).has(pinned)) return;
    Idea idea = idea_of(line, "pin", 1);
    idea.claim.targets = {{chess::kind_of(line[0].after.piece_on(pinned)), pinned}};
    idea.claim.squares.push_back(pinned);
    idea.doing = fmt::format("{}, pinning {}", idea.claim.san, named(idea.claim.targets.front()));
    add(kind, std::move(idea));
  }

  void threats(const std::optional<Line>& reply, const std::optional<Line>& better) {
    if (reply) new_pin(*reply, ClaimKind::allows);
    if (!result_.claims.empty()) return;
    look(reply, ClaimKind::allows);
    if (result_.claims.empty()) look(better, ClaimKind::misses);
    if (result_.claims.empty() && better && (*better)[0].move.kind() == chess::MoveKind::castling) {
      Idea idea = idea_of(*better, "castling", 1);
      idea.doing = fmt::format("{}, bringing the king to safety", idea.claim.san);
      add(ClaimKind::misses, std::move(idea));
    }
  }

  void add(ClaimKind kind, Idea idea) {
    Claim& claim = idea.claim;
    claim.kind = kind;
    if (kind == ClaimKind::allows) {
      claim.ply += 1;
      claim.text = fmt::format("Allows {}.", idea.doing);
    } else if (kind == ClaimKind::misses) {
      claim.text = fmt::format("Misses {}.", idea.doing);
    } else {
      claim.text = idea.does;
    }
    result_.claims.push_back(std::move(claim));
  }

  // A good move is praised for what it does by itself, not for what comes of it moves later.
  void praise() {
    std::vector<chess::Move> moves{move_.move};
    if (!move_.lines_after.empty()) {
      moves.insert(moves.end(), move_.lines_after.front().pv.begin(), move_.lines_after.front().pv.end());
    }
    const Line line(move_.before, moves, move_.previous);
    const bool feat = move_.cls != PointsClass::best;
    if (!move_.lines_after.empty() && seen_after().is_winning_mate() && !move_.lines_before.empty()) {
      const bool known = seen_before().is_winning_mate();
      if (feat || !known) add(ClaimKind::does, mate_idea(line, seen_after().mate()->moves + 1));
    } else if (const auto outcome = outcome_of(line, move_.before_previous); outcome && outcome->points >= 1) {
      auto idea = material_idea(line, *outcome);
      constexpr int worth_a_word = 2;  // a pawn more, or taken back, is not
      const bool plain = idea && (idea->claim.motif == "material" || idea->claim.motif == "hangingPiece");
      const bool by_itself = idea && idea->claim.ply == 0 && (!plain || outcome->points >= worth_a_word);
      if (idea && (by_itself || feat)) add(ClaimKind::does, std::move(*idea));
    }
    for (const Claim& claim : result_.claims) result_.text = claim.text;
  }

  void say(const std::optional<Line>& reply) {
    for (std::size_t i = 0; i < std::min(most_sentences, result_.claims.size()); ++i) {
      result_.text += (i == 0 ? "" : " ") + result_.claims[i].text;
    }
    if (result_.claims.empty() || result_.claims.front().kind != ClaimKind::allows || !reply) return;
    const std::size_t moves =
        std::min({std::max<std::size_t>(2, result_.claims.front().line.size()), refutation_moves, reply->size()});
    std::string line;
    for (std::size_t i = 0; i < moves; ++i) {
      const chess::Position& position = (*reply)[i].before;
      const bool white = position.side_to_move() == Colour::white;
      if (white || i == 0) line += fmt::format("{}{} ", position.move_number(), white ? "." : "...");
      line += san_of((*reply)[i]) + " ";
    }
    result_.text +=
        fmt::format(" Refuted by {}({}).", line, score::pawns_text(move_.lines_after.front().score.score()));
  }

  const ExplainedMove& move_;
  Colour mover_;
  Step played_;
  Explanation result_;
};

}  // namespace

Explanation explain(const ExplainedMove& move) { return Explainer(move).explain(); }

}  // namespace pm::explain
