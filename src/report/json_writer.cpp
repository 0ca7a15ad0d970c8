#include "report/json_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

namespace pm::report {

void JsonWriter::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  out_ += '"';
  out_ += name;
  out_ += "\":";
  first_ = true;  // the value follows without a comma
  return *this;
}

JsonWriter& JsonWriter::user_key(std::string_view name) {
  separate();
  quote(name);
  out_ += ':';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::line_break() {
  if (!first_) out_ += ',';
  out_ += '\n';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  quote(text);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  out_ += truth ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::integer(long long number) {
  separate();
  std::array<char, 24> digits{};
  const auto [end, code] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out_.append(digits.data(), end);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  assert(std::abs(number) < 1e12);
  const auto millionths = std::llround(number * 1e6);
  const auto magnitude = std::llabs(millionths);
  separate();
  if (millionths < 0) out_ += '-';
  first_ = true;
  integer(magnitude / 1'000'000);
  out_ += '.';
  auto rest = magnitude % 1'000'000;
  long long place = 100'000;
  do {
    out_ += static_cast<char>('0' + (rest / place));
    rest %= place;
    place /= 10;
  } while (rest != 0);
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

void JsonWriter::quote(std::string_view text) {
  const auto is_special = [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
  out_ += '"';
  for (;;) {
    const auto* const special = std::find_if(text.begin(), text.end(), is_special);
    out_.append(text.begin(), special);
    if (special == text.end()) break;
    switch (*special) {
      case '"': out_ += "\\\""; break;
      case '\\': out_ += "\\\\"; break;
      case '\n': out_ += "\\n"; break;
      default: fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(*special));
    }
    text.remove_prefix(static_cast<std::size_t>(special - text.begin()) + 1);
  }
  out_ += '"';
}

}  // namespace pm::report
