// What the API says of requests by their header, and of fields that it does not know.
#include <fmt/format.h>

#include "server/api_fixture.h"
#include "server/test_client.h"

namespace pm::server {
namespace {

class ApiRoutesTest : public ApiTest {
 protected:
  // The status, or 0 when it is admitted. Anew each time, for the sake of the rate limit.
  int refusal(const Request& head) {
    open();
    const Admission admission = api_->admit(head);
    return admission ? 0 : admission.error().status;
  }
  Request head(const std::string& method, const std::string& target, const std::string& type,
               std::optional<std::uint64_t> bytes) {
    Request head = request(method, target);
    head.content_type = type;
    head.body_bytes = bytes;
    return head;
  }
};

TEST_F(ApiRoutesTest, RefusesByTheHeaderAlone) {
  constexpr std::uint64_t mb = 1U << 20U;
  const std::string json = "application/json";
  const std::string pgn = "application/x-chess-pgn";
  struct Case {
    const char* method;
    const char* target;
    std::string type;
    std::optional<std::uint64_t> bytes;
    int status;
  };
  const std::vector<Case> cases{
      {"POST", "/api/reviews", json, 100, 0},
      {"POST", "/api/reviews", "Application/JSON ; charset=utf-8", 100, 0},
      {"POST", "/api/reviews", json, std::nullopt, 0},
      {"POST", "/api/reviews", json, 16 * mb, 0},
      {"POST", "/api/reviews", json, 16 * mb + 1, 413},
      {"POST", "/api/reviews", "application/jsonx", 100, 415},
      {"POST", "/api/reviews", "application/json, text/plain", 100, 415},
      {"POST", "/api/reviews", "text/plain", 100, 415},
      {"POST", "/api/reviews", "", 100, 415},
      {"POST", "/api/reviews", "application/x-chess-pgn2", 100, 415},
      {"POST", "/api/reviews?depth=8", pgn, 16 * mb, 0},
      {"POST", "/api/imports", pgn, 16 * mb, 0},
      {"POST", "/api/imports", json, 100, 415},
      {"POST", "/api/judgements", pgn, 100, 415},
      {"POST", "/api/judgements", json, mb, 0},
      {"POST", "/api/judgements", json, mb + 1, 413},
      {"POST", "/api/judgements/x/cancel", json, 2, 0},
      {"POST", "/api/judgements/x/cancel", "", 0, 0},
      {"POST", "/api/judgements/x/cancel", "text/plain", 2, 415},
      {"POST", "/api/judgements/x/cancel", json, 2'000, 413},
      {"POST", "/api/judgements/x", json, 2, 405},
      {"GET", "/api/reviews", "", 1, 400},
      {"GET", "/api/reviews", "", std::nullopt, 400},
      {"DELETE", "/api/reviews/x", "", 1, 400},
      {"GET", "/api/reviews/x/y/z", "", 0, 404},
      {"GET", "/", "", 0, 0},
      {"GET", "/app.js", "", 1, 400},
      {"POST", "/", json, 100, 405},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(refusal(head(c.method, c.target, c.type, c.bytes)), c.status)
        << c.method << ' ' << c.target << ' ' << c.type << ' ' << c.bytes.value_or(0);
  }
  Request strange = head("POST", "/api/reviews", json, 100 * mb);
  strange.host = "evil.example";
  EXPECT_EQ(refusal(strange), 421) << "first of all, who asks";
}

// The same over a socket, as the program listens: the answer comes while the body does not.
TEST_F(ApiRoutesTest, RefusesStrangersBeforeTheirBodyComes) {
  HttpServerSetup setup;
  setup.body_time = std::chrono::hours(1);
  const auto listener = listen(*api_, setup).value();
  const std::jthread thread([&](const std::stop_token& stop) { listener->run(stop); });
  const auto ask = [&](const std::string& host, const std::string& type, const std::string& body) {
    Client client(listener->port());
    client.send(
        fmt::format("POST /api/imports HTTP/1.1\r\nHost: {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
                    "Connection: close\r\n\r\n{}",
                    host, type, game.size(), body));
    return client.read_all();
  };
  const std::string pgn = "application/x-chess-pgn";
  EXPECT_TRUE(ask("evil.example", pgn, "1").starts_with("HTTP/1.1 421"));
  EXPECT_TRUE(ask("localhost\r\nOrigin: http://evil.example", pgn, "1").starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(ask("localhost", "text/plain", "1").starts_with("HTTP/1.1 415"));
  EXPECT_TRUE(ask(fmt::format("localhost:{}", listener->port()), pgn, game).starts_with("HTTP/1.1 200"));
}

TEST_F(ApiRoutesTest, SaysWhichMethodsAndTypesThereAre) {
  const auto refused = api_->admit(head("PATCH", "/api/reviews/x", "", 0));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().headers, (std::vector<std::pair<std::string, std::string>>{{"Allow", "GET, DELETE"}}));
  const auto untyped = api_->admit(head("POST", "/api/reviews", "text/plain", 10));
  ASSERT_FALSE(untyped);
  EXPECT_NE(untyped.error().body.find("application/json or application/x-chess-pgn"), std::string::npos);
}

// Every request of the API, with a field or parameter more than it knows.
TEST_F(ApiRoutesTest, RefusesUnknownFieldsByTheirName) {
  const std::string id = add_review();
  await("/api/reviews/" + id + "/events");
  const std::string of_review = "/api/reviews/" + id;
  struct Case {
    const char* method;
    std::string target;
    std::string body;
    const char* type = "application/json";
  };
  const char* const pgn = "application/x-chess-pgn";
  const std::vector<Case> cases{
      {"GET", "/api/status?colour=red", ""},
      {"PUT", "/api/model", R"({"name":"built-in","colour":1})"},
      {"PUT", "/api/model?colour=1", R"({"name":"built-in"})"},
      {"POST", "/api/people", R"({"colour":1})"},
      {"POST", "/api/people?colour=1", "{}"},
      {"POST", "/api/imports?colour=1", game, pgn},
      {"GET", "/api/reviews?colour=1", ""},
      {"POST", "/api/reviews", R"({"pgn":"1. e4 *","colour":1})"},
      {"POST", "/api/reviews?colour=1", R"({"pgn":"1. e4 *"})"},
      {"POST", "/api/reviews?depth=6&colour=1", game, pgn},
      {"GET", of_review + "?colour=1", ""},
      {"DELETE", of_review + "?colour=1", ""},
      {"GET", of_review + "/events?colour=1", ""},
      {"GET", of_review + "/export?format=pgn&colour=1", ""},
      {"POST", of_review + "/cancel", R"({"colour":1})"},
      {"POST", of_review + "/cancel?colour=1", ""},
      {"POST", of_review + "/restart", R"({"colour":1})"},
      {"PUT", of_review + "/options", R"({"colour":1})"},
      {"PUT", of_review + "/options?colour=1", "{}"},
      {"PUT", of_review + "/lines", R"({"lines":[],"colour":1})"},
      {"PUT", of_review + "/lines?colour=1", R"({"lines":[]})"},
      {"POST", "/api/judgements", R"({"moves":["e2e4"],"colour":1})"},
      {"POST", "/api/judgements?colour=1", R"({"moves":["e2e4"]})"},
      {"GET", "/api/judgements/x?colour=1", ""},
      {"DELETE", "/api/judgements/x?colour=1", ""},
      {"GET", "/api/judgements/x/events?colour=1", ""},
      {"POST", "/api/judgements/x/cancel", R"({"colour":1})"},
      {"POST", "/api/lines", R"({"moves":["e2e4"],"colour":1})"},
      {"POST", "/api/lines?colour=1", "{}"},
      {"GET", "/api/lines/x?colour=1", ""},
      {"POST", "/api/lines/x/cancel?colour=1", ""},
      {"POST", "/api/expectations", R"({"colour":1})"},
      {"POST", "/api/expectations", R"({"parameters":{"colour":1}})"},
      {"POST", "/api/expectations?colour=1", "{}"},
      {"GET", "/api/expectations/x/events?colour=1", ""},
  };
  for (const Case& c : cases) {
    open();
    Request request = this->request(c.method, c.target, c.body);
    request.content_type = c.type;
    const Answer answer = api_->handle(request);
    const auto* response = std::get_if<Response>(&answer);
    ASSERT_NE(response, nullptr) << c.target;
    EXPECT_EQ(response->status, 400) << c.method << ' ' << c.target << c.body << response->body;
    EXPECT_NE(response->body.find("colour"), std::string::npos) << c.method << ' ' << c.target << response->body;
  }
  EXPECT_EQ(get(of_review)["state"], "complete") << "nothing was changed";
}

TEST_F(ApiRoutesTest, RefusesFieldsThatComeTwice) {
  const Response response = ask("POST", "/api/people", R"({"rating": 1500, "moves": ["e2e4"], "rating": 1600})");
  EXPECT_EQ(response.status, 400);
  EXPECT_NE(response.body.find("rating: expected once"), std::string::npos) << response.body;
  EXPECT_FALSE(parse_target("/api/reviews?limit=1&limit=2"));
}

TEST_F(ApiRoutesTest, RefusesJsonOfVeryManyValues) {
  std::string many = R"({"moves":[)";
  for (int i = 0; i < 200'000; ++i) many += "[],";
  many += "[]]}";
  const Response response = ask("POST", "/api/reviews", many);
  EXPECT_EQ(response.status, 400);
  EXPECT_NE(response.body.find("fewer values"), std::string::npos) << response.body;
}

// A sentence may quote what somebody has sent, but neither at length nor so that a terminal or a page obeys it.
TEST_F(ApiRoutesTest, BoundsWhatItsSentencesQuote) {
  const std::string bad = "\x1b[31m\r\n\x01\x7f\xc2\x9b\xe2\x80\xae" + std::string(100'000, 'x');
  const Json text = bad;
  const auto quoted = [&](const std::string& format) { return fmt::format(fmt::runtime(format), text.dump()); };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"/api/people", quoted(R"({{{}:1}})")},
      {"/api/people", quoted(R"({{"start_fen":{}}})")},
      {"/api/people", quoted(R"({{"moves":[{}]}})")},
      {"/api/expectations", quoted(R"({{"parameters":{{{}:1}}}})")},
      {"/api/expectations", quoted(R"({{"parameters":{{"map":{}}}}})")},
      {"/api/expectations", quoted(R"({{"also":[{}]}})")},
      {"/api/reviews", quoted(R"({{"pgn":"1. e4 *","dual":{}}})")},
      {"/api/judgements", quoted(R"({{"moves":["e2e4"],"review":{}}})")},
  };
  for (const auto& [target, body] : cases) {
    open();
    const Response response = ask("POST", target, body);
    EXPECT_EQ(response.status, 400) << target << body.substr(0, 60);
    EXPECT_LT(response.body.size(), 1'500U) << target;
    const auto sentence = Json::parse(response.body)["detail"].get<std::string>();
    for (const char c : sentence) EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' && c != '\x7f') << sentence;
    EXPECT_EQ(sentence.find("\xe2\x80\xae"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("\xc2\x9b"), std::string::npos) << sentence;
  }
}

TEST_F(ApiRoutesTest, BoundsWhatTheProblemsOfAFileQuote) {
  Request file =
      request("POST", "/api/imports",
              "[Variant \"Atomic\x1b[31m\xff" + std::string(3'000, 'x') + "\"]\n\n1. e4 *\n\n1. \xff\x1bz9 *\n");
  file.content_type = "application/x-chess-pgn";
  const auto response = std::get<Response>(api_->handle(file));
  ASSERT_EQ(response.status, 200) << response.body;
  const Json problems = Json::parse(response.body)["problems"];
  ASSERT_GE(problems.size(), 1U);
  for (const Json& problem : problems) {
    const auto message = problem["message"].get<std::string>();
    EXPECT_LT(message.size(), 200U) << message;
    EXPECT_EQ(message.find('\x1b'), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace pm::server
