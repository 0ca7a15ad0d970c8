#include "cli/review_format.h"

#include "pgn/writer.h"
#include "report/annotate.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/json.h"

namespace pm::cli {

ReviewFormatter::ReviewFormatter(const ReviewCommand& command, const Streams& streams) : command_(command) {
  text_options_.scheme = command.scheme;
  text_options_.moves = command.moves;
  text_options_.verbose = command.verbose;
  if (!command.output.empty()) return;  // a file is the same wherever it is made
  text_options_.colour = streams.out_is_terminal && !streams.no_colour;
  text_options_.unicode = streams.out_is_terminal;
  text_options_.width = static_cast<std::size_t>(streams.width);
}

std::string ReviewFormatter::game(const review::GameReview& review, const std::vector<pgn::Problem>& problems,
                                  std::size_t number, const std::stop_token& stop) const {
  const bool first = number == 1;
  switch (command_.format) {
    case ReviewFormat::json: return report::review_json(review, problems, {}, stop);
    case ReviewFormat::pgn:
      return pgn::write_game(report::annotated(review, command_.scheme, command_.file_evals, stop));
    case ReviewFormat::csv: return (first ? report::csv_header() : "") + report::review_csv(review, number, stop);
    case ReviewFormat::html:
      return (first ? report::html_head() : report::html_between()) +
             report::html_safe(report::review_json(review, problems, {}, stop));
    case ReviewFormat::text: break;
  }
  std::string text = report::review_text(review, text_options_, stop);
  if (!first) text.insert(text.begin(), '\n');
  return text;
}

std::string ReviewFormatter::end() const {
  return command_.format == ReviewFormat::html ? report::html_tail(command_.scheme) : "";
}

}  // namespace pm::cli
