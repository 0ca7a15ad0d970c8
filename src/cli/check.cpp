#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/watched_source.h"
#include "pgn/parser.h"
#include "pgn/source.h"

namespace pm::cli {
namespace {

using Json = nlohmann::ordered_json;
using Seconds = std::chrono::duration<double>;

// Problems beyond this are counted but not kept: a file of rubbish must not fill the memory.
constexpr std::size_t max_problems_kept = 1'000;

struct FileReport {
  std::string file;
  std::uint64_t bytes = 0;  // of text, after unpacking
  std::size_t games = 0;
  std::size_t plies = 0;  // main line
  std::size_t variation_plies = 0;
  std::size_t comments = 0;
  double seconds = 0;
  std::size_t problem_count = 0;
  std::vector<pgn::Problem> problems;
  std::size_t note_count = 0;
  std::vector<pgn::Problem> notes;
  std::optional<Error> error;  // could not be opened, or not be read to its end
};

class Counter : public pgn::Visitor {
 public:
  explicit Counter(FileReport& report) : report_(report) {}
  void move(const chess::Position& /*before*/, chess::Move /*m*/) {
    ++(depth_ == 0 ? report_.plies : report_.variation_plies);
  }
  void comment(std::string_view /*raw*/) { ++report_.comments; }
  void open_variation() { ++depth_; }
  void close_variation() { --depth_; }
  void problem(pgn::Problem problem) {
    ++(problem.note ? report_.note_count : report_.problem_count);
    auto& list = problem.note ? report_.notes : report_.problems;
    if (list.size() < max_problems_kept) list.push_back(std::move(problem));
  }

 private:
  FileReport& report_;
  std::size_t depth_ = 0;
};

FileReport check_file(const std::string& file, Progress& progress, const std::stop_token& stop) {
  FileReport report;
  report.file = file;
  const auto begin = std::chrono::steady_clock::now();
  const auto source = pgn::open_source(file);
  if (!source) {
    report.error = source.error();
    return report;
  }
  WatchedSource watched(**source, progress, stop, [&](std::uint64_t bytes) {
    return fmt::format("{}: {} games, {:.0f} MB", file, report.games, static_cast<double>(bytes) / 1e6);
  });
  pgn::GameParser parser(watched);
  Counter counter(report);
  while (parser.parse(counter)) ++report.games;
  report.bytes = parser.bytes();
  report.error = parser.error();
  report.seconds = Seconds(std::chrono::steady_clock::now() - begin).count();
  return report;
}

Json to_json(const std::vector<pgn::Problem>& problems) {
  Json list = Json::array();
  for (const pgn::Problem& p : problems) {
    list.push_back({{"line", p.place.line}, {"column", p.place.column}, {"game", p.game}, {"message", p.message}});
  }
  return list;
}

Json to_json(const FileReport& report) {
  Json json{{"file", report.file},
            {"bytes", report.bytes},
            {"games", report.games},
            {"plies", report.plies},
            {"variation_plies", report.variation_plies},
            {"comments", report.comments},
            {"seconds", report.seconds},
            {"problems", to_json(report.problems)},
            {"problem_count", report.problem_count},
            {"notes", to_json(report.notes)},
            {"note_count", report.note_count}};
  if (report.error) json["error"] = report.error->sentence;
  return json;
}

std::string plural(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string size_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes < 1'000) return plural(bytes, "byte", "bytes");
  return bytes < 1'000'000 ? fmt::format("{:.1f} kB", size / 1e3) : fmt::format("{:.1f} MB", size / 1e6);
}

void print_text(const FileReport& report, std::ostream& out) {
  const std::string file = printable(report.file);
  for (const auto* list : {&report.problems, &report.notes}) {
    for (const pgn::Problem& p : *list) {
      fmt::print(out, "{}:{}:{}: game {}: {}\n", file, p.place.line, p.place.column, p.game, printable(p.message));
    }
  }
  if (report.problem_count > report.problems.size()) {
    fmt::print(out, "{}: {} more problems not shown\n", file, report.problem_count - report.problems.size());
  }
  if (report.note_count > report.notes.size()) {
    fmt::print(out, "{}: {} more notes not shown\n", file, report.note_count - report.notes.size());
  }
  fmt::print(out, "{}: {}, {}", file, plural(report.games, "game", "games"), plural(report.plies, "ply", "plies"));
  if (report.variation_plies > 0) fmt::print(out, ", {} in variations", report.variation_plies);
  if (report.comments > 0) fmt::print(out, ", {}", plural(report.comments, "comment", "comments"));
  fmt::print(out, ", {}", plural(report.problem_count, "problem", "problems"));
  if (report.note_count > 0) fmt::print(out, ", {}", plural(report.note_count, "note", "notes"));
  fmt::print(out, "; {} in {:.2f} s", size_text(report.bytes), report.seconds);
  if (report.seconds >= 0.01)
    fmt::print(out, " ({:.0f} MB/s)", static_cast<double>(report.bytes) / 1e6 / report.seconds);
  out << '\n';
}

}  // namespace

int check(const CheckOptions& options, const Streams& streams) {
  const std::stop_token stop = catch_interrupts();
  Progress progress(streams.err, streams.err_is_terminal, options.quiet);
  Json files = Json::array();
  int code = exit_done;
  for (const std::string& file : options.files) {
    const FileReport report = check_file(file, progress, stop);
    progress.clear();
    const bool opened = !report.error || report.error->code != ErrorCode::file_open;
    if (report.error && report.error->code != ErrorCode::interrupted) {
      say(streams.err, report.error->sentence);
      code = exit_usage;
    }
    if (options.json) {
      files.push_back(to_json(report));
    } else if (opened) {
      print_text(report, streams.out);
    }
    if (options.strict && report.problem_count > 0 && code == exit_done) code = exit_failed;
    if (stop.stop_requested()) {
      code = exit_interrupted;
      streams.err << "postmortem: interrupted; the figures are of what was read so far\n";
      break;
    }
  }
  if (options.json) {
    const Json json{{"schema", "postmortem.check/1"}, {"files", std::move(files)}};
    streams.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  }
  return code;
}

}  // namespace pm::cli
