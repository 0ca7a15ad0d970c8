// The API without sockets, with an engine that answers at once.
#include "human/fake_model.h"
#include "pgn/reader.h"
#include "report/json.h"
#include "server/api_fixture.h"

namespace pm::server {
namespace {

TEST_F(ApiTest, SaysWhatThereIs) {
  const Json status = get("/api/status");
  EXPECT_EQ(status["engine"]["name"], "Bad Engine 1");
  EXPECT_EQ(status["model"]["name"], "Postmortem-2");
  EXPECT_EQ(status["models"].size(), 1U);
}

TEST_F(ApiTest, LetsThePageChooseAmongTheModelsThatAreThere) {
  const auto other = std::make_shared<human::FakeModel>();
  ModelShelf shelf({{"built-in", "free"}, {"other", "free"}}, model_,
                   [&](const human::FoundModel&) { return Expected<std::shared_ptr<human::HumanModel>>(other); });
  context_.models = &shelf;
  open();
  const std::string id = add_review();
  await("/api/reviews/" + id + "/events");
  EXPECT_EQ(get("/api/reviews/" + id)["review"]["human"]["name"], "Postmortem-2");
  const Response chosen = ask("PUT", "/api/model", R"({"name":"other"})");
  EXPECT_EQ(chosen.status, 200) << chosen.body;
  EXPECT_EQ(Json::parse(chosen.body)["model"]["name"], "fake");
  EXPECT_EQ(Json::parse(chosen.body)["models"][1]["used"], true);
  EXPECT_EQ(Json::parse(ask("POST", "/api/people", R"({"rating":1100})").body)["model"], "fake");
  EXPECT_NE(Json::parse(ask("POST", "/api/reviews/" + id + "/restart").body)["state"], "complete");
  await("/api/reviews/" + id + "/events");
  EXPECT_EQ(get("/api/reviews/" + id)["review"]["human"]["name"], "fake");
  // One that is stopped on the way stays what it was.
  ASSERT_EQ(ask("PUT", "/api/model", R"({"name":"built-in"})").status, 200);
  ask("POST", "/api/reviews/" + id + "/restart");
  ask("POST", "/api/reviews/" + id + "/cancel");
  EXPECT_EQ(await("/api/reviews/" + id + "/events").at("end")["state"], "complete");
  EXPECT_EQ(get("/api/reviews/" + id)["state"], "complete");
  EXPECT_EQ(get("/api/reviews/" + id)["review"]["plies"].size(), 6U);
  EXPECT_EQ(ask("PUT", "/api/model", R"({"name":"/etc/passwd"})").status, 400);
  EXPECT_EQ(ask("PUT", "/api/model", R"({"name":7})").status, 400);
  EXPECT_EQ(ask("PUT", "/api/model", R"({"name":"other","where":"/tmp"})").status, 400);
  EXPECT_EQ(ask("GET", "/api/model").status, 405);
}

TEST_F(ApiTest, ReviewsAGameAndKeepsIt) {
  const std::string id = add_review();
  const auto events = await("/api/reviews/" + id + "/events");
  EXPECT_EQ(events.at("end")["state"], "complete");
  EXPECT_EQ(events.at("review")["provisional"], false);
  EXPECT_EQ(events.at("review")["review"]["plies"].size(), 6U);
  EXPECT_EQ(get("/api/reviews")["reviews"][0]["state"], "complete");
  open();  // the program begins again
  const Json saved = get("/api/reviews/" + id);
  EXPECT_EQ(saved["white"], "A");
  EXPECT_EQ(saved["review"]["plies"].size(), 6U);
  EXPECT_EQ(await("/api/reviews/" + id + "/events").at("review")["review"], saved["review"]);
  for (const char* format : {"pgn", "json", "csv", "html"}) {
    const Response response = ask("GET", fmt::format("/api/reviews/{}/export?format={}&scheme=lichess", id, format));
    EXPECT_EQ(response.status, 200) << format;
    EXPECT_GT(response.body.size(), 100U) << format;
  }
  EXPECT_EQ(ask("DELETE", "/api/reviews/" + id).status, 204);
  EXPECT_EQ(ask("GET", "/api/reviews/" + id).status, 404);
  EXPECT_EQ(ask("DELETE", "/api/reviews/" + id).status, 404);
}

TEST_F(ApiTest, GoesOnWithWhatWasUnfinished) {
  const std::string id = store_->add({game, {"A", "B", "*", "", "", 6}, 6}).value().id;
  store_->set_state(id, ReviewState::running, "");
  open();
  EXPECT_EQ(await("/api/reviews/" + id + "/events").at("end")["state"], "complete");
}

TEST_F(ApiTest, StopsAReviewAndGoesOn) {
  const std::string id = store_->add({game, {"A", "B", "*", "", "", 6}, 6}).value().id;
  store_->set_state(id, ReviewState::cancelled, "");
  const Json stopped = get("/api/reviews/" + id);
  EXPECT_EQ(stopped["state"], "cancelled");
  EXPECT_EQ(stopped["provisional"], true);
  EXPECT_TRUE(stopped["review"]["plies"][0]["verdicts"].is_null()) << "the game can be walked through";
  EXPECT_EQ(ask("GET", "/api/reviews/" + id + "/export").status, 404);
  EXPECT_EQ(Json::parse(ask("POST", "/api/reviews/" + id + "/restart").body)["id"], id);
  EXPECT_EQ(await("/api/reviews/" + id + "/events").at("end")["state"], "complete");
  EXPECT_EQ(get("/api/reviews/" + id)["review"]["plies"].size(), 6U);
  // One that is complete is left alone by both.
  EXPECT_EQ(Json::parse(ask("POST", "/api/reviews/" + id + "/cancel").body)["state"], "complete");
  EXPECT_EQ(Json::parse(ask("POST", "/api/reviews/" + id + "/restart").body)["state"], "complete");
}

TEST_F(ApiTest, LeavesUnfinishedReviewsForATimeWithAnEngine) {
  const std::string id = store_->add({game, {"A", "B", "*", "", "", 6}, 6}).value().id;
  engine::EnginePool* const pool = context_.engines.pool;
  context_.engines.pool = nullptr;
  open();
  EXPECT_EQ(get("/api/reviews/" + id)["state"], "waiting");
  context_.engines.pool = pool;
  open();
  EXPECT_EQ(await("/api/reviews/" + id + "/events").at("end")["state"], "complete");
}

TEST_F(ApiTest, JudgesAMove) {
  const Response response =
      ask("POST", "/api/judgements", Json{{"moves", {"e2e4", "e7e5", "d1h5"}}, {"depth", 8}}.dump());
  ASSERT_EQ(response.status, 201) << response.body;
  const auto events = await("/api/judgements/" + Json::parse(response.body)["id"].get<std::string>() + "/events");
  EXPECT_EQ(events.at("judgement")["ply"]["san"], "Qh5");
  EXPECT_FALSE(events.at("judgement")["ply"]["verdicts"].is_null());
  const Json job = get("/api/judgements/" + Json::parse(response.body)["id"].get<std::string>());
  EXPECT_EQ(job["state"], "complete");
  EXPECT_EQ(job["judgement"], events.at("judgement"));
}

// One review behind every front end: the game as the command line reviews it, as the server does, and move by move.
TEST_F(ApiTest, GivesTheSameAnswerEverywhere) {
  const std::string id = add_review();
  const Json review = await("/api/reviews/" + id + "/events").at("review")["review"];
  pgn::MemorySource source(game);
  const auto read = pgn::GameReader(source).next();
  class Sink final : public review::ReviewSink {
    void progress(const review::ReviewProgress& /*progress*/) override {}
  } sink;
  review::ReviewRequest request;
  request.limit.value = 6;
  const auto gathered = review::Reviewer(read->game, context_.sources(), request).gather(sink);
  const Json direct = Json::parse(report::review_json(review::assemble(read->game, gathered.evidence, {}), {}));
  EXPECT_EQ(review["plies"], direct["plies"]);
  EXPECT_EQ(review["summary"], direct["summary"]);
  Json moves = Json::array();
  for (const Json& ply : review["plies"]) {
    moves.push_back(ply["uci"]);
    const Response response =
        ask("POST", "/api/judgements", Json{{"moves", moves}, {"depth", 6}, {"review", id}}.dump());
    ASSERT_EQ(response.status, 201) << response.body;
    const auto events = await("/api/judgements/" + Json::parse(response.body)["id"].get<std::string>() + "/events");
    EXPECT_EQ(events.at("judgement")["ply"], ply) << moves;
  }
}

// A line that leaves the game is judged by the scores of the game as far as they go, and then by its own.
TEST_F(ApiTest, GivesEveryPositionOfATriedLineOneScore) {
  const std::string id = add_review();
  const Json review = await("/api/reviews/" + id + "/events").at("review")["review"];
  Json moves = {"e2e4", "e7e5"};
  Json before = review["plies"][2]["before"];
  for (const char* move : {"d1h5", "b8c6", "f1c4", "g8f6"}) {
    moves.push_back(move);
    const Response response =
        ask("POST", "/api/judgements", Json{{"moves", moves}, {"depth", 6}, {"review", id}}.dump());
    const auto events = await("/api/judgements/" + Json::parse(response.body)["id"].get<std::string>() + "/events");
    const Json ply = events.at("judgement")["ply"];
    const bool searched_again = ply.contains("better_than_thought") || ply.contains("searched_deeper");
    if (!searched_again) {
      EXPECT_EQ(ply["before"], before) << move;
    }
    before = ply["after"];
  }
}

// What was found out about the end of a line says nothing of its beginning.
TEST_F(ApiTest, JudgesShorterLinesAfterLongerOnes) {
  for (const Json& moves : {Json{"e2e4", "e7e5", "d1h5", "b8c6"}, Json{"e2e4"}, Json{"e2e4", "e7e5", "d1h5"}}) {
    const Response response = ask("POST", "/api/judgements", Json{{"moves", moves}, {"depth", 8}}.dump());
    ASSERT_EQ(response.status, 201) << response.body;
    const auto events = await("/api/judgements/" + Json::parse(response.body)["id"].get<std::string>() + "/events");
    EXPECT_FALSE(events.at("judgement")["ply"]["verdicts"].is_null()) << moves;
  }
}

TEST_F(ApiTest, JudgesMovesWhenTheGameIsOver) {
  const Response response = ask("POST", "/api/judgements",
                                R"({"start_fen": "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "moves": ["e3e4"], "depth": 8})");
  ASSERT_EQ(response.status, 201) << response.body;
  const std::string id = Json::parse(response.body)["id"];
  EXPECT_EQ(await("/api/judgements/" + id + "/events").at("end")["state"], "complete");
  EXPECT_EQ(ask("GET", "/api/expectations/" + id).status, 404);  // of another kind
}

TEST_F(ApiTest, FindsExpectedWinRates) {
  const Response response =
      ask("POST", "/api/expectations",
          Json{{"moves", {"e2e4"}}, {"parameters", {{"threshold", 0.3}, {"depth", 4}, {"rating", 1500}}}}.dump());
  ASSERT_EQ(response.status, 201) << response.body;
  const auto events = await("/api/expectations/" + Json::parse(response.body)["id"].get<std::string>() + "/events");
  EXPECT_EQ(events.at("analysis")["analysis"]["phase"], "complete");
  EXPECT_FALSE(events.at("analysis")["analysis"]["moves"].empty());
}

TEST_F(ApiTest, ListsTheGamesOfAFile) {
  Request file = request("POST", "/api/imports", game + game + "[White \"C\"]\n\n1. e9 *\n");
  file.content_type = "application/x-chess-pgn";
  const Json found = Json::parse(std::get<Response>(api_->handle(file)).body);
  EXPECT_EQ(found["games"].size(), 3U);
  EXPECT_EQ(found["games"][1]["number"], 2);
  EXPECT_NE(found["games"][0]["pgn"].get<std::string>().find("1. e4 e5"), std::string::npos);
  EXPECT_FALSE(found["problems"].empty());
}

TEST_F(ApiTest, SaysWhatIsWrongWithARequest) {
  struct Case {
    const char* method;
    const char* target;
    std::string body;
    int status;
  };
  const std::vector<Case> cases{
      {"GET", "/api/", "", 404},
      {"GET", "/api/nothing", "", 404},
      {"GET", "/api/reviews/nothing", "", 404},
      {"GET", "/api/reviews/nothing/events", "", 404},
      {"GET", "/api/reviews/nothing/export", "", 404},
      {"POST", "/api/reviews/nothing/cancel", "", 404},
      {"PUT", "/api/reviews", "", 405},
      {"DELETE", "/api/status", "", 405},
      {"GET", "/api/expectations/j99/events", "", 404},
      {"DELETE", "/api/judgements/j99", "", 404},
      {"POST", "/", "", 405},
      {"GET", "/../etc/passwd", "", 404},
      {"POST", "/api/reviews", "", 400},
      {"POST", "/api/reviews", "[]", 400},
      {"POST", "/api/reviews", R"({"pgn": 7})", 400},
      {"POST", "/api/reviews", R"({"pgn": ""})", 400},
      {"POST", "/api/reviews", R"({"pgn": "1. e4 *", "depth": 99})", 400},
      {"POST", "/api/reviews", R"({"pgn": "1. e4 *", "depth": "8"})", 400},
      {"POST", "/api/reviews", Json{{"pgn", game + game}}.dump(), 400},
      {"POST", "/api/judgements", "{}", 400},
      {"POST", "/api/judgements", R"({"moves": ["e2e5"]})", 400},
      {"POST", "/api/judgements", R"({"moves": [1]})", 400},
      {"POST", "/api/judgements", R"({"moves": ["e2e4"], "review": "nothing"})", 400},
      {"POST", "/api/judgements", R"({"moves": ["e2e4"], "review": 7})", 400},
      {"POST", "/api/judgements", R"({"start_fen": "8/8 w", "moves": ["e2e4"]})", 400},
      {"POST", "/api/expectations", R"({"parameters": []})", 400},
      {"POST", "/api/expectations", R"({"parameters": {"threshold": 0}})", 400},
      {"POST", "/api/expectations", R"({"parameters": {"rating": 99}})", 400},
  };
  for (const Case& c : cases) {
    const Response response = ask(c.method, c.target, c.body);
    EXPECT_EQ(response.status, c.status) << c.method << ' ' << c.target << ' ' << c.body << response.body;
    EXPECT_EQ(response.content_type, "application/problem+json") << c.target;
    EXPECT_FALSE(Json::parse(response.body)["detail"].get<std::string>().empty());
    std::this_thread::sleep_for(20ms);  // the rate limit is not what is tested here
  }
}

TEST_F(ApiTest, RefusesStrangersAndFloods) {
  Request strange = request("GET", "/api/status");
  strange.host = "evil.example";
  EXPECT_EQ(std::get<Response>(api_->handle(strange)).status, 421);
  Request foreign = request("POST", "/api/reviews", "{}");
  foreign.origin = "http://evil.example";
  EXPECT_EQ(std::get<Response>(api_->handle(foreign)).status, 403);
  int refused = 0;
  for (int i = 0; i < 200; ++i) refused += ask("POST", "/api/reviews", "{}").status == 429 ? 1 : 0;
  EXPECT_GT(refused, 100);
}

TEST_F(ApiTest, WorksWithoutAnEngineAsFarAsItCan) {
  const std::string id = add_review();
  await("/api/reviews/" + id + "/events");
  context_.engines.pool = nullptr;
  context_.engine_problem = "no engine: expected stockfish";
  open();
  EXPECT_TRUE(get("/api/status")["engine"].is_null());
  EXPECT_EQ(get("/api/status")["engine_problem"], "no engine: expected stockfish");
  EXPECT_EQ(ask("POST", "/api/reviews", Json{{"pgn", game}}.dump()).status, 503);
  EXPECT_EQ(get("/api/reviews/" + id)["state"], "complete");
}

}  // namespace
}  // namespace pm::server
