// How far verdicts can be trusted, for bench/effort: reviews of the same games by different efforts are compared.
//
//   effort_bench reference GAMES ENGINE DEPTH FIRST LAST FOLDER    reviews by --effort full with segments shifted by
//                                                                  half a segment, so that they depend on nothing an
//                                                                  ordinary review has seen; kept in FOLDER
//   effort_bench compare GAMES ENGINE DEPTH FIRST LAST FOLDER full|adaptive
//                                                                  reviews of the same games, compared with those
//
// GAMES is a PGN file, FIRST and LAST number its games. Work that is done is found in FOLDER and not done again.
#include <algorithm>
#include <atomic>
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

// Reviews the games, or takes what is in the folder under this name.
std::map<std::size_t, Reviewed> review_all(const Work& work, const std::string& name, review::Effort effort,
                                           std::size_t first_segment) {
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
    if (number < work.first) continue;
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

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() < 7) {
    std::fputs("usage: effort_bench reference|compare GAMES ENGINE DEPTH FIRST LAST FOLDER [full|adaptive]\n", stderr);
    return 2;
  }
  const Work work{
      args[1], args[2], {engine::Limit::Kind::depth, std::stoull(args[3])}, std::stoul(args[4]), std::stoul(args[5]),
      args[6]};
  const auto reference =
      review_all(work, fmt::format("reference-{}", work.limit.value), review::Effort::full, review::segment_length / 2);
  fmt::print("{} reference games\n", reference.size());
}
