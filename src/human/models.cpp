#include "human/models.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include "human/built_in.h"
#include "human/maia.h"
#include "human/postmortem_model.h"

namespace pm::human {
namespace {

constexpr const char* where_from =
    "the official networks are maia-1100.pb.gz to maia-1900.pb.gz at https://github.com/CSSLab/maia-chess "
    "(folder maia_weights), and the program has a network of its own when no folder is named";

std::string named_folder(const ModelChoice& choice) {
  if (!choice.folder.empty()) return choice.folder;
  const char* named = std::getenv("POSTMORTEM_MODELS");
  return named != nullptr ? named : "";
}

std::string own_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? fmt::format("{}/.local/share/postmortem/models", home) : "";
}

}  // namespace

Expected<std::shared_ptr<HumanModel>> open_model(const ModelChoice& choice) {
  const std::string named = named_folder(choice);
  if (named != built_in) {
    auto files = find_maia_files(named.empty() ? own_folder() : named);
    if (!files.empty()) return open_maia(std::move(files), choice.threads);
    if (!named.empty()) {
      return fail(ErrorCode::weights_missing,
                  fmt::format("no human model: expected maia-LEVEL.pb.gz files in {}; {}", named, where_from));
    }
  }
  return open_postmortem_model(built_in_network(), choice.threads);
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
