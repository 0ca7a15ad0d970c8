// Text of any Unicode encoding as UTF-8.
//
//   std::unique_ptr<ByteSource> text = as_utf8(std::make_unique<GzipSource>(...));
//
// UTF-16 is known by its byte order mark, little- or big-endian. Anything else comes through as it is, a UTF-8 mark
// included.
#pragma once

#include <memory>

#include "pgn/source.h"

namespace pm::pgn {

// Half a surrogate pair or half a character at the end becomes U+FFFD: what comes of UTF-16 is always valid UTF-8.
std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> source);

}  // namespace pm::pgn
