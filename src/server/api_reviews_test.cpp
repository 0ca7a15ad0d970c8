// Saved reviews behind the API: options, lines beside the game, pages, and many games at once.
#include <atomic>

#include <fmt/format.h>

#include "engine/fake_engine.h"
#include "server/api_fixture.h"

namespace pm::server {
namespace {

const std::string ruy_lopez = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";

TEST_F(ApiTest, JudgesByTheOptionsOfTheRequest) {
  const auto reviewed = [&](const Json& options) {
    Json body{{"pgn", ruy_lopez}, {"depth", 6}};
    body.update(options);
    const Response response = ask("POST", "/api/reviews", body.dump());
    EXPECT_EQ(response.status, 201) << response.body;
    const std::string id = Json::parse(response.body)["id"];
    await("/api/reviews/" + id + "/events");
    return get("/api/reviews/" + id);
  };
  const Json usual = reviewed(Json::object());
  EXPECT_EQ(usual["review"]["plies"][0]["verdicts"]["points"]["class"], "THEORY");
  EXPECT_EQ(usual["options"]["theory"], true);
  const Json without = reviewed({{"theory", false}});
  EXPECT_NE(without["review"]["plies"][0]["verdicts"]["points"]["class"], "THEORY");
  EXPECT_EQ(without["options"]["theory"], false);
  const std::string id = usual["id"];
  const Response changed = ask("PUT", "/api/reviews/" + id + "/options", R"({"theory": false, "mates": "distance"})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(Json::parse(changed.body)["review"]["plies"], without["review"]["plies"]);
  EXPECT_EQ(get("/api/reviews/" + id)["options"]["mates"], "distance");
  const Json judged{{"moves", {"e2e4"}}, {"depth", 6}, {"review", id}};
  const auto class_of = [&](const Json& body) {
    const Response begun = ask("POST", "/api/judgements", body.dump());
    EXPECT_EQ(begun.status, 201) << begun.body;
    const std::string job = Json::parse(begun.body)["id"];
    return await("/api/judgements/" + job + "/events").at("judgement")["ply"]["verdicts"]["points"]["class"];
  };
  EXPECT_NE(class_of(judged), "THEORY") << "as the review it belongs to";
  Json other = judged;
  other["theory"] = true;
  EXPECT_EQ(class_of(other), "THEORY") << "unless the request says otherwise";
}

TEST_F(ApiTest, RefusesWhatItWouldNotLookAt) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"/api/reviews", R"({"pgn": "1. e4 *", "deep": 8})"},
      {"/api/reviews", R"({"pgn": "1. e4 *", "theory": "no"})"},
      {"/api/reviews", R"({"pgn": "1. e4 *", "dual": "harsh"})"},
      {"/api/judgements", R"({"moves": ["e2e4"], "scheme": "points"})"},
      {"/api/lines", R"({"moves": ["e2e4"], "lines": 3})"},
      {"/api/people", R"({"moves": ["e2e4"], "elo": 1500})"},
      {"/api/people", R"({"rating": 99999})"},
      {"/api/expectations", R"({"parameters": {"uncovered": "none"}})"},
      {"/api/expectations", R"({"parameters": {"map": "people's"}})"},
      {"/api/expectations", R"({"parameters": {"width": 2}})"},
      {"/api/expectations", R"({"parameters": {"pruning": "all"}})"},
      {"/api/expectations", R"({"parameters": {"effort": "settled", "searches": 0}})"},
      {"/api/expectations", R"({"parameters": {"effort": "settled", "time": -1}})"},
      {"/api/expectations", R"({"parameters": {"effort": "exact", "searches": 10}})"},
      {"/api/expectations", R"({"position": "8/8"})"},
  };
  for (const auto& [target, body] : cases) {
    EXPECT_EQ(ask("POST", target, body).status, 400) << target << body;
  }
  EXPECT_NE(ask("POST", "/api/reviews", R"({"pgn": "1. e4 *", "deep": 8})").body.find("deep"), std::string::npos);
}

TEST_F(ApiTest, HonoursWhatAnExpectationIsAskedFor) {
  for (const auto& [name, word] :
       {std::pair{"uncovered", "root"}, std::pair{"effort", "fast"}, std::pair{"effort", "settled"},
        std::pair{"pruning", "none"}, std::pair{"map", "people"}}) {
    const Response begun =
        ask("POST", "/api/expectations",
            Json{{"moves", {"e2e4"}}, {"parameters", {{"threshold", 0.3}, {"depth", 4}, {name, word}}}}.dump());
    ASSERT_EQ(begun.status, 201) << begun.body;
    const auto events = await("/api/expectations/" + Json::parse(begun.body)["id"].get<std::string>() + "/events");
    EXPECT_EQ(events.at("analysis")["analysis"]["parameters"][name], word);
  }
}

// A move that loses everything is not sensible, but it may have been played.
TEST_F(ApiTest, LooksAtAMoveThatWasPlayedWhateverItIsWorth) {
  EXPECT_EQ(ask("POST", "/api/expectations", R"({"also": ["e7e5"]})").status, 400);
  EXPECT_EQ(ask("POST", "/api/expectations", R"({"also": 7})").status, 400);
  const Response begun =
      ask("POST", "/api/expectations",
          Json{{"also", {"a2a3", "h2h3"}}, {"parameters", {{"threshold", 0.9}, {"depth", 4}, {"loss", 0}}}}.dump());
  ASSERT_EQ(begun.status, 201) << begun.body;
  const auto events = await("/api/expectations/" + Json::parse(begun.body)["id"].get<std::string>() + "/events");
  std::string moves;
  for (const Json& move : events.at("analysis")["analysis"]["moves"]) moves += move["uci"].get<std::string>() + ' ';
  EXPECT_NE(moves.find("a2a3"), std::string::npos) << moves;
  EXPECT_NE(moves.find("h2h3"), std::string::npos) << moves;
  EXPECT_LT(events.at("analysis")["analysis"]["moves"].size(), 20U) << moves;
}

TEST_F(ApiTest, KeepsAndExportsLinesBesideTheGame) {
  const std::string id = add_review();
  await("/api/reviews/" + id + "/events");
  const Json lines{{"e2e4", "c7c5", "g1f3"}, {"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4"}};
  EXPECT_EQ(ask("PUT", "/api/reviews/" + id + "/lines", Json{{"lines", lines}}.dump()).status, 204);
  EXPECT_EQ(get("/api/reviews/" + id)["review"]["tried"], lines);
  const std::string pgn = ask("GET", "/api/reviews/" + id + "/export?format=pgn").body;
  EXPECT_NE(pgn.find("(1... c5 2.\nNf3)"), std::string::npos) << pgn;
  EXPECT_NE(pgn.find("4. Ba4"), std::string::npos) << "after the last move, as a comment: " << pgn;
  EXPECT_EQ(ask("PUT", "/api/reviews/" + id + "/lines", R"({"lines": [["e2e5"]]})").status, 400);
  EXPECT_EQ(ask("PUT", "/api/reviews/" + id + "/lines", R"({"lines": 7})").status, 400);
  EXPECT_EQ(get("/api/reviews/" + id)["review"]["tried"], lines) << "what is refused changes nothing";
  EXPECT_EQ(ask("PUT", "/api/reviews/" + id + "/lines", R"({"lines": []})").status, 204);
  EXPECT_FALSE(get("/api/reviews/" + id)["review"].contains("tried"));
  EXPECT_EQ(ask("PUT", "/api/reviews/nothing/lines", R"({"lines": []})").status, 404);
}

TEST_F(ApiTest, MakesAGameOfLinesWhereThereIsNone) {
  const Response added = ask("POST", "/api/reviews", R"({"pgn": "*", "depth": 6})");
  ASSERT_EQ(added.status, 201) << added.body;
  const std::string id = Json::parse(added.body)["id"];
  await("/api/reviews/" + id + "/events");
  ask("PUT", "/api/reviews/" + id + "/lines", R"({"lines": [["d2d4", "d7d5"], ["d2d4", "g8f6"]]})");
  const std::string pgn = ask("GET", "/api/reviews/" + id + "/export?format=pgn").body;
  EXPECT_NE(pgn.find("1. d4 d5 (1... Nf6)"), std::string::npos) << pgn;
}

TEST_F(ApiTest, ShowsLinesOfTheEngine) {
  const Response begun = ask("POST", "/api/lines", R"({"moves": ["e2e4"], "depth": 12})");
  ASSERT_EQ(begun.status, 201) << begun.body;
  const std::string id = Json::parse(begun.body)["id"];
  const auto events = await("/api/lines/" + id + "/events");
  EXPECT_EQ(events.at("end")["state"], "complete");
  EXPECT_FALSE(events.at("lines")["lines"].empty());
  EXPECT_EQ(events.at("lines")["lines"][0]["san"].size(), events.at("lines")["lines"][0]["pv"].size());
  EXPECT_EQ(get("/api/lines/" + id)["lines"], events.at("lines"));
  const Response mate = ask("POST", "/api/lines", R"({"moves": ["f2f3", "e7e5", "g2g4", "d8h4"], "depth": 8})");
  const std::string over = Json::parse(mate.body)["id"];
  EXPECT_TRUE(await("/api/lines/" + over + "/events").at("lines")["lines"].empty());
}

TEST_F(ApiTest, SaysWhatPeoplePlay) {
  const Response response = ask("POST", "/api/people", R"({"moves": ["e2e4"], "rating": 1500})");
  ASSERT_EQ(response.status, 200) << response.body;
  const Json people = Json::parse(response.body);
  double sum = 0;
  for (const Json& move : people["moves"]) sum += move["probability"].get<double>();
  EXPECT_EQ(people["moves"].size(), 20U);
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_GE(people["moves"][0]["probability"], people["moves"][1]["probability"]);
  const Response mate = ask("POST", "/api/people", R"({"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]})");
  EXPECT_TRUE(Json::parse(mate.body)["moves"].empty());
}

