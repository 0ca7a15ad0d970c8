#include "nn/gunzip.h"

#include <zlib.h>

#include <algorithm>

#include <fmt/format.h>

namespace pm::nn {
namespace {

tl::unexpected<Error> bad(std::string sentence) { return fail(ErrorCode::weights_format, std::move(sentence)); }

}  // namespace

Expected<std::string> gunzip(std::string_view packed, std::size_t most) {
  if (!packed.starts_with("\x1f\x8b")) {
    return bad(packed.empty() ? "expected gzip data, found nothing" : "expected gzip data, found something else");
  }
  z_stream stream{};
  constexpr int gzip_with_largest_window = 15 + 16;
  if (inflateInit2(&stream, gzip_with_largest_window) != Z_OK) return bad("the unpacker could not start");
  std::string message;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int code = Z_OK;
  constexpr std::size_t first_guess = std::size_t{2} << 20;
  while (code == Z_OK && message.size() < most) {
    const std::size_t have = message.size();
    message.resize(have == 0 ? first_guess : 2 * have);
    stream.next_out = reinterpret_cast<Bytef*>(message.data() + have);
    stream.avail_out = static_cast<uInt>(message.size() - have);
    code = inflate(&stream, Z_NO_FLUSH);
    message.resize(message.size() - stream.avail_out);
    if (code == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) code = Z_BUF_ERROR;
  }
  inflateEnd(&stream);
  if (code == Z_OK) return bad(fmt::format("expected at most {} MB unpacked, found more", most >> 20));
  if (code == Z_BUF_ERROR) return bad("the gzip data end too early: the file is truncated");
  if (code != Z_STREAM_END) return bad("the gzip data are damaged");
  return message;
}

}  // namespace pm::nn
