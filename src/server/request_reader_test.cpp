#include "server/request_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

namespace pm::server {
namespace {

using Found = RequestReader::Found;

// What comes of bytes that are sent in pieces; the first request alone.
struct Outcome {
  Found found = Found::nothing;
  Request request;
  int status = 0;  // of the refusal
  std::size_t bytes_read = 0;
  std::size_t most_taken = 0;  // of the budget
};

struct Sending {
  std::size_t piece = 1U << 16U;
  std::size_t most_body = 1'000'000;
  std::size_t budget = 10'000'000;
};

Outcome send(std::string_view bytes, const Sending& how = {}) {
  BodyBudget budget(how.budget);
  RequestReader reader({}, budget);
  Outcome outcome;
  outcome.found = reader.begin();
  while (outcome.found == Found::nothing || outcome.found == Found::header) {
    if (outcome.found == Found::header) {
      reader.allow_body(how.most_body);
      outcome.found = reader.take(0);
      continue;
    }
    const auto room = reader.room();
    const std::size_t n = std::min({room.size(), how.piece, bytes.size() - outcome.bytes_read});
    if (n == 0) break;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(outcome.bytes_read), n, room.begin());
    outcome.bytes_read += n;
    outcome.found = reader.take(n);
    outcome.most_taken = std::max(outcome.most_taken, budget.used());
  }
  if (outcome.found == Found::refusal) outcome.status = reader.refusal().status;
  if (outcome.found == Found::request) outcome.request = reader.take_request();
  return outcome;
}

std::string post(std::string_view fields, std::string_view body) {
  return fmt::format("POST /a?b=c HTTP/1.1\r\nHost: here\r\n{}\r\n{}", fields, body);
}

TEST(RequestReader, ReadsRequestsHoweverTheyAreCut) {
  const std::string plain = post("Content-Length: 4\r\nContent-Type: text/x\r\nLast-Event-ID: 7\r\n", "body");
  const std::string chunked = post("Content-Type: text/x\r\nLast-Event-ID: 7\r\nTransfer-Encoding: chunked\r\n",
                                   "2;a=b\r\nbo\r\n2\r\ndy\r\n0\r\nX: y\r\n\r\n");
  for (const std::string& text : {plain, chunked}) {
    for (const std::size_t piece : {1U, 2U, 3U, 7U, 1000U}) {
      const Outcome outcome = send(text, {.piece = piece});
      ASSERT_EQ(outcome.found, Found::request) << piece << text;
      EXPECT_EQ(outcome.request.method, "POST");
      EXPECT_EQ(outcome.request.path, "/a");
      EXPECT_EQ(outcome.request.query.at("b"), "c");
      EXPECT_EQ(outcome.request.host, "here");
      EXPECT_EQ(outcome.request.content_type, "text/x");
      EXPECT_EQ(outcome.request.last_event, 7U);
      EXPECT_EQ(outcome.request.body, "body");
    }
  }
}

TEST(RequestReader, TellsTheHeaderBeforeItReadsTheBody) {
  BodyBudget budget(1000);
  RequestReader reader({}, budget);
  ASSERT_EQ(reader.begin(), Found::nothing);
  const std::string text = post("Content-Length: 4\r\nExpect: 100-continue\r\n", "");
  std::copy(text.begin(), text.end(), reader.room().begin());
  ASSERT_EQ(reader.take(text.size()), Found::header);
  EXPECT_EQ(reader.request().host, "here");
  EXPECT_EQ(reader.request().body_bytes, 4U);
  EXPECT_TRUE(reader.expects_continue());
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_EQ(reader.take(0), Found::nothing);
}

TEST(RequestReader, ReadsOneRequestAfterTheOther) {
  BodyBudget budget(100'000);
  RequestReader reader({}, budget);
  const std::string two =
      post("Content-Length: 30\r\n", std::string(30, '1')) + "GET /two HTTP/1.1\r\nConnection: close\r\n\r\n";
  ASSERT_EQ(reader.begin(), Found::nothing);
  std::copy(two.begin(), two.end(), reader.room().begin());
  ASSERT_EQ(reader.take(two.size()), Found::header);
  reader.allow_body(30);
  ASSERT_EQ(reader.take(0), Found::request);
  EXPECT_TRUE(reader.keeps_alive());
  EXPECT_EQ(reader.take_request().body, std::string(30, '1'));
  EXPECT_GT(budget.used(), 0U) << "until the next request begins";
  ASSERT_EQ(reader.begin(), Found::header);
  EXPECT_EQ(budget.used(), 0U);
  ASSERT_EQ(reader.take(0), Found::request);
  EXPECT_FALSE(reader.keeps_alive());
  EXPECT_EQ(reader.take_request().path, "/two");
}

TEST(RequestReader, RefusesWhatCouldBeReadInTwoWays) {
  struct Case {
    const char* what;
    std::string text;
    int status;
  };
  const std::vector<Case> cases{
      {"two hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400},
      {"two equal hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n", 400},
      {"two origins", post("Origin: http://a\r\nOrigin: http://b\r\n", ""), 400},
      {"two types", post("Content-Type: a/b\r\nContent-Type: a/b\r\n", ""), 400},
      {"two lengths", post("Content-Length: 1\r\nContent-Length: 2\r\n", "a"), 400},
      {"two equal lengths", post("Content-Length: 1\r\nContent-Length: 1\r\n", "a"), 400},
      {"length, then chunks", post("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
      {"chunks, then length", post("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", "0\r\n\r\n"), 400},
      {"chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
      {"another coding", post("Transfer-Encoding: gzip\r\n", ""), 501},
      {"two codings", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 501},
      {"chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"a negative length", post("Content-Length: -1\r\n", ""), 400},
      {"no length", post("Content-Length: x\r\n", ""), 400},
      {"a folded field", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
      {"no chunk", post("Transfer-Encoding: chunked\r\n", "x\r\n"), 400},
      {"another expectation", post("Expect: the-worst\r\n", ""), 417},
      {"an address twice", "GET /?a=1&a=2 HTTP/1.1\r\n\r\n", 400},
      {"no HTTP", "hello there\r\n\r\n", 400},
  };
  for (const Case& c : cases) {
    for (const std::size_t piece : {1U, 1000U}) {
      const Outcome outcome = send(c.text, {.piece = piece});
      EXPECT_EQ(outcome.found, Found::refusal) << c.what << " in pieces of " << piece;
      EXPECT_EQ(outcome.status, c.status) << c.what;
    }
  }
}

// Whatever is sent without end is refused after little more than what a request may be.
TEST(RequestReader, EndsWhatHasNoEnd) {
  constexpr std::size_t enough = 20'000'000;
  const auto without_end = [](std::string text, const std::string& more) {
    while (text.size() < enough) text += more;
    return text;
  };
  const std::string chunks = post("Transfer-Encoding: chunked\r\n", "");
  struct Case {
    const char* what;
    std::string text;
    int status;
    std::size_t most_bytes;
  };
  const std::vector<Case> cases{
      {"a target", without_end("GET /", "aaaaaaaa"), 431, 40'000},
      {"a field", without_end("GET / HTTP/1.1\r\nA: ", "aaaaaaaa"), 431, 40'000},
      {"fields", without_end("GET / HTTP/1.1\r\n", "A: b\r\n"), 431, 40'000},
      {"a chunk's size", without_end(chunks, "0"), 413, 60'000},
      {"an extension", without_end(chunks + "1;", "aaaaaaaa"), 413, 60'000},
      {"extensions", without_end(chunks, "1;" + std::string(5000, 'a') + "\r\nx\r\n"), 413, 400'000},
      {"small chunks", without_end(chunks, "1\r\nx\r\n"), 413, 400'000},
      {"a trailer", without_end(chunks + "0\r\nA: ", "aaaaaaaa"), 413, 60'000},
      {"trailers", without_end(chunks + "0\r\n", "A: b\r\n"), 413, 60'000},
      {"chunks", without_end(chunks, "2000\r\n" + std::string(0x2000, 'x') + "\r\n"), 413, 1'100'000},
  };
  for (const Case& c : cases) {
    for (const std::size_t piece : {std::size_t{6}, std::size_t{1} << 16U}) {
      const Outcome outcome = send(c.text, {.piece = piece});
      EXPECT_EQ(outcome.found, Found::refusal) << c.what;
      EXPECT_EQ(outcome.status, c.status) << c.what;
      EXPECT_LT(outcome.bytes_read, c.most_bytes) << c.what;
      EXPECT_LT(outcome.most_taken, 2'200'000U) << c.what;
    }
  }
}

TEST(RequestReader, TakesMemoryOnlyForWhatHasCome) {
  const std::string announced = post("Content-Length: 1000000\r\n", std::string(100, 'x'));
  EXPECT_LT(send(announced).most_taken, 20'000U);
  const std::string body(300'000, 'x');
  EXPECT_EQ(send(post("Content-Length: 300000\r\n", body), {.budget = 1'000'000}).request.body, body);
  const Outcome refused = send(post("Content-Length: 300000\r\n", body), {.budget = 200'000});
  EXPECT_EQ(refused.status, 503);
}

TEST(RequestReader, TakesABodyOfTheAllowedSizeAndNoMore) {
  EXPECT_EQ(send(post("Content-Length: 5\r\n", "12345"), {.most_body = 5}).found, Found::request);
  EXPECT_EQ(send(post("Content-Length: 6\r\n", "123456"), {.most_body = 5}).status, 413);
  EXPECT_EQ(send(post("Transfer-Encoding: chunked\r\n", "5\r\n12345\r\n0\r\n\r\n"), {.most_body = 5}).found,
            Found::request);
  EXPECT_EQ(send(post("Transfer-Encoding: chunked\r\n", "5\r\n12345\r\n1\r\n6\r\n0\r\n\r\n"), {.most_body = 5}).status,
            413);
  EXPECT_EQ(send(post("Transfer-Encoding: chunked\r\n", "ffffffffffffffff\r\n"), {.most_body = 5}).status, 413);
}

// Fields behind the body come too late to say who asks.
TEST(RequestReader, TakesNothingFromTrailers) {
  const Outcome outcome = send(
      "POST / HTTP/1.1\r\nHost: evil.example\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHost: localhost\r\n"
      "Content-Type: application/json\r\n\r\n");
  ASSERT_EQ(outcome.found, Found::request);
  EXPECT_EQ(outcome.request.host, "evil.example");
  EXPECT_EQ(outcome.request.content_type, "");
}

TEST(BodyBudget, IsSharedByAll) {
  BodyBudget budget(100);
  {
    BodyBudget::Share one(budget);
    BodyBudget::Share other(budget);
    EXPECT_TRUE(one.grow_to(60));
    EXPECT_TRUE(one.grow_to(50)) << "it has that already";
    EXPECT_FALSE(other.grow_to(41));
    EXPECT_TRUE(other.grow_to(40));
    EXPECT_FALSE(one.grow_to(61));
    one.give_back();
    EXPECT_TRUE(other.grow_to(100));
    EXPECT_EQ(budget.used(), 100U);
  }
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace pm::server
