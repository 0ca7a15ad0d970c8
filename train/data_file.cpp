#include "train/data_file.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "train/files.h"

namespace pm::train {
namespace {

constexpr std::string_view magic = "PMTRAIN2";
constexpr double full = 65535;

void put8(std::string& to, unsigned value) { to += static_cast<char>(value); }
void put16(std::string& to, unsigned value) {
  put8(to, value & 0xFFU);
  put8(to, value >> 8U);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool at_end() const { return at_ == bytes_.size(); }
  bool damaged() const { return damaged_; }
  std::size_t place() const { return at_; }
  std::string text(std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(u8());
    return text;
  }
  unsigned u8() {
    if (at_ >= bytes_.size()) {
      damaged_ = true;
      return 0;
    }
    return static_cast<unsigned char>(bytes_[at_++]);
  }
  unsigned u16() {
    const unsigned low = u8();
    return low | u8() << 8U;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool damaged_ = false;
};

Teaching read_teaching(Reader& reader, std::size_t moves) {
  Teaching teaching;
  teaching.moves.reserve(moves);
  for (std::size_t i = 0; i < moves; ++i) teaching.moves.push_back(static_cast<std::uint16_t>(reader.u16()));
  for (auto& result : teaching.results) result = static_cast<std::uint16_t>(reader.u16());
  return teaching;
}

template <class Numbers>
bool has_mass(const Numbers& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](std::uint16_t n) { return n > 0; });
}

}  // namespace

Teaching teaching_of(const human::Prediction& prediction) {
  const auto rounded = [](double p) { return static_cast<std::uint16_t>(std::lround(p * full)); };
  Teaching teaching;
  teaching.moves.reserve(prediction.moves.size());
  for (const auto& move : prediction.moves) teaching.moves.push_back(rounded(move.probability));
  teaching.results = {rounded(prediction.result.win), rounded(prediction.result.draw), rounded(prediction.result.loss)};
  return teaching;
}

DataWriter::DataWriter(const std::string& path) : file_(path, std::ios::binary) { file_ << magic; }

bool DataWriter::write(const TaughtGame& game) {
  std::string bytes;
  put8(bytes, static_cast<unsigned>(game.start.size()));
  bytes += game.start;
  for (const int rating : game.ratings) put16(bytes, static_cast<unsigned>(rating));
  put8(bytes, game.by_people ? 1 : 0);
  put8(bytes, static_cast<unsigned>(game.result));
  put16(bytes, static_cast<unsigned>(game.plies.size()));
  for (const TaughtPly& ply : game.plies) {
    put8(bytes, static_cast<unsigned>(ply.teaching.moves.size()));
    put8(bytes, static_cast<unsigned>(ply.played));
    for (const std::uint16_t p : ply.teaching.moves) put16(bytes, p);
    for (const std::uint16_t p : ply.teaching.results) put16(bytes, p);
  }
  positions_ += game.plies.size();
  file_ << bytes;
  file_.flush();
  return file_.good();
}

Expected<std::vector<TaughtGame>> read_data(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return tl::make_unexpected(bytes.error());
  if (!bytes->starts_with(magic)) {
    return fail(ErrorCode::file_damaged, fmt::format("{}: expected data that begin with {}", path, magic));
  }
  Reader reader(std::string_view(*bytes).substr(magic.size()));
  std::vector<TaughtGame> games;
  while (!reader.at_end()) {
    TaughtGame game;
    game.start = reader.text(reader.u8());
    for (int& rating : game.ratings) rating = static_cast<int>(reader.u16());
    game.by_people = reader.u8() != 0;
    game.result = static_cast<int>(reader.u8());
    game.plies.resize(reader.u16());
    bool sound = game.result <= 2;
    for (TaughtPly& ply : game.plies) {
      const std::size_t moves = reader.u8();
      ply.played = reader.u8();
      ply.teaching = read_teaching(reader, moves);
      sound = sound && has_mass(ply.teaching.moves) && has_mass(ply.teaching.results) && ply.played < moves &&
              !reader.damaged();
      if (!sound) break;
    }
    if (!sound || reader.damaged()) {
      return fail(ErrorCode::file_damaged, fmt::format("{}: damaged at byte {}", path, magic.size() + reader.place()));
    }
    games.push_back(std::move(game));
  }
  return games;
}

}  // namespace pm::train
