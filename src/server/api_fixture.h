// The API without sockets, for tests: a store of its own, and an engine that answers at once.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include <nlohmann/json.hpp>

#include "engine/engine.h"
#include "human/models.h"
#include "server/api.h"

namespace pm::server {

using Json = nlohmann::json;
using namespace std::chrono_literals;

inline const std::string game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";

class ApiTest : public testing::Test {
 protected:
  ApiTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("postmortem_api_" + std::to_string(::getpid()))),
        store_(ReviewStore::open((folder_ / "reviews.sqlite").string(), [](const std::string&) {}).value()),
        model_(human::open_model({human::built_in, 1}).value()) {
    engine::EngineSetup setup;
    setup.path = POSTMORTEM_BAD_ENGINE;
    const auto begin = [setup](const std::stop_token& stop) { return engine::start_uci_engine(setup, stop); };
    pool_ = engine::EnginePool::open(begin, 2, {}, nullptr, {}, {&scheduler_, 1}).value();
    context_.engines = {pool_.get(), pool_.get(), nullptr, nullptr, nullptr};
    context_.models = &models_;
    context_.scheduler = &scheduler_;
    context_.reviews = store_.get();
    const auto another = [this, begin] {
      return engine::EnginePool::open(begin, 1, {}, nullptr, {}, {&scheduler_, 1});
    };
    context_.many_lines = std::make_shared<engine::LazyPool>(another);
    context_.wdl = std::make_shared<engine::LazyPool>(another);
    open();
  }
  ~ApiTest() override {
    api_.reset();
    live_jobs_.reset();
    review_jobs_.reset();
    std::filesystem::remove_all(folder_);
  }

  void open() {
    api_.reset();
    review_jobs_ = std::make_unique<ReviewJobs>(context_);
    live_jobs_ = std::make_unique<LiveJobs>(context_);
    api_ = std::make_unique<Api>(ApiSetup{context_, "test", {}}, *review_jobs_, *live_jobs_);
    api_->set_port(8321);
  }

  Request request(const std::string& method, const std::string& target, const std::string& body = "") {
    const auto parsed = parse_target(target).value();
    Request request;
    request.method = method;
    request.path = parsed.path;
    request.query = parsed.query;
    request.host = "127.0.0.1:8321";
    request.content_type = "application/json";
    request.body_bytes = body.size();
    request.body = body;
    return request;
  }
  Response ask(const std::string& method, const std::string& target, const std::string& body = "") {
    return std::get<Response>(api_->handle(request(method, target, body)));
  }
  Json get(const std::string& target) {
    const Response response = ask("GET", target);
    EXPECT_EQ(response.status, 200) << target << response.body;
    return Json::parse(response.body);
  }
  // The last events of a job, after its end.
  std::map<std::string, Json> await(const std::string& target) {
    const auto stream = std::get<Stream>(api_->handle(request("GET", target)));
    for (int i = 0; i < 3000 && !stream.log->ended(); ++i) std::this_thread::sleep_for(10ms);
    std::map<std::string, Json> events;
    for (const Event& event : stream.log->since(0)) events[event.name] = Json::parse(event.data);
    EXPECT_TRUE(events.contains("end")) << target;
    return events;
  }
  std::string add_review() {
    const Response response = ask("POST", "/api/reviews", Json{{"pgn", game}, {"depth", 6}}.dump());
    EXPECT_EQ(response.status, 201) << response.body;
    return Json::parse(response.body)["id"];
  }

  std::filesystem::path folder_;
  std::unique_ptr<ReviewStore> store_;
  std::shared_ptr<human::HumanModel> model_;
  ModelShelf models_{model_};
  engine::EngineScheduler scheduler_{2};
  std::unique_ptr<engine::EnginePool> pool_;
  ServerContext context_;
  std::unique_ptr<ReviewJobs> review_jobs_;
  std::unique_ptr<LiveJobs> live_jobs_;
  std::unique_ptr<Api> api_;
};

}  // namespace pm::server
