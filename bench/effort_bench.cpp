// How far verdicts can be trusted, for bench/effort: reviews of the same games by different efforts are compared.
//
//   effort_bench reference GAMES ENGINE DEPTH FIRST LAST FOLDER    reviews by --effort full with segments shifted by
//                                                                  half a segment, so that they depend on nothing an
//                                                                  ordinary review has seen; kept in FOLDER
//   effort_bench compare GAMES ENGINE DEPTH FIRST LAST FOLDER full|adaptive
//                                                                  reviews of the same games, compared with those
//   effort_bench table GAMES ENGINE DEPTH FIRST LAST FOLDER
//                                                                  what src/verdict/confidence_table.inc should be by
//                                                                  these games
//
// GAMES is a PGN file, FIRST and LAST number its games. Work that is done is found in FOLDER and not done again.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "pgn/reader.h"
#include "review/evidence_codec.h"
#include "review/reviewer.h"

using namespace pm;

namespace {

// Counts the nodes of all searches.
class CountingEngine final : public engine::Engine {
 public:
  CountingEngine(std::unique_ptr<engine::Engine> engine, std::atomic<std::uint64_t>& nodes)
      : engine_(std::move(engine)), nodes_(nodes) {}
  const std::string& name() const override { return engine_->name(); }
  Expected<void> new_game(const std::stop_token& stop) override { return engine_->new_game(stop); }
  Expected<engine::Evaluation> evaluate(const engine::Search& search, const std::stop_token& stop) override {
    auto evaluation = engine_->evaluate(search, stop);
    std::uint64_t most = 0;
    if (evaluation) {
      for (const score::Line& line : evaluation->lines) most = std::max(most, line.nodes);
    }
    nodes_ += most;
    return evaluation;
  }

 private:
  std::unique_ptr<engine::Engine> engine_;
  std::atomic<std::uint64_t>& nodes_;
};

class NoSink final : public review::ReviewSink {
  void progress(const review::ReviewProgress& /*progress*/) override {}
};

struct Work {
  std::string games;
  std::string engine;
  engine::Limit limit;
  std::size_t first;
  std::size_t last;
  std::string folder;
};

struct Reviewed {
  pgn::Game game;
  review::Evidence evidence;
  std::uint64_t nodes = 0;
};

// Reviews the games, or takes what is in the folder under this name; `only_known`: and nothing else.
std::map<std::size_t, Reviewed> review_all(const Work& work, const std::string& name, review::Effort effort,
                                           std::size_t first_segment, bool only_known,
                                           const std::map<std::size_t, Reviewed>* only_those = nullptr) {
  std::filesystem::create_directories(work.folder);
  std::atomic<std::uint64_t> nodes = 0;
  const auto begin = [&](const std::stop_token& stop) -> Expected<std::unique_ptr<engine::Engine>> {
    engine::EngineSetup setup;
    setup.path = work.engine;
    auto engine = engine::start_uci_engine(setup, stop);
    if (!engine) return engine;
    return std::make_unique<CountingEngine>(std::move(*engine), nodes);
  };
  const auto pool = engine::EnginePool::open(begin, 2, {}, nullptr, {}).value();
  review::Sources sources;
  sources.pool = pool.get();
  NoSink sink;
  std::map<std::size_t, Reviewed> all;
  const auto source = pgn::open_source(work.games).value();
  pgn::GameReader reader(*source);
  for (std::size_t number = 1; number <= work.last; ++number) {
    auto read = reader.next();
    if (!read) break;
    if (number < work.first || (only_those != nullptr && !only_those->contains(number))) continue;
    Reviewed reviewed{std::move(read->game), {}, 0};
    const std::string path = fmt::format("{}/{}-{}", work.folder, number, name);
    std::ifstream file(path, std::ios::binary);
    if (file >> reviewed.nodes) {
      file.ignore(1);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      if (auto evidence = review::parse_evidence(text, reviewed.game)) {
        reviewed.evidence = std::move(*evidence);
        all.emplace(number, std::move(reviewed));
        continue;
      }
    }
    if (only_known) continue;
    review::ReviewRequest request;
    request.limit = work.limit;
    request.effort = effort;
    request.first_segment = first_segment;
    nodes = 0;
    reviewed.evidence = review::Reviewer(reviewed.game, sources, request).gather(sink).evidence;
    reviewed.nodes = nodes;
    std::ofstream(path + ".part", std::ios::binary) << reviewed.nodes << '\n'
                                                    << review::format_evidence(reviewed.evidence);
    std::filesystem::rename(path + ".part", path);
    all.emplace(number, std::move(reviewed));
  }
  return all;
}

// The errors of `points`, mildest first; 0: none.
int severity_of(const verdict::PointsVerdict& points) {
  switch (points.cls) {
    case verdict::PointsClass::inaccuracy: return 1;
    case verdict::PointsClass::mistake: return 2;
    case verdict::PointsClass::blunder: return 3;
    default: return 0;
  }
}

// Without mates.
int severity_by_loss(score::Loss loss) {
  int severity = 0;
  for (const double line : {.08, .12, .22}) severity += loss.value() >= line ? 1 : 0;
  return severity;
}

// A verdict and the reference's word on the same move.
struct Pair {
  verdict::PointsVerdict ours;
  verdict::PointsVerdict theirs;
  int depth;
  bool first_choice;
  bool by_mate;

