// Just enough of the protocol-buffer wire format to read a network: fields one after another, no schema.
//
//   MessageReader reader(bytes);
//   while (auto field = reader.next()) if (field->number == 10) ...
//   if (reader.damaged()) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pm::nn {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct Field {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t value = 0;  // of a varint, fixed32 or fixed64
  std::string_view bytes;   // of a string, a packed array or a message
};

class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : rest_(bytes) {}
  // Nothing at the end, and at damage.
  std::optional<Field> next();
  // The bytes ended inside a field, or were none: next() gives nothing from then on.
  bool damaged() const { return damaged_; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<std::uint64_t> fixed(std::size_t size);

  std::string_view rest_;
  bool damaged_ = false;
};

}  // namespace pm::nn
