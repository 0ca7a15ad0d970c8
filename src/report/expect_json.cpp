#include "report/expect_json.h"

#include "chess/fen.h"
#include "chess/uci.h"
#include "expect/likely_blunder.h"
#include "report/json_writer.h"

namespace pm::report {
namespace {

using expect::Candidate;
using expect::Tree;

void write_win_rate(JsonWriter& json, std::string_view name, const std::optional<score::WinRate>& win_rate) {
  json.key(name);
  if (win_rate) {
    json.value(win_rate->value());
  } else {
    json.null();
  }
}

// A tree is at most max_ply deep, so recursion is bounded.
void write_node(JsonWriter& json, const Tree& tree, const expect::Node& node, chess::CastlingNotation notation) {
  json.begin_object().field("fen", chess::format_fen(node.position)).field("san", node.san);
  json.field("uci", chess::format_uci(node.move, notation));
  json.field("probability", node.probability).field("cumulative_probability", node.cumulative_probability);
  write_win_rate(json, "win_rate", node.win_rate);
  json.field("kind", expect::word_of(node.kind)).key("reason");
  if (node.reason == expect::PruneReason::none) {
    json.null();
  } else {
    json.value(expect::word_of(node.reason));
  }
  if (node.unevaluated) json.field("unevaluated", true);
  if (node.win_rate && node.depth > 0) json.field("depth", node.depth);
  if (node.open) json.field("open", true);
  json.key("children").begin_array();
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    write_node(json, tree, tree.nodes[node.first_child + i], notation);
  }
  json.end_array().end_object();
}

void write_likely_blunder(JsonWriter& json, const Tree& tree, chess::CastlingNotation notation) {
  json.key("likely_blunder");
  const auto blunder = expect::likely_blunder(tree);
  if (!blunder) {
    json.null();
    return;
  }
  const expect::Node& reply = tree.nodes[blunder->node];
  json.begin_object().field("san", reply.san).field("uci", chess::format_uci(reply.move, notation));
  json.field("probability", reply.probability).field("motif", blunder->claim.motif).field("text", blunder->text);
  json.key("line").begin_array();
  for (const chess::Move move : blunder->claim.line) json.value(chess::format_uci(move, notation));
  json.end_array().end_object();
}

void write_candidate(JsonWriter& json, const Candidate& candidate, chess::CastlingNotation notation, bool timed) {
  const expect::TreeSummary& s = candidate.summary;
  json.begin_object().field("san", candidate.san).field("uci", candidate.uci).field("expected_win_rate", s.expected);
  write_win_rate(json, "engine_win_rate", candidate.engine_win_rate);
  json.field("human_probability", candidate.human_probability);
  json.field("confidence", s.confidence).field("confidence_label", expect::confidence_label(s.confidence));
  json.field("tree_depth", s.tree_depth).field("max_depth", s.max_depth).field("branches", s.branches);
  json.field("raw", s.raw).field("leaf_mass", s.leaf_mass).field("unevaluated_mass", s.unevaluated_mass);
  json.field("final", candidate.is_final).field("lower", s.lower).field("upper", s.upper);
  json.key("interval").begin_array().value(candidate.interval.low.value()).value(candidate.interval.high.value());
  json.end_array().field("drift", candidate.drift).key("seconds");
  if (timed) {
    json.value(candidate.seconds);
  } else {
    json.null();
  }
  json.field("cache", expect::cache_word(candidate));
  write_likely_blunder(json, candidate.tree, notation);
  json.key("tree");
  write_node(json, candidate.tree, candidate.tree.candidate(), notation);
  json.end_object();
}

void write_parameters(JsonWriter& json, const expect::Parameters& p) {
  json.key("parameters").begin_object();
  json.field("threshold", p.threshold).field("depth", p.depth).field("loss", p.loss);
  json.field("rating", p.rating).field("opponent_rating", p.opponent_rating);
  if (p.map == expect::WinRateMap::people) json.field("lead", p.lead.value_or(p.rating - p.opponent_rating));
  json.field("uncovered", expect::word_of(p.uncovered)).field("pruning", expect::word_of(p.pruning));
  json.field("effort", expect::word_of(p.effort)).field("map", expect::word_of(p.map));
  json.field("max_ply", p.max_ply).field("max_nodes", p.max_nodes);
  if (p.searches) json.field("searches", *p.searches);
  if (p.seconds) json.field("seconds", *p.seconds);
  json.end_object();
}

}  // namespace

std::string expect_json(const expect::Analysis& analysis, const ExpectSource& source) {
  std::string text;
  JsonWriter json(text);
  const chess::Position& root = source.history.newest();
  json.begin_object().field("schema", "postmortem.expect/1").field("fen", chess::format_fen(root));
  json.field("history", analysis.history_known ? "full" : "fen");
  write_parameters(json, analysis.parameters);
  json.key("model").begin_object().field("name", source.model.name).field("sha256", source.model.sha256).end_object();
  json.key("engine").begin_object().field("name", source.engine.name).key("options").begin_object();
  for (const auto& [name, value] : source.engine.options) json.user_key(name).value(value);
  json.end_object().end_object();
  json.field("phase", expect::word_of(analysis.phase)).key("stopped");
  if (analysis.stopped == expect::Stopped::none) {
    json.null();
  } else {
    json.value(expect::word_of(analysis.stopped));
  }
  json.key("counts").begin_object().field("done", analysis.counts.done).field("total", analysis.counts.total);
  json.field("nodes", analysis.nodes).field("valued", expect::valued_nodes(analysis));
  json.field("candidate", analysis.candidate_now).field("candidates", analysis.candidates.size()).end_object();
  json.field("truncated", analysis.truncated).key("warnings").begin_array();
  for (const std::string& warning : analysis.warnings) json.value(warning);
  json.end_array();
  write_win_rate(json, "base", analysis.base);
  json.key("empty_reason");
  if (analysis.empty_reason.empty()) {
    json.null();
  } else {
    json.value(analysis.empty_reason);
  }
  json.key("moves").begin_array();
  for (const Candidate* candidate : expect::ranked(analysis.candidates)) {
    write_candidate(json, *candidate, chess::natural_notation(root), source.timed);
  }
  json.end_array().end_object();
  return text + '\n';
}

}  // namespace pm::report
