// Any bytes as what several clients do to one server: each operation is a byte, with a byte or two that say about what.
// Jobs run meanwhile on their threads, with engines that answer at once. Whatever the order: an answer has a status of
// HTTP, and a sentence when it refuses; what was deleted is gone; a complete review stays complete; the list counts
// what is there; streams go forward; and everything comes to its end (or libFuzzer's clock runs out).
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/fake_engine.h"
#include "fuzz/require.h"
#include "human/fake_model.h"
#include "server/api.h"

using namespace pm;
using Json = nlohmann::json;

namespace {

constexpr std::size_t most_operations = 40;

constexpr std::array games{
    "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n",
    "1. f3 e5 2. g4 Qh4# 0-1\n",
    "*\n",
    "[FEN \"8/8/4k3/8/8/4K3/8/8 w - - 0 1\"]\n\n1. Ke4 *\n",
    "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n9. O-O *\n",
    "1. e4 e5 2. Ke3 *\n\n1. d4 *\n",
    "nothing of the kind",
    "",
};
constexpr std::array lines{"[]", R"(["e2e4"])", R"(["e2e4","e7e5","g1f3"])", R"(["d2d4"])", R"(["e2e5"])", "7"};
constexpr std::array fens{"", R"(,"start_fen":"8/8/4k3/8/8/4K3/8/8 w - - 0 1")", R"(,"start_fen":"8/8 w")"};
constexpr std::array options{"{}", R"({"theory":false})", R"({"mates":"distance","dual":"strict"})", R"({"dual":7})"};

// What outlives a session: engines and the model are the same for all.
struct Machine {
  engine::EngineScheduler scheduler{2};
  server::ModelShelf models{std::make_shared<human::FakeModel>()};
  std::unique_ptr<engine::EnginePool> two_lines = open(2).value();
  std::unique_ptr<engine::EnginePool> one_line = open(1).value();

  Expected<std::unique_ptr<engine::EnginePool>> open(std::size_t lines) {
    const auto begin = [lines](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> {
      return std::make_unique<engine::FakeEngine>(lines);
    };
    return engine::EnginePool::open(begin, 2, {}, nullptr, {}, {&scheduler, 1});
  }
  std::shared_ptr<engine::LazyPool> lazy(std::size_t lines) {
    return std::make_shared<engine::LazyPool>([this, lines] { return open(lines); });
  }
};

// One server, begun anew now and then on the same saved reviews.
class Server {
 public:
  explicit Server(Machine& machine) {
    static const auto five_lines = machine.lazy(server::ServerContext::most_lines);
    context_.engines = {machine.two_lines.get(), machine.one_line.get(), nullptr, nullptr, nullptr};
    context_.models = &machine.models;
    context_.scheduler = &machine.scheduler;
    context_.reviews = reviews_.get();
    context_.many_lines = five_lines;
    context_.wdl = five_lines;
    begin();
  }
  void begin() {
    live_jobs_.reset();
    review_jobs_.reset();
    review_jobs_ = std::make_unique<server::ReviewJobs>(context_);
    live_jobs_ = std::make_unique<server::LiveJobs>(context_);
  }

  server::Answer ask(const std::string& method, const std::string& target, const std::string& body = "",
                     const char* type = "application/json") {
    const auto parsed = server::parse_target(target);
    require(parsed.has_value(), "the address can be read");
    server::Request request;
    request.method = method;
    request.path = parsed->path;
    request.query = parsed->query;
    request.host = "localhost:1";
    request.content_type = type;
    request.body_bytes = body.size();
    request.body = body;
    server::Api api({context_, "fuzz", {}}, *review_jobs_, *live_jobs_);  // anew, for the sake of the rate limit
    api.set_port(1);
    server::Answer answer = api.handle(request);
    if (const auto* response = std::get_if<server::Response>(&answer)) {
      const int status = response->status;
      require((status >= 200 && status < 500) || status == 503, "a status is one of HTTP's, and nothing broke");
      require(status < 400 || !Json::parse(response->body).at("detail").get<std::string>().empty(),
              "a refusal has a sentence");
    }
    return answer;
  }
  bool idle() const {
    const auto counts = review_jobs_->counts();
    return counts.running + counts.waiting + live_jobs_->running() == 0;
  }

 private:
  std::unique_ptr<server::ReviewStore> reviews_ =
      server::ReviewStore::open(":memory:", [](const std::string&) {}).value();
  server::ServerContext context_;
  std::unique_ptr<server::ReviewJobs> review_jobs_;
  std::unique_ptr<server::LiveJobs> live_jobs_;
};

class Session {
 public:
  Session(Machine& machine, std::string_view bytes) : server_(machine), bytes_(bytes) {}

