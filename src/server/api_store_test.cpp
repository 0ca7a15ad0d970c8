// The API when the saved reviews cannot be written: nothing that was found out is lost, and who asked hears why.
#include <optional>

#include <SQLiteCpp/SQLiteCpp.h>

#include "server/api_fixture.h"
#include "store/fault_vfs.h"

namespace pm::server {
namespace {

class ApiStoreTest : public ApiTest {
 protected:
  void open_store(const ReviewStoreSettings& settings) {
    api_.reset();
    live_jobs_.reset();
    review_jobs_.reset();
    store_.reset();
    store_ = ReviewStore::open(path(), [](const std::string&) {}, settings).value();
    context_.reviews = store_.get();
    open();
  }
  std::string path() const { return (folder_ / "reviews.sqlite").string(); }
  Response post() { return ask("POST", "/api/reviews", Json{{"pgn", game}, {"depth", 6}}.dump()); }
};

TEST_F(ApiStoreTest, SaysThatTheDiskIsFull) {
  store::FaultVfs vfs;
  open_store({});
  vfs.arm({"full disk", store::Call::write, SQLITE_FULL, true}, 1);
  const Response refused = post();
  EXPECT_EQ(refused.status, 507) << refused.body;
  EXPECT_NE(refused.body.find("full"), std::string::npos) << refused.body;
  vfs.arm({"broken disk", store::Call::write, SQLITE_IOERR_WRITE, true}, 1);
  EXPECT_EQ(post().status, 500);
  vfs.disarm();
  await("/api/reviews/" + add_review() + "/events");
  store_.reset();  // while its layer is there
  review_jobs_.reset();
}

TEST_F(ApiStoreTest, SaysThatThereIsNoRoom) {
  open_store({.most_bytes = 1000});
  EXPECT_EQ(post().status, 507);
  EXPECT_EQ(get("/api/reviews")["total"], 0);
}

TEST_F(ApiStoreTest, KeepsWhatAReviewHasFoundOutWhileTheFileIsLocked) {
  open_store({.wait = 20ms});
  const std::string id = add_review();
  // Not another process: one that is forked while threads are at work may find their mutexes locked for ever.
  auto locker = std::make_optional<SQLite::Database>(path(), SQLite::OPEN_READWRITE, 10'000);
  locker->exec("BEGIN IMMEDIATE");
  const auto log = std::get<Stream>(api_->handle(request("GET", "/api/reviews/" + id + "/events"))).log;
  const auto is_found_out = [&] {
    for (const Event& event : log->since(0)) {
      if (event.name == "review" && Json::parse(event.data)["provisional"] == false) return true;
    }
    return false;
  };
  for (int i = 0; i < 6000 && !is_found_out(); ++i) std::this_thread::sleep_for(10ms);
  ASSERT_TRUE(is_found_out());
  const Response locked = ask("DELETE", "/api/reviews/" + id);
  EXPECT_EQ(locked.status, 503) << locked.body;
  EXPECT_EQ(ask("PUT", "/api/reviews/" + id + "/options", "{}").status, 503);
  EXPECT_EQ(post().status, 503);
  locker.reset();
  EXPECT_EQ(await("/api/reviews/" + id + "/events").at("end")["state"], "complete");
  EXPECT_EQ(get("/api/reviews/" + id)["state"], "complete");
  EXPECT_EQ(ask("DELETE", "/api/reviews/" + id).status, 204);
  EXPECT_EQ(ask("DELETE", "/api/reviews/" + id).status, 404);
}

TEST_F(ApiStoreTest, ForgetsAReviewThatIsUnderWay) {
  const std::string id = add_review();
  EXPECT_EQ(ask("DELETE", "/api/reviews/" + id).status, 204);
  EXPECT_EQ(ask("GET", "/api/reviews/" + id).status, 404);
  open();  // waits for what is under way
  EXPECT_EQ(get("/api/reviews")["total"], 0);
}

}  // namespace
}  // namespace pm::server
