// SHA-256 (FIPS 180-4), for naming files by what is in them.
//
//   sha256_hex("abc")  ->  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pm {

std::string sha256_hex(std::string_view bytes);

// Of a file's contents; nothing when it cannot be read, is no regular file, or has more than 4 GB. An engine of 50 MB
// takes a few hundredths of a second where the processor has instructions for it.
std::optional<std::string> sha256_of_file(const std::string& path);

}  // namespace pm
