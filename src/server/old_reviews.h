// Reviews as version 1 of the saved reviews had them: finished JSON (postmortem.review/1).
#pragma once

#include <optional>
#include <string>

#include "server/review_store.h"

namespace pm::server {

// What such a review had found out, and its figures by the rules of today; nothing when it does not fit its game. Where
// version 1 had two scores of one position, the deeper one is taken.
std::optional<FinishedReview> carried_over(const std::string& pgn, const std::string& review_json);

}  // namespace pm::server
