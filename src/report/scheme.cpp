#include "report/scheme.h"

#include <algorithm>

namespace pm::report {
namespace {

using verdict::Judgement;
using verdict::Label;
using verdict::PointsClass;

Tone tone_of(PointsClass c) {
  switch (c) {
    case PointsClass::brilliant:
    case PointsClass::critical: return Tone::great;
    case PointsClass::best:
    case PointsClass::excellent: return Tone::good;
    case PointsClass::okay:
    case PointsClass::forced:
    case PointsClass::theory: return Tone::plain;
    case PointsClass::risky:
    case PointsClass::inaccuracy: return Tone::dubious;
    case PointsClass::mistake: return Tone::bad;
    case PointsClass::blunder: break;
  }
  return Tone::terrible;
}

struct Looks {
  Tone tone;
  int nag;
};

bool worse(const Looks& a, const Looks& b) { return a.tone < b.tone; }

Looks looks_of(Label label) {
  switch (label) {
    case Label::brilliant: return {Tone::great, 3};
    case Label::best:
    case Label::excellent: return {Tone::good, 0};
    case Label::good:
    case Label::book: return {Tone::plain, 0};
    case Label::inaccuracy: return {Tone::dubious, 6};
    case Label::miss:
    case Label::mistake: return {Tone::bad, 2};
    case Label::blunder: break;
  }
  return {Tone::terrible, 4};
}

Looks looks_of(std::optional<Judgement> judgement) {
  if (!judgement) return {Tone::plain, 0};
  switch (*judgement) {
    case Judgement::inaccuracy: return {Tone::dubious, 6};
    case Judgement::mistake: return {Tone::bad, 2};
    case Judgement::blunder: break;
  }
  return {Tone::terrible, 4};
}

std::string_view word_of(std::optional<Judgement> judgement) {
  return judgement ? verdict::name_of(*judgement) : std::string_view();
}

}  // namespace

std::optional<Scheme> parse_scheme(std::string_view name) {
  const auto* const found = std::find(scheme_names.begin(), scheme_names.end(), name);
  if (found == scheme_names.end()) return std::nullopt;
  return static_cast<Scheme>(found - scheme_names.begin());
}

Shown shown(const verdict::Verdicts& verdicts, Scheme scheme) {
  switch (scheme) {
    case Scheme::points: {
      const auto& info = verdict::info(verdicts.points.cls);
      return {info.name, tone_of(info.id), info.nag, verdicts.points.reason};
    }
    case Scheme::labels: {
      Looks looks = looks_of(verdicts.labels.label);
      if (verdicts.labels.label == Label::miss) looks = std::max(looks, looks_of(verdicts.labels.severity), worse);
      return {verdict::name_of(verdicts.labels.label), looks.tone, looks.nag, verdicts.labels.reason};
    }
    case Scheme::acpl: {
      const Looks looks = looks_of(verdicts.acpl.error);
      return {word_of(verdicts.acpl.error), looks.tone, looks.nag, verdicts.acpl.reason};
    }
    case Scheme::lichess: break;
  }
  const Looks looks = looks_of(verdicts.lichess.judgement);
  return {word_of(verdicts.lichess.judgement), looks.tone, looks.nag, verdicts.lichess.reason};
}

std::vector<NamedLooks> all_looks() {
  std::vector<NamedLooks> all;
  all.reserve(verdict::points_classes.size() + verdict::label_count + verdict::judgement_kinds);
  for (const auto& info : verdict::points_classes) all.push_back({info.name, tone_of(info.id), info.nag});
  for (std::size_t i = 0; i < verdict::label_count; ++i) {
    const auto label = static_cast<Label>(i);
    all.push_back({verdict::name_of(label), looks_of(label).tone, looks_of(label).nag});
  }
  for (std::size_t i = 0; i < verdict::judgement_kinds; ++i) {
    const auto judgement = static_cast<Judgement>(i);
    all.push_back({verdict::name_of(judgement), looks_of(judgement).tone, looks_of(judgement).nag});
  }
  return all;
}

std::string_view glyph_of(int nag) {
  constexpr std::array<std::string_view, 7> glyphs{"", "!", "?", "!!", "??", "!?", "?!"};
  return glyphs[static_cast<std::size_t>(nag)];
}

}  // namespace pm::report
