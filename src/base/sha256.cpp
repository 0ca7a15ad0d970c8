#include "base/sha256.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/read_file.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace pm {
namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t max_summed_bytes = std::size_t{4} << 30;  // engines with their networks have some hundred MB

// FIPS 180-4, 4.2.2: the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

void add_block(State& state, const char* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, block + 4 * i, sizeof word);
    w[i] = __builtin_bswap32(word);
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const State added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

using AddBlock = void (*)(State& state, const char* block);

#ifdef __x86_64__
// The same with the processor's own instructions, four rounds at a time. They want the state as ABEF and CDGH.
__attribute__((target("sha,sse4.1,ssse3"))) void add_block_sha_ni(State& state, const char* block) {
  const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data()));
  const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data() + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  const __m128i abef_before = _mm_alignr_epi8(cdab, efgh, 8);
  const __m128i cdgh_before = _mm_blend_epi16(efgh, cdab, 0xF0);
  __m128i abef = abef_before;
  __m128i cdgh = cdgh_before;
  struct Words {  // by itself the vector type loses its attributes in a template
    __m128i four;
  };
  std::array<Words, 4> w{};  // of the last sixteen rounds
  for (std::size_t i = 0; i < 16; ++i) {
    __m128i& now = w[i % 4].four;
    if (i < 4) {
      now = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i)), swap_bytes);
    } else {
      const __m128i& last = w[(i + 3) % 4].four;
      const __m128i sum =
          _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4].four), _mm_alignr_epi8(last, w[(i + 2) % 4].four, 4));
      now = _mm_sha256msg2_epu32(sum, last);
    }
    const auto* constants = reinterpret_cast<const __m128i*>(round_constants.data() + 4 * i);
    const __m128i added = _mm_add_epi32(now, _mm_loadu_si128(constants));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0E));
  }
  const __m128i feba = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool has_sha_ni() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1U) != 0;
}
AddBlock best_add_block() { return has_sha_ni() ? add_block_sha_ni : add_block; }
#else
AddBlock best_add_block() { return add_block; }
#endif

// Takes bytes piece by piece.
class Sha256 {
 public:
  // All pieces but the last must be whole blocks.
  void add(std::string_view bytes) {
    bits_ += 8 * static_cast<std::uint64_t>(bytes.size());
    for (; bytes.size() >= block_bytes; bytes.remove_prefix(block_bytes)) add_block_(state_, bytes.data());
    std::memcpy(tail_.data(), bytes.data(), bytes.size());
    rest_ = bytes.size();
  }

  // The rest, a one bit, zeros, and the length in bits in the last eight bytes: one block or two.
  std::string hex() {
    tail_[rest_] = static_cast<char>(0x80);
    const std::size_t end = rest_ + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
    for (std::size_t i = 0; i < 8; ++i) tail_[end - 1 - i] = static_cast<char>(bits_ >> (8 * i));
    for (std::size_t at = 0; at < end; at += block_bytes) add_block_(state_, tail_.data() + at);
    std::string hex;
    for (const std::uint32_t word : state_) {
      for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 15U];
    }
    return hex;
  }

 private:
  AddBlock add_block_ = best_add_block();
  State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::uint64_t bits_ = 0;
  std::array<char, 2 * block_bytes> tail_{};
  std::size_t rest_ = 0;  // bytes of the tail that are used
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.hex();
}

std::optional<std::string> sha256_of_file(const std::string& path) {
  const auto descriptor = open_regular_file(path);
  if (!descriptor) return std::nullopt;
  Sha256 sum;
  std::vector<char> piece(std::size_t{1} << 16);
  std::size_t bytes = 0;
  std::optional<std::size_t> n;
  do {
    n = read_fully(*descriptor, piece);
    if (n) sum.add({piece.data(), *n});
    bytes += n.value_or(0);
  } while (n == piece.size() && bytes <= max_summed_bytes);
  ::close(*descriptor);
  return n && bytes <= max_summed_bytes ? std::optional(sum.hex()) : std::nullopt;
}

}  // namespace pm
