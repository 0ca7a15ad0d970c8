// doctor --repair and --backup: the databases of the user.
#include <filesystem>

#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "server/review_store.h"
#include "service/engines.h"
#include "store/repaired.h"

namespace pm::cli {
namespace {

using Ordered = nlohmann::ordered_json;

// What came of one file.
struct Outcome {
  std::string what;
  std::string sentence;
  Ordered json;
  bool good = true;
};

Outcome failure(const std::string& what, const std::string& path, const Error& error) {
  return {what, error.sentence, {{"what", what}, {"path", path}, {"problem", error.sentence}}, false};
}

template <class Repair>
Outcome repair_file(const std::string& what, const std::string& path, Repair repair) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    return {what, fmt::format("none yet ({})", path), {{"what", what}, {"path", path}, {"problem", nullptr}}};
  }
  const Expected<store::Repaired> repaired = repair(path);
  if (!repaired) return failure(what, path, repaired.error());
  Outcome outcome{what, fmt::format("in order ({})", path), {{"what", what}, {"path", path}}};
  if (!repaired->was_whole) {
    outcome.sentence = fmt::format("was damaged: {} entries are saved and {} lost ({}); the damaged file is kept as {}",
                                   repaired->saved, repaired->lost, path, repaired->kept_as);
  }
  outcome.json.update({{"whole", repaired->was_whole}, {"saved", repaired->saved}, {"lost", repaired->lost}});
  outcome.json["kept_as"] = repaired->was_whole ? Ordered() : Ordered(repaired->kept_as);
  outcome.json["problem"] = nullptr;
  return outcome;
}

Outcome copy_reviews(const std::string& path, const std::string& to) {
  const auto copied = store::back_up(path, to, "file of saved reviews");
  if (!copied) return failure("backup", path, copied.error());
  return {"backup",
          fmt::format("the saved reviews ({}) are copied to {}", path, to),
          {{"what", "backup"}, {"path", path}, {"to", to}, {"problem", nullptr}}};
}

}  // namespace

int look_after_files(const DoctorOptions& options, const Streams& streams) {
  const store::Warn say = [&](const std::string& sentence) { fmt::print(streams.err, "postmortem: {}\n", sentence); };
  const auto reviews = options.reviews.empty() ? server::default_reviews_path() : std::optional(options.reviews);
  std::vector<Outcome> outcomes;
  if (!options.backup.empty() && reviews) outcomes.push_back(copy_reviews(*reviews, options.backup));
  if (!options.backup.empty() && !reviews) {
    outcomes.push_back(failure("backup", "", {ErrorCode::file_open, "neither XDG_DATA_HOME nor HOME is set", {}}));
  }
  if (options.repair) {
    const auto cache = service::cache_path(options.engine);
    if (cache && options.engine.use_cache) {
      outcomes.push_back(
          repair_file("cache", *cache, [&](const std::string& path) { return store::repair_sqlite_store(path, say); }));
    }
    if (reviews) {
      outcomes.push_back(repair_file("reviews", *reviews,
                                     [&](const std::string& path) { return server::ReviewStore::repair(path, say); }));
    }
  }
  bool good = true;
  Ordered json{{"schema", "postmortem.doctor/1"}, {"files", Ordered::array()}};
  for (Outcome& each : outcomes) {
    good = good && each.good;
    if (!options.json) fmt::print(streams.out, "{:<10}{}\n", each.what, each.sentence);
    json["files"].push_back(std::move(each.json));
  }
  if (options.json) streams.out << json.dump(2, ' ', false, Ordered::error_handler_t::replace) << '\n';
  return good ? exit_done : exit_failed;
}

}  // namespace pm::cli
