// The one error type of the project.
//
// Whatever can go wrong outside the program (a bad FEN, a truncated file, a dead engine) is returned as
// pm::Expected<T>: either the value or an Error with a code to switch on, a sentence to show, and a place to point at.
// Programming errors assert. No function of one folder throws into another.
//
//   pm::Expected<chess::Position> position = chess::parse_fen(text);
//   if (!position) fmt::print(stderr, "{}\n", position.error().sentence);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "base/printable.h"

namespace pm {

enum class ErrorCode : std::uint8_t {
  // chess/fen.h
  fen_placement,        // not eight ranks of eight squares, or an unknown letter
  fen_kings,            // not exactly one king a side
  fen_pawn_rank,        // a pawn on the first or last rank
  fen_too_many_pieces,  // more than sixteen pieces or eight pawns a side
  fen_side,             // side to move is neither w nor b
  fen_castling,         // unknown letter, or a right without its king and rook
  fen_en_passant,       // not a square a pawn has just passed over
  fen_counter,          // halfmove clock or move number out of range
  fen_opponent_check,   // the side not to move is in check
  fen_fields,           // too few or too many fields
  // chess/san.h, chess/uci.h
  move_syntax,     // not a move in the notation at all
  move_illegal,    // no legal move fits
  move_ambiguous,  // more than one legal move fits
  // engine/engine.h
  engine_start,   // cannot be started, or does not speak UCI
  engine_died,    // its output ended
  engine_silent,  // no answer in time
  engine_wrong,   // an answer that makes no sense
  // nn/leela_file.h, human/models.h
  weights_format,   // not a network this program can run; the sentence names the field
  weights_missing,  // no network where one was looked for
  rating_range,     // the loaded networks do not cover this rating
  // review/verdicts_input.h, cli/game_selection.h
  bad_input,  // JSON or an option that is not what was asked for; the sentence names the path or the option
  // pgn/source.h
  file_open,     // cannot be opened
  file_read,     // reading failed half-way
  file_damaged,  // compressed data that does not unpack
  interrupted,   // somebody asked to stop
  // store/sqlite_error.h
  file_locked,     // another program keeps it locked; it may work later
  file_write,      // writing failed, or is not allowed
  no_room,         // the disk is full, or the file as large as it may be
  store_damaged,   // a database that is no whole one
  no_such_review,  // server/review_store.h
  // server/review_jobs.h
  busy,       // too much is asked at once
  no_engine,  // there is none
};

// Where in the input an error lies. Lines and columns count from 1, columns in bytes; 0 means "does not apply".
struct Place {
  std::size_t line = 0;
  std::size_t column = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct Error {
  ErrorCode code;
  std::string sentence;  // says what was found and what was expected; no trailing full stop
  Place place;
};

template <class T>
using Expected = tl::expected<T, Error>;

// Sentences quote what was found: whatever it was, they are one line, and safe to show (base/printable.h).
inline tl::unexpected<Error> fail(ErrorCode code, std::string sentence, Place place = {}) {
  if (!is_printable(sentence)) sentence = printable(sentence);
  return tl::make_unexpected(Error{code, std::move(sentence), place});
}

}  // namespace pm
