#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/puzzle_file.h"
#include "cli/watched_source.h"
#include "motif/find.h"
#include "report/json.h"

namespace pm::cli {
namespace {

using motif::Motif;
using motif::motif_count;

constexpr std::size_t most_complaints = 10;

std::vector<std::string_view> names_of(const motif::Line& line) {
  std::vector<std::string_view> names;
  for (const motif::Finding& each : motif::find_motifs(line)) names.push_back(motif::name_of(each.motif));
  return names;
}

// How often a motif was found and tagged.
struct Tally {
  std::size_t both = 0;
  std::size_t found = 0;
  std::size_t tagged = 0;

  void add(bool is_found, bool is_tagged) {
    both += is_found && is_tagged ? 1 : 0;
    found += is_found ? 1 : 0;
    tagged += is_tagged ? 1 : 0;
  }
  static double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
  double precision() const { return share(both, found); }
  double recall() const { return share(both, tagged); }
  double f1() const { return share(2 * both, found + tagged); }
};

class Score {
 public:
  void add(const std::vector<std::string_view>& found, const std::vector<std::string>& themes) {
    for (std::size_t i = 0; i < motif_count; ++i) {
      const std::string_view name = motif::name_of(static_cast<Motif>(i));
      tallies_[i].add(std::find(found.begin(), found.end(), name) != found.end(),
                      std::find(themes.begin(), themes.end(), name) != themes.end());
    }
  }

  // Motifs that no puzzle is tagged with cannot be measured, and are left out.
  void print(std::ostream& out) const {
    fmt::print(out, "{:<18} {:>9} {:>7} {:>7} {:>7} {:>7}\n", "theme", "precision", "recall", "F1", "tagged", "found");
    Tally all;
    for (std::size_t i = 0; i < motif_count; ++i) {
      const Tally& each = tallies_[i];
      if (each.tagged == 0) continue;
      print(out, motif::name_of(static_cast<Motif>(i)), each);
      all.both += each.both;
      all.found += each.found;
      all.tagged += each.tagged;
    }
    print(out, "overall", all);
  }

 private:
  static void print(std::ostream& out, std::string_view name, const Tally& tally) {
    fmt::print(out, "{:<18} {:>9.4f} {:>7.4f} {:>7.4f} {:>7} {:>7}\n", name, tally.precision(), tally.recall(),
               tally.f1(), tally.tagged, tally.found);
  }

  std::array<Tally, motif_count> tallies_;
};

class MotifsRun {
 public:
  MotifsRun(const MotifsCommand& command, const Streams& streams)
      : command_(command), streams_(streams), json_(text_) {}

  int run() {
    const auto source = pgn::open_source(command_.file);
    if (!source) return complain(source.error().sentence);
    const std::stop_token stop = catch_interrupts();
    Progress progress(streams_.err, streams_.err_is_terminal, command_.quiet);
    WatchedSource watched(**source, progress, stop,
                          [&](std::uint64_t) { return fmt::format("{}: {} puzzles", command_.file, puzzles_); });
    PuzzleFile file(watched);
    if (const auto opened = file.open(); !opened) {
      return complain(fmt::format("{}: {}", command_.file, opened.error().sentence));
    }
    if (command_.score && !file.has_themes()) {
      return complain(fmt::format("{}: no column Themes to be scored against", command_.file));
    }
    begin();
    while (auto puzzle = file.next()) take(*puzzle);
    progress.clear();
    end();
    if (stop.stop_requested()) {
      streams_.err << "postmortem: interrupted; the puzzles so far are kept\n";
      return exit_interrupted;
    }
    if (file.error()) {
      fmt::print(streams_.err, "postmortem: {}: {}\n", command_.file, file.error()->sentence);
      return exit_failed;
    }
    if (bad_ > most_complaints) fmt::print(streams_.err, "postmortem: {} lines are no puzzles\n", bad_);
    return bad_ == 0 ? exit_done : exit_failed;
  }

 private:
  int complain(const std::string& sentence) const {
    fmt::print(streams_.err, "postmortem: {}\n", sentence);
    return exit_usage;
  }

  void take(const Expected<Puzzle>& puzzle) {
    if (!puzzle) {
      if (bad_++ < most_complaints) {
        fmt::print(streams_.err, "postmortem: {}, {}\n", command_.file, puzzle.error().sentence);
      }
      return;
    }
    ++puzzles_;
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<std::string_view> names = names_of(puzzle->line);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (command_.score) {
      score_.add(names, puzzle->themes);
    } else if (command_.json) {
      write_json(puzzle->id, names);
    } else {
      fmt::print(streams_.out, "{}: {}\n", puzzle->id, fmt::join(names, ", "));
    }
  }

  void begin() {
    if (command_.score || !command_.json) return;
    json_.begin_object().field("schema", "postmortem.motifs/1").key("puzzles").begin_array();
  }
  void write_json(const std::string& id, const std::vector<std::string_view>& names) {
    json_.line_break().begin_object().field("id", id).key("motifs").begin_array();
    for (const std::string_view name : names) json_.value(name);
    json_.end_array().end_object();
    streams_.out << text_;
    text_.clear();
  }
  void end() {
    if (command_.score) {
      score_.print(streams_.out);
      fmt::print(streams_.out, "{} puzzles, {:.1f} microseconds each\n", puzzles_,
                 puzzles_ == 0 ? 0.0 : 1e6 * seconds_ / static_cast<double>(puzzles_));
    } else if (command_.json) {
      json_.end_array().end_object();
      streams_.out << text_ << '\n';
    }
  }

  const MotifsCommand& command_;
  const Streams& streams_;
  std::string text_;
  report::JsonWriter json_;
  Score score_;
  std::size_t puzzles_ = 0;
  std::size_t bad_ = 0;
  double seconds_ = 0;
};

}  // namespace

int motifs(const MotifsCommand& command, const Streams& streams) { return MotifsRun(command, streams).run(); }

}  // namespace pm::cli
