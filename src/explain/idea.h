// What one side can do by a line: a claim that still lacks its kind and its first words ("Allows", "Misses").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/claim.h"
#include "explain/outcome.h"
#include "motif/line.h"
#include "motif/motif.h"

namespace pm::explain {

struct Idea {
  Claim claim;
  std::string doing;     // "Ne7+, forking king and queen"
  std::string does;      // "Forks king and queen."
  std::string sentence;  // the whole of it, where the first words would not fit
};

// With its kind and its words.
Claim claim_of(ClaimKind kind, Idea idea);
// The words of a claim as the rest of a longer sentence: "allows Ne7+, ...".
std::string clause_of(const Claim& claim);

std::string san_of(const motif::Step& step);
// "23. Ne7+ Kh8 24. Nxg6+": the first moves.
std::string numbered(const motif::Line& line, std::size_t steps);
// "a smothered mate".
const char* mate_words(motif::Motif pattern);

// About the first move of a line, with so many moves as evidence; what it does has to be added.
Idea idea_of(const motif::Line& line, std::string_view motif, std::size_t steps);

// "mate in 3", by the engine's count; the pattern when the line gets there.
Idea mate_idea(const motif::Line& line, int moves);

// What the line wins and how; nothing when it wins nothing that can be shown.
std::optional<Idea> material_idea(const motif::Line& line, const Outcome& outcome);

}  // namespace pm::explain
