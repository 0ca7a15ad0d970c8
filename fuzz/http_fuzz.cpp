// Any bytes as what a connection brings: the same requests come of them however they are cut into pieces, and none
// takes more than it may. The first byte says how they are cut.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "server/request_reader.h"

using namespace pm;
using Found = server::RequestReader::Found;

namespace {

// Small, so that inputs of a few hundred bytes come to all of them.
constexpr server::RequestLimits limits{.header_bytes = 256, .framing_bytes = 128};
constexpr std::size_t most_body = 512;

// All requests that were found, as text. What is refused may be refused sooner or later.
std::string read_all(std::string_view bytes, std::size_t piece) {
  server::BodyBudget budget(1U << 16U);
  server::RequestReader reader(limits, budget);
  std::string outcome;
  std::size_t read = 0;
  Found found = reader.begin();
  for (;;) {
    require(budget.used() <= 1U << 16U, "bodies stay within their bound");
    if (found == Found::header) {
      outcome += reader.request().method + ' ' + reader.request().path + ' ' + reader.request().host + '\n';
      reader.allow_body(most_body);
      found = reader.take(0);
    } else if (found == Found::request) {
      const server::Request request = reader.take_request();
      require(request.body.size() <= most_body, "a body is as long as it may be");
      require(!request.body_bytes || request.body.size() == *request.body_bytes, "a body is as long as it was said");
      outcome += request.body + (reader.keeps_alive() ? "\nmore\n" : "\nend\n");
      if (!reader.keeps_alive()) return outcome;
      found = reader.begin();
    } else if (found == Found::refusal) {
      require(reader.refusal().status >= 400 && reader.refusal().status < 600, "a refusal has a status");
      return outcome;
    } else {
      const auto room = reader.room();
      require(!room.empty(), "there is room for more");
      const std::size_t n = std::min({room.size(), piece, bytes.size() - read});
      if (n == 0) return outcome;
      std::copy_n(bytes.data() + read, n, room.data());
      read += n;
      found = reader.take(n);
    }
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  require(read_all(bytes, 1U + data[0]) == read_all(bytes, size), "cuts do not matter");
  return 0;
}
