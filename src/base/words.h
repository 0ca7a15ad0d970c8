// Text taken apart from the front.
#pragma once

#include <algorithm>
#include <string_view>

namespace pm {

// What stands before the separator, or all there is; taken off the text together with the separator.
inline std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

}  // namespace pm
