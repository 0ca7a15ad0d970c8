#include "explain/explanation.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "explain/idea.h"
#include "explain/manoeuvres.h"
#include "explain/plans.h"
#include "explain/positional.h"
#include "motif/find.h"
#include "motif/placement.h"
#include "score/score_text.h"

namespace pm::explain {
namespace {

using chess::Colour;
using motif::Line;
using motif::Step;
using verdict::PointsClass;

constexpr std::size_t most_claims = 3;
constexpr std::size_t most_sentences = 2;
constexpr std::size_t refutation_moves = 5;
constexpr std::size_t longest_refutation = 9;

class Explainer {
 public:
  explicit Explainer(const ExplainedMove& move)
      : move_(move), mover_(move.before.side_to_move()), played_(move.before, move.move) {}

  Explanation explain() && {
    if (chess::count_legal_moves(played_.after) == 0) {
      end_of_game();
    } else if (verdict::is_error(move_.cls) && move_.cls != PointsClass::risky) {
      error();
    } else {
      if (is_worth_praise()) praise();
      trap();
      say(std::nullopt);
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
      if (pattern) claim.motif = motif::name_of(*pattern);
      claim.text = pattern ? fmt::format("Checkmate: {}.", mate_words(*pattern)) : "Checkmate.";
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

  void error() {
    const auto reply = reply_line();
    const auto better = better_line();
    material(reply, better);
    if (nothing_said() && better) add(ClaimKind::misses, recapture(*better));
    if (nothing_said() && better && reply) add(ClaimKind::misses, defence(*better, *reply));
    draws(reply, better);
    constexpr std::array forcing{king_hunt, running_pawn, lost_castling, new_pin, threat};
    constexpr std::array quiet{rook_on_the_seventh, castling,   king_attack, outpost,
                               open_file,           opposition, king_walk,   new_passed_pawn,
                               threat_to_pawns,     queens_off, pawn_lever,  development};
    look_for(forcing, reply, better);
    if (reply && (nothing_said() || result_.claims.front().motif == "threat")) {
      for (Claim& claim : positional_claims(played_, *reply)) {
        if (result_.claims.size() < most_claims) result_.claims.push_back(std::move(claim));
      }
    }
    look_for(quiet, reply, better);
    look_for(std::array{trade}, reply, better);
    if (reply && nothing_said()) bad_trade(*reply);
    trap();
    say(reply);
  }

  // Of a good move that it sets one, of an error that the better move would have.
  void trap() {
    const Trap* trap = move_.trap;
    if (trap == nullptr || result_.claims.size() >= most_claims) return;
    const bool played = trap->move == move_.move;
    std::vector<score::Line> lines(move_.lines_after.begin(), move_.lines_after.end());
    if (!played) {
      const score::Line& better = move_.lines_before.front();
      lines = {{better.score, better.depth, {better.pv.begin() + 1, better.pv.end()}}};
    }
    auto claim = trap_claim(*trap, Step(move_.before, trap->move), lines, move_.opponent_rating, played);
    if (claim) result_.claims.push_back(std::move(*claim));
  }

  bool nothing_said() const { return result_.claims.empty(); }

  // Near enough to mean something to a reader.
  static bool is_near_mate(const score::MoverScore& score, bool wins) {
    constexpr int near = 9;
    return score.mate() != nullptr && score.mate()->wins == wins && score.mate()->moves <= near;
  }

  // The move played may win something too; then the better one must win clearly more.
  static int least_missed(const std::optional<Outcome>& lost) {
    constexpr int clearly = 2;
    return lost && lost->points < 0 ? clearly - lost->points : 1;
  }

  // Mates, and what is won and lost.
  void material(const std::optional<Line>& reply, const std::optional<Line>& better) {
    const auto lost = reply ? outcome_of(*reply, move_.recent, &played_) : std::nullopt;
    const auto won = better ? outcome_of(*better, move_.recent) : std::nullopt;
    const int best_points = won ? won->points : 0;
    if (reply && is_near_mate(seen_after(), false) && !seen_before().is_losing_mate()) {
      add(ClaimKind::allows, mate_idea(*reply, std::max(1, seen_after().mate()->moves)));
    } else if (reply && lost && lost->points > -best_points) {
      add(ClaimKind::allows, material_idea(*reply, *lost));
    }
    if (better && is_near_mate(seen_before(), true) && !seen_after().is_winning_mate()) {
      add(ClaimKind::misses, mate_idea(*better, std::max(1, seen_before().mate()->moves)));
    } else if (better && won && won->points >= least_missed(lost)) {
      // A pawn that comes of taking back is no reason to take back.
      auto takes_back = won->points == 1 ? recapture(*better) : std::nullopt;
      add(ClaimKind::misses, takes_back ? std::move(takes_back) : material_idea(*better, *won));
    }
  }

  // The engine calls a line a draw.
  void draws(const std::optional<Line>& reply, const std::optional<Line>& better) {
    constexpr auto level = score::MoverScore(score::Centipawns{0});
    if (reply && seen_after() == level) {
      if (nothing_said()) add(ClaimKind::allows, perpetual_check(*reply));
      if (nothing_said()) add(ClaimKind::allows, repetition(*reply));
    }
    if (better && seen_before() == level) {
      auto checks = perpetual_check(*better);
      const bool last_resort = checks && checks->claim.by != better->solver();
      if (nothing_said() && !last_resort) add(ClaimKind::misses, std::move(checks));
      if (nothing_said()) add(ClaimKind::misses, repetition(*better));
    }
  }

  // The first that fits and that the other line does not show too, only later.
  using Finder = std::optional<Idea> (*)(const Line& line);
  template <std::size_t N>
  void look_for(const std::array<Finder, N>& finders, const std::optional<Line>& reply,
                const std::optional<Line>& better) {
    const bool allowed_later = reply && better && is_played_later(*reply, *better);
    const bool missed_later = reply && better && is_played_later(*better, *reply);
    for (const Finder find : finders) {
      if (find == &queens_off && reply && better && queens_off(*reply) && queens_off(*better)) continue;
      if (nothing_said() && reply && !allowed_later) add(ClaimKind::allows, find(*reply));
      if (nothing_said() && better && !missed_later) add(ClaimKind::misses, find(*better));
    }
  }

  // The first move of one line comes soon in the other one, where the other side begins.
  static bool is_played_later(const Line& line, const Line& other) {
    constexpr std::size_t soon = 6;
    for (std::size_t i = 1; i < std::min(soon, other.size()); i += 2) {
      if (other[i].move == line[0].move) return true;
    }
    return false;
  }

  // The move itself trades a piece for one of the same worth.
  void bad_trade(const Line& reply) {
    const bool taken_back = reply[0].is_capture() && reply[0].to == played_.to;
    if (!taken_back || !played_.captured || *played_.captured == chess::PieceKind::pawn) return;
    if (motif::value_of(played_.piece) != motif::value_of(*played_.captured)) return;
    Claim claim{ClaimKind::gives_up, "trade", mover_, move_.move, san_of(played_)};
    claim.squares = {played_.from, played_.to};
    claim.line = {reply[0].move};
    claim.text =
        fmt::format("Trades the {} on {} for the {} on {}.", name_of(played_.piece), chess::format_square(played_.from),
                    name_of(*played_.captured), chess::format_square(played_.to));
    result_.claims.push_back(std::move(claim));
  }

  // Something was just taken, and the move takes back the wrong way or not at all.
  std::optional<Idea> recapture(const Line& better) const {
    const Step& best = better[0];
    const bool takes_back =
        move_.previous && move_.previous->is_capture() && best.is_capture() && best.to == move_.previous->to;
    if (!takes_back || (played_.to == best.to && played_.from == best.from)) return std::nullopt;
    const bool otherwise = played_.to == best.to;
    Idea idea = idea_of(better, otherwise ? "wrongRecapture" : "recapture", 1);
    idea.claim.targets = {{*best.captured, best.to}};
    idea.doing = fmt::format("{}, taking back on {}", idea.claim.san, chess::format_square(best.to));
    if (otherwise) {
      idea.sentence = fmt::format("Takes back with the {}; {} was right.", name_of(played_.piece), idea.claim.san);
    }
    return idea;
  }

  void add(ClaimKind kind, std::optional<Idea> idea) {
    if (!idea) return;
    Claim& claim = idea->claim;
    claim.kind = kind;
    if (kind == ClaimKind::allows) claim.ply += 1;
    if (!idea->sentence.empty()) {
      claim.text = idea->sentence;
    } else if (kind == ClaimKind::does) {
      claim.text = idea->does;
    } else {
      claim.text = fmt::format("{} {}.", kind == ClaimKind::allows ? "Allows" : "Misses", idea->doing);
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
    const bool feat = move_.cls == PointsClass::brilliant;
    if (!move_.lines_after.empty() && seen_after().is_winning_mate() && !move_.lines_before.empty()) {
      const bool known = seen_before().is_winning_mate();
      if (feat || !known) add(ClaimKind::does, mate_idea(line, seen_after().mate()->moves + 1));
    } else if (const auto outcome = outcome_of(line, move_.recent); outcome && outcome->points >= 1) {
      auto idea = material_idea(line, *outcome);
      constexpr int worth_a_word = 2;  // a pawn more, or taken back, is not
      const bool plain = idea && (idea->claim.motif == "material" || idea->claim.motif == "hangingPiece");
      const bool takes_back = move_.previous && move_.previous->is_capture() && move_.previous->to == played_.to;
      const bool by_itself = idea && idea->claim.ply == 0 && (!plain || outcome->points >= worth_a_word);
      if ((by_itself || feat) && !(plain && takes_back)) add(ClaimKind::does, std::move(idea));
    }
  }

  void say(const std::optional<Line>& reply) {
    for (std::size_t i = 0; i < std::min(most_sentences, result_.claims.size()); ++i) {
      if (i > 0) result_.text += ' ';
      result_.text += result_.claims[i].text;
    }
    if (result_.claims.empty() || result_.claims.front().kind != ClaimKind::allows || !reply) return;
    // The whole line of the claim, so that it shows what is said; one that is longer, or a single move, as far as
    // usual.
    const Claim& first = result_.claims.front();
    const bool shows_all = first.line.size() > 1 && first.line.size() <= longest_refutation;
    const Line line = shows_all ? Line(played_.after, first.line) : *reply;
    const bool taken_back = reply->size() > 2 && (*reply)[1].is_capture() && (*reply)[1].to == (*reply)[0].to;
    const std::size_t single = taken_back ? 3 : 1;
    const std::size_t moves = shows_all ? first.line.size() : first.line.size() > 1 ? refutation_moves : single;
    for (std::size_t i = 0; i < std::min(moves, line.size()); ++i) result_.refutation.push_back(line[i].move);
    result_.text += fmt::format(" Refuted by {} ({}).", numbered(line, moves),
                                score::pawns_text(move_.lines_after.front().score.score()));
  }

  const ExplainedMove& move_;
  Colour mover_;
  Step played_;
  Explanation result_;
};

}  // namespace

Explanation explain(const ExplainedMove& move) { return Explainer(move).explain(); }

}  // namespace pm::explain
