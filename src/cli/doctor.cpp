#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "book/openings.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "engine/engine.h"
#include "engine/find_engine.h"
#include "human/models.h"
#include "nn/kernels.h"
#include "server/review_store.h"
#include "service/engines.h"
#include "store/store.h"

namespace pm::cli {
namespace {

using Json = nlohmann::ordered_json;

// What one search on one thread should reach on a machine of these years; a generic build stays below.
constexpr double slow_nodes_per_second = 500'000;
constexpr std::uint64_t trial_nodes = 400'000;
constexpr int old_stockfish = 14;
constexpr const char* where_to_put =
    "put one at ~/.local/bin/stockfish or name it with $POSTMORTEM_ENGINE or --engine PATH (builds for every "
    "processor: "
    "https://stockfishchess.org/download/)";

bool cpu_has(const char* flag) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("flags")) return line.find(fmt::format(" {}", flag)) != std::string::npos;
  }
  return false;
}

struct Finding {
  std::string what;
  std::string found;
  std::vector<std::string> advice;
  bool usable = true;
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::vector<std::string> more = {};  // lines below what was found
};

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

// The other engines that are there.
void look_for_engines(const std::string& used, const std::string& used_name, Finding& finding, Json& json) {
  Json engines = Json::array({Json{{"path", used}, {"name", used_name}, {"used", true}}});
  std::vector<std::string> files = engine::engine_files(engine::engine_places());
  std::erase_if(files, [&](const std::string& file) { return same_file(file, used); });
  for (const engine::EngineFile& other : engine::ask_names(files)) {
    const std::string name = other.name.empty() ? "does not answer" : other.name;
    finding.more.push_back(fmt::format("not used: {} ({})", name, other.path));
    engines.push_back({{"path", other.path}, {"name", other.name}, {"used", false}});
  }
  json["engines"] = std::move(engines);
}

// Whether a build made for this processor would be faster. The speed alone says little: other programs may be at work.
bool is_slow_build(const std::string& name, const std::string& path, double nodes_per_second) {
  if (!name.starts_with("Stockfish") || !cpu_has("avx2")) return false;
  const std::string settings = engine::compiled_for(path);
  if (settings.empty()) return nodes_per_second < slow_nodes_per_second;
  return settings.find("AVX2") == std::string::npos && settings.find("AVX512") == std::string::npos;
}

// Starts it and lets it search. Returns its name; empty when it does not start.
std::string try_engine(const engine::EngineSetup& setup, const std::stop_token& stop, Finding& finding, Json& json) {
  auto engine = engine::start_uci_engine(setup, stop);
  if (!engine) {
    finding.found = engine.error().sentence;
    finding.advice.emplace_back("name another engine with --engine PATH");
    return "";
  }
  const std::string name = (*engine)->name();
  const auto begin = std::chrono::steady_clock::now();
  const chess::Position start = chess::Position::start();
  const auto e = (*engine)->evaluate({{start, {}}, {engine::Limit::Kind::nodes, trial_nodes}}, stop);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double speed = static_cast<double>(trial_nodes) / seconds;
  finding.found = fmt::format("{} ({})", name, setup.path);
  Json used{{"Hash", std::to_string(setup.hash_mb)}};
  for (const auto& [option, value] : setup.options) used[option] = value;
  json["engine"] = {{"name", name}, {"path", setup.path}, {"options", used}};
  for (const auto& [option, value] : used.items()) {
    finding.found += fmt::format(", {} {}", option, value.get_ref<const std::string&>());
  }
  if (!e) {
    finding.found += fmt::format(", but: {}", e.error().sentence);
    return name;
  }
  finding.usable = true;
  finding.found += fmt::format(", {:.0f} thousand nodes/s on one thread", speed / 1e3);
  json["engine"]["nodes_per_second"] = std::llround(speed);
  const int version = engine::stockfish_version(name).first;
  if (version > 0 && version < old_stockfish) {
    finding.advice.emplace_back(fmt::format("it is very old, and a newer one sees more: {}", where_to_put));
  }
  if (is_slow_build(name, setup.path, speed)) {
    finding.advice.emplace_back(
        fmt::format("slow for this processor, which has AVX2: a build made for it is faster; {}", where_to_put));
  }
  return name;
}

Finding look_at_engine(const service::EngineChoice& options, const std::stop_token& stop, Json& json) {
  Finding finding{"engine", "", {}, false};
  const auto path = service::engine_path(options);
  if (!path) {
    finding.found = path.error().sentence;
    finding.advice.emplace_back(fmt::format("install one: apt-get install stockfish, or {}", where_to_put));
    return finding;
  }
  engine::EngineSetup setup;
  setup.path = *path;
  setup.options = options.options;
  setup.hash_mb = options.hash_mb;
  const std::string name = try_engine(setup, stop, finding, json);
  look_for_engines(setup.path, name, finding, json);
  return finding;
}

