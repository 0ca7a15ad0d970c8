#include "base/version.h"

namespace pm {

std::string_view version() { return POSTMORTEM_VERSION; }

}  // namespace pm
