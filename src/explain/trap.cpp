#include "explain/trap.h"

#include <algorithm>

#include <fmt/format.h>

#include "chess/san.h"
#include "explain/explanation.h"
#include "explain/idea.h"

namespace pm::explain {
namespace {

// Mate, or two points and more: a pawn makes no trap.
bool is_worth_a_trap(const Claim& claim) {
  constexpr int enough = 2;
  return claim.kind == ClaimKind::allows && claim.wins && (claim.wins->mate_in || claim.wins->material >= enough);
}

}  // namespace

std::optional<Claim> trap_claim(const Trap& trap, const motif::Step& setting, const std::vector<score::Line>& lines,
                                int rating, const std::string& beginning) {
  const std::vector<score::Line> after{trap.line};
  const std::optional<motif::Step> previous(setting);
  const Explanation fall =
      explain({setting.after, trap.reply, previous, {}, lines, after, verdict::PointsClass::blunder});
  const auto found = std::find_if(fall.claims.begin(), fall.claims.end(), is_worth_a_trap);
  if (found == fall.claims.end()) return std::nullopt;
  Claim claim = *found;
  const std::string lost = clause_of(claim);
  claim.kind = ClaimKind::trap;
  claim.ply += 1;  // the reply comes first
  claim.line.insert(claim.line.begin(), {trap.move, trap.reply});
  claim.text = fmt::format("{}: {:.0f}% of {}s answer {}, which {}", beginning, 100 * trap.probability, rating,
                           chess::format_san(setting.after, trap.reply), lost);
  return claim;
}

}  // namespace pm::explain