  void run() {
    for (std::size_t i = 0; i < most_operations && !bytes_.empty(); ++i) operate();
    while (!server_.idle()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (const Review& review : reviews_) {
      if (review.deleted) continue;
      const std::string state = look_at(review.id);
      require(state == "complete" || state == "cancelled", "a review comes to its end");
    }
    for (Watched& watched : watched_) require(hear(watched), "a stream comes to its end");
    check_list();
  }

 private:
  struct Review {
    std::string id;
    bool complete = false;  // and seen so
    bool deleted = false;
  };
  struct Job {
    std::string kind;
    std::string id;
  };
  struct Watched {
    std::shared_ptr<server::EventLog> log;
    std::uint64_t seen = 0;
    bool ended = false;
  };

  unsigned next() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }
  template <class T, std::size_t N>
  const T& one_of(const std::array<T, N>& all) {
    return all[next() % N];
  }
  Review* any_review() { return reviews_.empty() ? nullptr : &reviews_[next() % reviews_.size()]; }
  std::string of(const Review& review) { return "/api/reviews/" + review.id; }

  void operate() {
    switch (next() % 16) {
      case 0:
      case 1: return add_review();
      case 2: return add_reviews();
      case 3: return begin_job(R"({{"moves":{}{},"depth":{}{}}})", "judgements");
      case 4: return begin_job(R"({{"moves":{}{},"depth":{}}})", "lines");
      case 5: return begin_job(R"({{"moves":{}{},"parameters":{{"threshold":0.5,"depth":{}}}}})", "expectations");
      case 6: return (void)server_.ask("POST", "/api/imports", one_of(games), "application/x-chess-pgn");
      case 7: return change("PUT", "/options", one_of(options));
      case 8: return change("PUT", "/lines", fmt::format(R"({{"lines":[{}]}})", one_of(lines)));
      case 9: return change("POST", "/cancel");
      case 10: return change("POST", "/restart");
      case 11: return remove();
      case 12: return watch();
      case 13: return stop_job();
      case 14: return together();
      default: return look_around();
    }
  }

  void added(const std::string& id) { reviews_.push_back({id}); }

