#include "cli/review_identity.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/sha256.h"
#include "base/version.h"

namespace pm::cli {
namespace {

// Options with a value that change no bytes; as one word or two.
constexpr std::array<std::string_view, 3> idle_options{"--cache-limit", "--jobs", "--progress"};

std::string arguments_text(const std::vector<std::string>& arguments) {
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = std::string_view(arguments[i]).substr(0, arguments[i].find('='));
    if (name == "--quiet") continue;
    if (std::find(idle_options.begin(), idle_options.end(), name) == idle_options.end()) {
      text += fmt::format("{} {}\n", arguments[i].size(), arguments[i]);
    } else if (name.size() == arguments[i].size()) {
      ++i;  // its value
    }
  }
  return text;
}

}  // namespace

std::string review_identity(const ReviewCommand& command, const std::string& sources) {
  std::string text = fmt::format("{}\n{}\n{}", version(), sources, arguments_text(command.arguments));
  std::vector<std::string> files = command.files;
  if (!command.book.empty()) files.push_back(command.book);
  for (const std::string& file : files) {
    struct stat about{};
    const bool there = stat(file.c_str(), &about) == 0;
    if (file == "-" || (there && !S_ISREG(about.st_mode))) return "";
    text += fmt::format("{} {} {}.{}\n", there, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
  }
  return sha256_hex(text);
}

}  // namespace pm::cli
