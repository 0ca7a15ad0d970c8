#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "book/openings.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "engine/engine.h"
#include "human/models.h"
#include "nn/kernels.h"
#include "service/engines.h"
#include "store/store.h"

namespace pm::cli {
namespace {

using Json = nlohmann::ordered_json;

// What one search on one thread should reach on a machine of these years; a generic build stays below.
constexpr double slow_nodes_per_second = 500'000;
constexpr std::uint64_t trial_nodes = 400'000;
constexpr int old_stockfish = 14;

bool cpu_has(const char* flag) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("flags")) return line.find(fmt::format(" {}", flag)) != std::string::npos;
  }
  return false;
}

// "Stockfish 15.1" -> 15; 0 when the name says nothing.
int stockfish_version(const std::string& name) {
  const std::string prefix = "Stockfish ";
  return name.starts_with(prefix) ? std::atoi(name.c_str() + prefix.size()) : 0;
}

struct Finding {
  std::string what;
  std::string found;
  std::vector<std::string> advice;
};

Finding look_at_engine(const service::EngineChoice& options, const std::stop_token& stop, Json& json) {
  Finding finding{"engine", "", {}};
  engine::EngineSetup setup;
  const auto path = service::engine_path(options);
  setup.options = options.options;
  setup.hash_mb = options.hash_mb;
  if (!path) {
    finding.found = path.error().sentence;
    finding.advice.emplace_back("install one: apt-get install stockfish, or name one with --engine PATH");
    return finding;
  }
  setup.path = *path;
  auto engine = engine::start_uci_engine(setup, stop);
  if (!engine) {
    finding.found = engine.error().sentence;
    finding.advice.emplace_back("name another engine with --engine PATH");
    return finding;
  }
  const auto begin = std::chrono::steady_clock::now();
  const chess::Position start = chess::Position::start();
  const auto e = (*engine)->evaluate({{start, {}}, {engine::Limit::Kind::nodes, trial_nodes}}, stop);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double speed = static_cast<double>(trial_nodes) / seconds;
  finding.found = fmt::format("{} ({})", (*engine)->name(), setup.path);
  Json used{{"Hash", std::to_string(setup.hash_mb)}};
  for (const auto& [name, value] : setup.options) used[name] = value;
  json["engine"] = {{"name", (*engine)->name()}, {"path", setup.path}, {"options", used}};
  for (const auto& [name, value] : used.items()) {
    finding.found += fmt::format(", {} {}", name, value.get_ref<const std::string&>());
  }
  if (!e) {
    finding.found += fmt::format(", but: {}", e.error().sentence);
    return finding;
  }
  finding.found += fmt::format(", {:.0f} thousand nodes/s on one thread", speed / 1e3);
  json["engine"]["nodes_per_second"] = std::llround(speed);
  const int version = stockfish_version((*engine)->name());
  if (version > 0 && version < old_stockfish) finding.advice.emplace_back("it is very old: a newer one sees more");
  if (speed < slow_nodes_per_second && cpu_has("avx2")) {
    finding.advice.emplace_back(
        "slow for this processor, which has AVX2: probably a generic build; one made for it is about twice as fast");
  }
  return finding;
}

Finding look_at_cache(const service::EngineChoice& options, Json& json) {
  const auto path = service::cache_path(options);
  Finding finding{"cache", "", {}};
  if (!path) {
    finding.found = "nowhere to keep it: neither XDG_CACHE_HOME nor HOME is set";
    return finding;
  }
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(*path, failed);
  finding.found = failed ? fmt::format("none yet ({})", *path)
                         : fmt::format("{:.1f} MB ({})", static_cast<double>(bytes) / 1e6, *path);
  json["cache"] = {{"path", *path}, {"bytes", failed ? 0 : bytes}};
  return finding;
}

Finding look_at_models(const DoctorOptions& options, unsigned cores, Json& json) {
  Finding finding{"human", "", {}};
  const auto model = human::open_model({options.models, static_cast<int>(cores)});
  if (!model) {
    finding.found = "no model";
    finding.advice.push_back(model.error().sentence);
    return finding;
  }
  const human::ModelIdentity& identity = (*model)->identity();
  finding.found =
      fmt::format("{}{}, ratings {} to {}, computed with {}", human::model_text(identity.name, identity.sha256),
                  identity.files.empty() ? ", built in" : "", identity.levels.front(), identity.levels.back(),
                  nn::best_kernels().name);
  Json files = Json::array();
  for (std::size_t i = 0; i < identity.files.size(); ++i) {
    const human::ModelFile& file = identity.files[i];
    finding.found += fmt::format("\n{:<10}{} {} ({})", "", identity.levels[i], file.sha256, file.path);
    files.push_back({{"level", identity.levels[i]}, {"path", file.path}, {"sha256", file.sha256}});
  }
  json["human"] = {{"name", identity.name},
                   {"levels", identity.levels},
                   {"sha256", identity.sha256},
                   {"instruction_set", nn::best_kernels().name},
                   {"files", std::move(files)}};
  // A network that cannot be read is found out when it is used; here is the place to use them all once.
  for (const int level : identity.levels) {
    const human::Query query{chess::PositionHistory(chess::Position::start()), level, level};
    const auto prediction = (*model)->predict({&query, 1}, human::Want::moves);
    if (!prediction) finding.advice.push_back(prediction.error().sentence);
  }
  return finding;
}

}  // namespace

int doctor(const DoctorOptions& options, const Streams& streams) {
  const std::stop_token stop = catch_interrupts();
  Json json{{"schema", "postmortem.doctor/1"}};
  std::vector<Finding> findings;
  findings.push_back(look_at_engine(options.engine, stop, json));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  findings.push_back({"cores", fmt::format("{}, so as many engine processes unless --jobs says otherwise", cores), {}});
  json["cores"] = cores;
  findings.push_back(look_at_models(options, cores, json));
  findings.push_back(look_at_cache(options.engine, json));
  findings.push_back({"openings", fmt::format("{} named positions", book::opening_count()), {}});
  json["openings"] = book::opening_count();
  if (stop.stop_requested()) return exit_interrupted;
  const bool usable = json.contains("engine");
  if (options.json) {
    Json advice = Json::array();
    for (const Finding& f : findings) {
      for (const std::string& a : f.advice) advice.push_back(fmt::format("{}: {}", f.what, a));
    }
    json["advice"] = std::move(advice);
    streams.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    for (const Finding& f : findings) {
      fmt::print(streams.out, "{:<10}{}\n", f.what, f.found);
      for (const std::string& a : f.advice) fmt::print(streams.out, "{:<10}-> {}\n", "", a);
    }
  }
  return usable ? exit_done : exit_failed;
}

}  // namespace pm::cli
