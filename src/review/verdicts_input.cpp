#include "review/verdicts_input.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "book/openings.h"
#include "chess/draws.h"
#include "chess/fen.h"
#include "chess/uci.h"

namespace pm::review {
namespace {

using Json = nlohmann::json;
using score::Line;

constexpr int max_centipawns = 1'000'000;
constexpr int max_mate = 1'000;
constexpr int max_depth = 10'000;

// A value and the way to it from the root.
struct At {
  const Json& json;
  std::string path;

  At operator[](const char* field) const { return {json[field], fmt::format("{}.{}", path, field)}; }
  At operator[](std::size_t index) const { return {json[index], fmt::format("{}[{}]", path, index)}; }
};

tl::unexpected<Error> bad(const At& at, const std::string& what) {
  return fail(ErrorCode::bad_input, fmt::format("{}: {}", at.path, what));
}

tl::unexpected<Error> wrong_type(const At& at, const char* expected) {
  return bad(at, fmt::format("expected {}, found {}", expected, at.json.type_name()));
}

// Fit for one line of a terminal.
std::string printable(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result;
  for (const char c : beginning(text, longest)) result += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? '?' : c;
  return result + (text.size() > longest ? "..." : "");
}

template <std::size_t N>
std::optional<Error> unknown_field(const At& at, const std::array<const char*, N>& known) {
  for (const auto& [name, value] : at.json.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}.{}: unknown field; expected one of {}", at.path, printable(name), fmt::join(known, ", ")),
        {}};
  }
  return std::nullopt;
}

Expected<int> parse_int(const At& at, int least, int most) {
  if (!at.json.is_number_integer()) return wrong_type(at, "an integer");
  // An unsigned value beyond 2^63 would turn negative.
  const bool huge = at.json.is_number_unsigned() && at.json.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  const auto value = at.json.get<std::int64_t>();
  if (huge || value < least || value > most) {
    return bad(at, fmt::format("{} is out of range; expected {} to {}", at.json.dump(), least, most));
  }
  return static_cast<int>(value);
}

// What the position itself says about a line's score: nothing, unless the game is over there.
Expected<score::WhiteScore> parse_score(const At& line, const chess::Position& position) {
  const bool has_cp = line.json.contains("cp");
  if (has_cp == line.json.contains("mate")) return bad(line, "expected either cp or mate");
  const auto end = chess::game_end(position, 1);
  const auto known = score::finished_score(position);
  if (has_cp) {
    const auto cp = parse_int(line["cp"], -max_centipawns, max_centipawns);
    if (!cp) return tl::make_unexpected(cp.error());
    if (end == chess::GameEnd::checkmate) return bad(line["cp"], "the position is checkmate; expected mate 0");
    if (end == chess::GameEnd::stalemate && *cp != 0) return bad(line["cp"], "the position is stalemate; expected 0");
    return known.value_or(score::WhiteScore(score::Centipawns{*cp}));
  }
  const auto mate = parse_int(line["mate"], -max_mate, max_mate);
  if (!mate) return tl::make_unexpected(mate.error());
  if (*mate == 0 && end != chess::GameEnd::checkmate)
    return bad(line["mate"], "mate 0 in a position that is not checkmate");
  if (*mate != 0 && end) return bad(line["mate"], "the game is over in this position");
  return known.value_or(score::WhiteScore(score::Mate{std::abs(*mate), *mate > 0}));
}

Expected<std::vector<chess::Move>> parse_pv(const At& pv, const chess::Position& start) {
  if (!pv.json.is_array()) return wrong_type(pv, "an array of moves");
  std::vector<chess::Move> moves;
  chess::Position position = start;
  for (std::size_t i = 0; i < pv.json.size(); ++i) {
    const At at = pv[i];
    if (!at.json.is_string()) return wrong_type(at, "a move such as e2e4");
    const auto move = chess::parse_uci(position, at.json.get_ref<const std::string&>());
    if (!move) return bad(at, move.error().sentence);
    moves.push_back(*move);
    position.play(*move);
  }
  return moves;
}

