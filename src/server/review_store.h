// The saved reviews, in an SQLite file: the game, what was asked for, how far it is, and what was found out about it
// (review/evidence.h, as text). Every view and export is made from that on demand.
//
//   auto store = ReviewStore::open(path, warn);
//   const auto saved = (*store)->add({pgn, head, depth});        // waiting
//   (*store)->finish(saved->id, {evidence, engine, 97.9, 88.1});  // complete
//
// What was waiting or running when the program ended is waiting again: unfinished() lists it. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "store/store.h"

namespace pm::server {

enum class ReviewState : std::uint8_t { waiting, running, complete, cancelled, failed };
const char* word_of(ReviewState state);
std::optional<ReviewState> parse_state(std::string_view word);

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
  std::string note;     // what the user should know of it, such as that an earlier version made it
  std::string options;  // of the schemes, as JSON; empty: the usual ones
};

// A game to be saved.
struct NewReview {
  std::string pgn;
  GameHead game;
  int depth = 0;
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::string options = {};
};

// Which of the saved ones a list shows.
struct ReviewFilter {
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::string text = {};  // in a player's name, the event or the date; empty: all
  std::optional<ReviewState> state = std::nullopt;
  std::size_t offset = 0;
  std::size_t most = 500;
};
struct ReviewList {
  std::vector<SavedReview> reviews;  // newest first
  std::size_t total = 0;             // that the filter lets through
};

struct FinishedReview {
  std::string evidence;
  std::string engine;
  std::optional<double> white_accuracy;
  std::optional<double> black_accuracy;
};

// A name that nobody else has, and nobody can guess.
std::string new_id();

// Abstract so that the heavy header of the database stays in one file.
class ReviewStore {
 public:
  ReviewStore() = default;
  ReviewStore(const ReviewStore&) = delete;
  ReviewStore& operator=(const ReviewStore&) = delete;
  virtual ~ReviewStore() = default;
  static Expected<std::unique_ptr<ReviewStore>> open(const std::string& path, const store::Warn& warn);

  // All of them or none.
  virtual Expected<std::vector<SavedReview>> add_all(std::span<const NewReview> games) = 0;
  Expected<SavedReview> add(const NewReview& game) {
    auto added = add_all({&game, 1});
    if (!added) return tl::make_unexpected(std::move(added.error()));
    return std::move(added->front());
  }
  virtual ReviewList list(const ReviewFilter& filter) = 0;
  virtual std::optional<SavedReview> find(const std::string& id) = 0;
  virtual std::string pgn(const std::string& id) = 0;
  virtual std::string evidence(const std::string& id) = 0;  // empty: none yet
  virtual std::string lines(const std::string& id) = 0;     // moves tried beside the game, as JSON; empty: none
  virtual std::vector<std::string> unfinished() = 0;        // oldest first
  virtual void set_state(const std::string& id, ReviewState state, const std::string& problem) = 0;
  // What is known so far; finish() replaces it.
  virtual void keep(const std::string& id, const std::string& evidence) = 0;
  virtual void finish(const std::string& id, const FinishedReview& review) = 0;
  virtual void set_lines(const std::string& id, const std::string& lines) = 0;
  virtual void set_options(const std::string& id, const std::string& options) = 0;
  virtual bool remove(const std::string& id) = 0;
};

}  // namespace pm::server
