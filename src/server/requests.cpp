#include "server/requests.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "chess/fen.h"
#include "chess/uci.h"
#include "expect/parameters.h"
#include "review/verdicts_input.h"

namespace pm::server {
namespace {

constexpr std::size_t most_moves = 600;     // of a line somebody asks about
constexpr int most_searches = 100'000;      // of an expectation
constexpr double longest_time = 24 * 3600;  // seconds, of an expectation

// A name that somebody else has chosen.
std::string shown(const std::string& name) { return printable_ascii(std::string_view(name).substr(0, 40)); }

Expected<int> whole_number(const Json& json, const char* name, int usual, int lowest, int highest) {
  const auto found = json.find(name);
  if (found == json.end()) return usual;
  if (!found->is_number_integer() || *found < lowest || *found > highest) {
    return fail(ErrorCode::bad_input, fmt::format("{}: expected a whole number from {} to {}.", name, lowest, highest));
  }
  return found->get<int>();
}

Expected<double> real_number(const Json& json, const char* name, double usual, double lowest, double highest) {
  const auto found = json.find(name);
  if (found == json.end()) return usual;
  if (!found->is_number() || !(*found >= lowest && *found <= highest)) {
    return fail(ErrorCode::bad_input, fmt::format("{}: expected a number from {} to {}.", name, lowest, highest));
  }
  return found->get<double>();
}

// One of a few words.
template <class T>
Expected<T> choice(const Json& json, const char* name, T usual, std::initializer_list<T> all) {
  const auto found = json.find(name);
  if (found == json.end()) return usual;
  std::string words;
  for (const T each : all) {
    if (*found == expect::word_of(each)) return each;
    words += fmt::format("{}{}", words.empty() ? "" : ", ", expect::word_of(each));
  }
  return fail(ErrorCode::bad_input, fmt::format("{}: expected one of {}.", name, words));
}

}  // namespace

Expected<void> check_fields(const Json& json, std::initializer_list<std::string_view> known, Options options) {
  std::vector<std::string_view> all(known);
  if (options == Options::of_schemes) {
    all.insert(all.end(), review::scheme_option_names.begin(), review::scheme_option_names.end());
  }
  for (const auto& [name, value] : json.items()) {
    if (std::find(all.begin(), all.end(), name) != all.end()) continue;
    const std::string expected = all.empty() ? "none" : fmt::format("one of {}", fmt::join(all, ", "));
    return fail(ErrorCode::bad_input, fmt::format("{}: there is no such field; expected {}.", shown(name), expected));
  }
  return {};
}

Expected<JudgingFields> parse_judging(const Json& json) {
  JudgingFields judging;
  const auto depth = parse_depth(json);
  if (!depth) return tl::make_unexpected(depth.error());
  judging.depth = *depth;
  Json named = Json::object();
  for (const char* name : review::scheme_option_names) {
    if (json.contains(name)) named[name] = json[name];
  }
  if (named.empty()) return judging;
  const auto options = review::parse_scheme_options(named.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!options) return tl::make_unexpected(options.error());
  judging.options = *options;
  return judging;
}

Json json_of(const std::map<std::string, std::string>& query) {
  Json json = Json::object();
  for (const auto& [name, text] : query) {
    const Json value = Json::parse(text, nullptr, false);
    json[name] = value.is_boolean() || value.is_number_integer() ? value : Json(text);
  }
  return json;
}

Expected<ReviewFilter> parse_filter(const std::map<std::string, std::string>& query) {
  const Json json = json_of(query);
  if (const auto known = check_fields(json, {"search", "state", "offset", "limit"}); !known) {
    return tl::make_unexpected(known.error());
  }
  ReviewFilter filter;
  const auto offset = whole_number(json, "offset", 0, 0, std::numeric_limits<int>::max());
  const auto most = whole_number(json, "limit", static_cast<int>(filter.most), 1, static_cast<int>(filter.most));
  if (!offset) return tl::make_unexpected(offset.error());
  if (!most) return tl::make_unexpected(most.error());
  filter.offset = static_cast<std::size_t>(*offset);
  filter.most = static_cast<std::size_t>(*most);
  if (const auto text = query.find("search"); text != query.end()) filter.text = text->second;
  const auto state = query.find("state");
  if (state == query.end()) return filter;
  filter.state = parse_state(state->second);
  if (!filter.state) {
    return fail(ErrorCode::bad_input, "state: expected waiting, running, complete, cancelled or failed.");
  }
  return filter;
}

Expected<Json> parse_object(const Request& request) {
  // Values are copied and written by recursion, and take many times the memory of their text; nothing that is asked for
  // is nested so far or made of so many.
  constexpr int deepest = 8;
  constexpr std::size_t most_values = 100'000;
  std::size_t values = 0;
  bool too_deep = false;
  std::vector<std::set<std::string>> names;  // of the objects around
  std::string twice;
  const auto look = [&](int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    too_deep = too_deep || depth > deepest;
    if (too_deep || ++values > most_values) return false;
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event == Event::key && !names.back().insert(value.get<std::string>()).second) twice = value.get<std::string>();
    return true;
  };
  Json json = Json::parse(request.body, look, false);
  if (too_deep) return fail(ErrorCode::bad_input, "Expected JSON that is not nested so deep.");
  if (values > most_values) return fail(ErrorCode::bad_input, "Expected JSON of fewer values.");
  if (!json.is_object()) return fail(ErrorCode::bad_input, "Expected a JSON object.");
  if (!twice.empty()) return fail(ErrorCode::bad_input, fmt::format("{}: expected once, found twice.", shown(twice)));
  return json;
}

