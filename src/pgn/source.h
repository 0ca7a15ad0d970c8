// Where bytes come from: files, standard input, gzip and zstd streams.
//
//   Expected<std::unique_ptr<ByteSource>> source = open_source("games.pgn.zst");
//
// Compression is recognised by the first bytes, not by the name, so that stdin works too. A source belongs to one
// reader and one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pm::pgn {

// Abstract because the outside world begins here; MemorySource is the one for tests.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;
  // Fills up to into.size() bytes and says how many; 0 means the end. An error leaves what came before it valid.
  virtual Expected<std::size_t> read(std::span<char> into) = 0;
};

// Text in memory, handed out in pieces of at most `piece` bytes; the text must outlive the source.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text, std::size_t piece = std::string_view::npos)
      : rest_(text), piece_(piece) {}
  Expected<std::size_t> read(std::span<char> into) override;

 private:
  std::string_view rest_;
  std::size_t piece_;
};

// A file, or standard input for "-"; unpacks gzip and zstd, and makes UTF-8 of UTF-16 (utf16.h). Folders and devices
// are errors (file_open), terminals and /dev/null none; so is a pipe that nobody opens to write for so long. Packed
// data that unpack to more than limits.h allows are damaged (file_damaged).
Expected<std::unique_ptr<ByteSource>> open_source(const std::string& path,
                                                  std::chrono::milliseconds patience = std::chrono::seconds(10));
// The bytes of such a file, which must outlive the source; `name` is what messages call it.
Expected<std::unique_ptr<ByteSource>> open_bytes(std::string_view bytes, const std::string& name);

}  // namespace pm::pgn
