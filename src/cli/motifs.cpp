#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "base/correlation.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/puzzle_file.h"
#include "cli/say.h"
#include "cli/watched_source.h"
#include "human/models.h"
#include "human/solution.h"
#include "motif/find.h"
#include "report/json.h"
#include "service/engines.h"

namespace pm::cli {
namespace {

using motif::Motif;
using motif::motif_count;

constexpr std::size_t most_complaints = 10;
constexpr std::size_t puzzles_at_once = 64;  // that a model is asked about

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

// How far ratings said from what people play are from those of the file.
class RatingScore {
 public:
  void add(int said, int real) {
    said_.push_back(said);
    real_.push_back(real);
    off_ += std::abs(said - real);
  }
  void print(std::ostream& out, const std::string& model) const {
    if (said_.size() < 2) return;
    fmt::print(out, "ratings by {}: rank correlation {:.3f} over {} puzzles, off by {:.0f} on average\n", model,
               rank_correlation(said_, real_), said_.size(), off_ / static_cast<double>(said_.size()));
  }

 private:
  std::vector<double> said_;
  std::vector<double> real_;
  double off_ = 0;
};

// A puzzle with what was found out about it.
struct Looked {
  std::string id;
  std::vector<std::string_view> motifs;
  std::optional<int> real_rating;
  std::optional<int> rating;
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
    if (command_.difficulty) {
      auto model = human::open_model({command_.models, service::processors()});
      if (!model) return complain(model.error().sentence);
      model_ = std::move(*model);
      if (!human::can_rate_puzzles(model_->identity().name)) {
        return complain(fmt::format("{}: nobody has measured how hard puzzles are by it", model_->identity().name));
      }
    }
    if (command_.difficulty && command_.score && !file.has_ratings()) {
      return complain(fmt::format("{}: no column Rating to hold the difficulty against", command_.file));
    }
    begin();
    for (auto puzzle = file.next(); puzzle && !trouble_; puzzle = file.next()) take(*puzzle);
    flush();
    progress.clear();
    if (trouble_) {
      complain(*trouble_);
      return exit_failed;
    }
    end();
    if (stop.stop_requested()) {
      streams_.err << "postmortem: interrupted; the puzzles so far are kept\n";
      return exit_interrupted;
    }
    if (file.error()) {
      say(streams_.err, fmt::format("{}: {}", command_.file, file.error()->sentence));
      return exit_failed;
    }
    if (bad_ > most_complaints) say(streams_.err, fmt::format("{} lines are no puzzles", bad_));
    return bad_ == 0 ? exit_done : exit_failed;
  }

 private:
  int complain(const std::string& sentence) const {
    say(streams_.err, sentence);
    return exit_usage;
  }

  void take(const Expected<Puzzle>& puzzle) {
    if (!puzzle) {
      if (bad_++ < most_complaints) {
        say(streams_.err, fmt::format("{}, {}", command_.file, puzzle.error().sentence));
      }
      return;
    }
    ++puzzles_;
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<std::string_view> names = names_of(puzzle->line);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (command_.score) score_.add(names, puzzle->themes);
    looked_.push_back({puzzle->id, names, puzzle->rating, std::nullopt});
    if (model_) solutions_.push_back(solution_of(*puzzle));
    if (looked_.size() >= (model_ ? puzzles_at_once : 1)) flush();
  }

  // Those that were looked at since the last time, with ratings where they are wanted.
  void flush() {
    if (trouble_) return;
    if (!solutions_.empty()) {
      const auto facts = human::ask_about_solutions(*model_, solutions_);
      if (!facts) {
        trouble_ = facts.error().sentence;
        return;
      }
      for (std::size_t i = 0; i < looked_.size(); ++i) {
        looked_[i].rating = human::puzzle_rating((*facts)[i], model_->identity().name);
      }
    }
    for (const Looked& each : looked_) {
      if (command_.score) {
        if (each.rating && each.real_rating) rating_score_.add(*each.rating, *each.real_rating);
      } else if (command_.json) {
        write_json(each);
      } else {
        const std::string rating = each.rating ? fmt::format(" (about {})", *each.rating) : "";
        fmt::print(streams_.out, "{}: {}{}\n", printable(each.id), fmt::join(each.motifs, ", "), rating);
      }
    }
    looked_.clear();
    solutions_.clear();
  }

  void begin() {
    if (command_.score || !command_.json) return;
    json_.begin_object().field("schema", "postmortem.motifs/1").key("puzzles").begin_array();
  }
  void write_json(const Looked& looked) {
    json_.line_break().begin_object().field("id", looked.id).key("motifs").begin_array();
    for (const std::string_view name : looked.motifs) json_.value(name);
    json_.end_array();
    if (looked.rating) json_.field("rating", *looked.rating);
    json_.end_object();
    streams_.out << text_;
    text_.clear();
  }
  void end() {
    if (command_.score) {
      score_.print(streams_.out);
      fmt::print(streams_.out, "{} puzzles, {:.1f} microseconds each\n", puzzles_,
                 puzzles_ == 0 ? 0.0 : 1e6 * seconds_ / static_cast<double>(puzzles_));
      if (model_) rating_score_.print(streams_.out, model_->identity().name);
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
  RatingScore rating_score_;
  std::shared_ptr<human::HumanModel> model_;  // null: nobody wants ratings
  std::vector<Looked> looked_;
  std::vector<human::Solution> solutions_;  // of these, where ratings are wanted
  std::optional<std::string> trouble_;      // of the model
  std::size_t puzzles_ = 0;
  std::size_t bad_ = 0;
  double seconds_ = 0;
};

}  // namespace

int motifs(const MotifsCommand& command, const Streams& streams) { return MotifsRun(command, streams).run(); }

}  // namespace pm::cli
