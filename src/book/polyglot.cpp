#include "book/polyglot.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/read_file.h"

namespace pm::book {
namespace {

constexpr std::size_t entry_bytes = 16;

template <class T>
T big_endian(std::string_view bytes) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>((value << 8) | static_cast<unsigned char>(bytes[i]));
  return value;
}

// Bits 0-2 to file, 3-5 to rank, 6-8 from file, 9-11 from rank, 12-14 promotion (1 = knight .. 4 = queen). Castling is
// king takes rook, as our moves have it.
std::uint16_t polyglot_move(chess::Move m) {
  const bool promotes = m.kind() == chess::MoveKind::promotion;
  const int promoted = promotes ? chess::index(m.promoted()) : 0;
  return static_cast<std::uint16_t>(chess::index(m.to()) | (chess::index(m.from()) << 6) | (promoted << 12));
}

}  // namespace

Expected<PolyglotBook> PolyglotBook::parse(std::string_view bytes, const std::string& name) {
  if (bytes.size() % entry_bytes != 0 || bytes.empty()) {
    return fail(ErrorCode::file_damaged,
                fmt::format("{} is not a Polyglot book: expected entries of {} bytes, found {} bytes in all", name,
                            entry_bytes, bytes.size()));
  }
  std::vector<Entry> entries;
  entries.reserve(bytes.size() / entry_bytes);
  for (std::size_t at = 0; at < bytes.size(); at += entry_bytes) {
    entries.push_back({big_endian<std::uint64_t>(bytes.substr(at)), big_endian<std::uint16_t>(bytes.substr(at + 8))});
    if (entries.size() > 1 && entries.back().key < entries[entries.size() - 2].key) {
      return fail(ErrorCode::file_damaged,
                  fmt::format("{} is not a Polyglot book: entry {} is out of order", name, entries.size()));
    }
  }
  std::sort(entries.begin(), entries.end());
  return PolyglotBook(std::move(entries));
}

Expected<PolyglotBook> PolyglotBook::open(const std::string& path) {
  const auto bytes = read_file(path, max_book_bytes);
  if (!bytes) return fail(bytes.error().code, fmt::format("the book: {}", bytes.error().sentence));
  return parse(*bytes, path);
}

bool PolyglotBook::has_move(const chess::Position& position, chess::Move move) const {
  return std::binary_search(entries_.begin(), entries_.end(), Entry{position.key(), polyglot_move(move)});
}

bool PolyglotBook::has_position(const chess::Position& position) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), Entry{position.key(), 0});
  return found != entries_.end() && found->key == position.key();
}

}  // namespace pm::book
