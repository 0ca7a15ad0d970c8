// Writes down what the classes look like (src/report/scheme.cpp) for the web pages: the contents of
// web/src/looks.generated.ts, on standard output.
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "report/scheme.h"

namespace {

using namespace pm;

std::string row(std::string_view name, const report::Look& look) {
  const std::string hue = look.hue != 0 ? fmt::format("hue{}", look.name) : "";
  return fmt::format("  {}: {{ tone: '{}', hue: '{}', glyph: '{}', notable: {}, error: {} }},\n", name,
                     report::tone_names[static_cast<std::size_t>(look.tone)], hue, report::mark_of(look),
                     look.is_notable(), look.error);
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
      "  hue: string; // the class of a colour of its own; empty: that of the tone\n"
      "  glyph: string;\n"
      "  notable: boolean; // worth a mark in the graph\n"
      "  error: boolean; // a better move is worth showing\n"
      "}}\n"
      "\n"
      "export const styles: Record<string, Style> = {{\n{}}};\n"
      "\n"
      "// A Miss that looks worse by the label that its loss alone has.\n"
      "export const missStyles: Record<string, Style> = {{\n{}}};\n",
      tones, looks, misses);
}
