// The saved reviews, in an SQLite file: what was asked for, how far it is, and the review itself once there is one.
//
//   auto library = Library::open(path);
//   const auto saved = (*library)->add(pgn, head, depth);   // waiting
//   (*library)->finish(saved->id, finished);                // complete
//
// What was waiting or running when the program ended is waiting again: unfinished() lists it. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace pm::server {

enum class ReviewState : std::uint8_t { waiting, running, complete, cancelled, failed };
const char* word_of(ReviewState state);

// What a list shows of a game.
struct GameHead {
  std::string white;
  std::string black;
  std::string result;
  std::string date;
  std::string event;
  std::size_t plies = 0;
};

struct SavedReview {
  std::string id;
  std::string created;  // ISO 8601, UTC
  ReviewState state = ReviewState::waiting;
  GameHead game;
  int depth = 0;
  std::string engine;  // name; empty until known
  std::optional<double> white_accuracy;
  std::optional<double> black_accuracy;
  std::string problem;  // why it failed
};

struct FinishedReview {
  std::string json;                            // postmortem.review/1
  std::map<std::string, std::string> exports;  // by name: "csv", "pgn-points", ...
  std::string engine;
  std::optional<double> white_accuracy;
  std::optional<double> black_accuracy;
};

// A name that nobody else has, and nobody can guess.
std::string new_id();

class Library {
 public:
  virtual ~Library() = default;
  static Expected<std::unique_ptr<Library>> open(const std::string& path);

  virtual Expected<SavedReview> add(const std::string& pgn, const GameHead& game, int depth) = 0;
  virtual std::vector<SavedReview> list(std::size_t most) = 0;  // newest first
  virtual std::optional<SavedReview> find(const std::string& id) = 0;
  virtual std::string pgn(const std::string& id) = 0;
  virtual std::string review(const std::string& id) = 0;  // JSON; empty: none yet
  virtual std::string exported(const std::string& id, const std::string& name) = 0;
  virtual std::vector<std::string> unfinished() = 0;  // oldest first
  virtual void set_state(const std::string& id, ReviewState state, const std::string& problem) = 0;
  // What is known so far; finish() replaces it.
  virtual void keep(const std::string& id, const std::string& review_json) = 0;
  virtual void finish(const std::string& id, const FinishedReview& review) = 0;
  virtual bool remove(const std::string& id) = 0;
};

}  // namespace pm::server