Expected<Line> parse_line(const At& at, const chess::Position& position) {
  if (!at.json.is_object()) return wrong_type(at, "an object");
  if (auto error = unknown_field(at, std::array{"cp", "mate", "depth", "nodes", "pv", "san"})) {
    return tl::make_unexpected(std::move(*error));
  }
  const auto score = parse_score(at, position);
  if (!score) return tl::make_unexpected(score.error());
  Line line{*score, 0, {}};
  if (at.json.contains("depth")) {
    const auto depth = parse_int(at["depth"], 0, max_depth);
    if (!depth) return tl::make_unexpected(depth.error());
    line.depth = *depth;
  }
  if (at.json.contains("pv")) {
    auto pv = parse_pv(at["pv"], position);
    if (!pv) return tl::make_unexpected(std::move(pv.error()));
    line.pv = std::move(*pv);
  }
  return line;
}

Expected<std::vector<Line>> parse_lines(const At& at, const chess::Position& position) {
  if (!at.json.is_array()) return wrong_type(at, "an array of lines");
  if (at.json.empty()) return bad(at, "expected at least one line");
  std::vector<Line> lines;
  for (std::size_t i = 0; i < at.json.size(); ++i) {
    auto line = parse_line(at[i], position);
    if (!line) return tl::make_unexpected(std::move(line.error()));
    for (const Line& other : lines) {
      if (!line->pv.empty() && !other.pv.empty() && line->pv.front() == other.pv.front()) {
        return bad(at[i]["pv"], "an earlier line begins with the same move");
      }
    }
    lines.push_back(std::move(*line));
  }
  return lines;
}

Expected<GivenMove> parse_move(const At& at) {
  if (!at.json.is_object()) return wrong_type(at, "an object");
  constexpr std::array fields{"fen", "move", "before", "after"};
  if (auto error = unknown_field(at, fields)) return tl::make_unexpected(std::move(*error));
  for (const char* field : fields) {
    if (!at.json.contains(field)) return bad(at, fmt::format("{} is missing", field));
  }
  if (!at["fen"].json.is_string()) return wrong_type(at["fen"], "a FEN");
  if (!at["move"].json.is_string()) return wrong_type(at["move"], "a move such as e2e4");
  const auto before = chess::parse_fen(at["fen"].json.get_ref<const std::string&>());
  if (!before) {
    return bad(at["fen"], fmt::format("{} (character {})", before.error().sentence, before.error().place.column));
  }
  const auto move = chess::parse_uci(*before, at["move"].json.get_ref<const std::string&>());
  if (!move) return bad(at["move"], move.error().sentence);
  const chess::Position after = before->after(*move);
  auto lines_before = parse_lines(at["before"], *before);
  if (!lines_before) return tl::make_unexpected(std::move(lines_before.error()));
  auto lines_after = parse_lines(at["after"], after);
  if (!lines_after) return tl::make_unexpected(std::move(lines_after.error()));
  return GivenMove{*before, *move, after, std::move(*lines_before), std::move(*lines_after)};
}

// One of two words.
template <class T>
std::optional<Error> parse_choice(const At& options, const char* field,
                                  const std::array<std::pair<const char*, T>, 2>& choices, T& into) {
  if (!options.json.contains(field)) return std::nullopt;
  const At at = options[field];
  for (const auto& [name, value] : choices) {
    if (at.json == name) {
      into = value;
      return std::nullopt;
    }
  }
  const std::string found =
      at.json.is_string() ? printable(at.json.get_ref<const std::string&>()) : at.json.type_name();
  return bad(at, fmt::format("expected {} or {}, found {}", choices[0].first, choices[1].first, found)).value();
}

std::optional<Error> parse_flag(const At& options, const char* field, bool& into) {
  if (!options.json.contains(field)) return std::nullopt;
  const At at = options[field];
  if (!at.json.is_boolean()) return wrong_type(at, "true or false").value();
  into = at.json.get<bool>();
  return std::nullopt;
}

