#include "server/guard.h"

#include <gtest/gtest.h>

namespace pm::server {
namespace {

using std::chrono::milliseconds;

std::optional<int> refused(const std::string& host, const std::optional<std::string>& origin = std::nullopt) {
  Request request;
  request.host = host;
  request.origin = origin;
  const auto response = refuse_strangers(request, "8321");
  return response ? std::optional(response->status) : std::nullopt;
}

TEST(Guard, AnswersOnlyToThisMachinesNames) {
  EXPECT_EQ(refused("127.0.0.1:8321"), std::nullopt);
  EXPECT_EQ(refused("localhost:8321"), std::nullopt);
  EXPECT_EQ(refused("[::1]:8321"), std::nullopt);
  EXPECT_EQ(refused("127.0.0.1"), std::nullopt);
  for (const char* host : {"", "evil.example", "evil.example:8321", "127.0.0.1:80", "127.0.0.1.evil.example:8321",
                           "localhost:8321.evil.example", "127.0.0.1:8321@evil.example"}) {
    EXPECT_EQ(refused(host), 421) << host;
  }
}

TEST(Guard, RefusesOtherSites) {
  EXPECT_EQ(refused("127.0.0.1:8321", "http://127.0.0.1:8321"), std::nullopt);
  for (const char* origin : {"null", "", "https://127.0.0.1:8321", "http://evil.example", "http://127.0.0.1:9999",
                             "http://127.0.0.1:8321.evil.example", "file://"}) {
    EXPECT_EQ(refused("127.0.0.1:8321", origin), 403) << origin;
  }
}

TEST(RateLimit, GivesSoManyAtOnceAndThenSoManyASecond) {
  RateLimit limit(3, 2);
  const auto start = RateLimit::Clock::time_point{};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.take(start));
  EXPECT_FALSE(limit.take(start));
  EXPECT_FALSE(limit.take(start + milliseconds(400)));
  EXPECT_TRUE(limit.take(start + milliseconds(600)));
  EXPECT_FALSE(limit.take(start + milliseconds(700)));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.take(start + milliseconds(60'000)));
  EXPECT_FALSE(limit.take(start + milliseconds(60'000)));
}

TEST(Message, ReadsTargets) {
  const auto target = parse_target("/api/reviews/a%20b/export?format=pgn&scheme=a+b%2B&empty");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/api/reviews/a b/export");
  EXPECT_EQ(target->query.at("format"), "pgn");
  EXPECT_EQ(target->query.at("scheme"), "a b+");
  EXPECT_EQ(target->query.at("empty"), "");
  for (const char* bad : {"", "*", "http://x/", "/%", "/%4", "/%zz", "/%00", "/?a=%"}) {
    EXPECT_FALSE(parse_target(bad)) << bad;
  }
}

TEST(Message, ReadsMediaTypes) {
  for (const char* json : {"application/json", "Application/JSON", " application/json ",
                           "application/json;charset=utf-8", "application/json ; a=b; c"}) {
    EXPECT_EQ(media_type(json), "application/json") << json;
  }
  for (const char* other : {"", ";", "application/jsonx", "application/json text/plain", "application/json, text/html",
                            "text/application/json"}) {
    EXPECT_NE(media_type(other), "application/json") << other;
  }
}

TEST(Message, ProblemsAreWellFormed) {
  const Response response = busy(503, "Come \"later\".", 5);
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.content_type, "application/problem+json");
  EXPECT_EQ(response.body, R"({"type":"about:blank","title":"Busy","status":503,"detail":"Come \"later\"."})");
  EXPECT_EQ(response.headers.front().first, "Retry-After");
}

}  // namespace
}  // namespace pm::server
