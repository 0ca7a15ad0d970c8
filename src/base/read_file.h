// A whole file in memory, and not more of it than was agreed.
//
//   Expected<std::string> bytes = read_file("club.bin", std::size_t{1} << 30);
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pm {

// Its descriptor, for reading. Folders, pipes and devices are errors (file_open): they have no size, and some no end or
// nobody who writes them. Never waits.
Expected<int> open_regular_file(const std::string& path);

// file_open as above, file_read when it is larger than `most_bytes` (a multiple of a MB) or cannot be read; the
// sentences name the file and the limit. A file that grows meanwhile is held to the limit too.
Expected<std::string> read_file(const std::string& path, std::size_t most_bytes);

// Fills `into` unless the file ends before: how many bytes there were, or nothing (errno says why).
std::optional<std::size_t> read_fully(int descriptor, std::span<char> into);

// What a file is that is no regular one, such as "a folder", by its mode (stat(2)).
std::string_view kind_of_file(unsigned mode);

}  // namespace pm
