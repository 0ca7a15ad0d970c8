// The engine to use when nobody names one.
//
//   Expected<std::string> path = find_engine();
//   if (!path) fmt::print(stderr, "{}\n", path.error().sentence);     // all places that were looked at
//
// The file of $POSTMORTEM_ENGINE, or else the newest of the executables called stockfish* in ~/.local/bin, the folders
// of PATH and /usr/games. Engines are started, to ask for their names, only when there is more than one. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace pm::engine {

// Where engines are, for --help and messages.
inline constexpr std::string_view engine_places_text =
    "$POSTMORTEM_ENGINE, or the newest stockfish in ~/.local/bin, on PATH or in /usr/games";

struct EnginePlaces {
  std::string named;                 // of $POSTMORTEM_ENGINE; empty: not set
  std::vector<std::string> folders;  // first come, first served among engines of one version
};
EnginePlaces engine_places();  // of this user

struct EngineFile {
  std::string path;
  std::string name;  // as it calls itself ("Stockfish 15.1"); empty: it does not answer
};

// The executables called stockfish* in the folders, in their order; of several paths to one file the first.
std::vector<std::string> engine_files(const EnginePlaces& places);

// Starts them all at once to ask for their names; those that do not answer in time have none.
std::vector<EngineFile> ask_names(const std::vector<std::string>& files);

// What Stockfish says it was compiled for ("64bit AVX2 BMI2"); empty when it does not say.
std::string compiled_for(const std::string& path);

// "Stockfish 15.1" -> {15, 1}; zeros when the name says nothing. Releases are numbered by year (15 is of 2022), so
// "Stockfish dev-20220620-0b7c9a5b" of 2022 counts as {15, 0}.
std::pair<int, int> stockfish_version(std::string_view name);

// no_engine when there is none, engine_start when the one that is named is no executable file.
Expected<std::string> find_engine(const EnginePlaces& places = engine_places());

}  // namespace pm::engine
