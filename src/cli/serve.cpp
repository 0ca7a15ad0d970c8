// The web app on this machine: engines, model, saved reviews and the listener, put together.
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fmt/ostream.h>

#include "base/user_folder.h"
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/interrupt.h"
#include "human/cached_model.h"
#include "human/models.h"
#include "server/api.h"
#include "server/listener.h"
#include "server/moments.h"
#include "server/workshop.h"

namespace pm::cli {
namespace {

constexpr int expect_hash = 16;  // as `expect` has it, so that both give the same answers

std::optional<std::string> default_reviews_path() {
  const auto folder = user_folder("XDG_DATA_HOME", ".local/share");
  if (!folder) return std::nullopt;
  return (*folder / "postmortem" / "reviews.sqlite").string();
}

std::uintmax_t cache_bytes(const EngineCommand& engine) {
  const auto path = cache_path(engine);
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
    fmt::print(streams.err, "postmortem: {}\n", sentence);
    streams.err.flush();
  };
  const auto path = command.reviews.empty() ? default_reviews_path() : std::optional(command.reviews);
  if (!path) {
    say("nowhere to keep reviews: neither XDG_DATA_HOME nor HOME is set; name a file with --reviews");
    return exit_usage;
  }
  const auto library = server::Library::open(*path);
  if (!library) {
    say(library.error().sentence);
    return exit_usage;
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  auto opened = human::open_model({command.models, cores});
  if (!opened) {
    say(opened.error().sentence);
    return exit_usage;
  }
  human::CachedModel model(std::move(*opened));
  review::Turns turns(command.engine.jobs > 0 ? command.engine.jobs : cores);

  server::Tools tools;
  tools.model = &model;
  tools.turns = &turns;
  tools.library = library->get();
  EngineCommand multiple = command.engine;
  multiple.background = true;  // the browser is on this machine too
  EngineCommand single = multiple;
  single.hash_mb = expect_hash;
  auto engines = open_engines(multiple, 2, say, stop, {&turns, 1});
  auto singles = open_engines(single, 1, say, stop, {&turns, 0});
  if (engines && singles) {
    tools.pool = engines->pool.get();
    tools.options = engines->options;
    tools.single_pool = singles->pool.get();
    tools.single_options = singles->options;
    tools.cache = engines->cache.get();
  } else {
    tools.engine_problem = engines ? singles.error().sentence : engines.error().sentence;
    say(tools.engine_problem);
  }
  server::Workshop workshop(tools);
  server::Moments moments(tools);
  server::Api api({tools, POSTMORTEM_VERSION, [&] { return cache_bytes(command.engine); }}, workshop, moments);
  server::ListenerSetup setup;
  allow_open_files(2 * setup.most_connections);
  setup.port = static_cast<std::uint16_t>(command.port);
  const auto listener =
      server::Listener::open(setup, [&](const server::Request& request) { return api.handle(request); });
  if (!listener) {
    say(listener.error().sentence);
    return exit_usage;
  }
  api.set_port((*listener)->port());
  fmt::print(streams.out, "Postmortem is at http://127.0.0.1:{}/ (Ctrl-C ends it)\n", (*listener)->port());
  streams.out.flush();
  (*listener)->run(stop);
  moments.close();
  workshop.close();  // before the listener goes, whom the jobs tell their news
  say("ended; what was saved is kept, and reviews under way go on next time");
  return exit_interrupted;
}

}  // namespace pm::cli
