// Reads networks in Leela's format: a gzip-packed protocol buffer, as the Maia-1 networks are published in.
//
//   Expected<Weights> weights = parse_leela(bytes);
//
// Every length is checked against the file and against the other layers before it is believed. An error names the field
// and says what was expected; the caller adds the file's name. Pure; any bytes are safe.
#pragma once

#include <string_view>

#include "base/error.h"
#include "nn/weights.h"

namespace pm::nn {

// The gzip-packed file.
Expected<Weights> parse_leela(std::string_view packed);
// The same, already unpacked.
Expected<Weights> parse_leela_message(std::string_view message);

}  // namespace pm::nn
