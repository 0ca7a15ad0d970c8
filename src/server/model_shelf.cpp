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
    : ModelShelf({{human::built_in, "", human::built_in}}, std::move(only), {}) {}

human::HumanModel& ModelShelf::current() const {
  const std::scoped_lock lock(mutex_);
  return *opened_.at(current_);
}

std::string ModelShelf::current_name() const {
  const std::scoped_lock lock(mutex_);
  return current_;
}

Expected<void> ModelShelf::choose(const std::string& name) {
  const auto found = std::find_if(found_.begin(), found_.end(), [&](const auto& each) { return each.name == name; });
  if (found == found_.end()) {
    std::string names;
    for (const human::FoundModel& each : found_) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    return fail(ErrorCode::bad_input, fmt::format("name: expected one of {}, found {}.", names,
                                                  printable_ascii(std::string_view(name).substr(0, 40))));
  }
  const std::scoped_lock lock(mutex_);
  if (!opened_.contains(name)) {
    auto model = open_(found->where);
    if (!model) return tl::make_unexpected(model.error());
    opened_[name] = std::move(*model);
  }
  current_ = name;
  return {};
}

}  // namespace pm::server