  void add_review() {
    const std::string pgn = one_of(games);
    const unsigned depth = 4 + next() % 6;
    const auto answer = server_.ask("POST", "/api/reviews", Json{{"pgn", pgn}, {"depth", depth}}.dump());
    const auto& response = std::get<server::Response>(answer);
    if (response.status == 201) added(Json::parse(response.body).at("id"));
  }
  void add_reviews() {
    const std::string pgn = std::string(one_of(games)) + "\n" + one_of(games);
    const auto answer = server_.ask("POST", "/api/reviews?depth=6", pgn, "application/x-chess-pgn");
    const auto& response = std::get<server::Response>(answer);
    if (response.status != 201) return;
    const std::size_t count = Json::parse(response.body).at("added");
    const Json list = ask_json(fmt::format("/api/reviews?limit={}", count)).at("reviews");
    require(list.size() == count, "what was added is in the list");
    for (const Json& each : list) added(each.at("id"));
  }
  void begin_job(std::string_view format, const char* kind) {
    const std::string line = one_of(lines);
    const std::string start = one_of(fens);
    const unsigned depth = 5 + next() % 6;
    const Review* review = next() % 2 == 0 ? any_review() : nullptr;
    const std::string of_review = review != nullptr ? fmt::format(R"(,"review":"{}")", review->id) : "";
    const auto answer = server_.ask("POST", fmt::format("/api/{}", kind),
                                    fmt::format(fmt::runtime(format), line, start, depth, of_review));
    const auto& response = std::get<server::Response>(answer);
    if (response.status == 201) jobs_.push_back({kind, Json::parse(response.body).at("id")});
  }
  void change(const char* method, const char* what, const std::string& body = "") {
    Review* review = any_review();
    if (review == nullptr) return;
    const auto answer = server_.ask(method, of(*review) + what, body);
    const int status = std::get<server::Response>(answer).status;
    require(!review->deleted || status >= 400, "what was deleted cannot be changed");
    require(review->deleted || status != 404, "what was not deleted is there");
    see(*review);
  }
  void remove() {
    Review* review = any_review();
    if (review == nullptr) return;
    const auto answer = server_.ask("DELETE", of(*review));
    require(std::get<server::Response>(answer).status == (review->deleted ? 404 : 204), "it is deleted once");
    review->deleted = true;
    see(*review);
  }
  void watch() {
    if (watched_.size() > 20) return;
    std::string target;
    bool there = true;
    if (next() % 2 == 0) {
      const Review* review = any_review();
      if (review == nullptr) return;
      there = !review->deleted;
      target = of(*review);
    } else {
      if (jobs_.empty()) return;
      const Job& job = jobs_[next() % jobs_.size()];
      target = fmt::format("/api/{}/{}", job.kind, job.id);
    }
    auto answer = server_.ask("GET", target + "/events");
    auto* stream = std::get_if<server::Stream>(&answer);
    require((stream != nullptr) == there, "what is there can be followed");
    if (stream != nullptr) watched_.push_back({std::move(stream->log)});
  }
  void stop_job() {
    if (jobs_.empty()) return;
    const Job& job = jobs_[next() % jobs_.size()];
    const bool by_post = next() % 2 == 0;
    const std::string target = fmt::format("/api/{}/{}{}", job.kind, job.id, by_post ? "/cancel" : "");
    const auto answer = server_.ask(by_post ? "POST" : "DELETE", target);
    require(std::get<server::Response>(answer).status == 204, "a job can be stopped, more than once too");
  }
  // Two clients at the same moment.
  void together() {
    Review* review = any_review();
    if (review == nullptr) return;
    constexpr std::array<std::pair<const char*, const char*>, 6> all{{{"POST", "/cancel"},
                                                                      {"POST", "/restart"},
                                                                      {"DELETE", ""},
                                                                      {"PUT", "/options"},
                                                                      {"PUT", "/lines"},
                                                                      {"GET", ""}}};
    const std::array chosen{one_of(all), one_of(all)};
    std::array<int, 2> statuses{};
    {
      std::vector<std::jthread> clients;
      clients.reserve(chosen.size());
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        clients.emplace_back([&, i] {
          const auto& [method, what] = chosen[i];
          const std::string body = method != std::string_view("PUT")    ? ""
                                   : what == std::string_view("/lines") ? R"({"lines":[["e2e4"]]})"
                                                                        : R"({"theory":false})";
          statuses[i] = std::get<server::Response>(server_.ask(method, of(*review) + what, body)).status;
        });
      }
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i].first == std::string_view("DELETE")) {
        require(statuses[i] == 204 || review->deleted || statuses[1 - i] == 204, "somebody deletes it");
        review->deleted = true;
      }
    }
    see(*review);
  }
  void look_around() {
    const unsigned what = next() % 4;
    if (what == 0) return begin_anew();
    if (what == 1) return check_list();
    for (Watched& watched : watched_) hear(watched);
    for (Review& review : reviews_) see(review);
    for (const Job& job : jobs_) {
      const Json found = ask_json(fmt::format("/api/{}/{}", job.kind, job.id));
      require(found.at("state") != "failed", "nothing fails");
    }
    if (what == 2) return;
    if (const Review* review = any_review()) {
      const auto answer = server_.ask("GET", of(*review) + "/export?format=pgn");
      const bool exported = std::get<server::Response>(answer).status == 200;
      require(exported || !review->complete || review->deleted, "what is complete can be exported");
    }
  }
  void begin_anew() {
    server_.begin();
    jobs_.clear();
    watched_.clear();
  }

  Json ask_json(const std::string& target) {
    const auto answer = server_.ask("GET", target);
    const auto& response = std::get<server::Response>(answer);
    require(response.status == 200, "it is there");
    return Json::parse(response.body);
  }
  std::string look_at(const std::string& id) { return ask_json("/api/reviews/" + id).at("state"); }
  // A review as it is now.
  void see(Review& review) {
    if (review.deleted) {
      const auto answer = server_.ask("GET", of(review));
      require(std::get<server::Response>(answer).status == 404, "what was deleted is gone");
      return;
    }
    const bool complete = look_at(review.id) == "complete";
    require(complete || !review.complete, "a complete review stays complete");
    review.complete = complete;
  }
  void check_list() {
    std::size_t there = 0;
    for (const Review& review : reviews_) there += review.deleted ? 0 : 1;
    const Json list = ask_json("/api/reviews?limit=500");
    require(list.at("total") == there && list.at("reviews").size() == there, "the list counts what is there");
  }
  // What is new; true when it is the end.
  static bool hear(Watched& watched) {
    const bool had_ended = watched.ended;
    for (const server::Event& event : watched.log->since(watched.seen)) {
      require(event.number > watched.seen, "a stream goes forward");
      require(!had_ended, "nothing follows the end");
      require(Json::accept(event.data) && event.data.find('\n') == std::string::npos, "an event is JSON on a line");
      watched.seen = event.number;
      watched.ended = event.name == "end";
    }
    return watched.ended;
  }

  Server server_;
  std::string_view bytes_;
  std::vector<Review> reviews_;
  std::vector<Job> jobs_;
  std::vector<Watched> watched_;
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Machine machine;
  Session(machine, {reinterpret_cast<const char*>(data), size}).run();
  return 0;
}
