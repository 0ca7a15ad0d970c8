// The saved reviews, in an SQLite file: the game, what was asked for, how far it is, and what was found out about it
// (review/evidence.h, as text). Every view and export is made from that on demand.
//
//   auto store = ReviewStore::open(path, warn);
//   const auto saved = (*store)->add({pgn, head, depth});        // waiting
//   (*store)->finish(saved->id, {evidence, engine, 97.9, 88.1});  // complete
//
// What was waiting or running when the program ended is waiting again: unfinished() lists it. One program at a time has
// the file. What cannot be read of it costs that review, which is then shown as failed with the reason; another
// program's lock is waited for. Any thread; nobody holds up others while he waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "store/repaired.h"
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

// postmortem/reviews.sqlite in $XDG_DATA_HOME, or in ~/.local/share; nothing when there is no home.
std::optional<std::string> default_reviews_path();

// A name that nobody else has, and nobody can guess.
std::string new_id();

struct ReviewStoreSettings {
  std::uint64_t most_bytes = 10'000'000'000;  // with more in it, no review is added
  std::chrono::milliseconds wait{10'000};     // for another program that has it locked
};

// Abstract so that the heavy header of the database stays in one file.
class ReviewStore {
 public:
  ReviewStore() = default;
  ReviewStore(const ReviewStore&) = delete;
  ReviewStore& operator=(const ReviewStore&) = delete;
  virtual ~ReviewStore() = default;
  static Expected<std::unique_ptr<ReviewStore>> open(const std::string& path, const store::Warn& warn,
                                                     const ReviewStoreSettings& settings = {});
  static Expected<store::Repaired> repair(const std::string& path, const store::Warn& warn);

  // All of them or none.
  virtual Expected<std::vector<SavedReview>> add_all(std::span<const NewReview> games) = 0;
  Expected<SavedReview> add(const NewReview& game) {
    auto added = add_all({&game, 1});
    if (!added) return tl::make_unexpected(std::move(added.error()));
    return std::move(added->front());
  }
  virtual Expected<ReviewList> list(const ReviewFilter& filter) = 0;
  // ErrorCode::no_such_review, as the three after it and remove().
  virtual Expected<SavedReview> find(const std::string& id) = 0;
  virtual Expected<std::string> pgn(const std::string& id) = 0;
  virtual Expected<std::string> evidence(const std::string& id) = 0;  // empty: none yet
  virtual Expected<std::string> lines(const std::string& id) = 0;  // moves tried beside the game, as JSON; empty: none
  virtual Expected<std::vector<std::string>> unfinished() = 0;     // oldest first
  virtual Expected<void> set_state(const std::string& id, ReviewState state, const std::string& problem) = 0;
  // What waits is running; what waits or is running is cancelled. Anything else stays as it is.
  virtual Expected<void> begin(const std::string& id) = 0;
  virtual Expected<void> cancel(const std::string& id) = 0;
  // What is known so far; finish() replaces it.
  virtual Expected<void> keep(const std::string& id, const std::string& evidence) = 0;
  virtual Expected<void> finish(const std::string& id, const FinishedReview& review) = 0;
  virtual Expected<void> set_lines(const std::string& id, const std::string& lines) = 0;
  virtual Expected<void> set_options(const std::string& id, const std::string& options) = 0;
  virtual Expected<void> remove(const std::string& id) = 0;
};

}  // namespace pm::server
