#include "explain/errors.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "explain/idea.h"
#include "explain/manoeuvres.h"
#include "explain/plans.h"
#include "explain/positional.h"
#include "motif/placement.h"

namespace pm::explain {
namespace {

using motif::Line;
using motif::Step;

class Errors {
 public:
  Errors(const ExplainedMove& move, const Step& played) : move_(move), played_(played) {}

  std::vector<Claim> claims() && {
    const auto reply = reply_line();
    const auto better = better_line();
    material(reply, better);
    if (nothing_said() && better) add(ClaimKind::misses, recapture(*better));
    if (nothing_said() && better && reply) add(ClaimKind::misses, defence(*better, *reply));
    draws(reply, better);
    constexpr std::array forcing{king_hunt, running_pawn, lost_castling, new_pin, threat};
    constexpr std::array quiet{capture,    rook_on_the_seventh, castling,   king_attack,     outpost,
                               open_file,  opposition,          king_walk,  new_passed_pawn, threat_to_pawns,
                               queens_off, pawn_lever,          development};
    look_for(forcing, reply, better);
    if (reply && (nothing_said() || claims_.front().motif == "threat")) {
      for (Claim& claim : positional_claims(played_, *reply)) {
        if (claims_.size() < most_claims) claims_.push_back(std::move(claim));
      }
    }
    look_for(quiet, reply, better);
    look_for(std::array{trade}, reply, better);
    if (reply && nothing_said()) bad_trade(*reply);
    return std::move(claims_);
  }

 private:
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

  bool nothing_said() const { return claims_.empty(); }

  // Near enough to mean something to a reader.
  static bool is_near_mate(const score::MoverScore& score, bool wins) {
    constexpr int near = 9;
    return score.mate() != nullptr && score.mate()->wins == wins && score.mate()->moves <= near;
  }

  // The move played may win something too; then the better one must win more, and clearly so if it is not at once.
  static bool is_missed(const Outcome& won, const std::optional<Outcome>& lost) {
    const int clearly = won.steps == 1 ? 1 : 2;
    return won.points >= (lost && lost->points < 0 ? clearly - lost->points : 1);
  }

  // Mates, and what is won and lost.
  void material(const std::optional<Line>& reply, const std::optional<Line>& better) {
    const int had = motif::material(move_.before, move_.mover());
    std::optional<Outcome> lost;
    if (reply) {
      const Belief belief{move_.lines_after.front().score.seen_by(!move_.mover()), -had};
      lost = outcome_of(*reply, move_.recent, &played_, belief);
    }
    std::optional<Outcome> won;
    int best_points = 0;
    if (better) {
      const Belief belief{move_.seen_before(), had};
      won = outcome_of(*better, move_.recent, nullptr, belief);
      if (won && !belief.is_too_low(*won)) best_points = won->points;
    }
    if (reply && is_near_mate(move_.seen_after(), false) && !move_.seen_before().is_losing_mate()) {
      add(ClaimKind::allows, mate_idea(*reply, std::max(1, move_.seen_after().mate()->moves)));
    } else if (reply && lost && lost->points > -best_points) {
      auto idea = material_idea(*reply, *lost);
      if (idea) say_who_left(*idea);
      add(ClaimKind::allows, std::move(idea));
    }
    if (better && is_near_mate(move_.seen_before(), true) && !move_.seen_after().is_winning_mate()) {
      add(ClaimKind::misses, mate_idea(*better, std::max(1, move_.seen_before().mate()->moves)));
    } else if (better && won && is_missed(*won, lost)) {
      // A pawn that comes of taking back is no reason to take back.
      auto takes_back = won->points == 1 ? recapture(*better) : std::nullopt;
      add(ClaimKind::misses, takes_back ? std::move(takes_back) : material_idea(*better, *won));
    }
  }

  // The man that is taken at once was guarded by the one that moved.
  void say_who_left(Idea& idea) const {
    Claim& claim = idea.claim;
    const bool plain = claim.motif == "hangingPiece" || claim.motif == "material";
    if (!plain || claim.ply != 0 || claim.targets.size() != 1) return;
    const chess::Square s = claim.targets.front().square;
    const bool stood = move_.before.pieces(move_.mover()).has(s) && s != played_.from;
    if (!stood || motif::is_badly_placed(move_.before, s)) return;
    if (!motif::attacks_from(move_.before, played_.from).has(s)) return;
    if (motif::attacks_from(played_.after, played_.to).has(s)) return;
    claim.motif = "removesDefender";
    idea.doing += fmt::format(", since the {} no longer guards it", name_of(played_.piece));
  }

  // The engine calls a line a draw.
  void draws(const std::optional<Line>& reply, const std::optional<Line>& better) {
    constexpr auto level = score::MoverScore(score::Centipawns{0});
    if (reply && move_.seen_after() == level) {
      if (nothing_said()) add(ClaimKind::allows, perpetual_check(*reply));
      if (nothing_said()) add(ClaimKind::allows, stalemate_trick(*reply));
      if (nothing_said()) add(ClaimKind::allows, repetition(*reply));
    }
    if (better && move_.seen_before() == level) {
      auto checks = perpetual_check(*better);
      const bool last_resort = checks && checks->claim.by != better->solver();
      if (nothing_said() && !last_resort) add(ClaimKind::misses, std::move(checks));
      if (nothing_said()) add(ClaimKind::misses, stalemate_trick(*better));
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
    Claim claim{ClaimKind::gives_up, "trade", move_.mover(), move_.move, san_of(played_)};
    claim.squares = {played_.from, played_.to};
    claim.line = {reply[0].move};
    claim.text =
        fmt::format("Trades the {} on {} for the {} on {}.", name_of(played_.piece), chess::format_square(played_.from),
                    name_of(*played_.captured), chess::format_square(played_.to));
    claims_.push_back(std::move(claim));
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
    if (idea) claims_.push_back(claim_of(kind, std::move(*idea)));
  }

  const ExplainedMove& move_;
  const Step& played_;
  std::vector<Claim> claims_;
};

}  // namespace

std::vector<Claim> error_claims(const ExplainedMove& move, const Step& played) { return Errors(move, played).claims(); }

}  // namespace pm::explain
