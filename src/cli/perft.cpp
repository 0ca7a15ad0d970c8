#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/say.h"

namespace pm::cli {
namespace {

struct Divided {
  std::string move;
  std::uint64_t nodes;
};

void print_divided(const std::vector<Divided>& divided, std::ostream& out) {
  for (const Divided& d : divided) fmt::print(out, "{}: {}\n", d.move, d.nodes);
}

}  // namespace

int perft(const PerftOptions& options, const Streams& streams) {
  const auto position = chess::parse_fen(options.fen == "startpos" ? chess::start_fen : options.fen);
  if (!position) {
    say(streams.err,
        fmt::format("bad FEN, character {}: {}", position.error().place.column, position.error().sentence));
    return exit_usage;
  }
  const std::stop_token stop = catch_interrupts();
  const chess::CastlingNotation notation = chess::natural_notation(*position);
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t nodes = options.depth == 0 ? 1 : 0;
  std::vector<Divided> divided;
  if (options.depth > 0) {
    for (const chess::Move m : chess::legal_moves(*position)) {
      const auto below = chess::perft(position->after(m), options.depth - 1, stop);
      if (!below) {
        if (options.divide) print_divided(divided, streams.out);
        streams.err << "postmortem: interrupted\n";
        return exit_interrupted;
      }
      divided.push_back({chess::format_uci(m, notation), *below});
      nodes += *below;
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  if (options.json) {
    nlohmann::ordered_json divide = nlohmann::ordered_json::object();
    for (const Divided& d : divided) divide[d.move] = d.nodes;
    const nlohmann::ordered_json json{{"nodes", nodes}, {"seconds", seconds}, {"divide", std::move(divide)}};
    streams.out << json.dump() << '\n';
    return exit_done;
  }
  if (options.divide) print_divided(divided, streams.out);
  fmt::print(streams.out, "{} {} at depth {} in {:.3f} s", nodes, nodes == 1 ? "node" : "nodes", options.depth,
             seconds);
  if (seconds >= 0.001)
    fmt::print(streams.out, " ({:.0f} million nodes/s)", static_cast<double>(nodes) / seconds / 1e6);
  streams.out << '\n';
  return exit_done;
}

}  // namespace pm::cli
