// Some files of a tar archive, as npm makes them.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/error.h"
#include "pgn/source.h"

namespace pm::service {

// Reads the archive once, calling begin(path, bytes) for each plain file: true when it is wanted. Of those the content
// follows in pieces through `piece`; an error of it ends the reading. Any bytes are safe; nothing is kept in memory.
Expected<void> read_tar(pgn::ByteSource& archive,
                        const std::function<bool(std::string_view path, std::uint64_t bytes)>& begin,
                        const std::function<Expected<void>(std::string_view)>& piece, const std::stop_token& stop);

}  // namespace pm::service
