// A file that grows game by game and survives being killed: its bytes stand in FILE.part, and in FILE.part.index where
// each game ends and a checksum of it. When it is complete, FILE.part becomes FILE. Until then the next run of the same
// command takes up what is there: whole games stay, half a game at the end is dropped.
//
//   PartFile file;
//   auto found = file.open("out.json", command);      // found->done.games are there already
//   file.append(bytes, {plies, judged});
//   file.finish();
//
// The index is text: a line "postmortem.part/1 COMMAND", then for each game "END CRC32 PLIES JUDGED". A game counts
// only once its line is whole and its bytes have its checksum, so that the order in which a disk writes does not
// matter. One process at a time; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pm::cli {

struct PartCounts {
  std::size_t games = 0;
  std::size_t plies = 0;
  std::size_t judged = 0;  // of them
};

class PartFile {
 public:
  PartFile() = default;
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  // What has games in it stays, unless it was finished.
  ~PartFile();

  struct Found {
    PartCounts done;    // games to go on after
    std::string aside;  // where the .part of another command was moved to; empty: there was none
  };
  // `command` says what makes the bytes what they are, in one word; empty: nobody can say, and nothing is taken up.
  Expected<Found> open(const std::string& path, const std::string& command);

  // A game with what is counted of it.
  void append(std::string_view bytes, std::size_t plies, std::size_t judged);
  // What comes after the last game.
  void append_end(std::string_view bytes);
  bool good() const { return good_; }
  // Puts the file in its place; false when it could not be written.
  bool finish();

  bool has_games() const { return games_ > 0; }
  const std::string& part() const { return part_; }

 private:
  Expected<void> open_part(int flags);
  // The games of this command that are whole; nothing when the file is another's.
  bool take_up(const std::string& command, PartCounts& done);
  bool has_checksum(std::uint64_t begin, std::uint64_t end, std::uint32_t checksum) const;
  std::string move_aside();
  bool write(int descriptor, std::string_view bytes);
  void close();

  std::string path_;
  std::string part_;
  std::string index_;
  int part_descriptor_ = -1;
  int index_descriptor_ = -1;
  std::uint64_t end_ = 0;  // of the last whole game
  std::size_t games_ = 0;
  bool good_ = true;
  bool finished_ = false;
};

}  // namespace pm::cli
