#include "report/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/printable.h"
#include "explain/idea.h"
#include "report/provenance.h"
#include "review/human_statistics.h"
#include "review/story.h"
#include "score/score_text.h"

namespace pm::report {
namespace {

using review::GameReview;
using review::PlyReview;
using verdict::Judgement;
using verdict::Summary;

constexpr std::size_t reason_column = 44;  // behind "INACCURACY, open"
constexpr std::size_t narrowest_reason = 30;
constexpr std::size_t better_line_moves = 6;
constexpr std::size_t graph_indent = 2;
constexpr std::size_t narrowest_graph = 20;

// At most `room` values, each the mean of those known among as many neighbours as are needed.
std::vector<std::optional<double>> averaged(const std::vector<std::optional<double>>& values, std::size_t room) {
  if (values.size() <= room) return values;
  std::vector<std::optional<double>> result(room);
  for (std::size_t i = 0; i < room; ++i) {
    double sum = 0;
    int known = 0;
    for (std::size_t at = i * values.size() / room; at < (i + 1) * values.size() / room; ++at) {
      if (!values[at]) continue;
      sum += *values[at];
      ++known;
    }
    if (known > 0) result[i] = sum / known;
  }
  return result;
}

// Builds the text line by line.
class TextReport {
 public:
  TextReport(const GameReview& review, const TextOptions& options, const std::stop_token& stop)
      : review_(review), options_(options), stop_(stop) {}

