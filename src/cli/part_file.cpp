#include "cli/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/read_file.h"
#include "base/words.h"

namespace pm::cli {
namespace {

constexpr mode_t file_mode = 0666;  // less what the user's mask takes away
constexpr std::size_t checked_piece = 1UL << 20;
constexpr std::size_t most_index_bytes = std::size_t{1} << 30;  // some twenty million games

std::string index_header(const std::string& command) { return fmt::format("postmortem.part/1 {}\n", command); }

std::uint32_t checksum_of(std::string_view bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

struct IndexLine {
  std::uint64_t end = 0;
  std::uint32_t checksum = 0;
  PartCounts counts;
};

std::optional<IndexLine> parse_index_line(std::string_view text) {
  std::istringstream in{std::string(text)};
  IndexLine line;
  line.counts.games = 1;
  in >> line.end >> std::hex >> line.checksum >> std::dec >> line.counts.plies >> line.counts.judged;
  return in && in.peek() == std::istringstream::traits_type::eof() ? std::optional(line) : std::nullopt;
}

std::uint64_t size_of(int descriptor) {
  struct stat about{};
  return fstat(descriptor, &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
}

bool is_at(int descriptor, const std::string& path) {
  struct stat open{};
  struct stat there{};
  return fstat(descriptor, &open) == 0 && stat(path.c_str(), &there) == 0 && open.st_dev == there.st_dev &&
         open.st_ino == there.st_ino;
}

}  // namespace

PartFile::~PartFile() {
  if (!finished_ && games_ == 0 && !part_.empty()) {  // under the lock
    std::error_code ignored;
    std::filesystem::remove(index_, ignored);
    std::filesystem::remove(part_, ignored);
  }
  close();
}

void PartFile::close() {
  for (int* descriptor : {&part_descriptor_, &index_descriptor_}) {
    if (*descriptor >= 0 && ::close(*descriptor) != 0) good_ = false;
    *descriptor = -1;
  }
}

Expected<void> PartFile::open_part(int flags) {
  const std::string part = path_ + ".part";
  do {  // another run may have renamed or removed it between opening and locking
    close();
    part_descriptor_ = ::open(part.c_str(), O_RDWR | O_CLOEXEC | O_CREAT | flags, file_mode);
    if (part_descriptor_ < 0) return fail(ErrorCode::file_open, fmt::format("cannot write {}", path_));
    if (flock(part_descriptor_, LOCK_EX | LOCK_NB) != 0) {
      close();
      return fail(ErrorCode::busy, fmt::format("{} is being written by another run", part));
    }
  } while (!is_at(part_descriptor_, part));
  part_ = part;  // ours from now on
  index_ = part + ".index";
  return {};
}

Expected<PartFile::Found> PartFile::open(const std::string& path, const std::string& command) {
  path_ = path;
  if (auto opened = open_part(0); !opened) return tl::make_unexpected(opened.error());
  Found found;
  const bool empty = size_of(part_descriptor_) == 0;
  if (!empty && !take_up(command, found.done)) {
    found = {{}, move_aside()};
    if (auto opened = open_part(O_EXCL); !opened) return tl::make_unexpected(opened.error());
  }
  games_ = found.done.games;
  const bool anew = games_ == 0;
  index_descriptor_ =
      ::open(index_.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_APPEND | (anew ? O_TRUNC : 0), file_mode);
  const bool ready = index_descriptor_ >= 0 && ftruncate(part_descriptor_, static_cast<off_t>(end_)) == 0 &&
                     lseek(part_descriptor_, 0, SEEK_END) >= 0 &&
                     (!anew || write(index_descriptor_, index_header(command)));
  if (!ready) return fail(ErrorCode::file_open, fmt::format("cannot write {}", path_));
  return found;
}

bool PartFile::has_checksum(std::uint64_t begin, std::uint64_t end, std::uint32_t checksum) const {
  std::vector<char> piece(std::min<std::uint64_t>(end - begin, checked_piece));
  std::uint32_t sum = 0;
  while (begin < end) {
    const std::size_t wanted = std::min<std::uint64_t>(end - begin, piece.size());
    const ssize_t n = pread(part_descriptor_, piece.data(), wanted, static_cast<off_t>(begin));
    if (n <= 0) return false;
    sum = checksum_of({piece.data(), static_cast<std::size_t>(n)}, sum);
    begin += static_cast<std::uint64_t>(n);
  }
  return sum == checksum;
}

bool PartFile::take_up(const std::string& command, PartCounts& done) {
  const std::string text = read_file(index_, most_index_bytes).value_or("");
  const std::string header = index_header(command);
  if (command.empty() || !text.starts_with(header)) return false;
  std::size_t whole = header.size();  // bytes of the index that are true
  for (std::size_t line_end = text.find('\n', whole); line_end != std::string::npos;
       line_end = text.find('\n', whole)) {
    const auto line = parse_index_line(std::string_view(text).substr(whole, line_end - whole));
    if (!line || line->end < end_ || !has_checksum(end_, line->end, line->checksum)) break;
    end_ = line->end;
    done.games += 1;
    done.plies += line->counts.plies;
    done.judged += line->counts.judged;
    whole = line_end + 1;
  }
  return truncate(index_.c_str(), static_cast<off_t>(whole)) == 0;
}

// Beside its place, with its index, so that it can be moved back.
std::string PartFile::move_aside() {
  std::error_code ignored;
  std::string aside;
  for (int n = 1; aside.empty() || std::filesystem::exists(aside, ignored); ++n) aside = fmt::format("{}.{}", part_, n);
  std::filesystem::rename(part_, aside, ignored);
  std::filesystem::rename(index_, aside + ".index", ignored);
  close();
  end_ = 0;
  part_.clear();  // should the next one not open, this one is not ours to remove
  return aside;
}

bool PartFile::write(int descriptor, std::string_view bytes) {
  while (good_ && !bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    good_ = n > 0;
    if (good_) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return good_;
}

void PartFile::append(std::string_view bytes, std::size_t plies, std::size_t judged) {
  if (!write(part_descriptor_, bytes)) return;
  end_ += bytes.size();
  const std::string line = fmt::format("{} {:08x} {} {}\n", end_, checksum_of(bytes), plies, judged);
  if (write(index_descriptor_, line)) ++games_;
}

void PartFile::append_end(std::string_view bytes) { write(part_descriptor_, bytes); }

bool PartFile::finish() {
  std::error_code failed;
  if (good_) std::filesystem::rename(part_, path_, failed);  // under the lock
  finished_ = good_ && !failed;
  close();
  if (finished_) std::filesystem::remove(index_, failed);
  return finished_;
}

}  // namespace pm::cli
