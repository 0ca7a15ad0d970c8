#include "server/api.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "base/printable.h"
#include "pgn/reader.h"
#include "pgn/source.h"
#include "pgn/writer.h"
#include "report/annotate.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/json_writer.h"
#include "report/scheme.h"
#include "review/verdicts_input.h"
#include "server/assets.h"
#include "server/job_events.h"
#include "server/requests.h"
#include "server/responses.h"
#include "server/saved_game.h"

namespace pm::server {
namespace {

using report::JsonWriter;

// A source that ends with an error where it has given too much: a small file can unpack to anything.
class BoundedSource final : public pgn::ByteSource {
 public:
  BoundedSource(std::unique_ptr<pgn::ByteSource> source, std::size_t most) : source_(std::move(source)), left_(most) {}
  Expected<std::size_t> read(std::span<char> into) override {
    auto n = source_->read(into);
    if (!n) return n;
    if (*n > left_) return fail(ErrorCode::bad_input, "Unpacked it is too large; use postmortem review for it.");
    left_ -= *n;
    return n;
  }

 private:
  std::unique_ptr<pgn::ByteSource> source_;
  std::size_t left_;
};

void keep_problems(std::vector<pgn::Problem>& all, const std::vector<pgn::Problem>& more) {
  constexpr std::size_t most = 100;
  for (const pgn::Problem& each : more) {
    if (all.size() < most) all.push_back(each);
  }
}

void write_problems(JsonWriter& json, const std::vector<pgn::Problem>& problems) {
  json.key("problems").begin_array();
  for (const pgn::Problem& p : problems) {
    json.begin_object().field("line", p.place.line).field("column", p.place.column).field("game", p.game);
    json.field("message", one_sentence(p.message)).end_object();
  }
  json.end_array();
}

void write_head(JsonWriter& json, const SavedReview& saved, std::optional<std::size_t> place) {
  json.field("id", saved.id).field("created", saved.created).field("state", word_of(saved.state));
  json.field("white", saved.game.white).field("black", saved.game.black).field("result", saved.game.result);
  json.field("date", saved.game.date).field("event", saved.game.event).field("plies", saved.game.plies);
  json.field("depth", saved.depth).field("engine", saved.engine).key("accuracy");
  if (saved.state == ReviewState::complete) {
    json.begin_object().field("white", saved.white_accuracy).field("black", saved.black_accuracy).end_object();
  } else {
    json.null();
  }
  json.key("place");
  if (place) {
    json.value(*place);
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

std::string head_json(const SavedReview& saved, std::optional<std::size_t> place) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_head(json, saved, place);
  json.end_object();
  return text;
}

// By its name in UTF-8, and for those who know only ASCII, without the rest (RFC 6266).
std::string attachment(const std::string& name, std::string_view ending) {
  std::string plain;
  std::string escaped;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool safe = std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_';
    plain += byte < 0x80 ? c : '_';
    escaped += safe ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return fmt::format("attachment; filename=\"{}.{}\"; filename*=UTF-8''{}.{}", plain, ending, escaped, ending);
}

std::string options_text(const JudgingFields& judging) {
  return judging.options ? review::format_scheme_options(*judging.options) : "";
}

}  // namespace

Api::Api(ApiSetup setup, ReviewJobs& review_jobs, LiveJobs& live_jobs)
    : setup_(std::move(setup)), review_jobs_(review_jobs), live_jobs_(live_jobs) {}

Answer Api::status(const Request& /*request*/, const Asked& /*asked*/) { return status_now(); }

Response Api::status_now() const {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("version", setup_.version).key("engine");
  if (setup_.context.has_engine()) {
    json.begin_object()
        .field("name", setup_.context.engines.pool->engine_name())
        .end_object()
        .key("engine_problem")
        .null();
  } else {
    json.null().field("engine_problem", setup_.context.engine_problem);
  }
  const ModelShelf::InUse used = setup_.context.models->in_use();
  const human::ModelIdentity& model = used.model.identity();
  json.key("model").begin_object().field("name", model.name).field("sha256", model.sha256);
  json.field("lowest_rating", model.ratings.lowest()).field("highest_rating", model.ratings.highest()).end_object();
  json.key("models").begin_array();
  for (const human::FoundModel& each : setup_.context.models->all()) {
    json.begin_object().field("name", each.name).field("licence", each.licence);
    json.field("used", each.name == used.name).end_object();
  }
  json.end_array();
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

Answer Api::choose_model(const Request& request, const Asked& /*asked*/) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  if (const auto known = check_fields(*json, {"name"}); !known) return error_response(known.error());
  const auto name = json->find("name");
  if (name == json->end() || !name->is_string()) return problem(400, "name: expected the name of a model.");
  if (const auto chosen = setup_.context.models->choose(*name); !chosen) return error_response(chosen.error());
  return status_now();
}

Answer Api::import_games(const Request& request, const Asked& /*asked*/) {
  auto unpacked = pgn::open_bytes(request.body, "the file");
  if (!unpacked) return error_response(unpacked.error());
  BoundedSource source(std::move(*unpacked), setup_.most_unpacked_bytes);
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
    keep_problems(problems, read->problems);
  }
  if (reader.error()) return error_response(*reader.error());
  json.end_array();
  write_problems(json, problems);
  json.field("more", more).end_object();
  return json_response(std::move(text));
}

Answer Api::list_reviews(const Request& request, const Asked& /*asked*/) {
  const auto filter = parse_filter(request.query);
  if (!filter) return error_response(filter.error());
  const auto places = review_jobs_.places();
  const auto list = setup_.context.reviews->list(*filter);
  if (!list) return error_response(list.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("total", list->total).key("reviews").begin_array();
  for (const SavedReview& saved : list->reviews) {
    const auto place = places.find(saved.id);
    json.begin_object();
    write_head(json, saved, place == places.end() ? std::nullopt : std::optional(place->second));
    json.end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(text));
}

Answer Api::add_review(const Request& request, const Asked& /*asked*/) {
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  const auto known = check_fields(*json, {"pgn", "depth"}, Options::of_schemes);
  if (!known) return error_response(known.error());
  const auto pgn = json->find("pgn");
  if (pgn == json->end() || !pgn->is_string()) return problem(400, "pgn: expected the text of a game.");
  const auto judging = parse_judging(*json);
  if (!judging) return error_response(judging.error());
  const auto saved = review_jobs_.review(pgn->get<std::string>(), judging->depth, options_text(*judging));
  if (!saved) return error_response(saved.error());
  return created(fmt::format("/api/reviews/{}", saved->id), head_json(*saved, review_jobs_.place_of(saved->id)));
}

// All games of a file that can be read.
Answer Api::add_reviews(const Request& request, const Asked& /*asked*/) {
  const Json json = json_of(request.query);
  const auto known = check_fields(json, {"depth"}, Options::of_schemes);
  if (!known) return error_response(known.error());
  const auto judging = parse_judging(json);
  if (!judging) return error_response(judging.error());
  if (!setup_.context.has_engine()) return busy(503, setup_.context.engine_problem, 60);
  auto unpacked = pgn::open_bytes(request.body, "the file");
  if (!unpacked) return error_response(unpacked.error());
  BoundedSource source(std::move(*unpacked), setup_.most_unpacked_bytes);
  pgn::GameReader reader(source);
  std::vector<NewReview> games;
  std::vector<pgn::Problem> problems;
  while (const auto read = reader.next()) {
    keep_problems(problems, read->problems);
    const GameHead head = head_of(read->game);
    if (head.plies == 0 && !read->problems.empty()) continue;  // no game at all
    if (games.size() == ReviewJobs::most_waiting) return busy(503, "Too many reviews would wait.", 60);
    games.push_back({pgn::write_game(read->game), head, judging->depth, options_text(*judging)});
  }
  if (reader.error()) return error_response(*reader.error());
  if (games.empty()) return problem(400, "There is no game in this text.");
  const auto saved = review_jobs_.review_all(games);
  if (!saved) return error_response(saved.error());
  std::string text;
  JsonWriter out(text);
  out.begin_object().field("added", saved->size());
  write_problems(out, problems);
  out.end_object();
  return json_response(std::move(text), 201);
}

Answer Api::set_options(const Request& request, const Asked& asked) {
  const std::string& id = asked.id;
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  const auto options = review::parse_scheme_options(json->dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!options) return error_response(options.error());
  if (const auto saved = setup_.context.reviews->find(id); !saved) return error_response(saved.error());
  const auto kept = setup_.context.reviews->set_options(id, review::format_scheme_options(*options));
  return kept ? whole_review(id) : error_response(kept.error());
}

Answer Api::set_lines(const Request& request, const Asked& asked) {
  const std::string& id = asked.id;
  const auto json = parse_object(request);
  if (!json) return error_response(json.error());
  if (const auto known = check_fields(*json, {"lines"}); !known) return error_response(known.error());
  const auto game = read_saved_pgn(*setup_.context.reviews, id);
  if (!game) return error_response(game.error());
  const std::string text = json->value("lines", Json()).dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto lines = parse_lines(text, (*game)->read.game.start);
  if (!lines) return error_response(lines.error());
  const auto kept = setup_.context.reviews->set_lines(id, lines->empty() ? "" : text);
  return kept ? no_content() : error_response(kept.error());
}

Answer Api::read_review(const Request& /*request*/, const Asked& asked) { return whole_review(asked.id); }

Answer Api::remove_review(const Request& /*request*/, const Asked& asked) {
  const auto removed = review_jobs_.remove_review(asked.id);
  return removed ? no_content() : error_response(removed.error());
}

Answer Api::follow_review(const Request& /*request*/, const Asked& asked) {
  // It may be deleted, though its job has not ended yet.
  if (const auto saved = setup_.context.reviews->find(asked.id); !saved) return error_response(saved.error());
  auto events = review_jobs_.follow_review(asked.id);
  if (!events) return error_response(events.error());
  return Stream{std::move(*events)};
}

Answer Api::cancel_review(const Request& /*request*/, const Asked& asked) {
  if (const auto done = review_jobs_.cancel_review(asked.id); !done) return error_response(done.error());
  return head_of_review(asked.id);
}

Answer Api::restart_review(const Request& /*request*/, const Asked& asked) {
  if (const auto begun = review_jobs_.restart_review(asked.id); !begun) return error_response(begun.error());
  return head_of_review(asked.id);
}

Response Api::head_of_review(const std::string& id) const {
  const auto saved = setup_.context.reviews->find(id);
  return saved ? json_response(head_json(*saved, review_jobs_.place_of(saved->id))) : error_response(saved.error());
}

Response Api::whole_review(const std::string& id) const {
  auto saved = setup_.context.reviews->find(id);
  if (!saved) return error_response(saved.error());
  std::string progress = R"({"done":0,"total":0,"phase":"moves"})";
  const bool under_way = saved->state == ReviewState::waiting || saved->state == ReviewState::running;
  const auto events = under_way ? review_jobs_.events_of_review(id) : std::make_shared<EventLog>();
  if (events) {
    if (const auto told = (*events)->latest("progress")) progress = Json::parse(*told).at("progress").dump();
  }
  const auto pgn = setup_.context.reviews->pgn(id);
  const auto game = open_saved_game(*setup_.context.reviews, id);
  if (!game && game.error().code == ErrorCode::file_locked) return error_response(game.error());
  if (!game && saved->problem.empty()) saved->problem = game.error().sentence;
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_head(json, *saved, review_jobs_.place_of(id));
  json.field("pgn", pgn.value_or("")).field("provisional", saved->state != ReviewState::complete);
  json.end_object();
  text.pop_back();
  text += fmt::format(R"(,"options":{},"progress":{},"review":)", review::format_scheme_options(saved_options(*saved)),
                      progress);
  text.append(game ? value_of((*game)->json(setup_.context.closing())) : "null").append("}");
  return json_response(std::move(text));
}

Answer Api::export_review(const Request& request, const Asked& asked) {
  const std::string& id = asked.id;
  const auto known = check_fields(json_of(request.query), {"format", "scheme"});
  if (!known) return error_response(known.error());
  const auto saved = setup_.context.reviews->find(id);
  if (!saved && saved.error().code != ErrorCode::no_such_review) return error_response(saved.error());
  if (!saved || saved->state != ReviewState::complete) return no_such("finished review");
  const auto parameter = [&](const char* name, const char* usual) {
    const auto found = request.query.find(name);
    return found == request.query.end() ? std::string(usual) : found->second;
  };
  const std::string format = parameter("format", "json");
  const std::string scheme_name = parameter("scheme", "points");
  const auto scheme = report::parse_scheme(scheme_name);
  if (!scheme) return problem(400, "scheme: expected points, labels, acpl or lichess.");
  const auto opened = open_saved_game(*setup_.context.reviews, id);
  if (!opened) return error_response(opened.error());
  const auto& game = *opened;
  Response response;
  if (format == "json") {
    response = {200, "application/json", game->json(), {}};
  } else if (format == "csv") {
    response = {200, "text/csv; charset=utf-8", report::csv_header() + report::review_csv(game->review(), 1), {}};
  } else if (format == "pgn") {
    pgn::Game annotated = report::annotated(game->review(), *scheme);
    add_lines(annotated, game->lines);
    response = {200, "application/x-chess-pgn", pgn::write_game(annotated), {}};
  } else if (format == "html") {
    response = {200,
                "text/html; charset=utf-8",
                report::html_head() + report::html_safe(game->json()) + report::html_tail(*scheme),
                {}};
  } else {
    return problem(400, "format: expected pgn, json, csv or html.");
  }
  response.headers.emplace_back("Content-Disposition", attachment(file_name(saved->game), format));
  return response;
}

}  // namespace pm::server
