// The listener against clients that behave badly, over real sockets.
#include "server/http_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "server/test_client.h"

namespace pm::server {
namespace {

using namespace std::chrono_literals;

class HttpServerTest : public testing::Test {
 protected:
  void start(HttpServerSetup setup, Handler handler, Admit admit = {}) {
    listener_ = HttpServer::open(setup, std::move(handler), std::move(admit)).value();
    thread_ = std::jthread([this](const std::stop_token& stop) { listener_->run(stop); });
  }
  void start_echo(HttpServerSetup setup = {}, Admit admit = {}) {
    start(
        setup,
        [this](const Request& request) -> Answer {
          ++asked_;
          return Response{
              200, "text/plain", fmt::format("{} {} {}", request.method, request.path, request.body.size()), {}};
        },
        std::move(admit));
  }
  Client connect() { return Client(listener_->port()); }
  std::string ask(const std::string& text) {
    Client client = connect();
    client.send(text);
    return client.read_all();
  }

  std::atomic<int> asked_ = 0;
  std::unique_ptr<HttpServer> listener_;
  std::jthread thread_;  // last: it uses the listener
};

constexpr const char* get = "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

TEST_F(HttpServerTest, AnswersAndKeepsTheConnection) {
  start_echo();
  Client client = connect();
  for (int i = 0; i < 3; ++i) {
    client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody");
    const std::string answer = client.read_until("POST /a 4");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK")) << answer;
    EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos);
    client.forget();
  }
}

TEST_F(HttpServerTest, RefusesWhatIsNotHttp) {
  start_echo();
  EXPECT_TRUE(ask("this is not HTTP\r\n\r\n").starts_with("HTTP/1.1 400")) << "garbage";
  EXPECT_TRUE(ask("GET %zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 400")) << "target";
  EXPECT_EQ(asked_, 0);
  EXPECT_TRUE(ask(get).starts_with("HTTP/1.1 200"));
}

TEST_F(HttpServerTest, RefusesHugeBodiesAndHeadersWithoutReadingThem) {
  HttpServerSetup setup;
  setup.most_body_bytes = 1000;
  start_echo(setup);
  EXPECT_TRUE(ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n").starts_with("HTTP/1.1 413"));
  EXPECT_TRUE(
      ask("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(40'000, 'x') + "\r\n\r\n").starts_with("HTTP/1.1 431"));
  EXPECT_EQ(asked_, 0);
}

TEST_F(HttpServerTest, DropsClientsThatTakeForever) {
  HttpServerSetup setup;
  setup.header_time = std::chrono::seconds(1);
  setup.idle_time = std::chrono::seconds(1);
  setup.body_time = std::chrono::seconds(1);
  start_echo(setup);
  Client body = connect();
  body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nsome");
  Client header = connect();
  header.send("POST / HTTP/1.1\r\nHost: a\r\nCont");
  Client silent = connect();
  Client idle = connect();
  idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  for (Client* slow : {&body, &header, &silent}) EXPECT_EQ(slow->read_all().find("200"), std::string::npos);
  EXPECT_NE(idle.read_all().find("200"), std::string::npos) << "answered, and then closed";
  EXPECT_TRUE(ask(get).starts_with("HTTP/1.1 200")) << "others are served meanwhile";
}

// A body may take as long as it needs as long as it keeps coming.
TEST_F(HttpServerTest, WaitsForBodiesThatKeepComing) {
  HttpServerSetup setup;
  setup.body_time = std::chrono::seconds(1);
  setup.slowest_body = 10;
  start_echo(setup);
  Client client = connect();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300\r\n\r\n" + std::string(100, 'x'));
  std::this_thread::sleep_for(1500ms);
  client.send(std::string(200, 'x'));
  EXPECT_NE(client.read_until("POST / 300").find("POST / 300"), std::string::npos);
}

TEST_F(HttpServerTest, HasRoomForSoManyAndNoMore) {
  HttpServerSetup setup;
  setup.most_connections = 3;
  std::atomic<int> begun = 0;
  std::atomic<bool> go_on = false;
  start(setup, [&](const Request&) -> Answer {
    ++begun;
    go_on.wait(false);
    return Response{200, "text/plain", "done", {}};
  });
  std::vector<std::unique_ptr<Client>> answered;
  for (int i = 0; i < 3; ++i) {
    answered.push_back(std::make_unique<Client>(listener_->port()));
    answered.back()->send(get);
  }
  while (begun < 3) std::this_thread::sleep_for(1ms);
  const std::string answer = ask(get);
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 503")) << answer;
  EXPECT_NE(answer.find("Retry-After: 5"), std::string::npos);
  go_on = true;
  go_on.notify_all();
  for (const auto& each : answered) EXPECT_NE(each->read_all().find("done"), std::string::npos) << "these stay";
}

// Whoever has sent half a request, or nothing, gives way to those that come.
TEST_F(HttpServerTest, LetsNobodyBeLockedOutByHalfSentRequests) {
  HttpServerSetup setup;
  setup.most_connections = 20;
  setup.header_time = std::chrono::hours(1);
  setup.idle_time = std::chrono::hours(1);
  start_echo(setup);
  std::vector<std::unique_ptr<Client>> half_sent;
  for (int i = 0; i < 50; ++i) {
    half_sent.push_back(std::make_unique<Client>(listener_->port()));
    half_sent.back()->send("GET / HTTP/1.1\r\nHost: lo");
    if (i % 10 == 9) {
      EXPECT_TRUE(ask(get).starts_with("HTTP/1.1 200")) << i;
    }
  }
  EXPECT_EQ(half_sent.front()->read_all(), "") << "the oldest is closed";
  half_sent.back()->send("calhost\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(half_sent.back()->read_all().starts_with("HTTP/1.1 200")) << "the newest goes on";
}

TEST_F(HttpServerTest, ClosesTheOldestStreamWhenAllAreStreams) {
  HttpServerSetup setup;
  setup.most_connections = 2;
  const auto log = std::make_shared<EventLog>();
  start(setup, [&](const Request& request) -> Answer {
    if (request.path == "/hello") return Response{200, "text/plain", "hello", {}};
    return Stream{log};
  });
  std::vector<std::unique_ptr<Client>> streams;
  for (int i = 0; i < 2; ++i) {
    streams.push_back(std::make_unique<Client>(listener_->port()));
    streams.back()->send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
    streams.back()->read_until("retry");
  }
  EXPECT_NE(ask(get).find("hello"), std::string::npos);
  log->end("over");
  EXPECT_EQ(streams.front()->read_all().find("over"), std::string::npos);
  EXPECT_NE(streams.back()->read_all().find("over"), std::string::npos);
}

// Of a request that is not admitted nothing is read but its header; the answer comes at once.
TEST_F(HttpServerTest, RefusesBeforeTheBodyComes) {
  HttpServerSetup setup;
  setup.body_time = std::chrono::hours(1);
  start_echo(setup, [](const Request& head) -> Admission {
    if (head.host != "localhost") return tl::make_unexpected(problem(421, "Not here."));
    return 5;
  });
  const std::string foreign = "POST / HTTP/1.1\r\nHost: evil.example\r\n";
  EXPECT_TRUE(ask(foreign + "Content-Length: 16000000\r\n\r\nsome").starts_with("HTTP/1.1 421"));
  EXPECT_TRUE(ask(foreign + "Transfer-Encoding: chunked\r\n\r\n1;ext").starts_with("HTTP/1.1 421"));
  EXPECT_TRUE(ask(foreign + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n").starts_with("HTTP/1.1 421"));
  EXPECT_TRUE(ask("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n").starts_with("HTTP/1.1 413"));
  EXPECT_TRUE(
      ask("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n").starts_with("HTTP/1.1 413"));
  EXPECT_EQ(asked_, 0);
}

// The answer reaches a client that only sends and does not listen until it has sent all.
TEST_F(HttpServerTest, IsHeardByThoseWhoSendOn) {
  start_echo({}, [](const Request&) -> Admission { return tl::make_unexpected(problem(421, "Not here.")); });
  Client client = connect();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n" + std::string(8'000'000, 'x'));
  EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 421"));
}

TEST_F(HttpServerTest, TellsClientsThatAskToGoOn) {
  start_echo();
  Client client = connect();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.forget();
  client.send("body");
  EXPECT_TRUE(client.read_until("POST / 4").starts_with("HTTP/1.1 200"));
}

TEST_F(HttpServerTest, BoundsTheBodiesOfAllConnectionsTogether) {
  HttpServerSetup setup;
  setup.most_bytes_under_way = 100'000;
  std::atomic<int> begun = 0;
  std::atomic<bool> go_on = false;
  start(setup, [&](const Request& request) -> Answer {
    ++begun;
    if (request.path == "/first") go_on.wait(false);
    return Response{200, "text/plain", fmt::format("read {}", request.body.size()), {}};
  });
  const auto post = [](const char* path, std::size_t bytes) {
    return fmt::format("POST {} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{}", path, bytes,
                       std::string(bytes, 'x'));
  };
  Client first = connect();
  first.send(post("/first", 60'000));
  while (begun < 1) std::this_thread::sleep_for(1ms);
  const std::string refused = ask(post("/second", 60'000));
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 503")) << refused;
  EXPECT_NE(refused.find("Retry-After: 5"), std::string::npos);
  EXPECT_NE(ask(post("/second", 10)).find("read 10"), std::string::npos) << "small ones go on";
  go_on = true;
  go_on.notify_all();
  EXPECT_NE(first.read_all().find("read 60000"), std::string::npos);
  EXPECT_NE(ask(post("/second", 60'000)).find("read 60000"), std::string::npos);
}

TEST_F(HttpServerTest, EndsBodiesThatAreAllFraming) {
  start_echo();
  const std::string chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string chunk = "1;" + std::string(10'000, 'e') + "\r\nx\r\n";
  Client client = connect();
  client.send(chunked);
  for (int i = 0; i < 100; ++i) client.send(chunk);
  EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 413"));
  EXPECT_EQ(asked_, 0);
}

TEST_F(HttpServerTest, FollowsEventsToTheirEnd) {
  const auto log = std::make_shared<EventLog>();
  log->tell("progress", "1");
  start({}, [&](const Request&) -> Answer { return Stream{log}; });
  Client client = connect();
  client.send(get);
  std::string read = client.read_until("data: 1\n\n");
  EXPECT_NE(read.find("Content-Type: text/event-stream"), std::string::npos);
  log->tell("progress", "2");
  read = client.read_until("data: 2\n\n");
  const auto second = fmt::format("id: {}\nevent: progress\n", log->since(0).back().number);
  EXPECT_NE(read.find(second), std::string::npos) << read;
  log->end("over");
  EXPECT_NE(client.read_all().find("event: end\ndata: over\n\n"), std::string::npos);
}

TEST_F(HttpServerTest, EndsAStreamWhoseEndWasSeen) {
  const auto log = std::make_shared<EventLog>();
  log->end("over");
  start({}, [&](const Request&) -> Answer { return Stream{log}; });
  const std::string read =
      ask(fmt::format("GET / HTTP/1.1\r\nHost: a\r\nLast-Event-ID: {}\r\n\r\n", log->since(0).back().number));
  EXPECT_EQ(read.find("event: end"), std::string::npos) << read;
}

TEST_F(HttpServerTest, SendsOnlyTheHeadWhenAskedForIt) {
  start({}, [](const Request&) -> Answer { return Response{200, "text/plain", "a body", {}}; });
  Client client = connect();
  client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  const std::string head = client.read_until("\r\n\r\n");
  EXPECT_NE(head.find("Content-Length: 6"), std::string::npos) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
  client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_NE(client.read_all().find("a body"), std::string::npos);
}

TEST_F(HttpServerTest, GoesOnWhereAStreamWasCut) {
  const auto log = std::make_shared<EventLog>();
  log->tell("a", "1");
  const auto seen = log->since(0).back().number;
  log->tell("b", "2");
  log->end("3");
  start({}, [&](const Request&) -> Answer { return Stream{log}; });
  const std::string read = ask(fmt::format("GET / HTTP/1.1\r\nHost: a\r\nLast-Event-ID: {}\r\n\r\n", seen));
  EXPECT_EQ(read.find("event: a"), std::string::npos);
  EXPECT_NE(read.find("event: b"), std::string::npos);
}

TEST_F(HttpServerTest, BeatsItsHeartForIdleStreams) {
  HttpServerSetup setup;
  setup.heartbeat = std::chrono::seconds(1);
  const auto log = std::make_shared<EventLog>();
  start(setup, [&](const Request&) -> Answer { return Stream{log}; });
  Client client = connect();
  client.send(get);
  EXPECT_NE(client.read_until(": still here").find(": still here"), std::string::npos);
}

TEST_F(HttpServerTest, EndsWithStreamsOpen) {
  const auto log = std::make_shared<EventLog>();
  start({}, [&](const Request&) -> Answer { return Stream{log}; });
  Client client = connect();
  client.send(get);
  client.read_until("retry");
  thread_.request_stop();
  thread_.join();
  listener_.reset();
  log->tell("a", "1");  // nobody listens any more
}

TEST(HttpServer, SaysWhenThePortIsTaken) {
  const Handler handler = [](const Request&) -> Answer { return Response{}; };
  const auto first = HttpServer::open({}, handler).value();
  HttpServerSetup setup;
  setup.port = first->port();
  const auto second = HttpServer::open(setup, handler);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().sentence.find(std::to_string(setup.port)), std::string::npos);
}

}  // namespace
}  // namespace pm::server