  // Not by the book or the rules of the game, which agree anyway.
  bool by_engine() const {
    return ours.cls != verdict::PointsClass::forced && ours.cls != verdict::PointsClass::theory;
  }
};

struct Share {
  int of = 0;
  int all = 0;
  void add(bool hit) {
    of += hit ? 1 : 0;
    ++all;
  }
  // With one of each added: a few cases do not make a certainty.
  double smoothed() const { return (of + 1.0) / (all + 2.0); }
  std::string text() const { return fmt::format("{:.1f}% ({} of {})", all == 0 ? 0.0 : 100.0 * of / all, of, all); }
};

struct Comparison {
  std::vector<Pair> pairs;
  std::vector<double> accuracy;  // differences per player, times the root of the number of moves
  std::vector<double> acpl;
  double nodes = 0;
  double reference_nodes = 0;
  int within_accuracy = 0;  // players whose figure lies in the other's interval
  int within_acpl = 0;
};

Comparison compare(const std::map<std::size_t, Reviewed>& ours, const std::map<std::size_t, Reviewed>& theirs) {
  Comparison result;
  for (const auto& [number, our] : ours) {
    const auto found = theirs.find(number);
    if (found == theirs.end()) continue;
    const review::GameReview a = review::assemble(our.game, our.evidence, {});
    const review::GameReview b = review::assemble(found->second.game, found->second.evidence, {});
    result.nodes += static_cast<double>(our.nodes);
    result.reference_nodes += static_cast<double>(found->second.nodes);
    for (std::size_t ply = 0; ply < a.plies.size(); ++ply) {
      const auto& x = a.plies[ply].verdicts;
      const auto& y = b.plies[ply].verdicts;
      if (!x || !y) continue;
      const int depth = std::min(a.before(ply).lines.front().depth, a.after(ply).lines.front().depth);
      result.pairs.push_back({x->points, y->points, depth, a.better_line(ply) == nullptr,
                              severity_of(x->points) > severity_by_loss(x->points.loss)});
    }
    for (const chess::Colour side : {chess::Colour::white, chess::Colour::black}) {
      const verdict::Summary& x = a.of(side).game;
      const verdict::Summary& y = b.of(side).game;
      if (!x.points_accuracy || !y.points_accuracy) continue;
      const auto interval = verdict::accuracy_interval(x);
      const auto acpl_interval = verdict::acpl_interval(x);
      result.accuracy.push_back((*x.points_accuracy - *y.points_accuracy) * std::sqrt(x.moves));
      result.acpl.push_back((*x.acpl - *y.acpl) * std::sqrt(x.moves));
      result.within_accuracy += *y.points_accuracy >= interval.low && *y.points_accuracy <= interval.high ? 1 : 0;
      result.within_acpl += *y.acpl >= acpl_interval.low && *y.acpl <= acpl_interval.high ? 1 : 0;
    }
  }
  return result;
}

// The size that nine of ten stay below.
double ninety_percent(std::vector<double> values) {
  for (double& each : values) each = std::abs(each);
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() * 9 / 10];
}

void print_agreement(const Comparison& result) {
  Share severities;
  Share by_engine;
  Share classes;
  Share found;
  Share right;
  std::map<std::string, Share> by_word;
  std::map<std::string, Share> errors_by_word;
  for (const Pair& pair : result.pairs) {
    const int ours = severity_of(pair.ours);
    const int theirs = severity_of(pair.theirs);
    severities.add(ours == theirs);
    if (pair.by_engine()) by_engine.add(ours == theirs);
    classes.add(pair.ours.cls == pair.theirs.cls);
    if (theirs == 3) found.add(ours == 3);
    if (ours == 3) right.add(theirs == 3);
    const std::string word(verdict::word_of(pair.ours.confidence));
    if (pair.by_engine()) by_word[word].add(ours == theirs);
    if (ours > 0) errors_by_word[word].add(ours == theirs);
  }
  fmt::print("nodes: {:.1f}% of the reference\n", 100 * result.nodes / result.reference_nodes);
  fmt::print("severities agree: {}; without forced and book moves {}\nclasses agree: {}\n", severities.text(),
             by_engine.text(), classes.text());
  fmt::print("BLUNDERs found: {}, right: {}\n", found.text(), right.text());
  for (const char* word : {"firm", "likely", "open"}) {
    fmt::print("{}: stands {}; errors alone {}\n", word, by_word[word].text(), errors_by_word[word].text());
  }
  const auto players = static_cast<double>(result.accuracy.size());
  fmt::print("accuracy within its interval: {:.1f}%, centipawn loss: {:.1f}% of {} players\n",
             100 * result.within_accuracy / players, 100 * result.within_acpl / players, result.accuracy.size());
}

