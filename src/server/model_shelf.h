// The human models that the page may choose from, and the one in use. A model is opened when it is first chosen and
// stays open, so that work that began with it ends with it. Any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "human/human_model.h"
#include "human/models.h"

namespace pm::server {

class ModelShelf {
 public:
  using Open = std::function<Expected<std::shared_ptr<human::HumanModel>>(const human::FoundModel& found)>;

  // `first` is in use to begin with; it is the first of `found`.
  ModelShelf(std::vector<human::FoundModel> found, std::shared_ptr<human::HumanModel> first, Open open);
  // One model, and no choice.
  explicit ModelShelf(std::shared_ptr<human::HumanModel> only);

  std::span<const human::FoundModel> all() const { return found_; }
  struct InUse {
    std::string name;
    human::HumanModel& model;
  };
  InUse in_use() const;
  human::HumanModel& current() const { return in_use().model; }
  // An error when there is none of this name, or it cannot be used; then all stays as it was. While a model is read,
  // the others are there.
  Expected<void> choose(const std::string& name);

 private:
  std::vector<human::FoundModel> found_;
  Open open_;
  std::mutex opening_;  // held before the other one
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<human::HumanModel>> opened_;
  std::string current_;
};

}  // namespace pm::server
