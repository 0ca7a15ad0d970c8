// Opening books in Polyglot's .bin format: 16-byte entries (position key, move, weight, learn), big-endian, sorted by
// key. An extra to the names of openings.h, for people who have a book of their own.
//
//   Expected<PolyglotBook> book = PolyglotBook::open("club.bin");
//   if (book->has_move(position, move)) ...
//
// The file is read into memory once (at most max_book_bytes); afterwards any thread may ask.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "chess/position.h"

namespace pm::book {

inline constexpr std::size_t max_book_bytes = std::size_t{1} << 30;

class PolyglotBook {
 public:
  static Expected<PolyglotBook> open(const std::string& path);
  // From the bytes of such a file; `name` is for the error.
  static Expected<PolyglotBook> parse(std::string_view bytes, const std::string& name);

  // Whether the book recommends this legal move here. Moves of weight 0 are in the book but never recommended: they
  // count as known too.
  bool has_move(const chess::Position& position, chess::Move move) const;
  // Whether the book has any move of this position.
  bool has_position(const chess::Position& position) const;
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint16_t move;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  explicit PolyglotBook(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  std::vector<Entry> entries_;  // sorted by key, then move
};

}  // namespace pm::book
