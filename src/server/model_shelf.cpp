#include "server/model_shelf.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.h"

namespace pm::server {

ModelShelf::ModelShelf(std::vector<human::FoundModel> found, std::shared_ptr<human::HumanModel> first, Open open)
    : found_(std::move(found)), open_(std::move(open)), current_(found_.front().name) {
  opened_[current_] = std::move(first);
}

ModelShelf::ModelShelf(std::shared_ptr<human::HumanModel> only)
    : ModelShelf({{human::built_in, human::built_in_licence}}, std::move(only), {}) {}

ModelShelf::InUse ModelShelf::in_use() const {
  const std::scoped_lock lock(mutex_);
  return {current_, *opened_.at(current_)};
}

Expected<void> ModelShelf::choose(const std::string& name) {
  const auto found = std::find_if(found_.begin(), found_.end(), [&](const auto& each) { return each.name == name; });
  if (found == found_.end()) {
    std::string names;
    for (const human::FoundModel& each : found_) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    return fail(ErrorCode::bad_input, fmt::format("name: expected one of {}, found {}.", names,
                                                  printable_ascii(std::string_view(name).substr(0, 40))));
  }
  const std::scoped_lock opening(opening_);
  std::shared_ptr<human::HumanModel> model;
  {
    const std::scoped_lock lock(mutex_);
    const auto open = opened_.find(name);
    if (open != opened_.end()) model = open->second;
  }
  if (model == nullptr) {
    auto opened = open_(*found);
    if (!opened) return tl::make_unexpected(opened.error());
    model = std::move(*opened);
  }
  const std::scoped_lock lock(mutex_);
  opened_[name] = std::move(model);
  current_ = name;
  return {};
}

}  // namespace pm::server
