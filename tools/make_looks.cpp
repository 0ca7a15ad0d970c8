// Writes down what the classes look like (src/report/scheme.cpp) for the web pages: the contents of
// web/src/looks.generated.ts, on standard output.
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "report/scheme.h"

namespace {

using namespace pm;

std::string row(std::string_view name, const report::Look& look) {
  return fmt::format("  {}: {{ tone: '{}', glyph: '{}', error: {} }},\n", name,
                     report::tone_names[static_cast<std::size_t>(look.tone)], report::glyph_of(look.nag), look.error);
}

}  // namespace

int main() {
  std::string tones;
  for (const std::string_view name : report::tone_names)
    tones += fmt::format("{}'{}'", tones.empty() ? "" : " | ", name);
  std::string looks;
  for (const report::Look& look : report::all_looks()) looks += row(look.name, look);
  std::string misses;
  const report::Look mildest = report::look_of_miss(verdict::Label::miss);
  for (std::size_t i = 0; i < verdict::label_count; ++i) {
    const auto severity = static_cast<verdict::Label>(i);
    const report::Look look = report::look_of_miss(severity);
    if (look.tone != mildest.tone) misses += row(verdict::name_of(severity), look);
  }
  fmt::print(
      "// What every class looks like. Made from src/report/scheme.cpp: after a change there,\n"
      "//   build/test/tools/make_looks > web/src/looks.generated.ts\n"
      "\n"
      "export type Tone = {};\n"
      "\n"
      "export interface Style {{\n"
      "  tone: Tone;\n"
      "  glyph: string;\n"
      "  error: boolean; // a better move is worth showing\n"
      "}}\n"
      "\n"
      "export const styles: Record<string, Style> = {{\n{}}};\n"
      "\n"
      "// A Miss that looks worse by the label that its loss alone has.\n"
      "export const missStyles: Record<string, Style> = {{\n{}}};\n",
      tones, looks, misses);
}
