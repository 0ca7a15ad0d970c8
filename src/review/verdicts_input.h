// Positions with engine lines from a JSON file: the input of `verdicts` (docs/formats.md).
//
//   Expected<GivenFile> file = parse_given(text);      // the whole file is JSON of the right outline
//   Expected<GivenMove> move = file->move(0);          // this position makes sense
//
// Errors say where: "$.positions[3].before[0].pv[1]: e7e5 is not a legal move ...".
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "verdict/verdicts.h"

namespace pm::review {

struct GivenMove {
  chess::Position before;
  chess::Move move;
  chess::Position after;
  std::vector<score::Line> lines_before;  // at least one
  std::vector<score::Line> lines_after;   // at least one

  verdict::JudgedMove judged() const { return {before, move, after, lines_before, lines_after}; }
};

class GivenFile {
 public:
  GivenFile(GivenFile&&) noexcept;
  GivenFile& operator=(GivenFile&&) noexcept;
  ~GivenFile();

  const verdict::SchemeOptions& options() const { return options_; }
  std::size_t size() const;
  Expected<GivenMove> move(std::size_t index) const;

 private:
  struct Document;  // the JSON, kept out of this header
  friend Expected<GivenFile> parse_given(std::string_view text);
  GivenFile(std::unique_ptr<Document> document, const verdict::SchemeOptions& options);

  std::unique_ptr<Document> document_;
  verdict::SchemeOptions options_;
};

Expected<GivenFile> parse_given(std::string_view text);

// The options of the schemes: their names, and by themselves, as a JSON object and from one; what is not said is as
// usual.
inline constexpr std::array scheme_option_names{"theory", "critical", "brilliant",  "precedence",
                                                "dual",   "mates",    "soften_lost"};
Expected<verdict::SchemeOptions> parse_scheme_options(std::string_view json);
std::string format_scheme_options(const verdict::SchemeOptions& options);

// By all schemes; the built-in book is asked when the options say so.
verdict::Verdicts judge(const GivenMove& given, const verdict::SchemeOptions& options);

}  // namespace pm::review
