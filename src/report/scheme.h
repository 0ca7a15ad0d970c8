// One scheme's verdict on a move in the words and signs that every report shows: the class, its glyph and colour, and
// the reason. What a class looks like stands in one table here; tools/make_looks writes it down for the web pages.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "verdict/verdicts.h"

namespace pm::report {

enum class Scheme : std::uint8_t { points, labels, acpl, lichess };
inline constexpr std::array<std::string_view, 4> scheme_names{"points", "labels", "acpl", "lichess"};
std::optional<Scheme> parse_scheme(std::string_view name);

// How a verdict strikes the eye; also the order of colours from good to bad.
enum class Tone : std::uint8_t { great, good, plain, dubious, bad, terrible };
inline constexpr std::array<std::string_view, 6> tone_names{"great", "good", "plain", "dubious", "bad", "terrible"};

struct Look {
  std::string_view name;  // "BLUNDER", "Miss", "mistake"; empty when the scheme has nothing to say against the move
  Tone tone = Tone::plain;
  int nag = 0;         // 0: none
  bool error = false;  // a better move is worth showing
  // NOLINTNEXTLINE(readability-redundant-member-init): initialisers may leave it out
  std::string_view icon = {};  // of a label, wherever it is shown; others have the glyph of their NAG
  int hue = 0;                 // a colour of its own, as terminals number them; 0: that of the tone

  bool is_notable() const { return nag != 0; }
};

// Every class, label and judgement once; no two have the same name.
std::span<const Look> all_looks();

// A missed chance looks as bad as the loss it comes with.
Look look_of_miss(verdict::Label severity);

struct Shown {
  Look look;
  const verdict::Reason& reason;
};
Shown shown(const verdict::Verdicts& verdicts, Scheme scheme);

// "", "!", "!!", "?!", ... for a NAG from 0 to 6.
std::string_view glyph_of(int nag);
// What stands beside a move: the icon, or else the glyph.
std::string_view mark_of(const Look& look);

}  // namespace pm::report
