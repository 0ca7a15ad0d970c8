// The web app on this machine: engines, model, saved reviews and the listener, put together.
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include <fmt/ostream.h>

#include "base/version.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/say.h"
#include "human/models.h"
#include "server/api.h"
#include "server/http_server.h"
#include "server/live_jobs.h"
#include "server/review_jobs.h"
#include "service/engines.h"

namespace pm::cli {
namespace {

std::uintmax_t cache_bytes(const service::EngineChoice& engine) {
  const auto path = service::cache_path(engine);
  std::error_code failed;
  const std::uintmax_t bytes = engine.use_cache && path ? std::filesystem::file_size(*path, failed) : 0;
  return failed ? 0 : bytes;
}

// Every connection is an open file, and the usual limit is 1024.
void allow_open_files(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int serve(const ServeCommand& command, const Streams& streams) {
  const std::stop_token stop = catch_interrupts();
  std::mutex mutex;  // warnings come from any thread
  const auto say = [&](const std::string& sentence) {
    const std::scoped_lock lock(mutex);
    cli::say(streams.err, sentence);
    streams.err.flush();
  };
  const auto path = command.reviews.empty() ? server::default_reviews_path() : std::optional(command.reviews);
  if (!path) {
    say("nowhere to keep reviews: neither XDG_DATA_HOME nor HOME is set; name a file with --reviews");
    return exit_usage;
  }
  server::ReviewStoreSettings limits;
  limits.most_bytes = std::uint64_t{1'000'000} * static_cast<std::uint64_t>(command.reviews_mb);
  const auto reviews = server::ReviewStore::open(*path, say, limits);
  if (!reviews) {
    say(reviews.error().sentence);
    return exit_usage;
  }
  auto model = service::open_model(command.models);
  if (!model) {
    say(model.error().sentence);
    return exit_usage;
  }
  auto found = human::find_models(command.models);
  if (!found) {
    say(found.error().sentence);
    return exit_usage;
  }
  server::ModelShelf models(std::move(*found), std::move(*model),
                            [](const human::FoundModel& each) { return service::open_model(each); });
  service::EngineChoice choice = command.engine;
  choice.background = true;  // the browser is on this machine too
  choice.urgent_jobs = 1;
  const auto engines = service::open_engines(choice, service::Pools::both, say, stop);
  server::ServerContext context;
  context.reviews = reviews->get();
  context.models = &models;
  if (engines) {
    context.engines = engines->sources(nullptr);
    context.scheduler = engines->scheduler.get();
    context.many_lines = std::make_shared<engine::LazyPool>(
        [&engines] { return engines->open_pool(1, server::ServerContext::most_lines, {}); });
    context.wdl = std::make_shared<engine::LazyPool>(
        [&engines] { return engines->open_pool(service::processors(), 1, {{"UCI_ShowWDL", "true"}}); });
  } else {
    context.engine_problem = engines.error().sentence;
    say(context.engine_problem);
  }
  server::ReviewJobs review_jobs(context);
  server::LiveJobs live_jobs(context);
  server::Api api({context, std::string(version()), [&] { return cache_bytes(command.engine); }}, review_jobs,
                  live_jobs);
  server::HttpServerSetup setup;
  allow_open_files(2 * setup.most_connections);
  setup.port = static_cast<std::uint16_t>(command.port);
  const auto listener = server::listen(api, setup);
  if (!listener) {
    say(listener.error().sentence);
    return exit_usage;
  }
  fmt::print(streams.out, "Postmortem is at http://127.0.0.1:{}/ (Ctrl-C ends it)\n", (*listener)->port());
  streams.out.flush();
  (*listener)->run(stop);
  live_jobs.close();
  review_jobs.close();  // before the listener goes, whom the jobs tell their news
  say("ended; what was saved is kept, and reviews under way go on next time");
  return exit_interrupted;
}

}  // namespace pm::cli
