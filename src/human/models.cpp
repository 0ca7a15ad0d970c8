#include "human/models.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "human/built_in.h"
#include "human/maia.h"
#include "human/maia3.h"
#include "human/postmortem_model.h"

namespace pm::human {
namespace {

constexpr const char* where_from =
    "the networks of Maia-1 are maia-1100.pb.gz to maia-1900.pb.gz at https://github.com/CSSLab/maia-chess (folder "
    "maia_weights), Maia-3 is a maia3 file that ends in .onnx with its .onnx.data; the program has a network of its "
    "own "
    "when nothing is named";

using Opened = Expected<std::shared_ptr<HumanModel>>;

// A kind of model, and what is its own: in a folder, and among files.
struct Family {
  std::string_view name;
  bool (*is_own)(std::string_view file);
  std::optional<Opened> (*open_folder)(const std::string& folder, int threads);  // nothing: it has no file there
  Opened (*open_file)(const std::string& file, int threads);
};

std::optional<Opened> open_maia3_folder(const std::string& folder, int threads) {
  const auto files = find_maia3_files(folder);
  if (files.empty()) return std::nullopt;
  return open_maia3(files.back(), threads);
}

std::optional<Opened> open_maia1_folder(const std::string& folder, int threads) {
  auto files = find_maia_files(folder);
  if (files.empty()) return std::nullopt;
  return open_maia(std::move(files), threads);
}

Opened open_maia1_file(const std::string& file, int threads) {
  const auto level = maia_level(std::filesystem::path(file).filename().string());
  if (!level) return fail(ErrorCode::weights_missing, fmt::format("{}: expected a name such as maia-1500.pb.gz", file));
  return open_maia({{*level, file}}, threads);
}

// The best first.
constexpr std::array<Family, 2> families{
    {{"maia3", [](std::string_view file) { return file.ends_with(".onnx"); }, open_maia3_folder, open_maia3},
     {"maia1", [](std::string_view file) { return file.ends_with(".pb.gz"); }, open_maia1_folder, open_maia1_file}}};

std::string named(const ModelChoice& choice) {
  if (!choice.where.empty()) return choice.where;
  const char* variable = std::getenv("POSTMORTEM_MODELS");
  return variable != nullptr ? variable : "";
}

std::string own_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? fmt::format("{}/.local/share/postmortem/models", home) : "";
}

Opened open_family(const Family& family, int threads) {
  if (auto opened = family.open_folder(own_folder(), threads)) return std::move(*opened);
  return fail(ErrorCode::weights_missing,
              fmt::format("no human model: expected {} in {}; {}", family.name, own_folder(), where_from));
}

}  // namespace

Opened open_model(const ModelChoice& choice) {
  const std::string where = named(choice);
  if (where == built_in) return open_postmortem_model(built_in_network(), choice.threads);
  for (const Family& family : families) {
    if (where == family.name) return open_family(family, choice.threads);
  }
  std::error_code failed;
  if (std::filesystem::is_regular_file(where, failed)) {
    for (const Family& family : families) {
      if (family.is_own(where)) return family.open_file(where, choice.threads);
    }
  }
  for (const Family& family : families) {
    if (auto opened = family.open_folder(where.empty() ? own_folder() : where, choice.threads)) {
      return std::move(*opened);
    }
  }
  if (where.empty()) return open_postmortem_model(built_in_network(), choice.threads);
  return fail(
      ErrorCode::weights_missing,
      fmt::format("no human model: expected maia-LEVEL.pb.gz or maia3 .onnx files in {}; {}", where, where_from));
}

std::vector<Error> try_networks(HumanModel& model, int threads) {
  const std::vector<int>& levels = model.identity().levels;
  std::vector<Expected<std::vector<Prediction>>> answers(levels.size());
  const auto workers = static_cast<std::size_t>(std::max(1, threads));
  std::vector<std::jthread> at_work;
  at_work.reserve(workers);
  for (std::size_t worker = 0; worker < workers; ++worker) {
    at_work.emplace_back([&, worker] {
      for (std::size_t i = worker; i < levels.size(); i += workers) {
        const Query query{chess::PositionHistory(chess::Position::start()), levels[i], levels[i]};
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
