#include "pgn/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

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

// What a file is that people mistake for PGN, or nothing.
const char* other_format(std::string_view start) {
  if (start.starts_with("PK\x03\x04")) return "a zip archive; unpack it first";
  if (start.starts_with("BZh")) return "packed with bzip2; unpack it first (bunzip2)";
  if (start.starts_with("\3757zX")) return "packed with xz; unpack it first (unxz)";
  if (start.starts_with("7z\xbc\xaf")) return "a 7z archive; unpack it first";
  if (start.starts_with("Rar!")) return "a rar archive; unpack it first";
  return nullptr;
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
  if (start.starts_with(gzip_magic)) return as_utf8(std::make_unique<GzipSource>(std::move(whole), name));
  if (is_zstd(start)) return as_utf8(std::make_unique<ZstdSource>(std::move(whole), name));
  return as_utf8(std::move(whole));
}

}  // namespace

Expected<std::size_t> MemorySource::read(std::span<char> into) {
  const std::size_t n = std::min({into.size(), rest_.size(), piece_});
  std::copy_n(rest_.data(), n, into.data());
  rest_.remove_prefix(n);
  return n;
}

Expected<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  int descriptor = STDIN_FILENO;
  if (path != "-") {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return fail(ErrorCode::file_open, "cannot open '" + name + "'" + ": " + std::strerror(errno));
    struct stat about{};
    if (::fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode)) {
      ::close(descriptor);
      return fail(ErrorCode::file_open, "cannot read " + name + ": it is a folder, expected a PGN file");
    }
  }
  return recognise(std::make_unique<FileSource>(descriptor, name), name);
}

Expected<std::unique_ptr<ByteSource>> open_bytes(std::string_view bytes, const std::string& name) {
  return recognise(std::make_unique<MemorySource>(bytes), name);
}

}  // namespace pm::pgn
