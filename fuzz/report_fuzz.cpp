// Any bytes as a game, perhaps with the evidence of its review: written as CSV, HTML, text and PGN, and read again by
// little readers of their own. Cells and counts are what they should be, no cell is a formula, nothing of the input
// ends the script element it stands in, and no line moves a terminal.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "fuzz/game_and_evidence.h"
#include "fuzz/require.h"
#include "pgn/writer.h"
#include "report/annotate.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/json.h"
#include "report/text.h"
#include "review/evidence_codec.h"
#include "review/pgn_evals.h"

using namespace pm;

namespace {

using Row = std::vector<std::string>;

// RFC 4180, and nothing beside it.
std::vector<Row> read_csv(std::string_view text) {
  std::vector<Row> rows;
  std::size_t at = 0;
  while (at < text.size()) {
    Row row;
    for (bool more = true; more;) {
      std::string cell;
      if (at < text.size() && text[at] == '"') {
        for (++at;; ++at) {
          require(at < text.size(), "a cell in quotes ends");
          if (text[at] == '"' && (at + 1 >= text.size() || text[at + 1] != '"')) break;
          if (text[at] == '"') ++at;
          cell += text[at];
        }
        ++at;
      } else {
        for (; at < text.size() && text[at] != ',' && text[at] != '\r'; ++at) {
          require(text[at] != '"' && text[at] != '\n', "a plain cell is plain");
          cell += text[at];
        }
      }
      row.push_back(cell);
      more = at < text.size() && text[at] == ',';
      if (more) ++at;
    }
    require(text.substr(at, 2) == "\r\n", "a row ends with its line");
    at += 2;
    rows.push_back(std::move(row));
  }
  return rows;
}

bool is_number(const std::string& cell) {
  char* end = nullptr;
  std::strtod(cell.c_str(), &end);
  return !cell.empty() && *end == '\0' && cell.find_first_not_of("+-0123456789.") == std::string::npos;
}

void check_csv(const review::GameReview& review) {
  const std::vector<Row> rows = read_csv(report::csv_header() + report::review_csv(review, 7));
  require(rows.size() == review.plies.size() + 1, "a row for each move, and one of names");
  const Row& names = rows.front();
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const std::set<std::string> words{"white", "black", "engine", "human_model", "reason",
                                    "site",  "date",  "eco",    "provenance"};
  const std::string* white = review.game.find_tag("White");
  const std::string player = white != nullptr ? *white : "";
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Row& row = rows[i];
    require(row.size() == names.size(), "a cell for each name");
    require(row[column("game")] == "7" && row[column("ply")] == std::to_string(i), "numbers are where they belong");
    const std::string& cell = row[column("white")];
    require(cell == player || cell == "'" + player, "a name is what it was");
    for (std::size_t at = 0; at < row.size(); ++at) {
      const bool begins_badly =
          !row[at].empty() && std::string_view("=+-@\t\r\n").find(row[at][0]) != std::string::npos;
      require(!begins_badly || (!words.contains(names[at]) && is_number(row[at])), "no cell is a formula");
    }
  }
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

void check_html(const review::GameReview& review) {
  const std::string json = report::review_json(review, {});
  const std::string head = report::html_head();
  const std::string page = head + report::html_safe(json) + report::html_between() + report::html_safe(json) +
                           report::html_tail(report::Scheme::points);
  const std::string_view opening = R"(<script class="game" type="application/json">)";
  std::size_t at = head.size() - opening.size();
  for (int game = 0; game < 2; ++game) {
    require(std::string_view(page).substr(at, opening.size()) == opening, "a game stands in an element of its own");
    at += opening.size();
    const std::size_t end = lower(page.substr(at, 2 * json.size() * 6 + 100)).find("</script");
    require(end != std::string::npos, "the element ends");
    const std::string inside = page.substr(at, end);
    require(inside.find('<') == std::string::npos, "nothing inside looks like an element or a comment");
    const auto read = nlohmann::json::parse(inside, nullptr, false);
    require(!read.is_discarded() && read == nlohmann::json::parse(json, nullptr, false), "and it is the game's JSON");
    require(read["plies"].size() == review.plies.size(), "with all its moves");
    at += end + std::string_view("</script>\n").size();
  }
}

void check_lines(const std::string& text, bool only_tags) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !(only_tags && line.empty());) {
    require(is_printable(line), "a line moves no terminal");
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = take_apart({reinterpret_cast<const char*>(data), size});
  auto evidence = review::parse_evidence(given.evidence, given.game);
  const auto review =
      review::assemble(given.game, evidence ? std::move(*evidence) : review::evidence_of_comments(given.game), {});
  check_csv(review);
  check_html(review);
  check_lines(report::review_text(review, {}), false);
  const std::string pgn = pgn::write_game(report::annotated(review, report::Scheme::points, report::Evals::replaced));
  check_lines(pgn, true);
  pgn::MemorySource source(pgn);
  pgn::GameReader reader(source);
  const auto again = reader.next();
  require(again && !reader.next(), "an annotated game is one game");
  require(pgn::main_line(again->game).moves == pgn::main_line(given.game).moves, "with its moves");
  return 0;
}
