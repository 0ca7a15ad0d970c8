#include "report/scheme.h"

#include <algorithm>

#include "pgn/glyphs.h"

namespace pm::report {
namespace {

using verdict::Judgement;
using verdict::Label;
using verdict::PointsClass;

constexpr std::size_t labels_begin = verdict::points_classes.size();
constexpr std::size_t judgements_begin = labels_begin + verdict::label_count;

// In the order of PointsClass, Label and Judgement.
// clang-format off
constexpr std::array<Look, judgements_begin + verdict::judgement_kinds> looks{{
    {"BRILLIANT",  Tone::great,    3, false},
    {"CRITICAL",   Tone::great,    1, false},
    {"BEST",       Tone::good,     0, false},
    {"EXCELLENT",  Tone::good,     0, false},
    {"OKAY",       Tone::plain,    0, false},
    {"INACCURACY", Tone::dubious,  6, true},
    {"MISTAKE",    Tone::bad,      2, true},
    {"BLUNDER",    Tone::terrible, 4, true},
    {"RISKY",      Tone::dubious,  5, false},  // worse by the engine, better against people
    {"FORCED",     Tone::plain,    0, false},
    {"THEORY",     Tone::plain,    0, false},

    {"Book",       Tone::plain,    0, false, "📖", 137},
    {"Miss",       Tone::bad,      2, true,  "⊘",  170},
    {"Brilliant",  Tone::great,    3, false, "‼",  37},
    {"Best",       Tone::good,     0, false, "✓",  34},
    {"Excellent",  Tone::good,     0, false, "⚡", 106},
    {"Good",       Tone::plain,    0, false, "○",  67},
    {"Inaccuracy", Tone::dubious,  6, true,  "?!", 178},
    {"Mistake",    Tone::bad,      2, true,  "?",  208},
    {"Blunder",    Tone::terrible, 4, true,  "??", 160},

    {"inaccuracy", Tone::dubious,  6, true},
    {"mistake",    Tone::bad,      2, true},
    {"blunder",    Tone::terrible, 4, true},
}};
// clang-format on

static_assert(std::equal(verdict::points_classes.begin(), verdict::points_classes.end(), looks.begin(),
                         [](const auto& info, const Look& look) {
                           return info.name == look.name && info.nag == look.nag;
                         }));

constexpr const Look& look_of(PointsClass c) { return looks[static_cast<std::size_t>(c)]; }
constexpr const Look& look_of(Label label) { return looks[labels_begin + static_cast<std::size_t>(label)]; }
constexpr Look look_of(std::optional<Judgement> judgement) {
  return judgement ? looks[judgements_begin + static_cast<std::size_t>(*judgement)] : Look{};
}

Look look_of(const verdict::LabelsVerdict& labels) {
  return labels.label == Label::miss ? look_of_miss(labels.severity) : look_of(labels.label);
}

}  // namespace

std::optional<Scheme> parse_scheme(std::string_view name) {
  const auto* const found = std::find(scheme_names.begin(), scheme_names.end(), name);
  if (found == scheme_names.end()) return std::nullopt;
  return static_cast<Scheme>(found - scheme_names.begin());
}

std::span<const Look> all_looks() { return looks; }

Look look_of_miss(Label severity) {
  Look look = look_of(Label::miss);
  const Look& loss = look_of(severity);
  if (loss.tone > look.tone) {
    look.tone = loss.tone;
    look.nag = loss.nag;
  }
  return look;
}

Shown shown(const verdict::Verdicts& verdicts, Scheme scheme) {
  switch (scheme) {
    case Scheme::points: return {look_of(verdicts.points.cls), verdicts.points.reason};
    case Scheme::labels: return {look_of(verdicts.labels), verdicts.labels.reason};
    case Scheme::acpl: return {look_of(verdicts.acpl.error), verdicts.acpl.reason};
    case Scheme::lichess: break;
  }
  return {look_of(verdicts.lichess.judgement), verdicts.lichess.reason};
}

std::string_view glyph_of(int nag) { return pgn::sign_of(nag); }

std::string_view mark_of(const Look& look) { return look.icon.empty() ? glyph_of(look.nag) : look.icon; }

}  // namespace pm::report
