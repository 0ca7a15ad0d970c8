#include "explain/explanation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "chess/movegen.h"
#include "explain/errors.h"
#include "explain/idea.h"
#include "explain/praise.h"
#include "motif/find.h"
#include "score/score_text.h"

namespace pm::explain {
namespace {

using motif::Line;
using motif::Step;

constexpr std::size_t most_sentences = 2;
constexpr std::size_t refutation_moves = 5;
constexpr std::size_t longest_refutation = 9;

class Explainer {
 public:
  explicit Explainer(const ExplainedMove& move) : move_(move), played_(move.before, move.move) {}

  Explanation explain() && {
    if (chess::count_legal_moves(played_.after) == 0) {
      end_of_game();
      return std::move(result_);
    }
    if (verdict::is_plain_error(move_.cls)) {
      result_.claims = error_claims(move_, played_);
    } else if (auto claim = praise_claim(move_, played_)) {
      result_.claims.push_back(std::move(*claim));
    }
    trap();
    say();
    return std::move(result_);
  }

 private:
  void end_of_game() {
    const bool mate = played_.after.in_check();
    Claim claim{mate ? ClaimKind::mate : ClaimKind::stalemate, mate ? "mate" : "stalemate", move_.mover(), move_.move};
    claim.san = san_of(played_);
    const std::vector<chess::Move> last{move_.move};
    const Line line(move_.before, last);
    if (mate) {
      const auto pattern = motif::mate_pattern(line);
      if (pattern) claim.motif = motif::name_of(*pattern);
      claim.text = pattern ? fmt::format("Checkmate: {}.", mate_words(*pattern)) : "Checkmate.";
    } else {
      const bool thrown_away = !move_.lines_before.empty() && move_.seen_before().at_least(score::Centipawns{200});
      claim.text = thrown_away ? "Stalemate: the win is gone." : "Stalemate.";
    }
    result_.text = claim.text;
    result_.claims.push_back(std::move(claim));
  }

  // Of a good move that it sets one, of an error that the better move would have.
  void trap() {
    const Trap* trap = move_.trap;
    if (trap == nullptr || result_.claims.size() >= most_claims) return;
    const Step setting(move_.before, trap->move);
    std::vector<score::Line> lines(move_.lines_after.begin(), move_.lines_after.end());
    std::string beginning = "Sets a trap";
    if (trap->move != move_.move) {
      const score::Line& better = move_.lines_before.front();
      lines = {{better.score, better.depth, {better.pv.begin() + 1, better.pv.end()}}};
      const bool said = !result_.claims.empty() && result_.claims.front().kind == ClaimKind::misses;
      beginning = said ? "It also sets a trap" : fmt::format("Misses {}, which sets a trap", san_of(setting));
    }
    auto claim = trap_claim(*trap, setting, lines, move_.opponent_rating, beginning);
    if (claim) result_.claims.push_back(std::move(*claim));
  }

  void say() {
    for (std::size_t i = 0; i < std::min(most_sentences, result_.claims.size()); ++i) {
      if (i > 0) result_.text += ' ';
      result_.text += result_.claims[i].text;
    }
    if (result_.claims.empty() || result_.claims.front().kind != ClaimKind::allows) return;
    const Claim& first = result_.claims.front();
    const bool said_already = !first.wins && first.line.size() == 1;
    if (said_already && move_.cls == verdict::PointsClass::inaccuracy) return;
    // The whole line of the claim, so that it shows what is said; one that is too long, or a single move that wins
    // nothing by itself, as far as usual.
    const bool shows_all = !said_already && first.line.size() <= longest_refutation;
    const Line line(played_.after, shows_all ? first.line : move_.lines_after.front().pv);
    const std::size_t moves = shows_all ? first.line.size() : refutation_moves;
    for (std::size_t i = 0; i < std::min(moves, line.size()); ++i) result_.refutation.push_back(line[i].move);
    result_.text += fmt::format(" Refuted by {} ({}).", numbered(line, moves),
                                score::pawns_text(move_.lines_after.front().score.score()));
  }

  const ExplainedMove& move_;
  Step played_;
  Explanation result_;
};

}  // namespace

Explanation explain(const ExplainedMove& move) { return Explainer(move).explain(); }

}  // namespace pm::explain
