#include "pgn/utf16.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pgn/text.h"

namespace pm::pgn {
namespace {

constexpr std::size_t text_piece = 64UL * 1024;
constexpr char32_t replacement = 0xFFFD;
constexpr std::size_t mark_bytes = 2;

constexpr bool is_high_surrogate(char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
constexpr bool is_low_surrogate(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

class Utf8Source final : public ByteSource {
 public:
  explicit Utf8Source(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  Expected<std::size_t> read(std::span<char> into) override {
    if (form_ == Form::unknown) {
      if (const auto looked = look_at_mark(); !looked) return tl::make_unexpected(looked.error());
    }
    while (given_ == ready_.size()) {
      if (form_ == Form::plain) return source_->read(into);
      if (ended_) return std::size_t{0};
      if (const auto more = convert_more(); !more) return tl::make_unexpected(more.error());
    }
    const std::size_t n = std::min(into.size(), ready_.size() - given_);
    std::copy_n(ready_.data() + given_, n, into.data());
    given_ += n;
    return n;
  }

 private:
  enum class Form : std::uint8_t { unknown, plain, little_endian, big_endian };

  Expected<void> look_at_mark() {
    input_.resize(text_piece);
    while (have_ < mark_bytes) {
      const auto n = source_->read(std::span(input_).subspan(have_));
      if (!n) return tl::make_unexpected(n.error());
      if (*n == 0) break;
      have_ += *n;
    }
    const std::string_view start(input_.data(), have_);
    if (start.starts_with("\xff\xfe")) {
      form_ = Form::little_endian;
    } else if (start.starts_with("\xfe\xff")) {
      form_ = Form::big_endian;
    } else {
      form_ = Form::plain;
      ready_ = start;
      return {};
    }
    convert(start.substr(mark_bytes));
    return {};
  }

  Expected<void> convert_more() {
    ready_.clear();
    given_ = 0;
    const auto n = source_->read(input_);
    if (!n) return tl::make_unexpected(n.error());
    if (*n > 0) {
      convert({input_.data(), *n});
    } else {
      ended_ = true;
      if (high_ != 0 || odd_) append_utf8(ready_, replacement);
    }
    return {};
  }

  void convert(std::string_view bytes) {
    for (const char c : bytes) {
      const char32_t byte = static_cast<std::uint8_t>(c);
      odd_ = !odd_;
      if (odd_) {
        first_ = byte;
      } else {
        add(form_ == Form::little_endian ? first_ | (byte << 8) : (first_ << 8) | byte);
      }
    }
  }

  void add(char32_t unit) {
    if (high_ != 0 && is_low_surrogate(unit)) {
      append_utf8(ready_, 0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00));
      high_ = 0;
      return;
    }
    if (high_ != 0) append_utf8(ready_, replacement);
    high_ = is_high_surrogate(unit) ? unit : 0;
    if (high_ == 0) append_utf8(ready_, is_low_surrogate(unit) ? replacement : unit);
  }

  std::unique_ptr<ByteSource> source_;
  Form form_ = Form::unknown;
  std::vector<char> input_;
  std::size_t have_ = 0;  // of it, while the mark is looked for
  std::string ready_;     // to be handed out
  std::size_t given_ = 0;
  bool odd_ = false;    // the first byte of a pair is here:
  char32_t first_ = 0;  // this one
  char32_t high_ = 0;   // a high surrogate that waits for its other half
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> source) {
  return std::make_unique<Utf8Source>(std::move(source));
}

}  // namespace pm::pgn
