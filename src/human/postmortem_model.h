// One network of our own for all ratings (network_file.h): it is told both players' ratings with the position.
#pragma once

#include <memory>
#include <string_view>

#include "human/human_model.h"

namespace pm::human {

// The bytes of a network file; they are not needed afterwards. A batch is shared among `threads`.
Expected<std::shared_ptr<HumanModel>> open_postmortem_model(std::string_view bytes, int threads);

}  // namespace pm::human
