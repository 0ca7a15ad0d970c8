#include "report/provenance.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "base/version.h"
#include "human/human_model.h"

namespace pm::report {

std::string engine_text(const review::EngineUsed& engine) {
  return fmt::format("{}, {}", printable(engine.name), engine::format_limit(engine.limit));
}

std::string model_text(const review::HumanUsed& human) {
  return printable(human::model_text(human.model, human.sha256));
}

std::string program_text() { return fmt::format("Postmortem {}", version()); }

std::string full_engine_text(const review::EngineUsed& engine) {
  std::string text = printable(engine.name);
  if (!engine.sha256.empty()) text += fmt::format(", sha256 {}", engine.sha256);
  for (const auto& [name, value] : engine.options) text += fmt::format(", {}={}", printable(name), printable(value));
  return text + fmt::format(", {}, effort {}", engine::format_limit(engine.limit),
                            review::effort_names[static_cast<std::size_t>(engine.effort)]);
}

std::string full_model_text(const review::HumanUsed& human) {
  return fmt::format("{}, sha256 {}, people {}", printable(human.model), human.sha256,
                     review::people_names[static_cast<std::size_t>(human.people)]);
}

std::string left_out_text(const review::GameReview& review) {
  if (review.left_out == 0) return "";
  const std::string rest =
      review.left_out == 1 ? "one ply after it is" : fmt::format("{} plies after it are", review.left_out);
  return fmt::format("Reviewed up to ply {}; the {} left out.", review.plies.size(), rest);
}

std::string provenance_text(const review::Evidence& evidence) {
  std::string text = program_text();
  text += fmt::format("; {}", evidence.engine ? full_engine_text(*evidence.engine) : "scores from the file");
  if (evidence.human) text += fmt::format("; {}", full_model_text(*evidence.human));
  return text;
}

}  // namespace pm::report
