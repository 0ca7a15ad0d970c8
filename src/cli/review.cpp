#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>

#include <fmt/ostream.h>

#include "book/polyglot.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/watched_source.h"
#include "pgn/reader.h"
#include "pgn/writer.h"
#include "report/annotate.h"
#include "report/json.h"
#include "report/text.h"
#include "review/evals.h"

namespace pm::cli {
namespace {

constexpr std::size_t max_problems_shown = 20;  // on standard error; the JSON has them all

// Games by number, both ends included.
struct GameRange {
  std::size_t first = 1;
  std::size_t last = std::numeric_limits<std::size_t>::max();
};

std::optional<std::size_t> parse_number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

std::optional<GameRange> parse_range(std::string_view text) {
  GameRange range;
  if (text.empty()) return range;
  const std::size_t dash = text.find('-');
  const std::string_view first = text.substr(0, dash);
  const std::string_view last = dash == std::string_view::npos ? first : text.substr(dash + 1);
  if (!first.empty()) {
    const auto number = parse_number(first);
    if (!number) return std::nullopt;
    range.first = *number;
  }
  if (!last.empty()) {
    const auto number = parse_number(last);
    if (!number) return std::nullopt;
    range.last = *number;
  }
  const bool sensible = range.first <= range.last && !(first.empty() && last.empty());
  return sensible ? std::optional(range) : std::nullopt;
}

bool same_name(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool has_player(const pgn::Game& game, std::string_view name) {
  for (const char* colour : {"White", "Black"}) {
    const std::string* player = game.find_tag(colour);
    if (player != nullptr && same_name(*player, name)) return true;
  }
  return false;
}

// One run of the command: its options as they came, what they mean, and how far it is.
class ReviewRun {
 public:
  ReviewRun(const ReviewCommand& command, const Streams& streams)
      : command_(command), streams_(streams), progress_(streams.err, streams.err_is_terminal, command.quiet) {}

  int run() {
    if (const int code = prepare(); code != exit_done) return code;
    int code = exit_done;
    for (const std::string& file : command_.files) {
      code = std::max(code, review_file(file));
      if (stop_.stop_requested() || done()) break;
    }
    progress_.clear();
    if (stop_.stop_requested()) {
      fmt::print(streams_.err, "postmortem: interrupted; {} reviewed games are kept\n", reviewed_);
      return exit_interrupted;
    }
    return code != exit_done ? code : closing_words();
  }

 private:
  int complain(const std::string& sentence, int code = exit_usage) {
    progress_.clear();
    fmt::print(streams_.err, "postmortem: {}\n", sentence);
    return code;
  }

  int prepare() {
    const auto range = parse_range(command_.games);
    if (!range) {
      return complain(fmt::format("--games {}: expected game numbers such as 3, 3-7, 3- or -7", command_.games));
    }
    range_ = *range;
    options_.schemes = command_.schemes;
    if (!command_.book.empty()) {
      auto book = book::PolyglotBook::open(command_.book);
      if (!book) return complain(book.error().sentence);
      book_ = std::move(*book);
      options_.extra_book = &*book_;
    }
    options_ = review::without_engine(options_);
    if (!command_.output.empty()) {
      file_.open(command_.output, std::ios::binary);
      if (!file_) return complain(fmt::format("cannot write {}", command_.output));
    }
    return exit_done;
  }

  std::ostream& out() { return command_.output.empty() ? streams_.out : file_; }
  bool done() const { return seen_ >= range_.last; }

  int review_file(const std::string& file) {
    const auto source = pgn::open_source(file);
    if (!source) return complain(source.error().sentence);
    WatchedSource watched(**source, progress_, stop_,
                          [&] { return fmt::format("{}: {} games reviewed", file, reviewed_); });
    pgn::GameReader reader(watched);
    while (!done() && !stop_.stop_requested()) {
      const auto read = reader.next();
      if (!read) break;
      ++seen_;
      for (const pgn::Problem& p : read->problems) show_problem(file, p);
      if (seen_ < range_.first) continue;
      if (!command_.player.empty() && !has_player(read->game, command_.player)) continue;
      review_game(*read);
      if (!out()) return complain("the results could not be written (is the disk full?)", exit_failed);
    }
    if (reader.error() && reader.error()->code != ErrorCode::interrupted) return complain(reader.error()->sentence);
    return exit_done;
  }

  void show_problem(const std::string& file, const pgn::Problem& p) {
    if (++problems_ > max_problems_shown) return;
    progress_.clear();
    fmt::print(streams_.err, "{}:{}:{}: game {}: {}\n", file, p.place.line, p.place.column, p.game, p.message);
  }

  void review_game(const pgn::ReadGame& read) {
    const review::GameReview review = review::assemble(read.game, review::lines_from_evals(read.game), options_);
    for (const review::PlyReview& ply : review.plies) {
      ++plies_;
      if (ply.verdicts) ++judged_;
    }
    switch (command_.format) {
      case ReviewFormat::json: out() << report::review_json(review, read.problems); break;
      case ReviewFormat::pgn: out() << pgn::write_game(report::annotated(review, command_.scheme)); break;
      case ReviewFormat::text:
        if (reviewed_ > 0) out() << '\n';
        out() << report::review_text(review, {command_.scheme, streams_.out_is_coloured && command_.output.empty()});
        break;
    }
    ++reviewed_;
  }

  // What the user should know at the end.
  int closing_words() {
    if (problems_ > max_problems_shown) {
      fmt::print(streams_.err, "postmortem: {} more problems not shown (`check` lists them)\n",
                 problems_ - max_problems_shown);
    }
    file_.flush();
    if (!command_.output.empty() && !file_) {
      return complain(fmt::format("{} could not be written (is the disk full?)", command_.output), exit_failed);
    }
    if (reviewed_ == 0) return complain(seen_ == 0 ? "no games found" : "no game was chosen", exit_failed);
    if (plies_ > 0 && judged_ == 0) {
      complain("no move carries a score: --evals pgn needs [%eval ...] comments, as Lichess writes them");
    }
    return exit_done;
  }

  const ReviewCommand& command_;
  const Streams& streams_;
  Progress progress_;
  std::stop_token stop_ = catch_interrupts();
  GameRange range_;
  review::ReviewOptions options_;
  std::optional<book::PolyglotBook> book_;
  std::ofstream file_;
  std::size_t seen_ = 0;      // games, over all files
  std::size_t reviewed_ = 0;  // of them
  std::size_t plies_ = 0;
  std::size_t judged_ = 0;
  std::size_t problems_ = 0;
};

}  // namespace

int review(const ReviewCommand& options, const Streams& streams) { return ReviewRun(options, streams).run(); }

}  // namespace pm::cli
