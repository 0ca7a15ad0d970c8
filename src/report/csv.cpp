#include "report/csv.h"

#include <fmt/format.h>

#include "base/numbers.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "report/game_id.h"
#include "report/provenance.h"
#include "score/score_text.h"

namespace pm::report {
namespace {

constexpr std::string_view formula_beginnings = "=+-@\t\r\n";

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

// What a spreadsheet would run as a formula when it opens the file (docs/formats.md).
bool is_formula(std::string_view text) { return !text.empty() && formula_beginnings.find(text[0]) != text.npos; }

// One row, field by field.
class Row {
 public:
  // Words and numbers of our own.
  void add(std::string_view text) {
    if (!text_.empty()) text_ += ',';
    text_ += quoted(text);
  }
  // What others wrote.
  void add_foreign(std::string_view text) { is_formula(text) ? add(fmt::format("'{}", text)) : add(text); }
  // The same where a number is expected, which may have a sign.
  void add_foreign_number(std::string_view text) { parse_number<int>(text) ? add(text) : add_foreign(text); }
  template <class T>
  void add_number(const T& number) {
    add(fmt::format("{}", number));
  }
  void add_fraction(double number) { add(fmt::format("{:.6f}", number)); }
  std::string text() && { return std::move(text_) + "\r\n"; }

 private:
  std::string text_;
};

// Empty when not known.
std::string score_text(const engine::Evaluation& evaluation) {
  return evaluation.known() ? score::format_score(evaluation.lines.front().score) : "";
}

std::string_view judgement_text(std::optional<verdict::Judgement> judgement) {
  return judgement ? verdict::name_of(*judgement) : std::string_view();
}

void add_human(Row& row, const review::GameReview& review, std::size_t at) {
  const review::PlyEvidence& evidence = review.evidence.plies[at];
  const auto& used = review.evidence.human;
  if (!evidence.human || !used) {
    for (int empty = 0; empty < 6; ++empty) row.add("");
    return;
  }
  row.add_foreign(model_text(*used));
  row.add_number(used->rating_of(review.plies[at].mover));
  row.add_fraction(evidence.human->probability);
  row.add(chess::format_san(review.positions[at], evidence.human->likeliest));
  row.add(evidence.expectation ? fmt::format("{:.6f}", evidence.expectation->played.expected.value()) : "");
  row.add(evidence.expectation ? fmt::format("{:.6f}", evidence.expectation->best.expected.value()) : "");
}

}  // namespace

std::string csv_header() {
  return "game,white,black,result,ply,number,colour,san,uci,fen,clock,phase,score_before,score_after,best,engine,"
         "class,loss,accuracy,confidence,label,centipawn_loss,acpl_error,lichess_judgement,lichess_accuracy,"
         "human_model,human_rating,human_probability,likeliest,expected_played,expected_best,reason,"
         "game_id,site,date,white_elo,black_elo,eco,confidence_probability,provenance,"
         "to_find,found,difficulty\r\n";
}

std::string review_csv(const review::GameReview& review, std::size_t game, const std::stop_token& stop) {
  std::string out;
  const auto tag = [&](std::string_view name) {
    const std::string* value = review.game.find_tag(name);
    return value != nullptr ? *value : std::string();
  };
  const std::string id = game_id(review.game);
  const std::string eco = review.opening ? std::string(review.opening->opening.eco) : tag("ECO");
  const std::string engine = review.evidence.engine ? engine_text(*review.evidence.engine) : "";
  const std::string provenance = provenance_text(review.evidence);
  for (std::size_t at = 0; at < review.plies.size() && !stop.stop_requested(); ++at) {
    const review::PlyReview& ply = review.plies[at];
    const auto notation = chess::natural_notation(review.positions[at]);
    Row row;
    row.add_number(game);
    row.add_foreign(tag("White"));
    row.add_foreign(tag("Black"));
    row.add(pgn::format_result(review.game.result));
    row.add_number(at + 1);
    row.add_number(ply.number);
    row.add(ply.mover == chess::Colour::white ? "white" : "black");
    row.add_foreign(ply.san);  // a null move is "--"
    row.add(chess::format_uci(ply.move, notation));
    row.add(chess::format_fen(review.positions[at + 1]));
    const auto& clock = review.evidence.plies[at].clock;
    row.add(clock ? fmt::format("{:.1f}", static_cast<double>(clock->count()) / 1000) : "");
    row.add(verdict::phase_names[static_cast<std::size_t>(ply.phase)]);
    row.add(score_text(review.before(at)));
    row.add(score_text(review.after(at)));
    const auto& lines = review.before(at).lines;
    const bool known = !lines.empty() && !lines.front().pv.empty();
    row.add(known ? chess::format_san(review.positions[at], lines.front().pv.front()) : "");
    row.add_foreign(engine);
    if (ply.verdicts) {
      const verdict::Verdicts& v = *ply.verdicts;
      row.add(verdict::info(v.points.cls).name);
      row.add_fraction(v.points.loss.value());
      row.add_fraction(v.points.accuracy);
      row.add(verdict::word_of(v.points.confidence));
      row.add(verdict::name_of(v.labels.label));
      row.add_number(v.acpl.loss);
      row.add(judgement_text(v.acpl.error));
      row.add(judgement_text(v.lichess.judgement));
      row.add_fraction(v.lichess.accuracy);
    } else {
      for (int empty = 0; empty < 9; ++empty) row.add("");
    }
    add_human(row, review, at);
    row.add_foreign(ply.verdicts ? ply.verdicts->points.reason.text() : std::string(ply.no_verdict));
    row.add(id);
    for (const std::string_view name : {"Site", "Date"}) row.add_foreign(tag(name));
    for (const std::string_view name : {"WhiteElo", "BlackElo"}) row.add_foreign_number(tag(name));
    row.add_foreign(eco);
    row.add(ply.verdicts ? fmt::format("{:.3f}", ply.verdicts->points.confidence.probability) : "");
    row.add_foreign(provenance);
    const auto& finding = ply.finding;
    row.add(finding ? chess::format_san(review.positions[at], finding->move) : "");
    row.add(finding ? fmt::format("{:.6f}", finding->found) : "");
    row.add(finding ? human::difficulty_text(finding->difficulty) : "");
    out += std::move(row).text();
  }
  return out;
}

}  // namespace pm::report
