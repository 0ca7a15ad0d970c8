#include "nn/protobuf.h"

namespace pm::nn {

std::optional<std::uint64_t> MessageReader::varint() {
  constexpr std::size_t longest = 10;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < longest && i < rest_.size(); ++i) {
    const auto byte = static_cast<unsigned char>(rest_[i]);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * i);
    if ((byte & 0x80U) == 0) {
      rest_.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> MessageReader::fixed(std::size_t size) {
  if (rest_.size() < size) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
  }
  rest_.remove_prefix(size);
  return value;
}

std::optional<Field> MessageReader::next() {
  if (rest_.empty() || damaged_) return std::nullopt;
  damaged_ = true;  // until the whole field is there
  const auto tag = varint();
  if (!tag || *tag >> 3 == 0 || *tag >> 32 != 0) return std::nullopt;
  Field field;
  field.number = static_cast<std::uint32_t>(*tag >> 3);
  field.type = static_cast<WireType>(*tag & 7);
  std::optional<std::uint64_t> value;
  switch (field.type) {
    case WireType::varint:
    case WireType::bytes: value = varint(); break;
    case WireType::fixed64: value = fixed(8); break;
    case WireType::fixed32: value = fixed(4); break;
    default: return std::nullopt;  // groups, long out of use
  }
  if (!value) return std::nullopt;
  field.value = *value;
  if (field.type == WireType::bytes) {
    if (*value > rest_.size()) return std::nullopt;
    field.bytes = rest_.substr(0, *value);
    rest_.remove_prefix(*value);
  }
  damaged_ = false;
  return field;
}

}  // namespace pm::nn
