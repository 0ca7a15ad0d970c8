// Output packed as the name of its file says.
//
//   pack("...", packing_of("games.json.zst"))
//
// Each piece becomes a gzip member or a zstd frame of its own; pieces put together are one file for gzip, zstd and our
// own reader (pgn/source.h). So a file can grow game by game, and be cut after any. Pure: any thread may call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pm::cli {

enum class Packing : std::uint8_t { none, gzip, zstd };

// By the end of its name: .gz or .zst.
Packing packing_of(std::string_view path);

// The same bytes for the same text; nothing for nothing.
std::string pack(std::string text, Packing packing);

}  // namespace pm::cli
