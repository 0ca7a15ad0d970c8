#include "human/models.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "human/built_in.h"
#include "human/postmortem_model.h"

namespace pm::human {
namespace {

using Opened = Expected<std::shared_ptr<HumanModel>>;

std::string variable() {
  const char* value = std::getenv("POSTMORTEM_MODELS");
  return value != nullptr ? value : "";
}

std::string named(const std::string& where) { return where.empty() ? variable() : where; }

bool is_file(const std::string& where) {
  std::error_code failed;
  return std::filesystem::is_regular_file(where, failed);
}

const Family* family_named(const std::string& name) {
  for (const Family& family : families()) {
    if (name == family.name) return &family;
  }
  return nullptr;
}

// Where models are looked for by name.
std::vector<std::string> usual_folders() {
  std::vector<std::string> folders;
  for (const std::string& folder : {variable(), user_models_folder()}) {
    if (!folder.empty() && folder != built_in && family_named(folder) == nullptr) folders.push_back(folder);
  }
  return folders;
}

Opened open_family(const Family& family, int threads) {
  const std::vector<std::string> folders = usual_folders();
  for (const std::string& folder : folders) {
    const auto found = family.find(folder);
    if (!found.empty()) return family.open(found.back(), threads);
  }
  const std::string places =
      folders.empty() ? "a folder of models, but HOME is not set" : fmt::format("{}", fmt::join(folders, " or "));
  return fail(ErrorCode::weights_missing, fmt::format("no human model: expected {} in {}{}{}", family.files, places,
                                                      family.where_from.empty() ? "" : "; ", family.where_from));
}

tl::unexpected<Error> nothing_in(const std::string& where) {
  std::vector<std::string_view> files;
  std::string sources;
  for (const Family& family : families()) {
    files.push_back(family.files);
    if (!family.where_from.empty()) sources += fmt::format("; {}: {}", family.name, family.where_from);
  }
  return fail(ErrorCode::weights_missing,
              fmt::format("no human model: expected {} in {}{}; the program has a network of its own when nothing is "
                          "named",
                          fmt::join(files, " or "), where, sources));
}

// The family that a file, or the best of what is in a folder, belongs to.
const Family* family_at(const std::string& where) {
  for (const Family& family : families()) {
    if (is_file(where) ? family.is_own(where) : !family.find(where).empty()) return &family;
  }
  return nullptr;
}

// The models that are there, each once.
class Finder {
 public:
  void add_built_in() {
    if (!is_named(built_in)) all_.push_back({built_in, built_in_licence});
  }
  void add_folder(const Family& family, const std::string& folder) {
    auto found = family.find(folder);
    std::reverse(found.begin(), found.end());  // the best first
    for (const std::string& where : found) add(family, where);
  }
  void add(const Family& family, const std::string& where) {
    const auto is_this = [&](const FoundModel& other) {
      std::error_code failed;
      return other.family == &family && std::filesystem::equivalent(other.where, where, failed);
    };
    if (std::any_of(all_.begin(), all_.end(), is_this)) return;
    all_.push_back({name_for(family, where), std::string(family.licence), &family, where});
  }
  std::vector<FoundModel> take() { return std::move(all_); }

 private:
  bool is_named(std::string_view name) const {
    return std::any_of(all_.begin(), all_.end(), [&](const FoundModel& each) { return each.name == name; });
  }
  std::string name_for(const Family& family, const std::string& where) const {
    if (!is_named(family.name)) return std::string(family.name);
    const std::string stem = is_file(where) ? std::filesystem::path(where).stem().string() : where;
    return is_named(stem) || family_named(stem) != nullptr || stem == built_in ? where : stem;
  }

  std::vector<FoundModel> all_;
};

}  // namespace

std::string user_models_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? fmt::format("{}/.local/share/postmortem/models", home) : "";
}

Opened open_model(const ModelChoice& choice) {
  const std::string where = named(choice.where);
  if (where == built_in) return open_postmortem_model(built_in_network(), choice.threads);
  if (const Family* family = family_named(where)) return open_family(*family, choice.threads);
  const std::string place = where.empty() ? user_models_folder() : where;
  if (const Family* family = family_at(place)) {
    return family->open(is_file(place) ? place : family->find(place).back(), choice.threads);
  }
  if (where.empty()) return open_postmortem_model(built_in_network(), choice.threads);
  return nothing_in(where);
}

Opened open_model(const FoundModel& found, int threads) {
  if (found.family == nullptr) return open_postmortem_model(built_in_network(), threads);
  return found.family->open(found.where, threads);
}

Expected<std::vector<FoundModel>> find_models(const std::string& where) {
  const std::string first = named(where);
  Finder finder;
  if (first == built_in) {
    finder.add_built_in();
  } else if (const Family* family = family_named(first)) {
    for (const std::string& folder : usual_folders()) finder.add_folder(*family, folder);
  } else if (!first.empty()) {
    const Family* best = family_at(first);
    if (best == nullptr) return nothing_in(first);
    if (is_file(first)) {
      finder.add(*best, first);
    } else {
      for (const Family& family : families()) finder.add_folder(family, first);
    }
  }
  for (const std::string& folder : usual_folders()) {
    for (const Family& family : families()) finder.add_folder(family, folder);
  }
  finder.add_built_in();
  return finder.take();
}

std::vector<Error> try_networks(HumanModel& model, int threads) {
  const std::vector<int>& steps = model.identity().ratings.steps;
  std::vector<Expected<std::vector<Prediction>>> answers(steps.size());
  const auto workers = static_cast<std::size_t>(std::max(1, threads));
  std::vector<std::jthread> at_work;
  at_work.reserve(workers);
  for (std::size_t worker = 0; worker < workers; ++worker) {
    at_work.emplace_back([&, worker] {
      for (std::size_t i = worker; i < steps.size(); i += workers) {
        const Query query{chess::PositionHistory(chess::Position::start()), steps[i], steps[i]};
        answers[i] = model.predict({&query, 1}, Want::moves);
      }
    });
  }
  at_work.clear();  // waits for them
  std::vector<Error> errors;
  for (const auto& answer : answers) {
    if (!answer) errors.push_back(answer.error());
  }
  return errors;
}

}  // namespace pm::human