Expected<chess::GameState> parse_line(const Json& json) {
  chess::GameState line;
  if (const auto start = json.find("start_fen"); start != json.end()) {
    if (!start->is_string()) return fail(ErrorCode::bad_input, "start_fen: expected a string.");
    const auto position = chess::parse_fen(start->get<std::string>());
    if (!position) return fail(ErrorCode::bad_input, fmt::format("start_fen: {}", position.error().sentence));
    line.start = *position;
  }
  const auto moves = json.find("moves");
  if (moves == json.end()) return line;
  if (!moves->is_array() || moves->size() > most_moves) {
    return fail(ErrorCode::bad_input, fmt::format("moves: expected a list of up to {} moves.", most_moves));
  }
  chess::Position at = line.start;
  for (const Json& each : *moves) {
    if (!each.is_string()) return fail(ErrorCode::bad_input, "moves: expected moves such as \"e2e4\".");
    const auto move = chess::parse_uci(at, each.get<std::string>());
    if (!move) return fail(ErrorCode::bad_input, fmt::format("moves: {}", move.error().sentence));
    line.moves.push_back(*move);
    at = at.after(*move);
  }
  return line;
}

Expected<std::vector<chess::Move>> parse_also(const Json& json, const chess::Position& position) {
  const Json given = json.value("also", Json::array());
  if (!given.is_array() || given.size() > 8)
    return fail(ErrorCode::bad_input, "also: expected a list of up to 8 moves.");
  std::vector<chess::Move> moves;
  for (const Json& each : given) {
    const auto move = chess::parse_uci(position, each.is_string() ? each.get<std::string>() : "");
    if (!move) return fail(ErrorCode::bad_input, fmt::format("also: {}", move.error().sentence));
    moves.push_back(*move);
  }
  return moves;
}

Expected<human::WantedRatings> parse_ratings(const Json& json, const human::ModelIdentity& model) {
  human::WantedRatings wanted;
  for (const auto& [name, into] :
       {std::pair{"rating", &wanted.rating}, std::pair{"opponent_rating", &wanted.opponent_rating}}) {
    if (!json.contains(name)) continue;
    const auto rating = whole_number(json, name, 0, model.ratings.lowest(), model.ratings.highest());
    if (!rating) return tl::make_unexpected(rating.error());
    *into = *rating;
  }
  return wanted;
}

Expected<int> parse_depth(const Json& json) {
  return whole_number(json, "depth", usual_depth, lowest_depth, highest_depth);
}

Expected<expect::Parameters> parse_parameters(const Json& json, const human::HumanModel& model) {
  const Json given = json.value("parameters", Json::object());
  if (!given.is_object()) return fail(ErrorCode::bad_input, "parameters: expected an object.");
  if (const auto known = check_fields(given, {"threshold", "depth", "loss", "rating", "opponent_rating", "uncovered",
                                              "pruning", "map", "effort", "searches", "time"});
      !known) {
    return tl::make_unexpected(known.error());
  }
  using expect::Effort;
  using expect::Pruning;
  using expect::Uncovered;
  using expect::WinRateMap;
  expect::Parameters parameters;
  const auto uncovered =
      choice(given, "uncovered", parameters.uncovered, {Uncovered::local, Uncovered::candidate, Uncovered::root});
  const auto map = choice(given, "map", parameters.map, {WinRateMap::people, WinRateMap::logistic, WinRateMap::wdl});
  const auto pruning = choice(given, "pruning", parameters.pruning, {Pruning::player, Pruning::none});
  const bool limited = given.contains("searches") || given.contains("time");
  const auto effort =
      choice(given, "effort", limited ? Effort::settled : expect::usual_effort(uncovered.value_or(Uncovered::local)),
             {Effort::settled, Effort::fast, Effort::exact});
  if (!uncovered) return tl::make_unexpected(uncovered.error());
  if (!map) return tl::make_unexpected(map.error());
  if (!pruning) return tl::make_unexpected(pruning.error());
  if (!effort) return tl::make_unexpected(effort.error());
  parameters.pruning = *pruning;
  parameters.uncovered = *uncovered;
  parameters.map = *map;
  parameters.effort = *effort;
  const auto threshold = real_number(given, "threshold", parameters.threshold, 0.001, 1);
  const auto loss = real_number(given, "loss", 0.1, 0, 1);
  const auto depth = whole_number(given, "depth", parameters.depth, 1, highest_depth);
  const auto wanted = parse_ratings(given, model.identity());
  if (!threshold) return tl::make_unexpected(threshold.error());
  if (!loss) return tl::make_unexpected(loss.error());
  if (!depth) return tl::make_unexpected(depth.error());
  if (given.contains("searches")) {
    const auto searches = whole_number(given, "searches", 1, 1, most_searches);
    if (!searches) return tl::make_unexpected(searches.error());
    parameters.searches = static_cast<std::size_t>(*searches);
  }
  if (given.contains("time")) {
    const auto seconds = real_number(given, "time", 1, 0.01, longest_time);
    if (!seconds) return tl::make_unexpected(seconds.error());
    parameters.seconds = *seconds;
  }
  if (!wanted) return tl::make_unexpected(wanted.error());
  const auto ratings = human::choose_ratings(*wanted, {}, chess::Colour::white, model);
  if (!ratings) return tl::make_unexpected(ratings.error());
  parameters.threshold = *threshold;
  parameters.loss = -*loss;
  parameters.depth = *depth;
  parameters.rating = ratings->white;
  parameters.opponent_rating = ratings->black;
  if (const auto sound = expect::check(parameters); !sound) return tl::make_unexpected(sound.error());
  return parameters;
}

}  // namespace pm::server
