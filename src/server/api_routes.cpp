// Of the API, which requests there are, and what can be said of one by its header alone.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/printable.h"
#include "server/api.h"
#include "server/assets.h"
#include "server/requests.h"
#include "server/responses.h"

namespace pm::server {
namespace {

constexpr std::string_view api_root = "/api/";

bool is_of_api(const Request& head) { return head.path.starts_with(api_root); }

// The part before the next slash, which is taken off.
std::string_view next_part(std::string_view& path) {
  const std::size_t slash = std::min(path.find('/'), path.size());
  const std::string_view part = path.substr(0, slash);
  path.remove_prefix(std::min(slash + 1, path.size()));
  return part;
}

bool fits(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = next_part(pattern);
    const std::string_view found = next_part(path);
    if (wanted != "*" && wanted != found) return false;
  }
  return pattern.empty() && path.empty();
}

}  // namespace

std::span<const Api::Route> Api::routes() {
  using enum Body;
  constexpr Query no_query = Query::none;
  static constexpr std::array all{
      Route{"GET", "status", none, no_query, &Api::status},
      Route{"PUT", "model", json, no_query, &Api::choose_model},
      Route{"POST", "people", json, no_query, &Api::people},
      Route{"POST", "imports", pgn, no_query, &Api::import_games},
      Route{"GET", "reviews", none, Query::some, &Api::list_reviews},
      Route{"POST", "reviews", json, no_query, &Api::add_review},
      Route{"POST", "reviews", pgn, Query::some, &Api::add_reviews},
      Route{"GET", "reviews/*", none, no_query, &Api::read_review},
      Route{"DELETE", "reviews/*", none, no_query, &Api::remove_review},
      Route{"GET", "reviews/*/events", none, no_query, &Api::follow_review},
      Route{"GET", "reviews/*/export", none, Query::some, &Api::export_review},
      Route{"POST", "reviews/*/cancel", empty, no_query, &Api::cancel_review},
      Route{"POST", "reviews/*/restart", empty, no_query, &Api::restart_review},
      Route{"PUT", "reviews/*/options", json, no_query, &Api::set_options},
      Route{"PUT", "reviews/*/lines", json, no_query, &Api::set_lines},
      Route{"POST", "judgements", json, no_query, &Api::add_judgement},
      Route{"GET", "judgements/*", none, no_query, &Api::read_job},
      Route{"DELETE", "judgements/*", none, no_query, &Api::cancel_job},
      Route{"GET", "judgements/*/events", none, no_query, &Api::follow_job},
      Route{"POST", "judgements/*/cancel", empty, no_query, &Api::cancel_job},
      Route{"POST", "lines", json, no_query, &Api::look},
      Route{"GET", "lines/*", none, no_query, &Api::read_job},
      Route{"DELETE", "lines/*", none, no_query, &Api::cancel_job},
      Route{"GET", "lines/*/events", none, no_query, &Api::follow_job},
      Route{"POST", "lines/*/cancel", empty, no_query, &Api::cancel_job},
      Route{"POST", "expectations", json, no_query, &Api::add_expectation},
      Route{"GET", "expectations/*", none, no_query, &Api::read_job},
      Route{"DELETE", "expectations/*", none, no_query, &Api::cancel_job},
      Route{"GET", "expectations/*/events", none, no_query, &Api::follow_job},
      Route{"POST", "expectations/*/cancel", empty, no_query, &Api::cancel_job},
  };
  return all;
}

tl::expected<const Api::Route*, Response> Api::find_route(const Request& head) {
  const std::string_view path = std::string_view(head.path).substr(api_root.size());
  const std::string type = media_type(head.content_type);
  std::string methods;
  std::string types;
  for (const Route& route : routes()) {
    if (!fits(route.path, path)) continue;
    if (route.method != head.method) {
      if (methods.find(route.method) == std::string::npos)
        methods += fmt::format("{}{}", methods.empty() ? "" : ", ", route.method);
      continue;
    }
    if (route.body == Body::none || (route.body == Body::empty && !head.has_body())) return &route;
    const std::string_view wanted = route.body == Body::pgn ? "application/x-chess-pgn" : "application/json";
    if (type == wanted) return &route;
    types += fmt::format("{}{}", types.empty() ? "" : " or ", wanted);
  }
  if (!types.empty()) return tl::make_unexpected(problem(415, fmt::format("Expected a body of type {}.", types)));
  if (!methods.empty()) return tl::make_unexpected(not_allowed(methods));
  return tl::make_unexpected(no_such("address"));
}

std::size_t Api::most_body(const Route& route) const {
  constexpr std::size_t most_of_nothing = 1'000;  // "{}", however it is written
  if (route.body == Body::none) return 0;
  if (route.body == Body::empty) return most_of_nothing;
  const bool brings_games = route.body == Body::pgn || route.path == "reviews";
  return brings_games ? setup_.most_pgn_bytes : setup_.most_json_bytes;
}

Admission Api::admit(const Request& head) {
  if (auto refused = refuse_strangers(head, port_)) return tl::make_unexpected(*refused);
  const bool only_reads = head.method == "GET" || head.method == "HEAD";
  std::size_t most = 0;
  if (is_of_api(head)) {
    const auto route = find_route(head);
    if (!route) return tl::make_unexpected(route.error());
    if ((*route)->query == Query::none && !head.query.empty()) {
      const std::string name = one_sentence(head.query.begin()->first, 40);
      return tl::make_unexpected(problem(400, fmt::format("{}: there is no such parameter; expected none.", name)));
    }
    most = most_body(**route);
  } else if (!only_reads) {
    return tl::make_unexpected(not_allowed("GET, HEAD"));
  }
  if (most == 0 && head.has_body()) return tl::make_unexpected(problem(400, "This request takes no body."));
  if (head.body_bytes.value_or(0) > most) {
    return tl::make_unexpected(problem(413, fmt::format("Expected a body of up to {} bytes.", most)));
  }
  if (!only_reads && !changes_.take()) return tl::make_unexpected(busy(429, "Too many requests.", 2));
  return most;
}

Answer Api::answer(const Request& request) {
  if (!is_of_api(request)) return asset(request);
  const auto route = find_route(request);
  if (!route) return route.error();
  if ((*route)->body == Body::empty && request.has_body()) {
    const auto json = parse_object(request);
    if (!json) return error_response(json.error());
    if (const auto known = check_fields(*json, {}); !known) return error_response(known.error());
  }
  std::string_view path = std::string_view(request.path).substr(api_root.size());
  const std::string_view kind = next_part(path);
  return (this->*(*route)->answer)(request, {kind, std::string(next_part(path))});
}

Answer Api::handle(const Request& request) {
  if (auto admission = admit(request); !admission) return std::move(admission.error());
  return answer(request);
}

Expected<std::unique_ptr<HttpServer>> listen(Api& api, const HttpServerSetup& setup) {
  auto listener = HttpServer::open(
      setup, [&api](const Request& request) { return api.answer(request); },
      [&api](const Request& head) { return api.admit(head); });
  if (listener) api.set_port((*listener)->port());
  return listener;
}

}  // namespace pm::server
