#include "explain/haul.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "motif/placement.h"

namespace pm::explain {
namespace {

using chess::PieceKind;

constexpr auto at(PieceKind kind) { return static_cast<std::size_t>(kind); }
constexpr std::array dearest_first{PieceKind::queen, PieceKind::rook, PieceKind::bishop, PieceKind::knight,
                                   PieceKind::pawn};

// "two knights", "a pawn", "the queen".
std::string counted(PieceKind kind, int count) {
  constexpr std::array<const char*, 7> numbers{"", "", "two", "three", "four", "five", "six"};
  if (count == 1) return with_article(kind);
  if (count < static_cast<int>(numbers.size())) {
    return fmt::format("{} {}s", numbers[static_cast<std::size_t>(count)], name_of(kind));
  }
  return fmt::format("{} {}s", count, name_of(kind));
}

std::string list_of(const std::array<int, chess::piece_kinds>& men) {
  std::vector<std::string> parts;
  for (const PieceKind kind : dearest_first) {
    if (men[at(kind)] > 0) parts.push_back(counted(kind, men[at(kind)]));
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

int points_of(const std::array<int, chess::piece_kinds>& men) {
  int sum = 0;
  for (const PieceKind kind : dearest_first) sum += motif::value_of(kind) * men[at(kind)];
  return sum;
}

int count_of(const std::array<int, chess::piece_kinds>& men) {
  int sum = 0;
  for (const PieceKind kind : dearest_first) sum += men[at(kind)];
  return sum;
}

}  // namespace

std::string with_article(PieceKind kind) {
  const bool only_one = kind == PieceKind::queen || kind == PieceKind::king;
  return fmt::format("{} {}", only_one ? "the" : "a", name_of(kind));
}

void Haul::promote(PieceKind to) { promoted_ += motif::value_of(to) - motif::value_of(PieceKind::pawn); }
void Haul::let_promote(PieceKind to) { let_promoted_ += motif::value_of(to) - motif::value_of(PieceKind::pawn); }

int Haul::points() const { return points_of(taken_) - points_of(given_) + promoted_ - let_promoted_; }

// Men of a kind are traded off against each other, knights and bishops too.
Haul::Net Haul::net() const {
  Net net{taken_, given_};
  const auto trade = [](int& a, int& b) {
    const int both = std::min(a, b);
    a -= both;
    b -= both;
  };
  for (const PieceKind kind : dearest_first) trade(net.taken[at(kind)], net.given[at(kind)]);
  trade(net.taken[at(PieceKind::knight)], net.given[at(PieceKind::bishop)]);
  trade(net.taken[at(PieceKind::bishop)], net.given[at(PieceKind::knight)]);
  return net;
}

std::string Haul::text() const {
  const auto [taken, given] = net();
  const int gained = count_of(taken);
  const int lost = count_of(given);
  if (points() <= 0 || let_promoted_ > 0) return "";
  if (promoted_ > 0) return gained == 0 && lost == 0 ? "a new queen" : fmt::format("material worth {} pawns", points());
  if (gained == 0) return "";
  const int minor_given = given[at(PieceKind::knight)] + given[at(PieceKind::bishop)];
  if (gained == 1 && lost == 1 && taken[at(PieceKind::rook)] == 1 && minor_given == 1) return "the exchange";
  const bool exchange = taken[at(PieceKind::rook)] == 1 && minor_given == 1 && lost == 1;
  if (exchange && gained == 1 + taken[at(PieceKind::pawn)]) {
    return fmt::format("the exchange and {}", counted(PieceKind::pawn, taken[at(PieceKind::pawn)]));
  }
  constexpr int most_to_name = 3;
  if (gained > most_to_name || lost > most_to_name) return fmt::format("material worth {} pawns", points());
  return lost == 0 ? list_of(taken) : fmt::format("{} for {}", list_of(taken), list_of(given));
}

std::optional<PieceKind> Haul::prize() const {
  const auto [taken, given] = net();
  if (points() <= 0) return std::nullopt;
  for (const PieceKind kind : dearest_first) {
    if (taken[at(kind)] > 0) return kind;
  }
  return std::nullopt;
}

}  // namespace pm::explain
