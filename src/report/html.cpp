#include "report/html.h"

#include <string_view>

#include <fmt/format.h>

// The assembler copies the two halves of the page, packed from web/report.html; the build says where they are.
#define POSTMORTEM_HALF(symbol, file) symbol ":\n.incbin \"" POSTMORTEM_REPORT "/" file "\"\n"

asm(".pushsection .rodata\n"                        //
    POSTMORTEM_HALF("pm_report_head", "head.html")  //
    POSTMORTEM_HALF("pm_report_tail", "tail.html")  //
    "pm_report_end:\n.byte 0\n.popsection\n");

extern "C" {
extern const char pm_report_head[];
extern const char pm_report_tail[];
extern const char pm_report_end[];
}

namespace pm::report {
namespace {

constexpr std::string_view open_game = R"(<script class="game" type="application/json">)";
constexpr std::string_view close_game = "</script>\n";

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

}  // namespace

std::string html_head() { return fmt::format("{}{}", between(pm_report_head, pm_report_tail), open_game); }

std::string html_between() { return fmt::format("{}{}", close_game, open_game); }

std::string html_tail(Scheme scheme) {
  return fmt::format("{}<div id=\"report\" data-scheme=\"{}\"></div>\n{}", close_game,
                     scheme_names[static_cast<std::size_t>(scheme)], between(pm_report_tail, pm_report_end));
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
