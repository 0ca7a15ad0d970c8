// Numbers from text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace pm {

// The whole text as a number, or nothing.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace pm
