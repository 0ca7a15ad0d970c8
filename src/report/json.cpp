#include "report/json.h"

#include <algorithm>
#include <cmath>

#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "pgn/text.h"
#include "review/people.h"

namespace pm::report {
namespace {

using review::GameReview;
using verdict::Judgement;

double rounded(double value, double steps) { return std::floor((value * steps) + .5) / steps; }

// As shown to people: one decimal, 0 to 100.
std::optional<double> shown_accuracy(std::optional<double> value) {
  if (!value) return std::nullopt;
  return rounded(std::clamp(*value, 0.0, 100.0), 10);
}

std::optional<std::string_view> name_of(std::optional<Judgement> judgement) {
  if (!judgement) return std::nullopt;
  return verdict::name_of(*judgement);
}

std::optional<int> nag_of(int nag) { return nag == 0 ? std::nullopt : std::optional(nag); }

void write_reason(JsonWriter& json, const verdict::Reason& reason) {
  json.key("reason").begin_object().field("rule", reason.rule_name());
  json.key("numbers").begin_object();
  for (const auto& n : reason.numbers()) {
    json.key(n.name);
    if (n.unit == verdict::Reason::Unit::count) {
      json.value(std::llround(n.value));
    } else {
      json.value(n.value);
    }
  }
  json.end_object();
  json.key("facts").begin_object();
  for (const auto& f : reason.facts()) json.field(f.name, std::string_view(f.text));
  json.end_object();
  json.field("text", std::string_view(reason.text())).end_object();
}

void write_score(JsonWriter& json, const verdict::WhiteScore& white) {
  const verdict::Score& score = white.score();
  if (const verdict::Mate* mate = score.mate()) {
    json.field("mate", mate->wins ? mate->moves : -mate->moves);
  } else {
    json.field("cp", score.centipawns()->value);
  }
}

void write_lines(JsonWriter& json, std::string_view name, const std::vector<verdict::Line>& lines,
                 const chess::Position& start) {
  const chess::CastlingNotation notation = chess::natural_notation(start);
  json.key(name).begin_array();
  for (const verdict::Line& line : lines) {
    json.begin_object();
    write_score(json, line.score);
    json.field("depth", line.depth);
    if (line.nodes > 0) json.field("nodes", line.nodes);
    json.key("pv").begin_array();
    for (const chess::Move m : line.pv) json.value(chess::format_uci(m, notation));
    json.end_array().key("san").begin_array();
    chess::Position position = start;
    for (const chess::Move m : line.pv) {
      json.value(chess::format_san(position, m));
      position.play(m);
    }
    json.end_array().end_object();
  }
  json.end_array();
}

template <class Counts, class NameOf>
void write_counts(JsonWriter& json, const Counts& counts, NameOf name_at) {
  json.key("counts").begin_object();
  for (std::size_t i = 0; i < counts.size(); ++i) json.field(name_at(i), counts[i]);
  json.end_object();
}

void write_errors(JsonWriter& json, const verdict::ErrorCounts& errors) {
  json.field("inaccuracies", errors.of(Judgement::inaccuracy));
  json.field("mistakes", errors.of(Judgement::mistake));
  json.field("blunders", errors.of(Judgement::blunder));
}

std::optional<int> whole(std::optional<double> acpl) {
  return acpl ? std::optional(verdict::rounded_acpl(*acpl)) : std::nullopt;
}

void write_sums(JsonWriter& json, const verdict::Summary& sum) {
  json.field("moves", sum.moves);
  json.key("points").begin_object().field("accuracy", shown_accuracy(sum.points_accuracy));
  write_counts(json, sum.classes, [](std::size_t i) { return verdict::points_classes[i].name; });
  json.end_object().key("labels").begin_object();
  write_counts(json, sum.labels, [](std::size_t i) { return verdict::name_of(static_cast<verdict::Label>(i)); });
  json.end_object().key("acpl").begin_object().field("acpl", whole(sum.acpl)).field("exact", sum.acpl);
  write_errors(json, sum.acpl_errors);
  json.end_object().key("lichess").begin_object().field("accuracy", shown_accuracy(sum.lichess_accuracy));
  json.field("acpl", whole(sum.lichess_acpl));
  write_errors(json, sum.lichess_errors);
  json.end_object();
}

void write_player(JsonWriter& json, std::string_view name, const verdict::PlayerSummary& player) {
  json.key(name).begin_object();
  write_sums(json, player.game);
  json.key("phases").begin_object();
  for (std::size_t i = 0; i < player.phases.size(); ++i) {
    json.key(verdict::phase_names[i]).begin_object();
    write_sums(json, player.phases[i]);
    json.end_object();
  }
  json.end_object().end_object();
}

std::optional<double> win_chances(const std::vector<verdict::Line>& lines, chess::Colour mover) {
  if (lines.empty()) return std::nullopt;
  return verdict::win_rate(lines.front().score.seen_by(mover), verdict::points_slope).value();
}

void write_best_move(JsonWriter& json, const GameReview& review, std::size_t at) {
  json.key("best");
  const auto& lines = review.before(at).lines;
  if (lines.empty() || lines.front().pv.empty()) {
    json.null();
    return;
  }
  const chess::Move best = lines.front().pv.front();
  const chess::Position& position = review.positions[at];
  json.begin_object().field("san", chess::format_san(position, best));
  json.field("uci", chess::format_uci(best, chess::natural_notation(position))).end_object();
}

void write_people(JsonWriter& json, const review::PlyPeople& people, const chess::Position& before) {
  json.key("human").begin_object().field("rating", people.rating).field("probability", people.probability);
  json.key("likeliest").begin_object().field("san", people.likeliest_san);
  json.field("uci", chess::format_uci(people.likeliest, chess::natural_notation(before)));
  json.field("probability", people.likeliest_probability).end_object();
  json.field("text", review::sentence_of(people)).end_object();
  if (!people.expected_played || !people.expected_best) return;
  json.key("expected_win_rate").begin_object().field("opponent_rating", people.opponent_rating);
  json.field("played", people.expected_played->value()).field("best", people.expected_best->value()).end_object();
}

void write_ply(JsonWriter& json, const GameReview& review, std::size_t at) {
  const review::PlyReview& ply = review.plies[at];
  json.begin_object().field("ply", at + 1).field("number", ply.number);
  json.field("colour", ply.mover == chess::Colour::white ? "white" : "black");
  json.field("san", std::string_view(ply.san));
  json.field("uci", chess::format_uci(ply.move, chess::natural_notation(review.positions[at])));
  json.field("fen", chess::format_fen(review.positions[at + 1]));
  if (ply.clock) json.field("clock", static_cast<double>(ply.clock->count()) / 1000);
  json.field("phase", verdict::phase_names[static_cast<std::size_t>(ply.phase)]);
  write_lines(json, "before", review.before(at).lines, review.positions[at]);
  write_lines(json, "after", review.after(at).lines, review.positions[at + 1]);
  json.field("win_before", win_chances(review.before(at).lines, ply.mover));
  json.field("win_after", win_chances(review.after(at).lines, ply.mover));
  write_best_move(json, review, at);
  if (ply.deeper) json.field("searched_deeper", true);
  json.key("verdicts");
  if (ply.verdicts) {
    write_verdicts(json, *ply.verdicts);
  } else {
    json.null().field("no_verdict", ply.no_verdict);
  }
  if (ply.people) write_people(json, *ply.people, review.positions[at]);
  json.end_object();
}

void write_head(JsonWriter& json, const GameReview& review) {
  json.field("schema", "postmortem.review/1").key("tags").begin_object();
  for (std::size_t i = 0; i < review.game.tags.size(); ++i) {
    const pgn::Tag& tag = review.game.tags[i];
    const bool repeated = review.game.find_tag(tag.name) != &tag.value;  // JSON has no place for a second one
    if (!repeated) json.user_key(tag.name).value(std::string_view(tag.value));
  }
  json.end_object();
  json.field("result", pgn::format_result(review.game.result));
  json.field("start_fen", chess::format_fen(review.game.start));
  json.key("opening");
  if (review.opening) {
    json.begin_object().field("eco", review.opening->opening.eco).field("name", review.opening->opening.name);
    json.field("ply", review.opening->ply).end_object();
  } else {
    json.null();
  }
  json.key("engine").begin_object().field("source", review.engine ? "engine" : "pgn");
  if (review.engine) {
    json.field("name", std::string_view(review.engine->name)).key("options").begin_object();
    for (const auto& [name, value] : review.engine->options) json.user_key(name).value(std::string_view(value));
    json.end_object().field("limit", std::string_view(review.engine->limit)).field("lines", review.engine->lines);
  }
  json.end_object();
  if (review.people) {
    json.key("human").begin_object().field("name", review.people->model).field("sha256", review.people->sha256);
    json.field("white_rating", review.people->white_rating).field("black_rating", review.people->black_rating);
    json.end_object();
  }
}

}  // namespace

void write_verdicts(JsonWriter& json, const verdict::Verdicts& verdicts) {
  const auto& info = verdict::info(verdicts.points.cls);
  json.begin_object();
  json.key("points").begin_object().field("class", info.name).field("loss", verdicts.points.loss.value());
  json.field("accuracy", verdicts.points.accuracy).field("value", info.value).field("nag", nag_of(info.nag));
  json.field("confidence", verdicts.points.confidence == verdict::Confidence::firm ? "firm" : "borderline");
  write_reason(json, verdicts.points.reason);
  json.end_object().key("labels").begin_object().field("label", verdict::name_of(verdicts.labels.label));
  json.field("severity", verdict::name_of(verdicts.labels.severity));
  write_reason(json, verdicts.labels.reason);
  json.end_object().key("acpl").begin_object().field("loss", verdicts.acpl.loss);
  json.field("error", name_of(verdicts.acpl.error));
  write_reason(json, verdicts.acpl.reason);
  json.end_object().key("lichess").begin_object().field("judgement", name_of(verdicts.lichess.judgement));
  json.field("accuracy", verdicts.lichess.accuracy);
  write_reason(json, verdicts.lichess.reason);
  json.end_object().end_object();
}

std::string review_json(const GameReview& review, std::span<const pgn::Problem> problems) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_head(json, review);
  json.key("summary").begin_object();
  write_player(json, "white", review.white);
  write_player(json, "black", review.black);
  json.end_object().key("plies").begin_array();
  for (std::size_t at = 0; at < review.plies.size(); ++at) write_ply(json, review, at);
  json.end_array();
  json.key("problems").begin_array();
  for (const pgn::Problem& p : problems) {
    json.begin_object().field("line", p.place.line).field("column", p.place.column);
    json.field("message", pgn::to_utf8(p.message)).end_object();
  }
  json.end_array().end_object();
  out += '\n';
  return out;
}

std::string ply_json(const GameReview& review, std::size_t ply) {
  std::string text;
  JsonWriter json(text);
  write_ply(json, review, ply);
  return text;
}

}  // namespace pm::report
