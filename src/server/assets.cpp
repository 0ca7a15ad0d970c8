#include "server/assets.h"

#include <array>

#include <fmt/format.h>

#include "base/sha256.h"

// The assembler copies the files; the build says where they are. Each ends where the next begins.
#define POSTMORTEM_ASSET(symbol, file) "pm_web_" symbol ":\n.incbin \"" POSTMORTEM_APP "/" file "\"\n"

asm(".pushsection .rodata\n.balign 16\n"             //
    POSTMORTEM_ASSET("page", "index.html")           //
    POSTMORTEM_ASSET("page_gz", "index.html.gz")     //
    POSTMORTEM_ASSET("script", "app.js")             //
    POSTMORTEM_ASSET("script_gz", "app.js.gz")       //
    POSTMORTEM_ASSET("style", "app.css")             //
    POSTMORTEM_ASSET("style_gz", "app.css.gz")       //
    POSTMORTEM_ASSET("sample", "sample.json")        //
    POSTMORTEM_ASSET("sample_gz", "sample.json.gz")  //
    POSTMORTEM_ASSET("icon", "icon.svg")             //
    "pm_web_end:\n.byte 0\n.popsection\n");

extern "C" {
extern const char pm_web_page[];
extern const char pm_web_page_gz[];
extern const char pm_web_script[];
extern const char pm_web_script_gz[];
extern const char pm_web_style[];
extern const char pm_web_style_gz[];
extern const char pm_web_sample[];
extern const char pm_web_sample_gz[];
extern const char pm_web_icon[];
extern const char pm_web_end[];
}

namespace pm::server {
namespace {

struct File {
  std::string_view path;
  std::string_view type;
  std::string_view bytes;
  std::string_view packed;  // gzip; empty: not worth it
  std::string tag;          // changes with the contents
};

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

File file(std::string_view path, std::string_view type, std::string_view bytes, std::string_view packed) {
  return {path, type, bytes, packed, fmt::format("\"{}\"", sha256_hex(bytes).substr(0, 16))};
}

const std::array<File, 5>& files() {
  static const std::array<File, 5> all{
      file("/", "text/html; charset=utf-8", between(pm_web_page, pm_web_page_gz),
           between(pm_web_page_gz, pm_web_script)),
      file("/app.js", "text/javascript; charset=utf-8", between(pm_web_script, pm_web_script_gz),
           between(pm_web_script_gz, pm_web_style)),
      file("/app.css", "text/css; charset=utf-8", between(pm_web_style, pm_web_style_gz),
           between(pm_web_style_gz, pm_web_sample)),
      file("/sample.json", "application/json", between(pm_web_sample, pm_web_sample_gz),
           between(pm_web_sample_gz, pm_web_icon)),
      file("/icon.svg", "image/svg+xml", between(pm_web_icon, pm_web_end), {})};
  return all;
}

// Nothing from elsewhere, no frames, no forms; pieces are drawn from data: addresses.
constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri "
    "'none'; form-action 'none'; frame-ancestors 'none'";

}  // namespace

Response asset(const Request& request) {
  for (const File& each : files()) {
    if (each.path != request.path) continue;
    Response response{200, std::string(each.type), {}, {}};
    response.headers = {{"ETag", each.tag},
                        {"Cache-Control", "no-cache"},
                        {"Vary", "Accept-Encoding"},
                        {"Content-Security-Policy", policy}};
    if (request.if_none_match == each.tag) {
      response.status = 304;
    } else if (request.accepts_gzip && !each.packed.empty()) {
      response.headers.emplace_back("Content-Encoding", "gzip");
      response.body = each.packed;
    } else {
      response.body = each.bytes;
    }
    return response;
  }
  return problem(404, "There is no such page.");
}

}  // namespace pm::server
