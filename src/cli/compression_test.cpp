#include "cli/compression.h"

#include <gtest/gtest.h>

#include "cli/test_run.h"
#include "pgn/source.h"

namespace pm::cli {
namespace {

class CompressionTest : public CommandTest {
 protected:
  static std::string unpacked(const std::string& path) {
    const auto source = pgn::open_source(path);
    EXPECT_TRUE(source);
    std::string text;
    std::string piece(1 << 16, '\0');
    while (const std::size_t n = (*source)->read(piece).value()) text.append(piece, 0, n);
    return text;
  }
};

TEST_F(CompressionTest, is_chosen_by_the_name) {
  EXPECT_EQ(packing_of("a.json.zst"), Packing::zstd);
  EXPECT_EQ(packing_of("a.csv.gz"), Packing::gzip);
  EXPECT_EQ(packing_of("a.gz.txt"), Packing::none);
  EXPECT_EQ(packing_of(""), Packing::none);
}

TEST_F(CompressionTest, pieces_put_together_are_one_file) {
  std::string noise;
  for (unsigned i = 1; noise.size() < 3'000'000; i = i * 1664525 + 1013904223) noise += static_cast<char>(i >> 24);
  for (const Packing packing : {Packing::none, Packing::gzip, Packing::zstd}) {
    const std::string file = write("packed", pack("first\n", packing) + pack("", packing) + pack(noise, packing) +
                                                 pack(std::string(5'000'000, 'x'), packing));
    EXPECT_TRUE(unpacked(file) == "first\n" + noise + std::string(5'000'000, 'x')) << static_cast<int>(packing);
    EXPECT_EQ(pack(noise, packing), pack(noise, packing));
  }
  EXPECT_LT(pack(std::string(5'000'000, 'x'), Packing::gzip).size(), 10'000U);
}

TEST_F(CompressionTest, a_review_is_packed_as_its_name_says) {
  const std::string opera = std::string(POSTMORTEM_SOURCE_DIR) + "/samples/opera-evals.pgn";
  for (const char* format : {"html", "csv", "pgn"}) {
    const std::vector<std::string> args{"review", "--evals", "pgn", "--format", format, opera, opera};
    const std::string plain = run_with(args).out;
    for (const char* name : {"out.gz", "out.zst"}) {
      std::vector<std::string> packed = args;
      packed.insert(packed.end(), {"--output", path(name)});
      EXPECT_EQ(run_with(packed).code, exit_done);
      EXPECT_LT(std::filesystem::file_size(path(name)), plain.size());
      EXPECT_TRUE(unpacked(path(name)) == plain) << format << name;
    }
  }
}

}  // namespace
}  // namespace pm::cli
