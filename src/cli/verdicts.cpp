#include <string>

#include <fmt/ostream.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/say.h"
#include "pgn/source.h"
#include "report/json.h"
#include "review/verdicts_input.h"

namespace pm::cli {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{256} << 20;

Expected<std::string> read_whole(const std::string& file) {
  const auto source = pgn::open_source(file);
  if (!source) return tl::make_unexpected(source.error());
  std::string text;
  std::vector<char> piece(1U << 16);
  for (;;) {
    const auto n = (*source)->read(piece);
    if (!n) return tl::make_unexpected(n.error());
    if (*n == 0) return text;
    text.append(piece.data(), *n);
    if (text.size() > max_file_bytes) {
      return fail(ErrorCode::file_read, fmt::format("{} is larger than {} MB", file, max_file_bytes >> 20));
    }
  }
}

}  // namespace

int verdicts(const VerdictsOptions& options, const Streams& streams) {
  const auto complain = [&](const std::string& sentence) {
    say(streams.err, sentence);
    return exit_usage;
  };
  const auto text = read_whole(options.file);
  if (!text) return complain(text.error().sentence);
  const auto given = review::parse_given(*text);
  if (!given) return complain(fmt::format("{}: {}", options.file, given.error().sentence));

  const std::stop_token stop = catch_interrupts();
  int code = exit_done;
  std::string out;
  report::JsonWriter json(out);
  json.begin_object().field("schema", "postmortem.verdicts/1").key("positions").begin_array();
  for (std::size_t i = 0; i < given->size(); ++i) {
    if (stop.stop_requested()) {
      streams.err << "postmortem: interrupted; the positions so far are kept\n";
      code = exit_interrupted;
      break;
    }
    json.line_break();
    const auto move = given->move(i);
    if (move) {
      report::write_verdicts(json, review::judge(*move, given->options()));
      continue;
    }
    code = complain(fmt::format("{}: {}", options.file, move.error().sentence));
    if (!options.keep_going) return code;
    json.begin_object().field("error", std::string_view(move.error().sentence)).end_object();
  }
  json.end_array().end_object();
  streams.out << out << '\n';
  return code;
}

}  // namespace pm::cli
