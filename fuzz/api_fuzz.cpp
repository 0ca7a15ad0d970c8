// Any bytes as a request: the first line is method and target, the rest the body. Whatever it is, the API answers with
// a status of HTTP, and with a sentence when it refuses.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "human/models.h"
#include "server/api.h"

using namespace pm;

namespace {

server::ServerContext without_engine(server::ModelShelf& models, server::ReviewStore& reviews) {
  server::ServerContext context;
  context.models = &models;
  context.engine_problem = "no engine";
  context.reviews = &reviews;
  return context;
}

// No engine: what needs one is read in full and then refused.
struct Server {
  std::unique_ptr<server::ReviewStore> reviews =
      server::ReviewStore::open(":memory:", [](const std::string&) {}).value();
  server::ModelShelf models{human::open_model({human::built_in, 1}).value()};
  server::ServerContext context = without_engine(models, *reviews);
  server::ReviewJobs review_jobs{context};
  server::LiveJobs live_jobs{context};
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Server all;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), size);
  const std::size_t word = std::min(text.find(' '), line);
  const auto target = server::parse_target(text.substr(std::min(word + 1, line), line - std::min(word + 1, line)));
  if (!target) return 0;
  server::Request request;
  request.method = std::string(text.substr(0, word));
  request.path = target->path;
  request.query = target->query;
  request.host = "127.0.0.1:1";
  request.content_type = "application/json";
  request.body = std::string(text.substr(std::min(line + 1, size)));
  server::Api api({all.context, "fuzz", {}}, all.review_jobs, all.live_jobs);  // anew, for the sake of the rate limit
  api.set_port(1);
  const server::Answer answer = api.handle(request);
  const auto* response = std::get_if<server::Response>(&answer);
  require(response != nullptr, "there is no job to follow");
  require(response->status >= 200 && response->status < 600, "a status is one of HTTP's");
  require(response->status < 400 || response->body.find("\"detail\"") != std::string::npos, "a refusal has a sentence");
  return 0;
}
