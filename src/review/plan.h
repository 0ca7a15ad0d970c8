// What an engine must be asked to review a game: a plain list, made before anything runs.
//
// The positions are cut into segments of consecutive plies. An engine forgets everything at the start of a segment and
// keeps what it learns through it, so that answers do not depend on which process gets which segment, nor on what was
// already known, and yet the hash table is of use. Positions where the game is over are left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "pgn/game.h"

namespace pm::review {

// Long enough that starting afresh costs little, short enough to share out one game.
inline constexpr std::size_t segment_length = 12;

// Positions of one game, searched one after the other by an engine that starts fresh.
struct Segment {
  chess::Position start = chess::Position::start();  // sent to the engine with the moves
  std::vector<chess::Move> moves;                    // up to the last position
  std::vector<std::size_t> plies;                    // after how many of the moves each position stands, ascending
  std::vector<std::size_t> wanted;                   // which positions of the game these are
  engine::Limit limit;
};

// All positions of the main line, in segments.
std::vector<Segment> plan_game(const pgn::Game& game, const engine::Limit& limit);

// The positions before and after one ply (from 0), by themselves: one segment, two around a null move, none when the
// game is over in both.
std::vector<Segment> plan_pair(const pgn::Game& game, std::size_t ply, const engine::Limit& limit);

// How much further a close call is searched: two plies deeper, or twice the nodes or time.
engine::Limit deeper(const engine::Limit& limit);

// Everything the answers depend on besides the engine.
std::string key_of(const Segment& segment);

}  // namespace pm::review
