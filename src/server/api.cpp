#include "server/api.h"

#include <algorithm>

#include <fmt/format.h>

#include "pgn/reader.h"
#include "pgn/source.h"
#include "pgn/writer.h"
#include "report/annotate.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/json_writer.h"
#include "report/scheme.h"
#include "server/assets.h"
#include "server/job_events.h"
#include "server/requests.h"
#include "server/saved_game.h"

namespace pm::server {
namespace {

using report::JsonWriter;

constexpr std::size_t most_listed = 500;

Response json_response(std::string body, int status = 200) {
  Response response{status, "application/json", std::move(body), {}};
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

Response error_response(const Error& error) {
  switch (error.code) {
    case ErrorCode::busy: return busy(503, error.sentence, 5);
    case ErrorCode::no_engine: return busy(503, error.sentence, 60);
    default: return problem(400, error.sentence);
  }
}

void write_head(JsonWriter& json, const SavedReview& saved) {
  json.field("id", saved.id).field("created", saved.created).field("state", word_of(saved.state));
  json.field("white", saved.game.white).field("black", saved.game.black).field("result", saved.game.result);
  json.field("date", saved.game.date).field("event", saved.game.event).field("plies", saved.game.plies);
  json.field("depth", saved.depth).field("engine", saved.engine).key("accuracy");
  if (saved.state == ReviewState::complete) {
    json.begin_object().field("white", saved.white_accuracy).field("black", saved.black_accuracy).end_object();
  } else {
    json.null();
  }
  for (const auto& [name, sentence] : {std::pair{"problem", &saved.problem}, std::pair{"note", &saved.note}}) {
    json.key(name);
    if (sentence->empty()) {
      json.null();
    } else {
      json.value(*sentence);
    }
  }
}

std::string head_json(const SavedReview& saved) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_head(json, saved);
  json.end_object();
  return text;
}

// "7/events" is the id 7 and what is wanted of it.
struct Place {
  std::string id;
  std::string_view what;
};
Place place_of(std::string_view rest) {
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return {std::string(rest), {}};
  return {std::string(rest.substr(0, slash)), rest.substr(slash + 1)};
}

Response created(const std::string& location, const std::string& body) {
  Response response = json_response(body, 201);
  response.headers.emplace_back("Location", location);
  return response;
}

Response not_allowed(const char* methods) {
  Response response = problem(405, fmt::format("Expected {}.", methods));
  response.headers.emplace_back("Allow", methods);
  return response;
}

Response no_such(std::string_view what) { return problem(404, fmt::format("There is no such {}.", what)); }

}  // namespace

Api::Api(ApiSetup setup, ReviewJobs& review_jobs, LiveJobs& live_jobs)
    : setup_(std::move(setup)), review_jobs_(review_jobs), live_jobs_(live_jobs) {}

Answer Api::handle(const Request& request) {
  if (auto refused = refuse_strangers(request, port_)) return *refused;
  const bool makes_work = request.method != "GET" && request.method != "HEAD";
  if (makes_work && !changes_.take()) return busy(429, "Too many requests.", 2);
  return route(request);
}

Answer Api::route(const Request& request) {
  constexpr std::string_view api = "/api/";
  if (!request.path.starts_with(api)) {
    if (request.method != "GET" && request.method != "HEAD") return not_allowed("GET, HEAD");
    return asset(request);
  }
  const std::string_view rest = std::string_view(request.path).substr(api.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view kind = rest.substr(0, slash);
  const std::string_view below = rest.substr(std::min(slash + 1, rest.size()));
  if (kind == "reviews") return reviews(request, below);
  if (kind == "judgements" || kind == "expectations") return jobs(request, kind, below);
  if (!below.empty()) return no_such("address");
  if (kind == "status") return request.method == "GET" ? status() : not_allowed("GET");
  if (kind == "imports") return request.method == "POST" ? import_games(request) : not_allowed("POST");
  return no_such("address");
}

Answer Api::reviews(const Request& request, std::string_view rest) {
  if (rest.empty()) {
    if (request.method == "GET") return list_reviews();
    if (request.method == "POST") return add_review(request);
    return not_allowed("GET, POST");
  }
  const auto [id, what] = place_of(rest);
  if (what.empty()) {
    if (request.method == "GET") return read_review(id);
    if (request.method != "DELETE") return not_allowed("GET, DELETE");
    if (!review_jobs_.remove_review(id)) return no_such("review");
    return Response{204, "application/json", "", {}};
  }
  if (what == "events") {
    if (request.method != "GET") return not_allowed("GET");
    auto events = review_jobs_.events_of_review(id);
    if (!events) return no_such("review");
    return Stream{std::move(events)};
  }
  if (what == "export") return request.method == "GET" ? export_review(request, id) : not_allowed("GET");
  if (what == "cancel" || what == "restart") {
    if (request.method != "POST") return not_allowed("POST");
    if (what == "cancel") {
      review_jobs_.cancel_review(id);
    } else if (const auto begun = review_jobs_.restart_review(id); !begun) {
      return error_response(begun.error());
    }
    const auto saved = setup_.context.reviews->find(id);
    return saved ? json_response(head_json(*saved)) : no_such("review");
  }
  return no_such("address");
}

Answer Api::jobs(const Request& request, std::string_view kind, std::string_view rest) {
  if (rest.empty()) {
    if (request.method != "POST") return not_allowed("POST");
    return kind == "judgements" ? add_judgement(request) : add_expectation(request);
  }
  const auto [id, what] = place_of(rest);
  if (what == "events" && request.method == "GET") {
    auto events = live_jobs_.events_of(kind, id);
    if (!events) return no_such("job");
    return Stream{std::move(events)};
  }
  if (what.empty() && request.method == "GET") return read_job(kind, id);
  const bool cancels = (what.empty() && request.method == "DELETE") || (what == "cancel" && request.method == "POST");
  if (!cancels) return what.empty() ? not_allowed("GET, DELETE") : no_such("address");
  if (!live_jobs_.cancel(kind, id)) return no_such("job");
  return Response{204, "application/json", "", {}};
}

Response Api::status() const {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("version", setup_.version).key("engine");
  if (setup_.context.has_engine()) {
    json.begin_object()
        .field("name", setup_.context.sources.pool->engine_name())
        .end_object()
        .key("engine_problem")
        .null();
  } else {
    json.null().field("engine_problem", setup_.context.engine_problem);
  }
  const human::ModelIdentity& model = setup_.context.model().identity();
  json.key("model").begin_object().field("name", model.name).field("sha256", model.sha256);
  json.field("lowest_rating", model.levels.front()).field("highest_rating", model.levels.back()).end_object();
  json.key("cache").begin_object().field("bytes", setup_.cache_bytes ? setup_.cache_bytes() : 0).end_object();
  const ReviewJobs::Counts counts = review_jobs_.counts();
  json.key("jobs")
      .begin_object()
      .field("running", counts.running + live_jobs_.running())
      .field("waiting", counts.waiting)
      .end_object();
  json.key("depth").begin_object().field("lowest", lowest_depth).field("highest", highest_depth);
  json.field("usual", usual_depth).end_object().field("pgn_bytes", setup_.most_pgn_bytes);
  json.end_object();
  return json_response(std::move(text));
}

Response Api::import_games(const Request& request) const {
  pgn::MemorySource source(request.body);
  pgn::GameReader reader(source);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("games").begin_array();
  std::vector<pgn::Problem> problems;
  std::size_t count = 0;
  bool more = false;
  while (const auto read = reader.next()) {
    if (count == setup_.most_games) {
      more = true;
      break;
    }
    const GameHead head = head_of(read->game);
    json.begin_object().field("number", ++count).field("white", head.white).field("black", head.black);
    json.field("result", head.result).field("date", head.date).field("event", head.event).field("plies", head.plies);
    json.field("pgn", pgn::write_game(read->game)).end_object();
    for (const pgn::Problem& p : read->problems) {
      if (problems.size() < 100) problems.push_back(p);
    }
  }
  json.end_array().key("problems").begin_array();
  for (const pgn::Problem& p : problems) {
    json.begin_object().field("line", p.place.line).field("column", p.place.column).field("game", p.game);
    json.field("message", p.message).end_object();
  }
  json.end_array().field("more", more).end_object();
  return json_response(std::move(text));
}

Response Api::list_reviews() const {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("reviews").begin_array();
  for (const SavedReview& saved : setup_.context.reviews->list(most_listed)) {
    json.begin_object();
    write_head(json, saved);
    json.end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(text));
}

Response Api::add_review(const Request& request) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  const auto pgn = json->find("pgn");
  if (pgn == json->end() || !pgn->is_string()) return problem(400, "pgn: expected the text of a game.");
  const auto depth = parse_depth(*json);
  if (!depth) return error_response(depth.error());
  const auto saved = review_jobs_.review(pgn->get<std::string>(), *depth);
  if (!saved) return error_response(saved.error());
  return created(fmt::format("/api/reviews/{}", saved->id), head_json(*saved));
}

Response Api::read_review(const std::string& id) {
  const auto saved = setup_.context.reviews->find(id);
  if (!saved) return no_such("review");
  std::string progress = R"({"done":0,"total":0,"phase":"moves"})";
  const bool under_way = saved->state == ReviewState::waiting || saved->state == ReviewState::running;
  if (const auto events = under_way ? review_jobs_.events_of_review(id) : nullptr) {
    for (const Event& event : events->since(0)) {
      if (event.name == "progress") progress = Json::parse(event.data).at("progress").dump();
    }
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_head(json, *saved);
  json.field("pgn", setup_.context.reviews->pgn(id)).field("provisional", saved->state != ReviewState::complete);
  json.end_object();
  text.pop_back();
  const auto game = open_saved_game(*setup_.context.reviews, id);
  text += fmt::format(R"(,"progress":{},"review":{}}})", progress, game ? value_of(game->json()) : "null");
  return json_response(std::move(text));
}

Response Api::read_job(std::string_view kind, const std::string& id) {
  const auto events = live_jobs_.events_of(kind, id);
  if (!events) return no_such("job");
  std::string end = R"({"state":"running","problem":null})";
  std::string latest = "null";
  for (const Event& event : events->since(0)) (event.name == "end" ? end : latest) = event.data;
  end.pop_back();
  return json_response(
      fmt::format(R"({},"id":"{}","{}":{}}})", end, id, kind == "judgements" ? "judgement" : "analysis", latest));
}

Response Api::export_review(const Request& request, const std::string& id) const {
  const auto saved = setup_.context.reviews->find(id);
  if (!saved || saved->state != ReviewState::complete) return no_such("finished review");
  const auto parameter = [&](const char* name, const char* usual) {
    const auto found = request.query.find(name);
    return found == request.query.end() ? std::string(usual) : found->second;
  };
  const std::string format = parameter("format", "json");
  const std::string scheme_name = parameter("scheme", "points");
  const auto scheme = report::parse_scheme(scheme_name);
  if (!scheme) return problem(400, "scheme: expected points, labels, acpl or lichess.");
  const auto game = open_saved_game(*setup_.context.reviews, id);
  if (!game) return problem(500, "What was saved of this review cannot be read.");
  Response response;
  if (format == "json") {
    response = {200, "application/json", game->json(), {}};
  } else if (format == "csv") {
    response = {200, "text/csv; charset=utf-8", report::csv_header() + report::review_csv(game->review(), 1), {}};
  } else if (format == "pgn") {
    response = {200, "application/x-chess-pgn", pgn::write_game(report::annotated(game->review(), *scheme)), {}};
  } else if (format == "html") {
    response = {200,
                "text/html; charset=utf-8",
                report::html_head() + report::html_safe(game->json()) + report::html_tail(*scheme),
                {}};
  } else {
    return problem(400, "format: expected pgn, json, csv or html.");
  }
  response.headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"review.{}\"", format));
  return response;
}

