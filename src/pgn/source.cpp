#include "pgn/source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/read_file.h"
#include "pgn/limits.h"
#include "pgn/utf16.h"

namespace pm::pgn {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::size_t compressed_piece = 64UL * 1024;

class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Expected<std::size_t> read(std::span<char> into) override {
    // An interrupted call is not repeated: whoever pressed Ctrl-C while a pipe was silent wants out.
    const ssize_t n = ::read(descriptor_, into.data(), into.size());
    if (n < 0 && errno == EINTR) return fail(ErrorCode::interrupted, "interrupted");
    if (n < 0) return fail(ErrorCode::file_read, name_ + ": " + std::strerror(errno));
    return static_cast<std::size_t>(n);
  }

 private:
  int descriptor_;
  std::string name_;
};

// Gives back the bytes that were read to recognise the format, then the rest of the file.
class RewoundSource final : public ByteSource {
 public:
  RewoundSource(std::string head, std::unique_ptr<ByteSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}

  Expected<std::size_t> read(std::span<char> into) override {
    if (given_ == head_.size()) return rest_->read(into);
    const std::size_t n = std::min(into.size(), head_.size() - given_);
    std::copy_n(head_.data() + given_, n, into.data());
    given_ += n;
    return n;
  }

 private:
  std::string head_;
  std::size_t given_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(compressed_piece) {
    constexpr int gzip_with_largest_window = 15 + 16;
    inflateInit2(&stream_, gzip_with_largest_window);
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Expected<std::size_t> read(std::span<char> into) override {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(into.size());
    while (stream_.avail_out == into.size()) {
      if (failed_) return fail(ErrorCode::file_damaged, name_ + ": the gzip data is damaged");
      if (stream_.avail_in == 0) {
        const auto n = packed_->read(input_);
        if (!n) return tl::make_unexpected(n.error());
        if (*n == 0) {
          if (inside_member_) return fail(ErrorCode::file_damaged, name_ + ": the gzip data ends too early");
          return std::size_t{0};
        }
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(*n);
      }
      // Behind a member another may follow (`cat a.gz b.gz`); anything else, such as a tape's padding, is not ours.
      if (!inside_member_ && *stream_.next_in != static_cast<Bytef>(gzip_magic[0])) return std::size_t{0};
      inside_member_ = true;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_STREAM_END) {
        inside_member_ = false;
        inflateReset(&stream_);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        failed_ = true;  // told at the next call: what was unpacked before the damage comes first
      }
    }
    return into.size() - stream_.avail_out;
  }

 private:
  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<char> input_;
  z_stream stream_{};
  bool inside_member_ = false;
  bool failed_ = false;
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(compressed_piece), context_(ZSTD_createDCtx()) {}
  ~ZstdSource() override { ZSTD_freeDCtx(context_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

  Expected<std::size_t> read(std::span<char> into) override {
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !flushing_) {
        const auto n = packed_->read(input_);
        if (!n) return tl::make_unexpected(n.error());
        if (*n == 0) {
          if (inside_frame_) return fail(ErrorCode::file_damaged, name_ + ": the zstd data ends too early");
          return std::size_t{0};
        }
        in_ = {input_.data(), *n, 0};
      }
      const std::size_t code = failure_ != 0 ? failure_ : ZSTD_decompressStream(context_, &out, &in_);
      if (ZSTD_isError(code) != 0) {
        failure_ = code;
        if (out.pos > 0) break;  // what was unpacked before the damage comes first
        return fail(ErrorCode::file_damaged, name_ + ": the zstd data is damaged (" + ZSTD_getErrorName(code) + ")");
      }
      inside_frame_ = code != 0;
      flushing_ = out.pos == out.size && code != 0;  // a full output buffer may mean that more is waiting
    }
    return out.pos;
  }

 private:
  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<char> input_;
  ZSTD_DCtx* context_;
  ZSTD_inBuffer in_{};
  bool inside_frame_ = false;
  bool flushing_ = false;
  std::size_t failure_ = 0;
};

bool is_zstd(std::string_view start) {
  if (start.starts_with("\x28\xb5\x2f\xfd")) return true;
  // pzstd begins its files with a frame that is to be skipped: 0x184D2A50 to 0x184D2A5F, little-endian.
  return start.size() == 4 && (static_cast<unsigned char>(start[0]) & 0xF0U) == 0x50U &&
         start.substr(1) == "\x2a\x4d\x18";
}

// Counts what is read through it.
class CountedSource final : public ByteSource {
 public:
  CountedSource(std::unique_ptr<ByteSource> source, std::uint64_t& bytes) : source_(std::move(source)), bytes_(bytes) {}
  Expected<std::size_t> read(std::span<char> into) override {
    const auto n = source_->read(into);
    bytes_ += n.value_or(0);
    return n;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::uint64_t& bytes_;
};

// What comes out of packed data, as long as it is not far more than went in: a small file must not keep us for hours.
class UnpackedSource final : public ByteSource {
 public:
  template <class Unpacker>
  static std::unique_ptr<UnpackedSource> make(std::unique_ptr<ByteSource> packed, const std::string& name) {
    std::unique_ptr<UnpackedSource> source(new UnpackedSource(name));
    source->unpacker_ =
        std::make_unique<Unpacker>(std::make_unique<CountedSource>(std::move(packed), source->packed_bytes_), name);
    return source;
  }

