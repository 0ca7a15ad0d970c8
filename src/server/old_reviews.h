// Reviews as version 1 of the saved reviews had them: finished JSON (postmortem.review/1).
#pragma once

#include <optional>
#include <string>

namespace pm::server {

// The evidence in such a review, as review/evidence_codec.h writes it; nothing when it does not fit its game. Where
// version 1 had two scores of one position, the deeper one is taken.
std::optional<std::string> evidence_of_old_review(const std::string& pgn, const std::string& review_json);

}  // namespace pm::server