// With what was written last, which stands beside it.
void look_at_file(const std::string& path, int most_mb, Finding& finding, Json& json) {
  std::uintmax_t bytes = 0;
  for (const std::string& name : {path, path + "-wal"}) {
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(name, failed);
    if (!failed) bytes += size;
  }
  finding.found = bytes == 0
                      ? fmt::format("none yet ({})", path)
                      : fmt::format("{:.1f} of at most {} MB ({})", static_cast<double>(bytes) / 1e6, most_mb, path);
  json = {{"path", path}, {"bytes", bytes}, {"limit", std::uint64_t{1'000'000} * static_cast<std::uint64_t>(most_mb)}};
}

Finding look_at_cache(const service::EngineChoice& options, Json& json) {
  const auto path = service::cache_path(options);
  Finding finding{"cache", "", {}};
  if (!path) {
    finding.found = "nowhere to keep it: neither XDG_CACHE_HOME nor HOME is set";
    return finding;
  }
  look_at_file(*path, options.cache_mb, finding, json["cache"]);
  return finding;
}

Finding look_at_reviews(const DoctorOptions& options, Json& json) {
  const auto path = options.reviews.empty() ? server::default_reviews_path() : std::optional(options.reviews);
  Finding finding{"reviews", "", {}};
  if (!path) {
    finding.found = "nowhere to keep them: neither XDG_DATA_HOME nor HOME is set";
    return finding;
  }
  look_at_file(*path, options.reviews_mb, finding, json["reviews"]);
  return finding;
}

Finding look_at_models(const DoctorOptions& options, unsigned cores, Json& json) {
  Finding finding{"human", "", {}};
  const auto model = human::open_model({options.models, static_cast<int>(cores)});
  if (!model) {
    finding.found = "no model";
    finding.advice.push_back(model.error().sentence);
    finding.usable = false;
    return finding;
  }
  const human::ModelIdentity& identity = (*model)->identity();
  finding.found =
      fmt::format("{}{}, ratings {} to {}, computed with {}", human::model_text(identity.name, identity.sha256),
                  identity.files.empty() ? ", built in" : "", identity.ratings.lowest(), identity.ratings.highest(),
                  nn::best_kernels().name);
  Json files = Json::array();
  for (std::size_t i = 0; i < identity.files.size(); ++i) {
    const human::ModelFile& file = identity.files[i];
    const bool of_level = identity.files.size() == identity.ratings.steps.size();
    finding.more.push_back(fmt::format(
        "{}{} ({})", of_level ? fmt::format("{} ", identity.ratings.steps[i]) : std::string(), file.sha256, file.path));
    Json about{{"path", file.path}, {"sha256", file.sha256}};
    if (of_level) about["level"] = identity.ratings.steps[i];
    files.push_back(std::move(about));
  }
  json["human"] = {{"name", identity.name},
                   {"levels", identity.ratings.steps},
                   {"sha256", identity.sha256},
                   {"instruction_set", nn::best_kernels().name},
                   {"files", std::move(files)}};
  for (const Error& error : human::try_networks(**model, static_cast<int>(cores))) {
    finding.advice.push_back(error.sentence);
    finding.usable = false;
  }
  return finding;
}

}  // namespace

int doctor(const DoctorOptions& options, const Streams& streams) {
  if (options.repair || !options.backup.empty()) return look_after_files(options, streams);
  const std::stop_token stop = catch_interrupts();
  Json json{{"schema", "postmortem.doctor/1"}};
  std::vector<Finding> findings;
  findings.push_back(look_at_engine(options.engine, stop, json));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  findings.push_back({"cores", fmt::format("{}, so as many engine processes unless --jobs says otherwise", cores), {}});
  json["cores"] = cores;
  findings.push_back(look_at_models(options, cores, json));
  findings.push_back(look_at_cache(options.engine, json));
  findings.push_back(look_at_reviews(options, json));
  findings.push_back({"openings", fmt::format("{} named positions", book::opening_count()), {}});
  json["openings"] = book::opening_count();
  if (stop.stop_requested()) return exit_interrupted;
  const bool usable = std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.usable; });
  if (options.json) {
    Json advice = Json::array();
    for (const Finding& f : findings) {
      for (const std::string& a : f.advice) advice.push_back(fmt::format("{}: {}", f.what, a));
    }
    json["advice"] = std::move(advice);
    streams.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    for (const Finding& f : findings) {
      fmt::print(streams.out, "{:<10}{}\n", f.what, printable(f.found));
      for (const std::string& line : f.more) fmt::print(streams.out, "{:<10}{}\n", "", printable(line));
      for (const std::string& a : f.advice) fmt::print(streams.out, "{:<10}-> {}\n", "", printable(a));
    }
  }
  return usable ? exit_done : exit_failed;
}

}  // namespace pm::cli