  std::string text() && {
    heading();
    story();
    summary();
    phases();
    chances();
    if (options_.moves != Moves::none) moves();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  std::string tag(std::string_view name) const {
    const std::string* value = review_.game.find_tag(name);
    return value == nullptr || value->find_first_not_of("?.-") == std::string::npos ? "" : printable(*value);
  }

  std::string player(std::string_view colour) const {
    const std::string name = tag(colour);
    const std::string rating = tag(fmt::format("{}Elo", colour));
    return fmt::format("{}{}", name.empty() ? colour : name, rating.empty() ? "" : fmt::format(" ({})", rating));
  }

  void heading() {
    print("{} - {}  {}\n", player("White"), player("Black"), pgn::format_result(review_.game.result));
    std::string where;
    for (const std::string_view name : {"Event", "Site", "Date"}) {
      const std::string whole = tag(name);
      const std::string value = whole.substr(0, name == "Date" ? whole.find(".?") : std::string::npos);
      if (!value.empty()) where += fmt::format("{}{}", where.empty() ? "" : ", ", value);
    }
    if (!where.empty()) print("{}\n", where);
    if (review_.opening) {
      print("{} {}, to move {}\n", review_.opening->opening.eco, review_.opening->opening.name,
            review_.plies[review_.opening->ply - 1].number);
    }
    if (review_.evidence.engine) {
      print("{}\n", engine_text(*review_.evidence.engine));
    } else {
      print("Scores from the file\n");
    }
    if (const auto& human = review_.evidence.human) {
      print("People by {}: White {}, Black {}\n", model_text(*human), human->white_rating, human->black_rating);
    }
    if (review_.left_out > 0) paragraph(left_out_text(review_));
    print("\n");
  }

  // Wrapped to the width, without the indent of the moves.
  void paragraph(std::string_view text, std::string_view indent = "") {
    const std::size_t width = std::max(options_.width, narrowest_reason) - indent.size();
    while (!text.empty()) {
      std::size_t end = text.size();
      if (end > width) {
        end = text.rfind(' ', width);
        if (end == std::string_view::npos || end == 0) end = std::min(text.find(' '), text.size());
      }
      print("{}{}\n", indent, text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void story() {
    const std::string text = review::story(review_);
    if (!text.empty()) {
      paragraph(text);
      print("\n");
    }
    const auto moments = review::key_moments(review_);
    if (moments.empty()) return;
    print("Key moments\n");
    for (const review::KeyMoment& each : moments) {
      paragraph(each.title, "  ");
      const std::string& why = review_.plies[each.ply].explanation.text;
      if (!why.empty()) paragraph(why, "      ");
      if (const std::string line = better_line(each.ply); !line.empty()) {
        paragraph(fmt::format("Better: {} ({})", line, score_text(review_.before(each.ply).lines)), "      ");
      }
    }
    print("\n");
  }

  template <class Figure>
  void row(std::string_view name, Figure figure) {
    print("  {:<20}{:>12}{:>12}\n", name, figure(review_.white.game), figure(review_.black.game));
  }

  static std::string accuracy_text(std::optional<double> value) {
    return value ? fmt::format("{:.1f}", std::clamp(*value, 0.0, 100.0)) : "-";
  }
  static std::string acpl_text(std::optional<double> value) {
    return value ? fmt::format("{}", verdict::rounded_acpl(*value)) : "-";
  }

  // How far a figure by an engine may be off, nine times out of ten.
  std::string reach_text(std::optional<double> value, const char* format, double reach) const {
    if (!value || !review_.evidence.engine) return "";
    return fmt::format(" {}{}", options_.unicode ? "±" : "+-", fmt::format(fmt::runtime(format), reach));
  }

  template <class Errors>
  void error_rows(Errors errors) {
    for (const auto& [name, judgement] :
         {std::pair{"inaccuracies", Judgement::inaccuracy}, std::pair{"mistakes", Judgement::mistake},
          std::pair{"blunders", Judgement::blunder}}) {
      row(name, [&, j = judgement](const Summary& s) { return errors(s).of(j); });
    }
  }

  template <class Counts, class NameAt>
  void count_rows(const Counts& counts, NameAt name_at) {
    for (std::size_t i = 0; i < counts(review_.white.game).size(); ++i) {
      if (counts(review_.white.game)[i] + counts(review_.black.game)[i] == 0) continue;
      row(name_at(i), [&](const Summary& s) { return counts(s)[i]; });
    }
  }

  void summary() {
    print("  {:<20}{:>12}{:>12}\n", "", "White", "Black");
    row("accuracy", [&](const Summary& s) {
      return accuracy_text(s.points_accuracy) +
             reach_text(s.points_accuracy, "{:.1f}", verdict::accuracy_reach(s.moves));
    });
    row("Lichess accuracy", [](const Summary& s) { return accuracy_text(s.lichess_accuracy); });
    row("centipawn loss", [&](const Summary& s) {
      return acpl_text(s.acpl) + reach_text(s.acpl, "{:.0f}", verdict::acpl_reach(s.moves));
    });
    switch (options_.scheme) {
      case Scheme::points:
        count_rows([](const Summary& s) -> const auto& { return s.classes; },
                   [](std::size_t i) { return verdict::points_classes[i].name; });
        break;
      case Scheme::labels:
        count_rows([](const Summary& s) -> const auto& { return s.labels; },
                   [](std::size_t i) { return verdict::name_of(static_cast<verdict::Label>(i)); });
        break;
      case Scheme::acpl: error_rows([](const Summary& s) -> const auto& { return s.acpl_errors; }); break;
      case Scheme::lichess: error_rows([](const Summary& s) -> const auto& { return s.lichess_errors; }); break;
    }
    played_like();
    times();
    print("\n");
  }

  // Whose play it looks like, where there are moves enough to tell.
  void played_like() {
    const auto& white = review_.played_like(chess::Colour::white);
    const auto& black = review_.played_like(chess::Colour::black);
    if (!white && !black) return;
    const auto rating = [](const auto& like) { return like ? fmt::format("{}", like->rating) : std::string("-"); };
    const auto interval = [](const auto& like) {
      return like ? fmt::format("{}-{}", like->low, like->high) : std::string();
    };
    print("  {:<20}{:>12}{:>12}\n", "played like", rating(white), rating(black));
    print("  {:<20}{:>12}{:>12}\n", "", interval(white), interval(black));
  }

  // Where the file has clocks.
  void times() {
    const review::TimeFigures& white = review_.time_of(chess::Colour::white);
    const review::TimeFigures& black = review_.time_of(chess::Colour::black);
    if (white.game().moves + black.game().moves == 0) return;
    const auto seconds = [](const review::TimeFigures& time) {
      const auto figure = time.game().seconds_per_move();
      return figure ? fmt::format("{:.1f}", *figure) : std::string("-");
    };
    print("  {:<20}{:>12}{:>12}\n", "seconds a move", seconds(white), seconds(black));
    if (white.moves_in_trouble + black.moves_in_trouble == 0) return;
    const auto trouble = [](const review::TimeFigures& time) {
      return fmt::format("{} of {}", time.errors_in_trouble, time.moves_in_trouble);
    };
    print("  {:<20}{:>12}{:>12}\n", "errors short of time", trouble(white), trouble(black));
  }

  // The scheme's main figure for each phase that was played.
  void phases() {
    const auto figure = [&](const Summary& s) {
      if (options_.scheme == Scheme::acpl) return acpl_text(s.acpl);
      return accuracy_text(options_.scheme == Scheme::lichess ? s.lichess_accuracy : s.points_accuracy);
    };
    std::string rows;
    for (std::size_t i = 0; i < verdict::phase_names.size(); ++i) {
      const Summary& white = review_.white.phases[i];
      const Summary& black = review_.black.phases[i];
      if (white.moves + black.moves == 0) continue;
      rows += fmt::format("  {:<20}{:>12}{:>12}\n", verdict::phase_names[i], figure(white), figure(black));
    }
    if (!rows.empty())
      print("  {} by phase\n{}\n", options_.scheme == Scheme::acpl ? "centipawn loss" : "accuracy", rows);
  }

  // White's winning chances in each position; nothing where they are not known.
  std::vector<std::optional<double>> white_chances() const {
    std::vector<std::optional<double>> chances;
    for (const engine::Evaluation& eval : review_.evidence.positions) {
      chances.emplace_back();
      if (!eval.known()) continue;
      const auto score = eval.lines.front().score.seen_by(chess::Colour::white);
      chances.back() = score::win_rate(score, score::points_slope).value();
    }
    return chances;
  }

  // As a line of blocks, in plain text as tenths. A game too long for the line is averaged down.
  void chances() {
    constexpr std::array<const char*, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::size_t room = std::max(options_.width, narrowest_graph + graph_indent) - graph_indent;
    std::string line;
    for (const auto& white : averaged(white_chances(), room)) {
      if (!white) {
        line += ' ';
      } else if (options_.unicode) {
        line += blocks[static_cast<std::size_t>(std::min(7.0, *white * 8))];
      } else {
        line += static_cast<char>('0' + static_cast<int>(std::min(9.0, *white * 10)));
      }
    }
    if (line.find_first_not_of(' ') == std::string::npos) return;
    print("{:{}}White's winning chances{}\n{:{}}{}\n\n", "", graph_indent, options_.unicode ? "" : ", in tenths", "",
          graph_indent, line);
  }

  std::string paint(const Look& look) const {
    if (!options_.colour) return "";
    if (look.hue != 0) return fmt::format("\033[38;5;{}m", look.hue);
    switch (look.tone) {
      case Tone::great: return "\033[1;36m";
      case Tone::good: return "\033[32m";
      case Tone::plain: return "";
      case Tone::dubious: return "\033[33m";
      case Tone::bad: return "\033[35m";
      case Tone::terrible: break;
    }
    return "\033[1;31m";
  }

  static std::string score_text(const std::vector<score::Line>& lines) {
    return lines.empty() ? "?" : score::pawns_text(lines.front().score.score());
  }

  // Words in lines no wider than the terminal, indented under the first.
  void print_wrapped(std::string_view text) {
    const std::size_t width = std::max(options_.width, reason_column + narrowest_reason) - reason_column;
    std::size_t column = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      const std::string_view word = text.substr(0, end);
      if (column > 0 && column + 1 + word.size() > width) {
        print("\n{:{}}", "", reason_column);
        column = 0;
      }
      print("{}{}", column > 0 ? " " : "", word);
      column += word.size() + (column > 0 ? 1 : 0);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    print("\n");
  }

  // "12. Rd1 Qe7 13. a4", the first moves of the engine's line.
  std::string better_line(std::size_t at) const {
    const score::Line* line = review_.better_line(at);
    if (line == nullptr) return "";
    return explain::numbered(motif::Line(review_.positions[at], line->pv), better_line_moves);
  }

  // What happened on the board first, then the numbers.
  std::string reasons_of(const PlyReview& ply, const verdict::Reason& reason) {
    const std::string& said = ply.explanation.text;
    const auto& claims = ply.explanation.claims;
    const bool mate = !claims.empty() && claims.front().wins && claims.front().wins->mate_in;
    const bool said_twice = mate && reason.rule_name().starts_with("mate_") && !options_.verbose;
    std::string numbers = is_worth_a_sentence(ply, reason) && !said_twice ? reason.text() : "";
    if (!options_.verbose && numbers.ends_with(" was best.")) {  // the line of the better move says so
      const std::size_t end = numbers.rfind(". ");
      if (end != std::string::npos) numbers.resize(end + 1);
    }
    if (options_.verbose) {
      for (const verdict::Reason::Fact& fact : reason.facts()) {
        if (fact.name == "range") numbers += fmt::format(" ({})", fact.text);
      }
    }
    if (said.empty() || said == numbers) return numbers;
    return numbers.empty() ? said : fmt::format("{} {}", said, numbers);
  }

  // Silence is better than filler: the engine's first choice, a small loss, one more move of the book.
  bool is_worth_a_sentence(const PlyReview& ply, const verdict::Reason& reason) const {
    if (options_.verbose) return true;
    switch (reason.rule()) {
      case verdict::Rule::book:
      case verdict::Rule::book_unnamed:
      case verdict::Rule::book_on_the_way: return ply.verdicts->points.loss >= verdict::Loss(verdict::first_error);
      case verdict::Rule::forced:
      case verdict::Rule::engine_choice:
      case verdict::Rule::found_by_playing:
      case verdict::Rule::no_loss:
      case verdict::Rule::gain:
      case verdict::Rule::no_centipawns:
      case verdict::Rule::no_chances:
      case verdict::Rule::mate_unavoidable: return false;
      default: break;
    }
    const bool small = !shown(*ply.verdicts, options_.scheme).look.is_notable();
    const bool mate = reason.rule_name().starts_with("mate_");
    return !small || mate || reason.rule() == verdict::Rule::checkmate;
  }

  void move(std::size_t at) {
    const PlyReview& ply = review_.plies[at];
    const bool white = ply.mover == chess::Colour::white;
    const std::string number = fmt::format("{}{}", ply.number, white ? "." : "...");
    if (!ply.verdicts) {
      print("{:>7} {:<10}{:>7}  {}\n", number, ply.san, score_text(review_.after(at).lines), ply.no_verdict);
      return;
    }
    const auto [look, reason] = shown(*ply.verdicts, options_.scheme);
    const std::string paint = this->paint(look);
    const bool icon = options_.unicode && !look.icon.empty();
    std::string name(look.name.empty() ? "-" : look.name);
    if (icon) name = fmt::format("{} {}", look.icon, name);
    const verdict::Confidence confidence = ply.verdicts->points.confidence;
    const bool unsure = look.error && verdict::sureness_of(confidence) != verdict::Sureness::firm;
    if (unsure && options_.scheme == Scheme::points) name += fmt::format(", {}", verdict::word_of(confidence));
    print("{:>7} {:<10}{:>7}  {}{:<16}{} ", number, fmt::format("{}{}", ply.san, glyph_of(look.nag)),
          score_text(review_.after(at).lines), paint, name, paint.empty() ? "" : "\033[0m");
    const std::string why = reasons_of(ply, reason);
    if (why.empty()) {
      out_.erase(out_.find_last_not_of(' ') + 1);
      print("\n");
    } else {
      print_wrapped(why);
    }
    const bool theory = ply.verdicts->points.cls == verdict::PointsClass::theory;
    const std::string people = review::human_sentence(review_, at);
    const bool forced = ply.verdicts->points.cls == verdict::PointsClass::forced;
    if (!people.empty() && !theory && !forced && (look.is_notable() || options_.verbose)) {
      print("{:{}}", "", reason_column);
      print_wrapped(people);
    }
    if (!look.error) return;
    if (const std::string line = better_line(at); !line.empty()) {
      print("{:{}}", "", reason_column);
      print_wrapped(fmt::format("Better: {} ({})", line, score_text(review_.before(at).lines)));
    }
  }

  void moves() {
    if (review_.plies.empty()) {
      print("No moves.\n");
      return;
    }
    print("  Scores are White's; the sentences speak for the one who moved.\n\n");
    for (std::size_t at = 0; at < review_.plies.size() && !stop_.stop_requested(); ++at) {
      const auto& verdicts = review_.plies[at].verdicts;
      const bool error = verdicts && shown(*verdicts, options_.scheme).look.error;
      if (options_.moves == Moves::all || error) move(at);
    }
  }

  const GameReview& review_;
  const TextOptions& options_;
  const std::stop_token& stop_;
  std::string out_;
};

}  // namespace

std::string review_text(const GameReview& review, const TextOptions& options, const std::stop_token& stop) {
  return TextReport(review, options, stop).text();
}

}  // namespace pm::report