  Expected<std::size_t> read(std::span<char> into) override {
    if (bytes_ > max_unpacked_anyway && bytes_ > max_expansion * packed_bytes_) {
      return fail(ErrorCode::file_damaged,
                  fmt::format("{}: unpacks to more than {} MB and {} times its size; it is read "
                              "no further",
                              name_, max_unpacked_anyway >> 20U, max_expansion));
    }
    const auto n = unpacker_->read(into);
    bytes_ += n.value_or(0);
    return n;
  }

 private:
  explicit UnpackedSource(std::string name) : name_(std::move(name)) {}

  std::string name_;
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<ByteSource> unpacker_;  // counts the packed bytes
};

// What a file is that people mistake for PGN, or nothing.
const char* other_format(std::string_view start) {
  if (start.starts_with("PK\x03\x04")) return "a zip archive; unpack it first";
  if (start.starts_with("BZh")) return "packed with bzip2; unpack it first (bunzip2)";
  if (start.starts_with("\3757zX")) return "packed with xz; unpack it first (unxz)";
  if (start.starts_with("7z\xbc\xaf")) return "a 7z archive; unpack it first";
  if (start.starts_with("Rar!")) return "a rar archive; unpack it first";
  return nullptr;
}

bool is_null_device(const struct stat& about) {
  struct stat null{};
  return S_ISCHR(about.st_mode) && ::stat("/dev/null", &null) == 0 && null.st_rdev == about.st_rdev;
}

// Of a pipe that does not block: its first byte, or nothing when somebody has it open to write but has not written.
Expected<std::string> wait_for_writer(int pipe, const std::string& name, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds pause{20};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    char first = 0;
    const ssize_t n = ::read(pipe, &first, 1);
    if (n > 0) return std::string(1, first);
    if (n < 0 && errno == EAGAIN) return "";
    if (n < 0 && errno == EINTR) return fail(ErrorCode::interrupted, "interrupted");
    if (n < 0) return fail(ErrorCode::file_read, name + ": " + std::strerror(errno));
    if (std::chrono::steady_clock::now() >= deadline) {
      return fail(ErrorCode::file_open, fmt::format("cannot read {}: it is a pipe that nobody writes into", name));
    }
    if (::poll(nullptr, 0, static_cast<int>(pause.count())) < 0) return fail(ErrorCode::interrupted, "interrupted");
  }
}

// The file as its first bytes say: unpacked, as UTF-8.
Expected<std::unique_ptr<ByteSource>> recognise(std::unique_ptr<ByteSource> file, const std::string& name) {
  std::array<char, 4> head{};
  std::size_t have = 0;
  while (have < head.size()) {
    const auto n = file->read(std::span(head).subspan(have));
    if (!n) return tl::make_unexpected(n.error());
    if (*n == 0) break;
    have += *n;
  }
  const std::string_view start(head.data(), have);
  if (const char* other = other_format(start)) {
    return fail(ErrorCode::file_open, "cannot read " + name + ": it is " + other);
  }
  auto whole = std::make_unique<RewoundSource>(std::string(start), std::move(file));
  if (start.starts_with(gzip_magic)) return as_utf8(UnpackedSource::make<GzipSource>(std::move(whole), name));
  if (is_zstd(start)) return as_utf8(UnpackedSource::make<ZstdSource>(std::move(whole), name));
  return as_utf8(std::move(whole));
}

}  // namespace

Expected<std::size_t> MemorySource::read(std::span<char> into) {
  const std::size_t n = std::min({into.size(), rest_.size(), piece_});
  std::copy_n(rest_.data(), n, into.data());
  rest_.remove_prefix(n);
  return n;
}

Expected<std::unique_ptr<ByteSource>> open_source(const std::string& path, std::chrono::milliseconds patience) {
  const std::string name = path == "-" ? "standard input" : path;
  int descriptor = STDIN_FILENO;
  if (path != "-") {  // without waiting for somebody who writes into a pipe
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0) return fail(ErrorCode::file_open, "cannot open '" + name + "'" + ": " + std::strerror(errno));
  }
  auto file = std::make_unique<FileSource>(descriptor, name);
  struct stat about{};
  if (::fstat(descriptor, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode) &&
      !S_ISSOCK(about.st_mode) && ::isatty(descriptor) == 0 && !is_null_device(about)) {
    return fail(ErrorCode::file_open,
                fmt::format("cannot read {}: it is {}, expected a PGN file", name, kind_of_file(about.st_mode)));
  }
  if (path == "-") return recognise(std::move(file), name);
  std::string head;
  if (S_ISFIFO(about.st_mode)) {
    auto begun = wait_for_writer(descriptor, name, patience);
    if (!begun) return tl::make_unexpected(begun.error());
    head = std::move(*begun);
  }
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  if (head.empty()) return recognise(std::move(file), name);
  return recognise(std::make_unique<RewoundSource>(std::move(head), std::move(file)), name);
}

Expected<std::unique_ptr<ByteSource>> open_bytes(std::string_view bytes, const std::string& name) {
  return recognise(std::make_unique<MemorySource>(bytes), name);
}

}  // namespace pm::pgn
