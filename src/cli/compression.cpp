#include "cli/compression.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>

namespace pm::cli {
namespace {

constexpr int gzip_window = 15 + 16;  // zlib's own number for the largest window and a gzip header
constexpr int gzip_memory = 8;        // zlib's default

// Room for the worst case is made beforehand, so that only memory can be missing.
std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, gzip_memory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads it
  std::size_t rest = text.size();
  int state = Z_OK;
  while (state != Z_STREAM_END) {  // lengths are 32 bits wide there
    constexpr std::size_t piece = 1UL << 20;
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min(rest, piece));
      rest -= stream.avail_in;
    }
    const std::size_t done = packed.size();
    packed.resize(done + deflateBound(&stream, stream.avail_in));
    stream.next_out = reinterpret_cast<Bytef*>(packed.data() + done);
    stream.avail_out = static_cast<uInt>(packed.size() - done);
    state = deflate(&stream, rest == 0 ? Z_FINISH : Z_NO_FLUSH);
    packed.resize(packed.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

}  // namespace

Packing packing_of(std::string_view path) {
  if (path.ends_with(".gz")) return Packing::gzip;
  return path.ends_with(".zst") ? Packing::zstd : Packing::none;
}

std::string pack(std::string text, Packing packing) {
  if (text.empty() || packing == Packing::none) return text;
  return packing == Packing::gzip ? gzip(text) : zstd(text);
}

}  // namespace pm::cli
