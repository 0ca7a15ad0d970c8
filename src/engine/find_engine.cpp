#include "engine/find_engine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "base/numbers.h"
#include "engine/engine.h"
#include "engine/process.h"

namespace pm::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_answer{3};
constexpr std::size_t most_asked = 16;   // beyond that a folder is a collection of engines, not a place to find one
constexpr int year_of_version_0 = 2007;  // Stockfish 15 is of 2022, 16 of 2023, 17 of 2024

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool is_executable_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> engines_in(const std::string& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (entry->path().filename().string().starts_with("stockfish") && is_executable_file(entry->path()))
      found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

int leading_number(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  return parse_number<int>(text.substr(0, end)).value_or(0);
}

}  // namespace

EnginePlaces engine_places() {
  EnginePlaces places{variable("POSTMORTEM_ENGINE"), {}};
  if (const std::string home = variable("HOME"); !home.empty()) places.folders.push_back(home + "/.local/bin");
  const std::string path = variable("PATH");
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    if (end > begin) places.folders.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  places.folders.emplace_back("/usr/games");  // where Debian puts it
  return places;
}

std::vector<std::string> engine_files(const EnginePlaces& places) {
  std::vector<std::string> files;
  std::set<fs::path> seen;
  for (const std::string& folder : places.folders) {
    for (const fs::path& file : engines_in(folder)) {
      std::error_code failed;
      const fs::path real = fs::canonical(file, failed);
      if (!failed && seen.insert(real).second) files.push_back(file.string());
    }
  }
  return files;
}

std::vector<EngineFile> ask_names(const std::vector<std::string>& files) {
  std::vector<EngineFile> engines;
  engines.reserve(files.size());
  for (const std::string& file : files) engines.push_back({file, ""});
  std::vector<std::jthread> asking;
  asking.reserve(engines.size());
  for (EngineFile& file : engines) {
    asking.emplace_back([&file] {
      EngineSetup setup;
      setup.path = file.path;
      setup.hash_mb = 1;
      setup.deadlines.answer = longest_answer;
      if (const auto engine = start_uci_engine(setup, {})) file.name = (*engine)->name();
    });
  }
  asking.clear();  // waits for them
  return engines;
}

std::string compiled_for(const std::string& path) {
  auto process = ChildProcess::start(path);
  const auto deadline = Clock::now() + longest_answer;
  if (!process || !process->write_line("compiler", deadline) || !process->write_line("quit", deadline)) return "";
  while (const auto line = process->read_line(deadline, {})) {
    // "Compilation settings include:  64bit SSE2", since Stockfish 16 "Compilation settings       : 64bit AVX2 SSE41"
    if (!line->starts_with("Compilation settings")) continue;
    const std::size_t begin = line->find_first_not_of(": ", std::min(line->find(':'), line->size()));
    return begin == std::string::npos ? "" : line->substr(begin);
  }
  return "";
}

std::pair<int, int> stockfish_version(std::string_view name) {
  constexpr std::string_view prefix = "Stockfish ";
  constexpr std::string_view development = "dev-";
  if (!name.starts_with(prefix)) return {0, 0};
  name.remove_prefix(prefix.size());
  if (name.starts_with(development)) {
    const int year = leading_number(name.substr(development.size(), 4));
    return {std::max(0, year - year_of_version_0), 0};
  }
  const std::size_t dot = name.find_first_not_of("0123456789");
  const bool minor = dot != std::string_view::npos && name[dot] == '.';
  return {leading_number(name), minor ? leading_number(name.substr(dot + 1)) : 0};
}

Expected<std::string> find_engine(const EnginePlaces& places) {
  if (!places.named.empty()) {
    if (is_executable_file(places.named)) return places.named;
    return fail(ErrorCode::engine_start,
                fmt::format("$POSTMORTEM_ENGINE names {}, which is no executable file", places.named));
  }
  std::vector<std::string> files = engine_files(places);
  if (files.empty()) {
    return fail(ErrorCode::no_engine,
                "no engine: expected stockfish in ~/.local/bin, on PATH or in /usr/games, a file named by "
                "$POSTMORTEM_ENGINE, or --engine PATH");
  }
  if (files.size() == 1) return files.front();
  files.resize(std::min(files.size(), most_asked));
  const std::vector<EngineFile> engines = ask_names(files);
  const auto older = [](const EngineFile& a, const EngineFile& b) {
    const auto rank = [](const EngineFile& e) { return std::pair(!e.name.empty(), stockfish_version(e.name)); };
    return rank(a) < rank(b);
  };
  return std::max_element(engines.begin(), engines.end(), older)->path;  // of several as new, the first
}

}  // namespace pm::engine
