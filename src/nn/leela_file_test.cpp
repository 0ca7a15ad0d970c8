#include "nn/leela_file.h"

#include <gtest/gtest.h>

#include <functional>

#include "nn/tiny_network.h"

namespace pm::nn {
namespace {

tiny::Network small() { return tiny::Maker(5).make(4, 1, 2, 2, 3); }

TEST(LeelaFile, ReadsWhatWasWritten) {
  const tiny::Network tiny = small();
  const auto weights = parse_leela(tiny::packed(tiny::written(tiny)));
  ASSERT_TRUE(weights) << weights.error().sentence;
  EXPECT_EQ(weights->channels, 4U);
  EXPECT_EQ(weights->blocks.size(), 1U);
  EXPECT_EQ(weights->value2.biases.size(), 3U);
  for (std::size_t i = 0; i < tiny.value2_w.size(); ++i) {
    EXPECT_NEAR(weights->value2.weights[i], tiny.value2_w[i], 1e-7);
  }
}

struct Fault {
  std::string name;
  std::function<void(tiny::Network&)> change;
  std::string sentence;  // a part of it
};

class LeelaFaults : public testing::TestWithParam<Fault> {};

TEST_P(LeelaFaults, NameTheFieldAndWhatWasExpected) {
  tiny::Network tiny = small();
  GetParam().change(tiny);
  const auto weights = parse_leela_message(tiny::written(tiny));
  ASSERT_FALSE(weights);
  EXPECT_EQ(weights.error().code, ErrorCode::weights_format);
  EXPECT_NE(weights.error().sentence.find(GetParam().sentence), std::string::npos) << weights.error().sentence;
}

INSTANTIATE_TEST_SUITE_P(
    All, LeelaFaults,
    testing::Values(
        Fault{"Magic", [](tiny::Network& n) { n.format.magic = 0x1c1; }, "magic: expected 0x1c0, found 0x1c1"},
        Fault{"NewerVersion", [](tiny::Network& n) { n.format.minor_version = 30; },
              "min_version: expected at most 0.21, found 0.30"},
        Fault{"Encoding", [](tiny::Network& n) { n.format.encoding = 2; },
              "format.weights_encoding: expected 1 (LINEAR16), found 2"},
        Fault{"Input", [](tiny::Network& n) { n.format.network[0] = 3; },
              "format.network_format.input: expected 1 (INPUT_CLASSICAL_112_PLANE), found 3"},
        Fault{"Output", [](tiny::Network& n) { n.format.network[1] = 1; }, "format.network_format.output: expected 2"},
        Fault{"Body", [](tiny::Network& n) { n.format.network[2] = 6; }, "format.network_format.network: expected 4"},
        Fault{"Policy", [](tiny::Network& n) { n.format.network[3] = 1; }, "format.network_format.policy: expected 2"},
        Fault{"Value", [](tiny::Network& n) { n.format.network[4] = 1; }, "format.network_format.value: expected 2"},
        Fault{"MovesLeft", [](tiny::Network& n) { n.format.network[5] = 1; }, "format.network_format.moves_left"},
        Fault{"Activation", [](tiny::Network& n) { n.format.network[6] = 1; },
              "format.network_format.default_activation: expected 0 (RELU), found 1"},
        Fault{"InputRows", [](tiny::Network& n) { n.input.weights.pop_back(); },
              "weights.input.weights: expected rows of 1008 numbers, found 4031 numbers"},
        Fault{"NoInput", [](tiny::Network& n) { n.input = {}; }, "weights.input.weights: expected rows of 1008"},
        Fault{"BlockWeights", [](tiny::Network& n) { n.blocks[0].conv2.weights.resize(10); },
              "weights.residual[0].conv2.weights: expected 144 numbers of 2 bytes, found 20 bytes"},
        Fault{"BlockMeans", [](tiny::Network& n) { n.blocks[0].conv1.means.resize(3); },
              "weights.residual[0].conv1.bn_means: expected 4 numbers"},
        Fault{"NoVariances", [](tiny::Network& n) { n.policy1.variances.clear(); },
              "weights.policy1.bn_stddivs: expected 4 numbers"},
        Fault{"NoNormalisation",
              [](tiny::Network& n) {
                n.input.means.clear();
                n.input.variances.clear();
                n.input.gammas.clear();
                n.input.betas.clear();
              },
              "weights.input.bn_means: expected 4 numbers"},
        Fault{"NoPolicyBiases", [](tiny::Network& n) { n.policy2.biases.clear(); },
              "weights.policy.biases: expected 80 numbers"},
        Fault{"NoBlocks", [](tiny::Network& n) { n.blocks.clear(); }, "weights.residual: expected at least one block"},
        Fault{"HugeNumbers", [](tiny::Network& n) { n.value2_w[0] = 3e38; },
              "weights.ip1_val_w: expected bounds up to 100000"},
        Fault{"NegativeVariances", [](tiny::Network& n) { n.policy1.variances = {-2, -1, -1, -1}; },
              "weights.policy1: the numbers are not finite"},
        Fault{"NoExcitation", [](tiny::Network& n) { n.blocks[0].w1.clear(); }, "weights.residual[0].se.w1"},
        Fault{"ExcitationBiases", [](tiny::Network& n) { n.blocks[0].b2.resize(4); },
              "weights.residual[0].se.2 biases: expected 8 numbers"},
        Fault{"PolicyPlanes", [](tiny::Network& n) { n.policy2.weights.resize(2628); },
              "weights.policy.weights: expected 2880 numbers of 2 bytes, found 5256 bytes"},
        Fault{"ValueRows", [](tiny::Network& n) { n.value2_w.resize(100); }, "weights.ip1_val_w: expected rows of 128"},
        Fault{"ThreeResults", [](tiny::Network& n) { n.value3_b.resize(1); },
              "weights.ip2_val biases: expected 3 numbers"}),
    [](const auto& info) { return info.param.name; });

TEST(LeelaFile, TellsWhatIsNotGzip) {
  const auto text = parse_leela("hello");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().sentence, "file: expected gzip data, found something else");
  EXPECT_EQ(parse_leela("").error().sentence, "file: expected gzip data, found nothing");
}

TEST(LeelaFile, TellsATruncatedFileAtEveryLength) {
  const std::string whole = tiny::packed(tiny::written(small()));
  for (std::size_t length = 2; length < whole.size(); length += 97) {
    const auto weights = parse_leela(std::string_view(whole).substr(0, length));
    ASSERT_FALSE(weights) << length;
    EXPECT_EQ(weights.error().sentence, "file: the gzip data end too early: the file is truncated") << length;
  }
}

TEST(LeelaFile, TellsATruncatedMessageAtEveryLength) {
  const std::string whole = tiny::written(small());
  for (std::size_t length = 0; length < whole.size(); length += 13) {
    EXPECT_FALSE(parse_leela_message(std::string_view(whole).substr(0, length))) << length;
  }
}

TEST(LeelaFile, TellsDamagedGzip) {
  std::string whole = tiny::packed(tiny::written(small()));
  whole[whole.size() / 2] = static_cast<char>(whole[whole.size() / 2] ^ 0x55);
  EXPECT_FALSE(parse_leela(whole));
}

TEST(LeelaFile, RefusesAFieldItDoesNotKnow) {
  tiny::Network n = small();
  std::string message;
  tiny::put_fixed32(message, 1, 0x1c0);
  std::string format;
  tiny::put_number(format, 1, 1);
  std::string network_format;
  for (std::uint32_t i = 0; i < 5; ++i) tiny::put_number(network_format, i + 1, n.format.network[i]);
  tiny::put_bytes(format, 2, network_format);
  tiny::put_bytes(message, 4, format);
  std::string weights = tiny::written_weights(n);
  tiny::put_bytes(weights, 12, "moves left");
  tiny::put_bytes(message, 10, weights);
  const auto read = parse_leela_message(message);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().sentence, "weights: field 12 is not known: the network is of another or a newer kind");
}

TEST(LeelaFile, DoesNotUnpackABombWithoutEnd) {
  const auto weights = parse_leela(tiny::packed(std::string(std::size_t{80} << 20, '\0')));
  ASSERT_FALSE(weights);
  EXPECT_EQ(weights.error().sentence, "file: expected at most 64 MB unpacked, found more");
}

}  // namespace
}  // namespace pm::nn
