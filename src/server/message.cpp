#include "server/message.h"

#include <algorithm>

#include "base/printable.h"
#include "report/json_writer.h"

namespace pm::server {
namespace {

std::string_view title_of(int status) {
  switch (status) {
    case 400: return "Bad request";
    case 403: return "Forbidden";
    case 404: return "Not found";
    case 405: return "Method not allowed";
    case 409: return "Conflict";
    case 413: return "Too large";
    case 415: return "Unsupported media type";
    case 417: return "Expectation failed";
    case 421: return "Misdirected request";
    case 429: return "Too many requests";
    case 431: return "Header too large";
    case 501: return "Not implemented";
    case 503: return "Busy";
    case 507: return "Insufficient storage";
    default: return "Error";
  }
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size() || hex_digit(text[i + 1]) < 0 || hex_digit(text[i + 2]) < 0) return std::nullopt;
      const int byte = hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]);
      if (byte == 0) return std::nullopt;
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

}  // namespace

Response problem(int status, std::string_view detail) {
  Response response{status, "application/problem+json", {}, {}};
  report::JsonWriter json(response.body);
  json.begin_object().field("type", "about:blank").field("title", title_of(status)).field("status", status);
  json.field("detail", one_sentence(detail)).end_object();
  return response;
}

Response busy(int status, std::string_view detail, int retry_after_seconds) {
  Response response = problem(status, detail);
  response.headers.emplace_back("Retry-After", std::to_string(retry_after_seconds));
  return response;
}

std::string media_type(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  constexpr std::string_view space = " \t";
  type.remove_prefix(std::min(type.find_first_not_of(space), type.size()));
  type = type.substr(0, type.find_last_not_of(space) + 1);
  std::string small(type);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

std::optional<Target> parse_target(std::string_view target) {
  const std::size_t mark = target.find('?');
  const auto path = decoded(target.substr(0, mark), false);
  if (!path || path->empty() || path->front() != '/') return std::nullopt;
  Target parsed{*path, {}};
  std::string_view rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto name = decoded(pair.substr(0, equals), true);
    const auto value = decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!name || !value) return std::nullopt;
    if (!parsed.query.emplace(*name, *value).second) return std::nullopt;
  }
  return parsed;
}

}  // namespace pm::server
