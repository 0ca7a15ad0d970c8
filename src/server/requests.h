// What requests to the API say in their JSON: parsed and checked, or the sentence that says what was expected.
#pragma once

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "expect/parameters.h"
#include "human/human_model.h"
#include "server/live_jobs.h"
#include "server/message.h"

namespace pm::server {

using Json = nlohmann::json;

inline constexpr int lowest_depth = 6;
inline constexpr int highest_depth = 30;
inline constexpr int usual_depth = 18;

// The body, which must be an object.
Expected<Json> parse_object(const Request& request);

Expected<int> parse_depth(const Json& json);
Expected<chess::GameState> parse_line(const Json& json);
Expected<human::WantedRatings> parse_ratings(const Json& json, const human::ModelIdentity& model);
Expected<expect::Parameters> parse_parameters(const Json& json, const human::HumanModel& model);

}  // namespace pm::server
