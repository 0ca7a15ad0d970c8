// Unpacks gzip data that fit into memory.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace pm::nn {

// At most so many bytes come out; an error (weights_format) says when there would be more, and what else is wrong.
Expected<std::string> gunzip(std::string_view packed, std::size_t most);

}  // namespace pm::nn
