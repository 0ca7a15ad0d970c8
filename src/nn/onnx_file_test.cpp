#include "nn/onnx_file.h"

#include <gtest/gtest.h>

#include <cstring>

#include "nn/maia3_file.h"

namespace pm::nn {
namespace {

// Writes the wire format, as far as these tests need it.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
  return bytes + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) { return varint(field << 3U) + varint(value); }
std::string text(unsigned field, std::string_view bytes) {
  return varint((field << 3U) | 2U) + varint(bytes.size()) + std::string(bytes);
}
std::string floats(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
std::string entry(std::string_view key, std::string_view value) { return text(13, text(1, key) + text(2, value)); }

std::string tensor(std::string_view name, const std::vector<std::uint64_t>& shape, const std::string& rest) {
  std::string dims;
  for (const std::uint64_t each : shape) dims += number(1, each);
  return text(5, dims + number(2, 1) + text(8, name) + rest);
}
std::string model(const std::string& graph) { return text(7, graph); }

TEST(OnnxFile, ReadsNodesAndTensorsHereAndBeside) {
  const std::string beside = floats({9, 1, 2, 3, 4, 5, 6});
  const std::string graph =
      text(1, text(1, "x") + text(1, "w") + text(2, "y") + text(4, "MatMul")) +
      tensor("w", {2, 3}, entry("location", "other.data") + entry("offset", "4") + entry("length", "24")) +
      tensor("b", {3}, text(9, floats({7, 8, 9}))) + text(5, number(1, 1) + number(2, 7) + text(8, "of whole numbers"));
  EXPECT_EQ(external_file(model(graph)).value(), "other.data");
  const std::string bytes = model(graph);  // the graph points into it
  const auto parsed = parse_onnx(bytes, beside);
  ASSERT_TRUE(parsed) << parsed.error().sentence;
  ASSERT_EQ(parsed->nodes.size(), 1U);
  EXPECT_EQ(parsed->nodes[0].operation, "MatMul");
  EXPECT_EQ(parsed->nodes[0].inputs[1], "w");
  EXPECT_EQ(parsed->floats("w", {2, 3}).value(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parsed->floats("b", {3}).value(), (std::vector<float>{7, 8, 9}));
  EXPECT_EQ(parsed->floats("w", {3, 2}).error().sentence, "w: expected a shape of 3 x 2, found 2 x 3");
  EXPECT_EQ(parsed->floats("v", {1}).error().sentence, "v: there is no such tensor");
}

TEST(OnnxFile, SaysWhatIsWrong) {
  struct Case {
    std::string bytes;
    std::string beside;
    std::string sentence;
  };
  const auto located = [](std::string_view offset, std::string_view length) {
    return model(tensor("w", {2}, entry("location", "other.data") + entry("offset", offset) + entry("length", length)));
  };
  const std::vector<Case> cases{
      {"rubbish", "", "model: expected an ONNX file, found something else or its beginning"},
      {"", "", "model: it has no graph"},
      {model(tensor("w", {2}, text(9, floats({1})))), "", "w: expected 8 bytes, found 4"},
      {located("0", "8"), "", "w: expected bytes 0 to 8 of its file, which has 0"},
      {located("18446744073709551615", "8"), "12345678",
       "w: expected bytes 18446744073709551615 to 8 of its file, which has 8"},
      {located("-1", "8"), "12345678", "w: expected bytes -1 to 8 of its file, which has 8"},
      {located("0", "4"), "12345678", "w: expected 8 bytes, found 4"},
      {model(tensor("w", {4294967296, 4294967296}, "")), "", "w: its shape is 4294967296 x 4294967296"},
      {model(tensor("w", {1, 1, 1, 1, 1, 1, 1, 1, 1}, "")), "", "tensor: its shape is damaged"},
  };
  for (const Case& c : cases) {
    const auto parsed = parse_onnx(c.bytes, c.beside);
    ASSERT_FALSE(parsed) << c.sentence;
    EXPECT_EQ(parsed.error().sentence, c.sentence);
  }
}

TEST(OnnxFile, LooksForNumbersInTheSameFolderAlone) {
  for (const char* name : {"../secret", "/etc/passwd", ".."}) {
    const auto file = external_file(model(tensor("w", {2}, entry("location", name))));
    ASSERT_FALSE(file) << name;
    EXPECT_EQ(file.error().sentence, "location: expected the name of a file in the same folder");
  }
  const std::string two = tensor("w", {2}, entry("location", "a")) + tensor("v", {2}, entry("location", "b"));
  EXPECT_EQ(external_file(model(two)).error().sentence, "v: expected all tensors in one other file");
}

TEST(Maia3File, NamesWhatIsMissing) {
  const auto sentence = [](const std::string& graph) { return parse_maia3(model(graph), "").error().sentence; };
  const std::string rating = tensor("elo_embedding_low.weight", {1, 16}, text(9, floats(std::vector<float>(16)))) +
                             tensor("elo_embedding_high.weight", {1, 16}, text(9, floats(std::vector<float>(16))));
  EXPECT_EQ(sentence(tensor("x", {1}, text(9, floats({1})))), "elo_embedding_low.weight: there is no such tensor");
  EXPECT_EQ(sentence(rating), "token_projection.bias: there is no such tensor");
  EXPECT_EQ(sentence(rating + tensor("token_projection.bias", {15}, text(9, floats(std::vector<float>(15))))),
            "token_projection.bias: of a strange size");
  EXPECT_EQ(sentence(rating + tensor("token_projection.bias", {16}, text(9, floats(std::vector<float>(16))))),
            "token_projection.bias: nothing is multiplied before it is added");
}

}  // namespace
}  // namespace pm::nn
