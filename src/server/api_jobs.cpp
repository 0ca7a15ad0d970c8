// Of the API, what a page asks about the position on its board.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "chess/draws.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "human/ratings.h"
#include "report/json_writer.h"
#include "server/api.h"
#include "server/requests.h"
#include "server/responses.h"
#include "server/saved_game.h"

namespace pm::server {
namespace {

// What a job of a kind comes to.
const char* result_name(std::string_view kind) {
  if (kind == "judgements") return "judgement";
  return kind == "lines" ? "lines" : "analysis";
}

}  // namespace

Answer Api::follow_job(const Request& /*request*/, const Asked& asked) {
  auto events = live_jobs_.events_of(asked.kind, asked.id);
  if (!events) return no_such("job");
  return Stream{std::move(events)};
}

Answer Api::cancel_job(const Request& /*request*/, const Asked& asked) {
  if (!live_jobs_.cancel(asked.kind, asked.id)) return no_such("job");
  return no_content();
}

Answer Api::read_job(const Request& /*request*/, const Asked& asked) {
  const auto& [kind, id] = asked;
  const auto events = live_jobs_.events_of(kind, id);
  if (!events) return no_such("job");
  std::string end = R"({"state":"running","problem":null})";
  std::string latest = "null";
  for (const Event& event : events->since(0)) (event.name == "end" ? end : latest) = event.data;
  end.pop_back();
  return json_response(fmt::format(R"({},"id":"{}","{}":{}}})", end, id, result_name(kind), latest));
}

Answer Api::add_judgement(const Request& request, const Asked& /*asked*/) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  const auto known =
      check_fields(*json, {"start_fen", "moves", "review", "depth", "rating", "opponent_rating"}, Options::of_schemes);
  if (!known) return error_response(known.error());
  const auto line = parse_line(*json);
  if (!line) return error_response(line.error());
  if (line->moves.empty()) return problem(400, "moves: expected the move to be judged at the end.");
  const std::string review = json->contains("review") && (*json)["review"].is_string() ? (*json)["review"] : "";
  const auto saved = setup_.context.reviews->find(review);
  if (!saved && saved.error().code != ErrorCode::no_such_review) return error_response(saved.error());
  if (json->contains("review") && !saved) {
    return problem(400, "review: expected the id of a saved review.");
  }
  const auto judging = parse_judging(*json);
  if (!judging) return error_response(judging.error());
  const auto ratings = parse_ratings(*json, setup_.context.model().identity());
  if (!ratings) return error_response(ratings.error());
  // Those of the request, when it names any; else those of the review it belongs to.
  const auto options = judging->options.value_or(saved ? saved_options(*saved) : verdict::SchemeOptions());
  const auto id = live_jobs_.judge({*line, judging->depth, *ratings, review, options});
  if (!id) return error_response(id.error());
  return created(fmt::format("/api/judgements/{}", *id), fmt::format(R"({{"id":"{}"}})", *id));
}

Answer Api::look(const Request& request, const Asked& /*asked*/) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  if (const auto known = check_fields(*json, {"start_fen", "moves", "depth"}); !known) {
    return error_response(known.error());
  }
  const auto line = parse_line(*json);
  if (!line) return error_response(line.error());
  const auto depth = parse_depth(*json);
  if (!depth) return error_response(depth.error());
  const auto id = live_jobs_.look(*line, *depth);
  if (!id) return error_response(id.error());
  return created(fmt::format("/api/lines/{}", *id), fmt::format(R"({{"id":"{}"}})", *id));
}

// What people of a rating play: so quick that it needs no job.
Answer Api::people(const Request& request, const Asked& /*asked*/) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  if (const auto known = check_fields(*json, {"start_fen", "moves", "rating", "opponent_rating"}); !known) {
    return error_response(known.error());
  }
  const auto line = parse_line(*json);
  if (!line) return error_response(line.error());
  human::HumanModel& model = setup_.context.model();
  const auto wanted = parse_ratings(*json, model.identity());
  if (!wanted) return error_response(wanted.error());
  const chess::Position position = line->current();
  const chess::Colour player = position.side_to_move();
  const auto ratings = human::choose_ratings(*wanted, {}, player, model);
  if (!ratings) return error_response(ratings.error());
  const human::Query query{chess::PositionHistory(*line), ratings->of(player), ratings->of(!player)};
  std::vector<human::MoveProbability> moves;
  if (!chess::game_end(position, 1)) {
    auto predictions = model.predict({&query, 1}, human::Want::moves);
    if (!predictions) return error_response(predictions.error());
    moves = std::move(predictions->front().moves);
  }
  std::sort(moves.begin(), moves.end(), [](const human::MoveProbability& a, const human::MoveProbability& b) {
    return std::tuple(-a.probability, a.move.bits()) < std::tuple(-b.probability, b.move.bits());
  });
  std::string text;
  report::JsonWriter out(text);
  out.begin_object().field("model", model.identity().name).field("rating", query.rating).key("moves").begin_array();
  const chess::CastlingNotation notation = chess::natural_notation(position);
  for (const human::MoveProbability& each : moves) {
    out.begin_object().field("san", chess::format_san(position, each.move));
    out.field("uci", chess::format_uci(each.move, notation)).field("probability", each.probability).end_object();
  }
  out.end_array().end_object();
  return json_response(std::move(text));
}

Answer Api::add_expectation(const Request& request, const Asked& /*asked*/) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  if (const auto known = check_fields(*json, {"start_fen", "moves", "parameters", "also"}); !known) {
    return error_response(known.error());
  }
  const auto line = parse_line(*json);
  if (!line) return error_response(line.error());
  const auto parameters = parse_parameters(*json, setup_.context.model());
  if (!parameters) return error_response(parameters.error());
  auto also = parse_also(*json, line->current());
  if (!also) return error_response(also.error());
  const auto id = live_jobs_.expect(*line, *parameters, std::move(*also));
  if (!id) return error_response(id.error());
  return created(fmt::format("/api/expectations/{}", *id), fmt::format(R"({{"id":"{}"}})", *id));
}

}  // namespace pm::server