TEST_F(ApiTest, TakesAllGamesOfAFile) {
  std::string games;
  for (int i = 0; i < 30; ++i) games += fmt::format("[White \"Player {}\"]\n\n1. e4 e5 *\n\n", i);
  Request all = request("POST", "/api/reviews?depth=6&theory=false", games);
  all.content_type = "application/x-chess-pgn";
  const auto response = std::get<Response>(api_->handle(all));
  ASSERT_EQ(response.status, 201) << response.body;
  EXPECT_EQ(Json::parse(response.body)["added"], 30);
  const Json list = get("/api/reviews?limit=10&offset=20");
  EXPECT_EQ(list["total"], 30);
  ASSERT_EQ(list["reviews"].size(), 10U);
  EXPECT_EQ(list["reviews"][9]["white"], "Player 0") << "newest first";
  EXPECT_EQ(get("/api/reviews?search=PLAYER%2012")["total"], 1);
  EXPECT_EQ(get("/api/reviews?state=failed")["total"], 0);
  EXPECT_EQ(ask("GET", "/api/reviews?state=good").status, 400);
  EXPECT_EQ(ask("GET", "/api/reviews?offset=-1").status, 400);
  const Json waiting = get("/api/reviews");
  for (const Json& each : waiting["reviews"]) {
    await("/api/reviews/" + each["id"].get<std::string>() + "/events");
  }
  EXPECT_EQ(get("/api/reviews?state=complete")["total"], 30);
  const std::string id = get("/api/reviews?search=player%207")["reviews"][0]["id"];
  EXPECT_NE(get("/api/reviews/" + id)["review"]["plies"][0]["verdicts"]["points"]["class"], "THEORY");
}

