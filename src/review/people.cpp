#include "review/people.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/san.h"

namespace pm::review {
namespace {

constexpr double quick_threshold = 0.1;
constexpr int deepest = 12;  // of a review's expectations: there are many of them

std::optional<int> tagged(const pgn::Game& game, std::string_view name) {
  const std::string* value = game.find_tag(name);
  const auto rating = value != nullptr ? parse_number<int>(*value) : std::nullopt;
  return rating && *rating > 0 ? rating : std::nullopt;
}

// The history before each ply.
std::vector<human::Trail> trails_of(const GameReview& review) {
  std::vector<human::Trail> trails;
  trails.reserve(review.plies.size());
  human::Trail trail(review.game.start);
  for (const PlyReview& ply : review.plies) {
    trails.push_back(trail);
    trail.play(ply.move);
  }
  return trails;
}

std::string percent(double share) {
  if (share > 0 && share < 0.01) return "fewer than 1%";
  return fmt::format("{:.0f}%", 100 * share);
}

// Lost something, and there was a choice.
bool mattered(const GameReview& review, std::size_t at) {
  const PlyReview& ply = review.plies[at];
  if (!ply.verdicts || !ply.people) return false;
  const auto& lines = review.before(at).lines;
  if (lines.empty() || lines.front().pv.empty() || lines.front().pv.front() == ply.move) return false;
  switch (ply.verdicts->points.cls) {
    case verdict::PointsClass::excellent:
    case verdict::PointsClass::okay:
    case verdict::PointsClass::inaccuracy:
    case verdict::PointsClass::mistake:
    case verdict::PointsClass::blunder:
    case verdict::PointsClass::risky: return true;
    default: return false;
  }
}

}  // namespace

PeopleUsed people_of(const pgn::Game& game, const human::HumanModel& model, const WantedRatings& wanted) {
  PeopleUsed used;
  used.model = model.identity().name;
  used.sha256 = model.identity().sha256;
  const auto choose = [&](const std::optional<int>& asked, const char* tag) {
    return asked ? *asked : model.nearest_level(tagged(game, tag).value_or(human::default_rating));
  };
  used.white_rating = choose(wanted.rating, "WhiteElo");
  used.black_rating = choose(wanted.opponent_rating ? wanted.opponent_rating : wanted.rating, "BlackElo");
  return used;
}

Expected<void> add_people(GameReview& review, human::HumanModel& model, const PeopleUsed& used) {
  std::vector<human::Query> queries;
  queries.reserve(review.plies.size());
  for (const human::Trail& trail : trails_of(review)) {
    const bool white = trail.newest().side_to_move() == chess::Colour::white;
    queries.push_back(
        {trail, white ? used.white_rating : used.black_rating, white ? used.black_rating : used.white_rating});
  }
  const auto predictions = model.predict(queries, human::Want::moves);
  if (!predictions) return tl::make_unexpected(predictions.error());
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    PlyReview& ply = review.plies[at];
    const auto& moves = (*predictions)[at].moves;
    if (ply.move.is_null() || moves.empty()) continue;
    PlyPeople people;
    people.rating = queries[at].rating;
    people.opponent_rating = queries[at].opponent_rating;
    const auto likeliest = std::max_element(moves.begin(), moves.end(),
                                            [](const auto& a, const auto& b) { return a.probability < b.probability; });
    people.likeliest = likeliest->move;
    people.likeliest_san = chess::format_san(review.positions[at], likeliest->move);
    people.likeliest_probability = likeliest->probability;
    for (const auto& [move, probability] : moves) {
      if (move == ply.move) people.probability = probability;
    }
    people.is_likeliest = people.likeliest == ply.move;
    ply.people = std::move(people);
  }
  review.people = used;
  return {};
}

expect::Parameters review_parameters(int engine_depth) {
  expect::Parameters parameters;
  parameters.threshold = quick_threshold;
  parameters.depth = std::clamp(engine_depth, 1, deepest);
  return parameters;
}

void add_expectations(GameReview& review, human::HumanModel& model, expect::Evaluator& evaluator,
                      const expect::Parameters& parameters, const std::stop_token& stop) {
  const std::vector<human::Trail> trails = trails_of(review);
  for (std::size_t at = 0; at < review.plies.size() && !stop.stop_requested(); ++at) {
    if (!mattered(review, at)) continue;
    PlyReview& ply = review.plies[at];
    const verdict::Line& line = review.before(at).lines.front();
    expect::Parameters mine = parameters;
    mine.rating = ply.people->rating;
    mine.opponent_rating = ply.people->opponent_rating;
    const expect::Request request{trails[at],
                                  mine,
                                  {ply.move, line.pv.front()},
                                  verdict::win_rate(line.score.seen_by(ply.mover), verdict::lichess_slope)};
    const expect::Analysis analysis = expect::analyse(request, model, evaluator, {}, stop);
    if (analysis.phase != expect::Phase::complete || analysis.candidates.size() != 2) continue;
    for (const expect::Candidate& each : analysis.candidates) {
      const verdict::WinRate expected(each.summary.expected);
      (each.move == ply.move ? ply.people->expected_played : ply.people->expected_best) = expected;
    }
    ply.people->best_san = chess::format_san(review.positions[at], line.pv.front());
    judge_again(review, at);
  }
  summarise(review);
}

std::string sentence_of(const PlyPeople& people) {
  const std::string played = percent(people.probability);
  const std::string likeliest = percent(people.likeliest_probability);
  std::string text;
  if (!people.is_likeliest && played == likeliest) {
    text = fmt::format("{} of {}s play this, as many as {}.", played, people.rating, people.likeliest_san);
  } else if (!people.is_likeliest) {
    text = fmt::format("{} of {}s play this; {} ({}) is likelier.", played, people.rating, people.likeliest_san,
                       likeliest);
  } else if (people.probability > 0.5) {
    text = fmt::format("Most {}s play this ({}).", people.rating, played);
  } else {
    text = fmt::format("The likeliest move of {}s ({}).", people.rating, played);
  }
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (people.expected_played && people.expected_best) {
    text += fmt::format(" Against {}s it scores {:.1f}%, {} {:.1f}%.", people.opponent_rating,
                        people.expected_played->percent(), people.best_san, people.expected_best->percent());
  }
  return text;
}

}  // namespace pm::review
