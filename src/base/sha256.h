// SHA-256 (FIPS 180-4), for naming files by what is in them.
//
//   sha256_hex("abc")  ->  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#pragma once

#include <string>
#include <string_view>

namespace pm {

std::string sha256_hex(std::string_view bytes);

}  // namespace pm