Response Api::add_judgement(const Request& request) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  const auto line = parse_line(*json);
  if (!line) return error_response(line.error());
  if (line->moves.empty()) return problem(400, "moves: expected the move to be judged at the end.");
  const std::string review = json->contains("review") && (*json)["review"].is_string() ? (*json)["review"] : "";
  if (json->contains("review") && !setup_.context.reviews->find(review)) {
    return problem(400, "review: expected the id of a saved review.");
  }
  const auto depth = parse_depth(*json);
  if (!depth) return error_response(depth.error());
  const auto ratings = parse_ratings(*json, setup_.context.model().identity());
  if (!ratings) return error_response(ratings.error());
  const auto id = live_jobs_.judge({*line, *depth, *ratings, review});
  if (!id) return error_response(id.error());
  return created(fmt::format("/api/judgements/{}", *id), fmt::format(R"({{"id":"{}"}})", *id));
}

Response Api::add_expectation(const Request& request) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  const auto line = parse_line(*json);
  if (!line) return error_response(line.error());
  const auto parameters = parse_parameters(*json, setup_.context.model());
  if (!parameters) return error_response(parameters.error());
  const auto id = live_jobs_.expect(*line, *parameters);
  if (!id) return error_response(id.error());
  return created(fmt::format("/api/expectations/{}", *id), fmt::format(R"({{"id":"{}"}})", *id));
}

}  // namespace pm::server
