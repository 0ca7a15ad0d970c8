// The JSON API, as a function from request to answer; docs/api.md and docs/openapi.json describe it. Every request
// stands in one table (api_routes.cpp) with what it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "server/guard.h"
#include "server/http_server.h"
#include "server/live_jobs.h"
#include "server/review_jobs.h"

namespace pm::server {

struct ApiSetup {
  ServerContext context;
  std::string version;
  std::function<std::uintmax_t()> cache_bytes;
  std::size_t most_pgn_bytes = 16U << 20U;  // of a request that brings games
  std::size_t most_json_bytes = 1U << 20U;  // of any other
  std::size_t most_games = 1000;            // that an import lists
  std::size_t most_unpacked_bytes = 256U << 20U;
};

class Api {
 public:
  Api(ApiSetup setup, ReviewJobs& review_jobs, LiveJobs& live_jobs);

  // The port is known only when the server listens.
  void set_port(std::uint16_t port) { port_ = std::to_string(port); }

  // Looks at the header alone: who asks, for what, and how often.
  Admission admit(const Request& head);
  // What was admitted.
  Answer answer(const Request& request);
  // Both.
  Answer handle(const Request& request);

 private:
  // What can be asked for. Paths are below "/api/"; '*' is an id.
  enum class Body : std::uint8_t { none, empty, json, pgn };  // empty: none, or an object without fields
  enum class Query : bool { none, some };                     // some: looked at by whoever answers
  struct Asked {
    std::string_view kind;  // the first part of the path
    std::string id;
  };
  struct Route {
    std::string_view method;
    std::string_view path;
    Body body;
    Query query;
    Answer (Api::*answer)(const Request&, const Asked&);
  };
  static std::span<const Route> routes();
  static tl::expected<const Route*, Response> find_route(const Request& head);
  std::size_t most_body(const Route& route) const;

  Answer status(const Request& request, const Asked& asked);
  Answer choose_model(const Request& request, const Asked& asked);
  Answer people(const Request& request, const Asked& asked);
  Answer import_games(const Request& request, const Asked& asked);
  Answer list_reviews(const Request& request, const Asked& asked);
  Answer add_review(const Request& request, const Asked& asked);
  Answer add_reviews(const Request& request, const Asked& asked);
  Answer read_review(const Request& request, const Asked& asked);
  Answer remove_review(const Request& request, const Asked& asked);
  Answer follow_review(const Request& request, const Asked& asked);
  Answer export_review(const Request& request, const Asked& asked);
  Answer cancel_review(const Request& request, const Asked& asked);
  Answer restart_review(const Request& request, const Asked& asked);
  Answer set_options(const Request& request, const Asked& asked);
  Answer set_lines(const Request& request, const Asked& asked);
  Answer add_judgement(const Request& request, const Asked& asked);
  Answer look(const Request& request, const Asked& asked);
  Answer add_expectation(const Request& request, const Asked& asked);
  Answer read_job(const Request& request, const Asked& asked);
  Answer follow_job(const Request& request, const Asked& asked);
  Answer cancel_job(const Request& request, const Asked& asked);

  Response status_now() const;
  Response head_of_review(const std::string& id) const;
  Response whole_review(const std::string& id) const;

  ApiSetup setup_;
  ReviewJobs& review_jobs_;
  LiveJobs& live_jobs_;
  std::string port_;
  RateLimit changes_{50, 20};  // requests that make work
};

// On a port, with requests refused by their header before their body is read. The API outlives it.
Expected<std::unique_ptr<HttpServer>> listen(Api& api, const HttpServerSetup& setup);

}  // namespace pm::server