TEST_F(ApiTest, SaysWhatIsWrongWithAFile) {
  const auto post = [&](const std::string& target, const std::string& bytes) {
    Request file = request("POST", target, bytes);
    file.content_type = "application/x-chess-pgn";
    return std::get<Response>(api_->handle(file));
  };
  const std::string damaged = std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10) + "nothing that was packed";
  for (const char* target : {"/api/imports", "/api/reviews?depth=6"}) {
    const Response response = post(target, damaged);
    EXPECT_EQ(response.status, 400) << target;
    EXPECT_NE(response.body.find("damaged"), std::string::npos) << response.body;
  }
  EXPECT_EQ(post("/api/reviews?depth=6", "hello world").status, 400);
  const Response faulty = post("/api/reviews?depth=6", "1. e4 e5 2. Ke3 *\n\n1. d4 *\n");
  EXPECT_EQ(faulty.status, 201);
  EXPECT_EQ(Json::parse(faulty.body)["added"], 2);
  EXPECT_EQ(Json::parse(faulty.body)["problems"][0]["game"], 1);
}

// Found by session_fuzz: its job was there until it noticed that nobody wants it any more.
TEST_F(ApiTest, CannotBeFollowedWhenItIsDeletedHoweverLongItsJobTakes) {
  class Waiting final : public engine::Engine {
   public:
    explicit Waiting(std::atomic<bool>& go_on) : go_on_(go_on) {}
    const std::string& name() const override { return name_; }
    Expected<void> new_game(const std::stop_token& /*stop*/) override { return {}; }
    Expected<engine::Evaluation> evaluate(const engine::Search& search, const std::stop_token& stop) override {
      go_on_.wait(false);
      return engine_.evaluate(search, stop);
    }

   private:
    std::atomic<bool>& go_on_;
    engine::FakeEngine engine_;
    std::string name_ = "Waiting";
  };
  std::atomic<bool> go_on = false;
  const auto pool = engine::EnginePool::open(
      [&](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> {
        return std::make_unique<Waiting>(go_on);
      },
      1, {}, nullptr, {});
  context_.engines.pool = pool->get();
  context_.scheduler = nullptr;
  open();
  const std::string id = add_review();
  while (get("/api/reviews/" + id)["state"] != "running") std::this_thread::sleep_for(1ms);
  EXPECT_EQ(ask("DELETE", "/api/reviews/" + id).status, 204);
  const Answer followed = api_->handle(request("GET", "/api/reviews/" + id + "/events"));
  const auto* response = std::get_if<Response>(&followed);
  EXPECT_TRUE(response != nullptr && response->status == 404);
  EXPECT_EQ(ask("GET", "/api/reviews/" + id).status, 404);
  go_on = true;
  go_on.notify_all();
  api_.reset();
  live_jobs_.reset();
  review_jobs_.reset();  // before the pool goes
}

// Whatever would overflow the stack of a program that walks through it.
TEST_F(ApiTest, RefusesWhatIsNestedTooDeep) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const std::string id = add_review();
  EXPECT_EQ(ask("PUT", "/api/reviews/" + id + "/options", "{\"theory\":" + deep + "}").status, 400);
  EXPECT_EQ(ask("PUT", "/api/reviews/" + id + "/lines", "{\"lines\":" + deep + "}").status, 400);
  EXPECT_EQ(ask("POST", "/api/expectations", "{\"also\":" + deep + "}").status, 400);
  EXPECT_EQ(ask("POST", "/api/expectations", "{\"parameters\":" + deep + "}").status, 400);
}

TEST_F(ApiTest, NamesFilesByPlayersAndDate) {
  const std::string pgn = "[White \"Müller, K/arl\"]\n[Black \"B\"]\n[Date \"1858.??.??\"]\n\n1. e4 *\n";
  const std::string id = Json::parse(ask("POST", "/api/reviews", Json{{"pgn", pgn}, {"depth", 6}}.dump()).body)["id"];
  await("/api/reviews/" + id + "/events");
  const Response response = ask("GET", "/api/reviews/" + id + "/export?format=csv");
  std::string name;
  for (const auto& [header, value] : response.headers) name += header == "Content-Disposition" ? value : "";
  EXPECT_EQ(name,
            "attachment; filename=\"M__ller, K_arl-B-1858.csv\"; filename*=UTF-8''M%C3%BCller%2C%20K_arl-B-1858.csv");
}

}  // namespace
}  // namespace pm::server
