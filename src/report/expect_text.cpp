#include "report/expect_text.h"

#include <fmt/format.h>

#include "expect/likely_blunder.h"

namespace pm::report {
namespace {

using expect::Candidate;
using expect::NodeKind;
using expect::Tree;

constexpr double good = 0.55;
constexpr double bad = 0.45;

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

// Green for the analysing player's good chances, red for bad ones; the number says the same without colour.
std::string coloured(double win_rate, const ExpectTextOptions& options) {
  if (!options.colour) return percent(win_rate);
  const char* code = win_rate >= good ? "\x1b[32m" : win_rate < bad ? "\x1b[31m" : "\x1b[33m";
  return fmt::format("{}{}\x1b[0m", code, percent(win_rate));
}

std::string note_of(const expect::Node& node) {
  switch (node.kind) {
    case NodeKind::terminal: return "  game over";
    case NodeKind::repetition: return "  repetition";
    case NodeKind::pruned:
      return node.reason == expect::PruneReason::analyzing_player_blunder ? "  not followed: own blunder"
                                                                          : "  not followed: below the threshold";
    default: return "";
  }
}

class TreeText {
 public:
  TreeText(const Tree& tree, const ExpectTextOptions& options) : tree_(tree), options_(options) {}

  std::string draw() {
    add(tree_.candidate(), "", "");
    return std::move(text_);
  }

 private:
  // A tree is at most max_ply deep, so recursion is bounded.
  void add(const expect::Node& node, const std::string& head, const std::string& indent) {
    const std::string value = node.win_rate      ? coloured(node.win_rate->value(), options_)
                              : node.unevaluated ? "could not be evaluated"
                                                 : "-";
    const std::string played =
        node.ply == 1 ? "" : fmt::format("{} ({})  ", percent(node.probability), percent(node.cumulative_probability));
    text_ += fmt::format("{}{}  {}{}{}\n", head, node.san, played, value, note_of(node));
    for (std::uint32_t i = 0; i < node.child_count; ++i) {
      const bool last = i + 1 == node.child_count;
      const expect::Node& child = tree_.nodes[node.first_child + i];
      if (options_.glyphs) {
        add(child, indent + (last ? "└─ " : "├─ "), indent + (last ? "   " : "│  "));
      } else {
        add(child, indent + (last ? "`- " : "|- "), indent + (last ? "   " : "|  "));
      }
    }
  }

  const Tree& tree_;
  const ExpectTextOptions& options_;
  std::string text_;
};

}  // namespace

std::string expect_list(const expect::Analysis& analysis, const ExpectTextOptions& options) {
  if (analysis.candidates.empty()) {
    if (analysis.empty_reason.empty()) return "No move was looked at.\n";
    return fmt::format("There is no move: {}.\n", analysis.empty_reason);
  }
  const bool exact = analysis.parameters.effort == expect::Effort::exact;
  std::string text = fmt::format("{:<8}{:>9}{:<7}{:>8}{:>9}  {:<13}{:>7}{:>10}\n", "move", "expected", "", "engine",
                                 "people", "confidence", "depth", "branches");
  for (const Candidate& c : analysis.candidates) {
    const expect::TreeSummary& s = c.summary;
    // Padded by hand: colours have no width.
    const std::string plain = percent(s.expected);
    const std::string expected =
        std::string(9 - std::min<std::size_t>(9, plain.size()), ' ') + coloured(s.expected, options);
    const double reach = (c.interval.high.value() - c.interval.low.value()) / 2;
    text += fmt::format("{:<8}{}{:<7}{:>8}{:>9}  {:<13}{:>7.1f}{:>10}", c.san, expected,
                        exact || reach == 0 ? "" : fmt::format(" +-{:.1f}", 100 * reach),
                        c.engine_win_rate ? percent(c.engine_win_rate->value()) : "-", percent(c.human_probability),
                        fmt::format("{} {:.0f}%", expect::confidence_label(s.confidence), 100 * s.confidence),
                        s.tree_depth, s.branches);
    if (!c.is_final && exact)
      text += fmt::format("  between {} and {}", percent(c.interval.low.value()), percent(c.interval.high.value()));
    text += '\n';
  }
  std::string blunders;
  for (const Candidate& c : analysis.candidates) {
    if (const auto blunder = expect::likely_blunder(c.tree)) blunders += fmt::format("{:<8}{}\n", c.san, blunder->text);
  }
  if (!blunders.empty()) text += fmt::format("\nLikely blunders\n{}", blunders);
  return text;
}

std::string expect_tree(const Candidate& candidate, const ExpectTextOptions& options) {
  return TreeText(candidate.tree, options).draw();
}

}  // namespace pm::report
