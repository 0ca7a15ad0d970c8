// What requests to the API say in their JSON: parsed and checked, or the sentence that says what was expected.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "expect/parameters.h"
#include "human/human_model.h"
#include "server/live_jobs.h"
#include "server/message.h"
#include "verdict/verdicts.h"

namespace pm::server {

using Json = nlohmann::json;

inline constexpr int lowest_depth = 6;
inline constexpr int highest_depth = 30;
inline constexpr int usual_depth = 18;

// The body, which must be an object.
Expected<Json> parse_object(const Request& request);

// Refuses fields that nobody would look at.
enum class Options : bool { none, of_schemes };
Expected<void> check_fields(const Json& json, std::initializer_list<std::string_view> known,
                            Options options = Options::none);

// How a game is judged.
struct JudgingFields {
  int depth = usual_depth;
  std::optional<verdict::SchemeOptions> options;  // nothing: none was named
};
Expected<JudgingFields> parse_judging(const Json& json);

// The same from the part of an address behind the question mark.
Json json_of(const std::map<std::string, std::string>& query);
Expected<ReviewFilter> parse_filter(const std::map<std::string, std::string>& query);

Expected<int> parse_depth(const Json& json);
Expected<chess::GameState> parse_line(const Json& json);
Expected<std::vector<chess::Move>> parse_also(const Json& json, const chess::Position& position);
Expected<human::WantedRatings> parse_ratings(const Json& json, const human::ModelIdentity& model);
Expected<expect::Parameters> parse_parameters(const Json& json, const human::HumanModel& model);

}  // namespace pm::server
