// The network that is compiled into the program: models/postmortem-2.net, whole and unchanged. docs/human-model.md says
// how it was made and what it is worth.
#pragma once

#include <string_view>

namespace pm::human {

// A network file (network_file.h), for open_postmortem_model.
std::string_view built_in_network();

}  // namespace pm::human
