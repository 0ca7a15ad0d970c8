#include "report/provenance.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "human/human_model.h"

namespace pm::report {

std::string engine_text(const review::EngineUsed& engine) {
  return fmt::format("{}, {}", printable(engine.name), engine::format_limit(engine.limit));
}

std::string model_text(const review::HumanUsed& human) { return human::model_text(human.model, human.sha256); }

}  // namespace pm::report