Expected<verdict::SchemeOptions> parse_options(const At& at) {
  using verdict::Dual;
  using verdict::Mates;
  using verdict::Precedence;
  if (!at.json.is_object()) return wrong_type(at, "an object");
  verdict::SchemeOptions options;
  std::optional<Error> error = unknown_field(at, scheme_option_names);
  if (!error) error = parse_flag(at, "theory", options.theory);
  if (!error) error = parse_flag(at, "critical", options.points.critical);
  if (!error) error = parse_flag(at, "brilliant", options.points.brilliant);
  if (!error) error = parse_flag(at, "soften_lost", options.points.soften_lost);
  if (!error) {
    error = parse_choice<Precedence>(at, "precedence",
                                     {{{"brilliant", Precedence::brilliant}, {"critical", Precedence::critical}}},
                                     options.points.precedence);
  }
  if (!error) {
    error =
        parse_choice<Dual>(at, "dual", {{{"lenient", Dual::lenient}, {"strict", Dual::strict}}}, options.labels.dual);
  }
  if (!error) {
    error = parse_choice<Mates>(at, "mates", {{{"worst", Mates::worst}, {"distance", Mates::distance}}},
                                options.points.mates);
  }
  if (error) return tl::make_unexpected(std::move(*error));
  options.labels.brilliant = options.points.brilliant;
  return options;
}

// Line and column of a byte of the text, both from 1.
Place place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  return {lines + 1, newline == std::string_view::npos ? before.size() + 1 : before.size() - newline};
}

}  // namespace

struct GivenFile::Document {
  Json json;
};

GivenFile::GivenFile(std::unique_ptr<Document> document, const verdict::SchemeOptions& options)
    : document_(std::move(document)), options_(options) {}
GivenFile::GivenFile(GivenFile&&) noexcept = default;
GivenFile& GivenFile::operator=(GivenFile&&) noexcept = default;
GivenFile::~GivenFile() = default;

std::size_t GivenFile::size() const { return document_->json["positions"].size(); }

Expected<GivenMove> GivenFile::move(std::size_t index) const {
  return parse_move(At{document_->json, "$"}["positions"][index]);
}

Expected<GivenFile> parse_given(std::string_view text) {
  auto document = std::make_unique<GivenFile::Document>();
  if (const std::size_t zero = text.find('\0');
      zero != std::string_view::npos) {  // the parser would take it for the end
    const Place place = place_of(text, zero);
    return fail(ErrorCode::bad_input, fmt::format("line {}, column {}: not JSON", place.line, place.column), place);
  }
  try {
    document->json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const Place place = place_of(text, error.byte > 0 ? error.byte - 1 : 0);
    return fail(ErrorCode::bad_input, fmt::format("line {}, column {}: not JSON", place.line, place.column), place);
  } catch (const Json::exception&) {  // a number no double can hold
    return fail(ErrorCode::bad_input, "not JSON: a number is out of range");
  }
  const At root{document->json, "$"};
  if (!root.json.is_object()) return wrong_type(root, "an object with positions");
  if (auto error = unknown_field(root, std::array{"positions", "options"}))
    return tl::make_unexpected(std::move(*error));
  if (!root.json.contains("positions")) return bad(root, "positions is missing");
  if (!root["positions"].json.is_array()) return wrong_type(root["positions"], "an array");
  verdict::SchemeOptions options;
  if (root.json.contains("options")) {
    const auto given = parse_options(root["options"]);
    if (!given) return tl::make_unexpected(given.error());
    options = *given;
  }
  return GivenFile(std::move(document), options);
}

Expected<verdict::SchemeOptions> parse_scheme_options(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, false);
  return parse_options(At{parsed, "options"});
}

std::string format_scheme_options(const verdict::SchemeOptions& options) {
  return nlohmann::ordered_json{
      {"theory", options.theory},
      {"critical", options.points.critical},
      {"brilliant", options.points.brilliant},
      {"precedence", options.points.precedence == verdict::Precedence::brilliant ? "brilliant" : "critical"},
      {"dual", options.labels.dual == verdict::Dual::lenient ? "lenient" : "strict"},
      {"mates", options.points.mates == verdict::Mates::worst ? "worst" : "distance"},
      {"soften_lost", options.points.soften_lost}}
      .dump();
}

verdict::Verdicts judge(const GivenMove& given, const verdict::SchemeOptions& options) {
  verdict::Knowledge knowledge;
  const book::Opening* opening = options.theory ? book::find_opening(given.after) : nullptr;
  if (opening != nullptr) {
    knowledge.points.book = knowledge.labels.book = {.known = true, .opening = opening->name};
  }
  return verdict::judge(given.judged(), options, knowledge);
}

}  // namespace pm::review
