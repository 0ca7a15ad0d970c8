// The JSON API, as a function from request to answer; docs/api.md and docs/openapi.json describe it.
#pragma once

#include <functional>
#include <string>

#include "server/guard.h"
#include "server/http_server.h"
#include "server/live_jobs.h"
#include "server/review_jobs.h"

namespace pm::server {

struct ApiSetup {
  ServerContext context;
  std::string version;
  std::function<std::uintmax_t()> cache_bytes;
  std::size_t most_pgn_bytes = 16U << 20U;
  std::size_t most_games = 1000;  // that an import lists
  std::size_t most_unpacked_bytes = 256U << 20U;
};

class Api {
 public:
  Api(ApiSetup setup, ReviewJobs& review_jobs, LiveJobs& live_jobs);

  // The port is known only when the server listens.
  void set_port(std::uint16_t port) { port_ = std::to_string(port); }
  Answer handle(const Request& request);

 private:
  Answer route(const Request& request);
  Answer reviews(const Request& request, std::string_view rest);
  Answer jobs(const Request& request, std::string_view kind, std::string_view rest);
  Response status() const;
  Response import_games(const Request& request) const;
  Response list_reviews(const Request& request) const;
  Response add_review(const Request& request);
  Response add_reviews(const Request& request);
  Response set_options(const Request& request, const std::string& id);
  Response set_lines(const Request& request, const std::string& id);
  Response read_job(std::string_view kind, const std::string& id);
  Response read_review(const std::string& id);
  Response export_review(const Request& request, const std::string& id) const;
  Response add_judgement(const Request& request);
  Response look(const Request& request);
  Response add_expectation(const Request& request);
  Response people(const Request& request) const;
  Response choose_model(const Request& request) const;

  ApiSetup setup_;
  ReviewJobs& review_jobs_;
  LiveJobs& live_jobs_;
  std::string port_;
  RateLimit changes_{50, 20};  // requests that make work
};

}  // namespace pm::server
