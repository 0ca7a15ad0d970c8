// One scheme's verdict on a move in the words and signs that every report shows: the class, its glyph and colour, and
// the reason. What a class looks like stands here and nowhere else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "verdict/verdicts.h"

namespace pm::report {

enum class Scheme : std::uint8_t { points, labels, acpl, lichess };
inline constexpr std::array<std::string_view, 4> scheme_names{"points", "labels", "acpl", "lichess"};
std::optional<Scheme> parse_scheme(std::string_view name);

// How a verdict strikes the eye; also the order of colours from good to bad.
enum class Tone : std::uint8_t { great, good, plain, dubious, bad, terrible };

struct Shown {
  std::string_view name;  // "BLUNDER", "Miss", "mistake"; empty when the scheme has nothing to say against the move
  Tone tone;
  int nag;  // 0: none
  const verdict::Reason& reason;

  bool is_error() const { return tone >= Tone::dubious; }
  bool is_notable() const { return is_error() || tone == Tone::great; }
};
Shown shown(const verdict::Verdicts& verdicts, Scheme scheme);

inline constexpr std::array<std::string_view, 6> tone_names{"great", "good", "plain", "dubious", "bad", "terrible"};

// How every class, label and judgement looks, for reports that are shown elsewhere.
struct NamedLooks {
  std::string_view name;
  Tone tone;
  int nag;
};
std::vector<NamedLooks> all_looks();

// "", "!", "!!", "?!", ... for a NAG from 0 to 6.
std::string_view glyph_of(int nag);

}  // namespace pm::report
