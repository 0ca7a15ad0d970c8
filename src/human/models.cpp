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

std::string named(const std::string& where) {
  if (!where.empty()) return where;
  const char* variable = std::getenv("POSTMORTEM_MODELS");
  return variable != nullptr ? variable : "";
}

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

Opened open_family(const Family& family, int threads) {
  const std::string folder = user_models_folder();
  const auto found = family.find(folder);
  if (!found.empty()) return family.open(found.back(), threads);
  return fail(ErrorCode::weights_missing, fmt::format("no human model: expected {} in {}{}{}", family.files, folder,
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

void add_found(const Family& family, const std::string& folder, std::vector<FoundModel>& all) {
  auto found = family.find(folder);
  std::reverse(found.begin(), found.end());  // the best first
  for (const std::string& where : found) {
    std::error_code failed;
    const auto same = [&](const FoundModel& other) { return std::filesystem::equivalent(other.where, where, failed); };
    if (std::any_of(all.begin(), all.end(), same)) continue;
    const bool taken = std::any_of(all.begin(), all.end(), [&](const auto& o) { return o.name == family.name; });
    all.push_back({taken ? std::filesystem::path(where).stem().string() : std::string(family.name),
                   std::string(family.licence), where});
  }
}

}  // namespace

std::string user_models_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? fmt::format("{}/.local/share/postmortem/models", home) : "";
}

Opened open_model(const ModelChoice& choice) {
  const std::string where = named(choice.where);
  if (where == built_in) return open_postmortem_model(built_in_network(), choice.threads);
  if (const Family* family = family_named(where)) return open_family(*family, choice.threads);
  if (is_file(where)) {
    for (const Family& family : families()) {
      if (family.is_own(where)) return family.open(where, choice.threads);
    }
  }
  for (const Family& family : families()) {
    const auto found = family.find(where.empty() ? user_models_folder() : where);
    if (!found.empty()) return family.open(found.back(), choice.threads);
  }
  if (where.empty()) return open_postmortem_model(built_in_network(), choice.threads);
  return nothing_in(where);
}

std::vector<FoundModel> find_models(const std::string& where) {
  const std::string first = named(where);
  std::vector<FoundModel> all;
  const FoundModel own{built_in, built_in_licence, built_in};
  if (first == built_in) all.push_back(own);
  for (const Family& family : families()) {
    if (is_file(first) && family.is_own(first))
      all.push_back({std::string(family.name), std::string(family.licence), first});
  }
  if (const Family* family = family_named(first)) add_found(*family, user_models_folder(), all);
  for (const std::string& folder : {first, user_models_folder()}) {
    if (folder.empty()) continue;
    for (const Family& family : families()) add_found(family, folder, all);
  }
  if (first != built_in) all.push_back(own);
  return all;
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
