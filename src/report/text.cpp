#include "report/text.h"

#include <iterator>

#include <fmt/format.h>

namespace pm::report {
namespace {

using review::GameReview;
using review::PlyReview;
using verdict::Judgement;
using verdict::Summary;

// Builds the text line by line.
class TextReport {
 public:
  TextReport(const GameReview& review, const TextOptions& options) : review_(review), options_(options) {}

  std::string text() && {
    heading();
    summary();
    phases();
    moves();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  std::string_view tag(std::string_view name) const {
    const std::string* value = review_.game.find_tag(name);
    return value == nullptr || value->find_first_not_of("?.-") == std::string::npos ? std::string_view() : *value;
  }

  std::string player(std::string_view colour) const {
    const std::string_view name = tag(colour);
    const std::string_view rating = tag(fmt::format("{}Elo", colour));
    return fmt::format("{}{}", name.empty() ? colour : name, rating.empty() ? "" : fmt::format(" ({})", rating));
  }

  void heading() {
    print("{} - {}  {}\n", player("White"), player("Black"), pgn::format_result(review_.game.result));
    std::string where;
    for (const std::string_view name : {"Event", "Site", "Date"}) {
      const std::string_view value =
          tag(name).substr(0, name == "Date" ? tag(name).find(".?") : std::string_view::npos);
      if (!value.empty()) where += fmt::format("{}{}", where.empty() ? "" : ", ", value);
    }
    if (!where.empty()) print("{}\n", where);
    if (review_.opening) {
      print("{} {}, to move {}\n", review_.opening->opening.eco, review_.opening->opening.name,
            review_.plies[review_.opening->ply - 1].number);
    }
    print("\n");
  }

  template <class Figure>
  void row(std::string_view name, Figure figure) {
    print("  {:<18}{:>8}{:>8}\n", name, figure(review_.white.game), figure(review_.black.game));
  }

  static std::string shown_number(std::optional<double> value) { return value ? fmt::format("{:.1f}", *value) : "-"; }

  template <class Errors>
  void error_rows(Errors errors) {
    for (const auto& [name, judgement] :
         {std::pair{"inaccuracies", Judgement::inaccuracy}, std::pair{"mistakes", Judgement::mistake},
          std::pair{"blunders", Judgement::blunder}}) {
      row(name, [&, j = judgement](const Summary& s) { return errors(s).of(j); });
    }
  }

  void summary() {
    print("  {:<18}{:>8}{:>8}\n", "", "White", "Black");
    switch (options_.scheme) {
      case Scheme::points:
        row("accuracy", [](const Summary& s) { return shown_number(s.points_accuracy); });
        for (std::size_t i = 0; i < verdict::points_classes.size(); ++i) {
          const bool seen = review_.white.game.classes[i] + review_.black.game.classes[i] > 0;
          if (seen) row(verdict::points_classes[i].name, [i](const Summary& s) { return s.classes[i]; });
        }
        break;
      case Scheme::labels:
        for (std::size_t i = 0; i < verdict::label_count; ++i) {
          const bool seen = review_.white.game.labels[i] + review_.black.game.labels[i] > 0;
          if (seen)
            row(verdict::name_of(static_cast<verdict::Label>(i)), [i](const Summary& s) { return s.labels[i]; });
        }
        break;
      case Scheme::acpl:
        row("centipawn loss", [](const Summary& s) { return shown_number(s.acpl); });
        error_rows([](const Summary& s) -> const verdict::ErrorCounts& { return s.acpl_errors; });
        break;
      case Scheme::lichess:
        row("accuracy", [](const Summary& s) { return shown_number(s.lichess_accuracy); });
        row("centipawn loss", [](const Summary& s) { return shown_number(s.lichess_acpl); });
        error_rows([](const Summary& s) -> const verdict::ErrorCounts& { return s.lichess_errors; });
        break;
    }
    print("\n");
  }

  // The scheme's main figure for each phase that was played.
  void phases() {
    const auto figure = [&](const Summary& s) {
      if (options_.scheme == Scheme::lichess) return shown_number(s.lichess_accuracy);
      return shown_number(options_.scheme == Scheme::acpl ? s.acpl : s.points_accuracy);
    };
    bool any = false;
    for (std::size_t i = 0; i < verdict::phase_names.size(); ++i) {
      const Summary& white = review_.white.phases[i];
      const Summary& black = review_.black.phases[i];
      if (white.moves + black.moves == 0) continue;
      print("  {:<18}{:>8}{:>8}\n", verdict::phase_names[i], figure(white), figure(black));
      any = true;
    }
    if (any) print("\n");
  }

  std::string_view paint(Tone tone) const {
    if (!options_.colour) return "";
    switch (tone) {
      case Tone::great: return "\033[1;36m";
      case Tone::good: return "\033[32m";
      case Tone::plain: return "";
      case Tone::dubious: return "\033[33m";
      case Tone::bad: return "\033[35m";
      case Tone::terrible: break;
    }
    return "\033[1;31m";
  }

  static std::string score_text(const std::vector<verdict::Line>& lines) {
    if (lines.empty()) return "?";
    const verdict::Score& score = lines.front().score.score();
    if (const verdict::Mate* mate = score.mate()) return fmt::format("#{}{}", mate->wins ? "" : "-", mate->moves);
    const int cp = score.centipawns()->value;
    return cp == 0 ? "0.00" : fmt::format("{:+.2f}", cp / 100.0);
  }

  void move(std::size_t at) {
    const PlyReview& ply = review_.plies[at];
    const bool white = ply.mover == chess::Colour::white;
    const std::string number = fmt::format("{}{}", ply.number, white ? "." : "...");
    if (!ply.verdicts) {
      print("{:>6} {:<9}{:>7}  {}\n", number, ply.san, score_text(review_.lines[at + 1]), ply.no_verdict);
      return;
    }
    const Shown verdict = shown(*ply.verdicts, options_.scheme);
    const std::string_view paint = this->paint(verdict.tone);
    print("{:>6} {:<9}{:>7}  {}{:<11}{} {}\n", number, fmt::format("{}{}", ply.san, glyph_of(verdict.nag)),
          score_text(review_.lines[at + 1]), paint, verdict.name.empty() ? "-" : verdict.name,
          paint.empty() ? "" : "\033[0m", verdict.reason.text());
  }

  void moves() {
    for (std::size_t at = 0; at < review_.plies.size(); ++at) move(at);
    if (review_.plies.empty()) print("No moves.\n");
  }

  const GameReview& review_;
  const TextOptions& options_;
  std::string out_;
};

}  // namespace

std::string review_text(const GameReview& review, const TextOptions& options) {
  return TextReport(review, options).text();
}

}  // namespace pm::report