// The contents of src/verdict/confidence_table.inc.
void print_table(const Comparison& result, const std::string& about) {
  constexpr std::array<double, 6> bounds{.01, .02, .03, .045, .06, 1};
  struct Row {
    Share no_error;
    Share shallow_error;
    Share deep_error;
  };
  std::array<Row, bounds.size()> rows;
  Share first_choice;
  Share mate_error;
  for (const Pair& pair : result.pairs) {
    if (!pair.by_engine()) continue;
    const int severity = severity_of(pair.ours);
    const bool stands = severity == severity_of(pair.theirs);
    if (pair.first_choice) {
      first_choice.add(stands);
    } else if (pair.by_mate) {
      mate_error.add(stands);
    } else {
      const double distance = verdict::distance_to_line(pair.ours.loss);
      Row& row =
          rows[static_cast<std::size_t>(std::upper_bound(bounds.begin(), bounds.end() - 1, distance) - bounds.begin())];
      (severity == 0 ? row.no_error : pair.depth < verdict::deep_from ? row.shallow_error : row.deep_error).add(stands);
    }
  }
  fmt::print("// {}\nconstexpr std::array<DistanceRow, {}> distance_rows{{{{\n", about, bounds.size());
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const Row& row = rows[i];
    fmt::print("    {{{:g}, {:.3f}, {:.3f}, {:.3f}}},  // {}, {}, {}\n", bounds[i], row.no_error.smoothed(),
               row.shallow_error.smoothed(), row.deep_error.smoothed(), row.no_error.text(), row.shallow_error.text(),
               row.deep_error.text());
  }
  fmt::print("}}}};\nconstexpr double first_choice_stands = {:.3f};  // {}\n", first_choice.smoothed(),
             first_choice.text());
  fmt::print("constexpr double mate_error_stands = {:.3f};  // {}\n", mate_error.smoothed(), mate_error.text());
  fmt::print("// Of a mean over one move; over n moves the root of n times less.\n");
  fmt::print("constexpr double accuracy_reach_of_one = {:.1f};\n", ninety_percent(result.accuracy));
  fmt::print("constexpr double acpl_reach_of_one = {:.1f};\n", ninety_percent(result.acpl));
}

void add(Comparison& to, const Comparison& more) {
  to.pairs.insert(to.pairs.end(), more.pairs.begin(), more.pairs.end());
  to.accuracy.insert(to.accuracy.end(), more.accuracy.begin(), more.accuracy.end());
  to.acpl.insert(to.acpl.end(), more.acpl.begin(), more.acpl.end());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() < 7) {
    std::fputs("usage: effort_bench reference|compare|table GAMES ENGINE DEPTH FIRST LAST FOLDER [full|adaptive]\n",
               stderr);
    return 2;
  }
  const Work work{
      args[1], args[2], {engine::Limit::Kind::depth, std::stoull(args[3])}, std::stoul(args[4]), std::stoul(args[5]),
      args[6]};
  const bool only_known = args[0] != "reference";
  const auto reference = review_all(work, fmt::format("reference-{}", work.limit.value), review::Effort::full,
                                    review::segment_length / 2, only_known);
  if (!only_known) return 0;
  const auto compared = [&](review::Effort effort, std::uint64_t depth) {
    Work part = work;
    part.limit.value = depth;
    const std::string name = fmt::format("{}-{}", review::effort_names[static_cast<std::size_t>(effort)], depth);
    return compare(review_all(part, name, effort, review::segment_length, false, &reference), reference);
  };
  const std::uint64_t depth = work.limit.value;
  if (args[0] == "table") {
    // Verdicts of all kinds of reviews: shallow ones, deep ones, and those that are both.
    Comparison all;
    for (const std::uint64_t less : {6, 4, 0}) add(all, compared(review::Effort::full, depth - less));
    add(all, compared(review::Effort::adaptive, depth));
    print_table(all,
                fmt::format("effort_bench table: {}, reviews to depth {}, {}, {} and adaptive against an independent "
                            "one to depth {}; {} games.",
                            reference.begin()->second.evidence.engine->name, depth - 6, depth - 4, depth, depth,
                            reference.size()));
  } else {
    const bool full = args.size() > 7 && args[7] == "full";
    fmt::print("{} games, --effort {} --depth {}\n", reference.size(), full ? "full" : "adaptive", depth);
    print_agreement(compared(full ? review::Effort::full : review::Effort::adaptive, depth));
  }
}
