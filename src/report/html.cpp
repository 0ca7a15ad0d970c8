#include "report/html.h"

#include <string_view>

#include "report/json_writer.h"

namespace pm::report {
namespace {

// Made from src/report/page by cmake/embed.cmake.
#include "report/page/body_html.inc"
#include "report/page/head_html.inc"
#include "report/page/page_css.inc"
#include "report/page/page_js.inc"

constexpr std::string_view open_game = R"(<script class="game" type="application/json">)";
constexpr std::string_view close_game = "</script>\n";

std::string with(std::string_view page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  std::string result(page.substr(0, at));
  result += text;
  result += page.substr(at + mark.size());
  return result;
}

// {"BLUNDER": ["terrible", "??"], ...}
std::string looks_json() {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  for (const Look& look : all_looks()) {
    json.key(look.name).begin_array().value(tone_names[static_cast<std::size_t>(look.tone)]);
    json.value(glyph_of(look.nag)).end_array();
  }
  json.end_object();
  return out;
}

}  // namespace

std::string html_head() { return with(head_html, "@CSS@", page_css) + std::string(open_game); }

std::string html_between() { return std::string(close_game) + std::string(open_game); }

std::string html_tail(Scheme scheme) {
  const std::string body = with(body_html, "@SCHEME@", scheme_names[static_cast<std::size_t>(scheme)]);
  return std::string(close_game) + with(with(body, "@LOOKS@", looks_json()), "@JS@", page_js);
}

// "<" would let a player's name end the script; in JSON it may be written as an escape anywhere.
std::string html_safe(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace pm::report
