#include "report/provenance.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "human/human_model.h"

namespace pm::report {

std::string engine_text(const review::EngineUsed& engine) {
  return fmt::format("{}, {}", printable(engine.name), engine.limit);
}

std::string model_text(const review::PeopleUsed& people) { return human::model_text(people.model, people.sha256); }

}  // namespace pm::report
