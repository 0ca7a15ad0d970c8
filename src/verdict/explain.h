// The facts that reasons are made of: scores, moves and pieces as players write them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verdict/judged_move.h"
#include "verdict/reason.h"

namespace pm::verdict {

// {"score_before", ...} and {"score_after", ...}, from the mover's view.
std::vector<Reason::Fact> score_facts(const MoverScore& before, const MoverScore& after);

// Which sentence fits when a mate is in play before or after.
Rule mate_rule(const MoverScore& before, const MoverScore& after);

// Which sentence a known opening position gets, and the opening's name for it.
Rule book_rule(const BookKnowledge& book);
std::vector<Reason::Fact> book_facts(const BookKnowledge& book);

// Of these pieces the one the best reply takes, or else the most valuable; there must be one.
chess::Square piece_at_stake(const JudgedMove& judged, chess::Bitboard pieces);

// "knight on e5".
std::string piece_text(const chess::Position& position, chess::Square s);

// Which sentence a move gets that is the engine's first choice.
Rule first_choice_rule(const JudgedMove& judged);

// The opponent's best reply, where the engine gave one.
std::optional<chess::Move> best_reply(const JudgedMove& judged);

// "Rd1 was best." unless it was played or is not known.
void say_best_move(Reason& reason, const JudgedMove& judged, Rule sentence = Rule::best_was);

}  // namespace pm::verdict
