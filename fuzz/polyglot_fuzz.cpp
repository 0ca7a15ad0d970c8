// Any bytes as a Polyglot book: refused with a sentence, or it knows the moves that are in it. The bytes are tried as
// they are, and with their entries put in order, every second one made to be of the start position.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "book/polyglot.h"
#include "chess/movegen.h"
#include "fuzz/require.h"

using namespace pm;

namespace {

constexpr std::size_t entry_bytes = 16;

std::string key_of(const chess::Position& position) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(position.key() >> shift);
  return bytes;
}

std::string in_order(std::string_view bytes, const std::string& key) {
  std::vector<std::string> entries;
  for (; bytes.size() >= entry_bytes; bytes.remove_prefix(entry_bytes)) {
    entries.emplace_back(bytes.substr(0, entry_bytes));
    if (entries.size() % 2 == 0) entries.back().replace(0, key.size(), key);
  }
  std::sort(entries.begin(), entries.end());
  std::string sorted;
  for (const std::string& entry : entries) sorted += entry;
  return sorted;
}

// As the book's format has it (castling apart, which the start position does not have).
unsigned code_of(chess::Move move) {
  return static_cast<unsigned>(chess::index(move.to())) | static_cast<unsigned>(chess::index(move.from())) << 6U;
}

void check(const std::string& bytes, const std::string& key) {
  const auto parsed = book::PolyglotBook::parse(bytes, "book");
  require(parsed.has_value(), "entries in order are a book");
  require(parsed->size() == bytes.size() / entry_bytes, "all entries are kept");
  const chess::Position start = chess::Position::start();
  bool any = false;
  std::vector<unsigned> codes;
  for (std::size_t at = 0; at < bytes.size(); at += entry_bytes) {
    if (bytes.compare(at, key.size(), key) != 0) continue;
    any = true;
    codes.push_back(static_cast<unsigned>(static_cast<unsigned char>(bytes[at + 8])) << 8U |
                    static_cast<unsigned char>(bytes[at + 9]));
  }
  require(parsed->has_position(start) == any, "a position is known if an entry has it");
  for (const chess::Move move : chess::legal_moves(start)) {
    const bool there = std::find(codes.begin(), codes.end(), code_of(move)) != codes.end();
    require(parsed->has_move(start, move) == there, "a move is known if an entry has it");
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto raw = book::PolyglotBook::parse(bytes, "book");
  require(raw ? raw->size() * entry_bytes == size : !raw.error().sentence.empty(), "a book, or why not");
  const std::string key = key_of(chess::Position::start());
  if (const std::string sorted = in_order(bytes, key); !sorted.empty()) check(sorted, key);
  return 0;
}
