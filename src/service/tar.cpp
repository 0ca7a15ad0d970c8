#include "service/tar.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace pm::service {
namespace {

constexpr std::size_t block_bytes = 512;
using Block = std::array<char, block_bytes>;

// Fields of a header (POSIX.1-1988, ustar): where they begin, and how long they are.
struct Field {
  std::size_t at;
  std::size_t length;
};
constexpr Field name_field{0, 100};
constexpr Field size_field{124, 12};
constexpr Field sum_field{148, 8};
constexpr std::size_t kind_at = 156;
constexpr Field prefix_field{345, 155};

std::string_view text_of(const Block& block, const Field& field) {
  const std::string_view all(block.data() + field.at, field.length);
  return all.substr(0, std::min(all.find('\0'), all.size()));
}

// Octal digits, with blanks around them.
std::optional<std::uint64_t> number_of(const Block& block, const Field& field) {
  std::uint64_t number = 0;
  bool any = false;
  for (const char c : text_of(block, field)) {
    if (c == ' ') continue;
    if (c < '0' || c > '7') return std::nullopt;
    number = number * 8 + static_cast<std::uint64_t>(c - '0');
    any = true;
  }
  return any ? std::optional(number) : std::nullopt;
}

// Of all bytes, those of the sum itself counted as blanks.
std::uint64_t sum_of(const Block& block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const bool own = i >= sum_field.at && i < sum_field.at + sum_field.length;
    sum += own ? ' ' : static_cast<unsigned char>(block[i]);
  }
  return sum;
}

// False at the end of the archive.
Expected<bool> read_all(pgn::ByteSource& archive, std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const auto n = archive.read(into.subspan(done));
    if (!n) return tl::make_unexpected(n.error());
    if (*n == 0) {
      if (done == 0) return false;
      return fail(ErrorCode::file_damaged, "the archive ends too early");
    }
    done += *n;
  }
  return true;
}

}  // namespace

Expected<void> read_tar(pgn::ByteSource& archive,
                        const std::function<bool(std::string_view path, std::uint64_t bytes)>& begin,
                        const std::function<Expected<void>(std::string_view)>& piece, const std::stop_token& stop) {
  Block block;
  for (;;) {
    if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
    const auto header = read_all(archive, block);
    if (!header) return tl::make_unexpected(header.error());
    if (!*header || std::all_of(block.begin(), block.end(), [](char c) { return c == '\0'; })) return {};
    const auto size = number_of(block, size_field);
    if (!size || number_of(block, sum_field) != sum_of(block)) {
      return fail(ErrorCode::file_damaged, "expected a tar archive, found something else");
    }
    const bool plain = block[kind_at] == '0' || block[kind_at] == '\0';
    const std::string prefix(text_of(block, prefix_field));
    const std::string path = fmt::format("{}{}{}", prefix, prefix.empty() ? "" : "/", text_of(block, name_field));
    const bool wanted = plain && begin(path, *size);
    for (std::uint64_t left = *size; left > 0;) {
      if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
      const auto content = read_all(archive, block);
      if (!content) return tl::make_unexpected(content.error());
      if (!*content) return fail(ErrorCode::file_damaged, "the archive ends too early");
      const std::size_t now = std::min<std::uint64_t>(left, block_bytes);
      left -= now;
      if (!wanted) continue;
      if (const auto taken = piece({block.data(), now}); !taken) return taken;
    }
  }
}

}  // namespace pm::service
