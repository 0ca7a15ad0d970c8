#include "server/requests.h"

#include <fmt/format.h>

#include "chess/fen.h"
#include "chess/uci.h"
#include "expect/parameters.h"

namespace pm::server {
namespace {

constexpr std::size_t most_moves = 600;  // of a line somebody asks about

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

}  // namespace

Expected<Json> parse_object(const Request& request) {
  if (!request.content_type.starts_with("application/json")) {
    return fail(ErrorCode::bad_input, "Expected a body of type application/json.");
  }
  Json json = Json::parse(request.body, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::bad_input, "Expected a JSON object.");
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

Expected<human::WantedRatings> parse_ratings(const Json& json, const human::ModelIdentity& model) {
  human::WantedRatings wanted;
  for (const auto& [name, into] :
       {std::pair{"rating", &wanted.rating}, std::pair{"opponent_rating", &wanted.opponent_rating}}) {
    if (!json.contains(name)) continue;
    const auto rating = whole_number(json, name, 0, model.levels.front(), model.levels.back());
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
  expect::Parameters parameters;
  const auto threshold = real_number(given, "threshold", parameters.threshold, 0.001, 1);
  const auto loss = real_number(given, "loss", 0.1, 0, 1);
  const auto depth = whole_number(given, "depth", parameters.depth, 1, highest_depth);
  const auto wanted = parse_ratings(given, model.identity());
  if (!threshold) return tl::make_unexpected(threshold.error());
  if (!loss) return tl::make_unexpected(loss.error());
  if (!depth) return tl::make_unexpected(depth.error());
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
