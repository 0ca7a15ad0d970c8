#include "engine/transport.h"

#include <algorithm>

namespace pm::engine {

std::optional<std::string> LineBuffer::take_line() {
  std::size_t end = text_.find('\n');
  if (dropping_) {
    text_.erase(0, end == std::string::npos ? end : end + 1);
    if (end == std::string::npos) return std::nullopt;
    dropping_ = false;
    end = text_.find('\n');
  }
  if (end == std::string::npos && text_.size() <= max_line_bytes) return std::nullopt;
  dropping_ = end == std::string::npos;
  std::string line = text_.substr(0, std::min(end, max_line_bytes));
  text_.erase(0, dropping_ ? end : end + 1);
  while (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

}  // namespace pm::engine
