#include "server/old_reviews.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "chess/uci.h"
#include "pgn/reader.h"
#include "review/evidence_codec.h"
#include "review/game_review.h"

namespace pm::server {
namespace {

using Json = nlohmann::json;

std::optional<score::Line> line_of(const Json& json, const chess::Position& start) {
  const int mate = json.value("mate", 0);
  if (!json.contains("cp") && mate == 0) return std::nullopt;
  const score::Score score = json.contains("cp") ? score::Score(score::Centipawns{json["cp"].get<int>()})
                                                 : score::Score(score::Mate{std::abs(mate), mate > 0});
  score::Line line{score::WhiteScore(score), json.value("depth", 0), {}, json.value("nodes", std::uint64_t{0})};
  chess::Position position = start;
  for (const Json& word : json.at("pv")) {
    const auto move = chess::parse_uci(position, word.get<std::string>());
    if (!move) return std::nullopt;
    line.pv.push_back(*move);
    position.play(*move);
  }
  return line.pv.empty() ? std::nullopt : std::optional(std::move(line));
}

// The deeper of two looks at a position stays.
void take_lines(const Json& json, const chess::Position& position, const engine::Limit& usual,
                engine::Evaluation& into) {
  engine::Evaluation found;
  for (const Json& each : json) {
    if (auto line = line_of(each, position)) found.lines.push_back(std::move(*line));
  }
  if (!found.known() || (into.known() && into.lines.front().depth >= found.lines.front().depth)) return;
  found.limit = usual;
  const auto depth = static_cast<std::uint64_t>(found.lines.front().depth);
  if (usual.kind == engine::Limit::Kind::depth && depth > usual.value) found.limit->value = depth;
  into = std::move(found);
}

std::optional<review::PlyEvidence> people_of(const Json& json, const chess::Position& before,
                                             review::PlyEvidence evidence) {
  if (!json.contains("human")) return evidence;
  const Json& human = json["human"];
  const auto likeliest = chess::parse_uci(before, human.at("likeliest").at("uci").get<std::string>());
  if (!likeliest) return std::nullopt;
  evidence.human = review::HumanStatistics{human.at("probability").get<double>(), *likeliest,
                                           human.at("likeliest").at("probability").get<double>()};
  const bool compared = json.contains("expected_win_rate") && json.contains("best") && json["best"].is_object();
  if (!compared) return evidence;
  const auto best = chess::parse_uci(before, json["best"].at("uci").get<std::string>());
  if (!best) return std::nullopt;
  const auto score = [&](const char* name) {
    return verdict::PracticalScore{score::WinRate(json["expected_win_rate"].at(name).get<double>())};
  };
  evidence.expectation = review::Expectation{score("played"), score("best"), *best};
  return evidence;
}

std::optional<review::Evidence> evidence_of(const pgn::Game& game, const Json& json) {
  review::Evidence evidence = review::evidence_of(game, nullptr);
  const Json& plies = json.at("plies");
  const auto limit = engine::parse_limit(json.at("engine").value("limit", ""));
  if (!limit || plies.size() != evidence.plies.size()) return std::nullopt;
  evidence.engine = review::EngineUsed{
      json["engine"].at("name").get<std::string>(), "", {}, *limit, json["engine"].value("lines", 2)};
  for (const auto& [name, value] : json["engine"].at("options").items()) {
    evidence.engine->options.emplace_back(name, value.get<std::string>());
  }
  if (json.contains("human")) {
    const Json& human = json["human"];
    evidence.human = review::HumanUsed{human.at("name").get<std::string>(), human.at("sha256").get<std::string>(),
                                       human.at("white_rating").get<int>(), human.at("black_rating").get<int>()};
  }
  chess::Position position = game.start;
  pgn::NodeId node = pgn::Game::root;
  for (std::size_t at = 0; at < plies.size(); ++at) {
    node = game.main_move(node);
    const chess::Position after = position.after(game.node(node).move);
    take_lines(plies[at].at("before"), position, *limit, evidence.positions[at]);
    take_lines(plies[at].at("after"), after, *limit, evidence.positions[at + 1]);
    auto people = people_of(plies[at], position, evidence.plies[at]);
    if (!people) return std::nullopt;
    evidence.plies[at] = std::move(*people);
    position = after;
  }
  return evidence;
}

}  // namespace

std::optional<FinishedReview> carried_over(const std::string& pgn, const std::string& review_json) {
  pgn::MemorySource source(pgn);
  const auto read = pgn::GameReader(source).next();
  if (!read) return std::nullopt;
  try {
    const auto evidence = evidence_of(read->game, Json::parse(review_json));
    if (!evidence) return std::nullopt;
    const std::string text = review::format_evidence(*evidence);
    if (!review::parse_evidence(text, read->game)) return std::nullopt;
    const review::GameReview review = review::assemble(read->game, *evidence, {});
    return FinishedReview{text, evidence->engine->name, review.white.game.points_accuracy,
                          review.black.game.points_accuracy};
  } catch (const std::exception&) {  // JSON of another shape
    return std::nullopt;
  }
}

}  // namespace pm::server
