#include "report/json.h"

#include <algorithm>
#include <cmath>

#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "explain/haul.h"
#include "pgn/text.h"
#include "report/provenance.h"
#include "review/human_statistics.h"
#include "review/story.h"

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

void write_score(JsonWriter& json, const score::WhiteScore& white) {
  const score::Score& score = white.score();
  if (const score::Mate* mate = score.mate()) {
    json.field("mate", mate->wins ? mate->moves : -mate->moves);
  } else {
    json.field("cp", score.centipawns()->value);
  }
}

void write_lines(JsonWriter& json, std::string_view name, const std::vector<score::Line>& lines,
                 const chess::Position& start) {
  const chess::CastlingNotation notation = chess::natural_notation(start);
  json.key(name).begin_array();
  for (const score::Line& line : lines) {
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

void write_tried(JsonWriter& json, const TriedLines& tried, const chess::Position& start) {
  const chess::CastlingNotation notation = chess::natural_notation(start);
  json.key("tried").begin_array();
  for (const auto& line : tried) {
    json.begin_array();
    for (const chess::Move m : line) json.value(chess::format_uci(m, notation));
    json.end_array();
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

void write_interval(JsonWriter& json, std::string_view name, const verdict::FigureInterval& interval, double steps) {
  json.key(name).begin_array().value(rounded(interval.low, steps)).value(rounded(interval.high, steps)).end_array();
}

// Intervals are known of figures by an engine.
void write_sums(JsonWriter& json, const verdict::Summary& sum, bool by_engine) {
  json.field("moves", sum.moves);
  json.key("points").begin_object().field("accuracy", shown_accuracy(sum.points_accuracy));
  if (by_engine && sum.points_accuracy) write_interval(json, "accuracy_interval", accuracy_interval(sum), 10);
  write_counts(json, sum.classes, [](std::size_t i) { return verdict::points_classes[i].name; });
  json.end_object().key("labels").begin_object();
  write_counts(json, sum.labels, [](std::size_t i) { return verdict::name_of(static_cast<verdict::Label>(i)); });
  json.end_object().key("acpl").begin_object().field("acpl", whole(sum.acpl)).field("exact", sum.acpl);
  if (by_engine && sum.acpl) write_interval(json, "interval", acpl_interval(sum), 10);
  write_errors(json, sum.acpl_errors);
  json.end_object().key("lichess").begin_object().field("accuracy", shown_accuracy(sum.lichess_accuracy));
  json.field("acpl", whole(sum.lichess_acpl));
  write_errors(json, sum.lichess_errors);
  json.end_object();
}

// Where the file has clocks.
void write_time(JsonWriter& json, const review::TimeFigures& time) {
  if (time.game().moves == 0) return;
  const auto seconds = [](const review::TimeFigures::Phase& phase) { return rounded(*phase.seconds_per_move(), 10); };
  json.key("time").begin_object().field("seconds_per_move", seconds(time.game())).key("phases").begin_object();
  for (std::size_t i = 0; i < time.phases.size(); ++i) {
    if (time.phases[i].moves > 0) json.field(verdict::phase_names[i], seconds(time.phases[i]));
  }
  json.end_object().field("moves_in_trouble", time.moves_in_trouble);
  json.field("errors_in_trouble", time.errors_in_trouble).end_object();
}

void write_player(JsonWriter& json, const GameReview& review, chess::Colour side) {
  const verdict::PlayerSummary& player = review.of(side);
  const bool by_engine = review.evidence.engine.has_value();
  json.key(side == chess::Colour::white ? "white" : "black").begin_object();
  write_sums(json, player.game, by_engine);
  write_time(json, review.time_of(side));
  if (const auto& like = review.played_like(side)) {
    json.key("played_like").begin_object().field("rating", like->rating);
    json.key("interval").begin_array().value(like->low).value(like->high).end_array();
    json.field("moves", like->moves).end_object();
  }
  json.key("phases").begin_object();
  for (std::size_t i = 0; i < player.phases.size(); ++i) {
    json.key(verdict::phase_names[i]).begin_object();
    write_sums(json, player.phases[i], by_engine);
    json.end_object();
  }
  json.end_object().end_object();
}

std::optional<double> win_chances(const std::vector<score::Line>& lines, chess::Colour mover) {
  if (lines.empty()) return std::nullopt;
  return score::win_rate(lines.front().score.seen_by(mover), score::points_slope).value();
}

void write_move(JsonWriter& json, const chess::Position& position, chess::Move move) {
  json.field("san", chess::format_san(position, move));
  json.field("uci", chess::format_uci(move, chess::natural_notation(position)));
}

void write_best_move(JsonWriter& json, const GameReview& review, std::size_t at) {
  json.key("best");
  const auto& lines = review.before(at).lines;
  if (lines.empty() || lines.front().pv.empty()) {
    json.null();
    return;
  }
  json.begin_object();
  write_move(json, review.positions[at], lines.front().pv.front());
  json.end_object();
}

// How hard the move was to find that should have been.
void write_finding(JsonWriter& json, const GameReview& review, std::size_t at) {
  const auto& finding = review.plies[at].finding;
  if (!finding) return;
  json.key("difficulty").begin_object();
  write_move(json, review.positions[at], finding->move);
  json.field("found", finding->found).key("by_rating").begin_array();
  for (const double each : finding->by_rating) json.value(each);
  json.end_array().field("reach", human::reach_names[static_cast<std::size_t>(finding->difficulty.reach)]);
  json.field("rating", finding->difficulty.rating).end_object();
}

void write_human(JsonWriter& json, const GameReview& review, std::size_t at) {
  const review::PlyEvidence& evidence = review.evidence.plies[at];
  if (!evidence.human || !review.evidence.human) return;
  const chess::Colour mover = review.plies[at].mover;
  json.key("human").begin_object().field("rating", review.evidence.human->rating_of(mover));
  json.field("probability", evidence.human->probability).key("likeliest").begin_object();
  write_move(json, review.positions[at], evidence.human->likeliest);
  json.field("probability", evidence.human->likeliest_probability).end_object();
  write_finding(json, review, at);
  json.field("text", review::human_sentence(review, at)).end_object();
  if (!evidence.expectation) return;
  json.key("expected_win_rate").begin_object();
  json.field("opponent_rating", review.evidence.human->rating_of(!mover));
  const auto interval = [&](std::string_view name, const verdict::PracticalScore& score) {
    json.key(name).begin_array().value(score.low.value()).value(score.high.value()).end_array();
  };
  const review::Expectation& expectation = *evidence.expectation;
  json.field("played", expectation.played.expected.value()).field("best", expectation.best.expected.value());
  interval("played_interval", expectation.played);
  interval("best_interval", expectation.best);
  json.field("played_confidence", expectation.played.confidence).field("best_confidence", expectation.best.confidence);
  json.end_object();
}

void write_wins(JsonWriter& json, const explain::Wins& wins) {
  json.key("wins").begin_object();
  if (wins.piece) json.field("piece", chess::name_of(*wins.piece));
  if (wins.mate_in) json.field("mate", *wins.mate_in);
  json.field("material", wins.material).end_object();
}

void write_claim(JsonWriter& json, const GameReview& review, std::size_t at, const explain::Claim& claim) {
  const chess::CastlingNotation notation = chess::natural_notation(review.positions[at]);
  json.begin_object().field("kind", explain::claim_names[static_cast<std::size_t>(claim.kind)]);
  json.field("motif", claim.motif).field("by", claim.by == chess::Colour::white ? "white" : "black");
  json.field("uci", chess::format_uci(claim.move, notation)).field("san", claim.san).field("ply", claim.ply);
  json.key("squares").begin_array();
  for (const chess::Square each : claim.squares) json.value(chess::format_square(each));
  json.end_array().key("targets").begin_array();
  for (const explain::Target& each : claim.targets) {
    json.begin_object().field("piece", chess::name_of(each.piece));
    json.field("square", chess::format_square(each.square)).end_object();
  }
  json.end_array();
  if (claim.wins) write_wins(json, *claim.wins);
  json.key("line").begin_array();
  for (const chess::Move move : claim.line) json.value(chess::format_uci(move, notation));
  json.end_array().field("text", claim.text).end_object();
}

void write_explanation(JsonWriter& json, const GameReview& review, std::size_t at) {
  const explain::Explanation& explanation = review.plies[at].explanation;
  json.key("explanation").begin_object().field("text", explanation.text).key("claims").begin_array();
  for (const explain::Claim& claim : explanation.claims) write_claim(json, review, at, claim);
  json.end_array().key("refutation").begin_array();
  const chess::CastlingNotation notation = chess::natural_notation(review.positions[at]);
  for (const chess::Move move : explanation.refutation) json.value(chess::format_uci(move, notation));
  json.end_array().end_object();
}

void write_ply(JsonWriter& json, const GameReview& review, std::size_t at) {
  const review::PlyReview& ply = review.plies[at];
  json.begin_object().field("ply", at + 1).field("number", ply.number);
  json.field("colour", ply.mover == chess::Colour::white ? "white" : "black");
  json.field("san", std::string_view(ply.san));
  json.field("uci", chess::format_uci(ply.move, chess::natural_notation(review.positions[at])));
  json.field("fen", chess::format_fen(review.positions[at + 1]));
  const review::PlyEvidence& evidence = review.evidence.plies[at];
  if (evidence.clock) json.field("clock", static_cast<double>(evidence.clock->count()) / 1000);
  if (ply.time.spent) json.field("spent", std::chrono::duration<double>(*ply.time.spent).count());
  if (ply.time.trouble) json.field("time_trouble", true);
  json.field("phase", verdict::phase_names[static_cast<std::size_t>(ply.phase)]);
  write_lines(json, "before", review.before(at).lines, review.positions[at]);
  write_lines(json, "after", review.after(at).lines, review.positions[at + 1]);
  json.field("win_before", win_chances(review.before(at).lines, ply.mover));
  json.field("win_after", win_chances(review.after(at).lines, ply.mover));
  write_best_move(json, review, at);
  if (review.searched_deeper(at)) json.field("searched_deeper", true);
  if (evidence.better_than_thought) json.field("better_than_thought", true);
  json.key("verdicts");
  if (ply.verdicts) {
    write_verdicts(json, *ply.verdicts);
    write_explanation(json, review, at);
  } else {
    json.null().field("no_verdict", ply.no_verdict);
  }
  write_human(json, review, at);
  json.end_object();
}

void write_head(JsonWriter& json, const GameReview& review) {
  json.field("schema", "postmortem.review/1").field("program", program_text()).key("tags").begin_object();
  for (std::size_t i = 0; i < review.game.tags.size(); ++i) {
    const pgn::Tag& tag = review.game.tags[i];
    const bool repeated = review.game.find_tag(tag.name) != &tag.value;  // JSON has no place for a second one
    if (!repeated) json.user_key(tag.name).value(std::string_view(tag.value));
  }
  json.end_object();
  json.field("result", pgn::format_result(review.game.result));
  json.field("start_fen", chess::format_fen(review.game.start));
  if (review.left_out > 0) json.field("left_out", review.left_out);
  json.key("opening");
  if (review.opening) {
    json.begin_object().field("eco", review.opening->opening.eco).field("name", review.opening->opening.name);
    json.field("ply", review.opening->ply).end_object();
  } else {
    json.null();
  }
  const auto& engine = review.evidence.engine;
  json.key("engine").begin_object().field("source", engine ? "engine" : "pgn");
  if (engine) {
    json.field("name", std::string_view(engine->name)).field("sha256", std::string_view(engine->sha256));
    json.key("options").begin_object();
    for (const auto& [name, value] : engine->options) json.user_key(name).value(std::string_view(value));
    json.end_object().field("limit", engine::format_limit(engine->limit)).field("lines", engine->lines);
    json.field("effort", review::effort_names[static_cast<std::size_t>(engine->effort)]);
  }
  json.end_object();
  if (const auto& human = review.evidence.human) {
    json.key("human").begin_object().field("name", human->model).field("sha256", human->sha256);
    json.field("white_rating", human->white_rating).field("black_rating", human->black_rating);
    json.field("people", review::people_names[static_cast<std::size_t>(human->people)]).key("ratings").begin_array();
    for (const int rating : human->sampled) json.value(rating);
    json.end_array().end_object();
  }
}

}  // namespace

void write_verdicts(JsonWriter& json, const verdict::Verdicts& verdicts) {
  const auto& info = verdict::info(verdicts.points.cls);
  json.begin_object();
  json.key("points").begin_object().field("class", info.name).field("loss", verdicts.points.loss.value());
  json.field("accuracy", verdicts.points.accuracy).field("value", info.value).field("nag", nag_of(info.nag));
  json.key("confidence").begin_object().field("word", verdict::word_of(verdicts.points.confidence));
  json.field("probability", verdicts.points.confidence.probability).end_object();
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

std::string review_json(const GameReview& review, std::span<const pgn::Problem> problems, const TriedLines& tried,
                        const std::stop_token& stop) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_head(json, review);
  json.key("summary").begin_object();
  write_player(json, review, chess::Colour::white);
  write_player(json, review, chess::Colour::black);
  json.end_object().field("story", review::story(review)).key("key_moments").begin_array();
  for (const review::KeyMoment& each : review::key_moments(review)) {
    json.begin_object().field("ply", each.ply + 1).field("title", each.title).end_object();
  }
  json.end_array().key("plies").begin_array();
  for (std::size_t at = 0; at < review.plies.size() && !stop.stop_requested(); ++at) write_ply(json, review, at);
  json.end_array();
  if (!tried.empty()) write_tried(json, tried, review.positions.front());
  json.key("problems").begin_array();
  for (const pgn::Problem& p : problems) {
    json.begin_object().field("line", p.place.line).field("column", p.place.column);
    json.field("message", pgn::to_utf8(p.message));
    if (p.note) json.field("note", true);
    json.end_object();
  }
  json.end_array().end_object();
  out += '\n';
  return out;
}

std::string lines_json(const std::vector<score::Line>& lines, const chess::Position& position) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("white_chances");
  if (lines.empty()) {
    json.null();
  } else {
    json.value(score::win_rate(lines.front().score.seen_by(chess::Colour::white), score::points_slope).value());
  }
  write_lines(json, "lines", lines, position);
  json.end_object();
  return text;
}

std::string ply_json(const GameReview& review, std::size_t ply) {
  std::string text;
  JsonWriter json(text);
  write_ply(json, review, ply);
  return text;
}

}  // namespace pm::report
