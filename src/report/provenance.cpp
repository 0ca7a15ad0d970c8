#include "report/provenance.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace pm::report {

std::string engine_text(const review::EngineUsed& engine) {
  return fmt::format("{}, {}", printable(engine.name), engine.limit);
}

std::string model_text(const review::PeopleUsed& people) {
  return fmt::format("{} ({})", people.model, people.sha256.substr(0, 12));
}

}  // namespace pm::report
