#include "report/csv.h"

#include <fmt/format.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "report/provenance.h"

namespace pm::report {
namespace {

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

// One row, field by field.
class Row {
 public:
  void add(std::string_view text) {
    if (!text_.empty()) text_ += ',';
    text_ += quoted(text);
  }
  template <class T>
  void add_number(const T& number) {
    add(fmt::format("{}", number));
  }
  void add_fraction(double number) { add(fmt::format("{:.6f}", number)); }
  std::string text() && { return std::move(text_) + "\r\n"; }

 private:
  std::string text_;
};

// Centipawns as a number, a mate as "#3" or "#-3"; empty when not known.
std::string score_text(const review::PositionEval& eval) {
  if (eval.lines.empty()) return "";
  const verdict::Score& score = eval.lines.front().score.score();
  if (const verdict::Mate* mate = score.mate()) return fmt::format("#{}{}", mate->wins ? "" : "-", mate->moves);
  return fmt::format("{}", score.centipawns()->value);
}

std::string_view judgement_text(std::optional<verdict::Judgement> judgement) {
  return judgement ? verdict::name_of(*judgement) : std::string_view();
}

void add_people(Row& row, const std::string& model, const std::optional<review::PlyPeople>& people) {
  const auto win_rate = [](const std::optional<verdict::WinRate>& w) {
    return w ? fmt::format("{:.6f}", w->value()) : "";
  };
  row.add(people ? model : "");
  row.add(people ? fmt::format("{}", people->rating) : "");
  row.add(people ? fmt::format("{:.6f}", people->probability) : "");
  row.add(people ? people->likeliest_san : "");
  row.add(people ? win_rate(people->expected_played) : "");
  row.add(people ? win_rate(people->expected_best) : "");
}

}  // namespace

std::string csv_header() {
  return "game,white,black,result,ply,number,colour,san,uci,fen,clock,phase,score_before,score_after,best,engine,class,"
         "loss,"
         "accuracy,confidence,label,centipawn_loss,acpl_error,lichess_judgement,lichess_accuracy,human_model,human_"
         "rating,"
         "human_probability,likeliest,"
         "expected_played,expected_best,reason\r\n";
}

std::string review_csv(const review::GameReview& review, std::size_t game) {
  std::string out;
  const auto tag = [&](std::string_view name) {
    const std::string* value = review.game.find_tag(name);
    return value != nullptr ? *value : std::string();
  };
  const std::string engine = review.engine ? engine_text(*review.engine) : "";
  const std::string model = review.people ? model_text(*review.people) : "";
  for (std::size_t at = 0; at < review.plies.size(); ++at) {
    const review::PlyReview& ply = review.plies[at];
    const auto notation = chess::natural_notation(review.positions[at]);
    Row row;
    row.add_number(game);
    row.add(tag("White"));
    row.add(tag("Black"));
    row.add(pgn::format_result(review.game.result));
    row.add_number(at + 1);
    row.add_number(ply.number);
    row.add(ply.mover == chess::Colour::white ? "white" : "black");
    row.add(ply.san);
    row.add(chess::format_uci(ply.move, notation));
    row.add(chess::format_fen(review.positions[at + 1]));
    row.add(ply.clock ? fmt::format("{:.1f}", static_cast<double>(ply.clock->count()) / 1000) : "");
    row.add(verdict::phase_names[static_cast<std::size_t>(ply.phase)]);
    row.add(score_text(review.before(at)));
    row.add(score_text(review.after(at)));
    const auto& lines = review.before(at).lines;
    const bool known = !lines.empty() && !lines.front().pv.empty();
    row.add(known ? chess::format_san(review.positions[at], lines.front().pv.front()) : "");
    row.add(engine);
    if (ply.verdicts) {
      const verdict::Verdicts& v = *ply.verdicts;
      row.add(verdict::info(v.points.cls).name);
      row.add_fraction(v.points.loss.value());
      row.add_fraction(v.points.accuracy);
      row.add(v.points.confidence == verdict::Confidence::firm ? "firm" : "borderline");
      row.add(verdict::name_of(v.labels.label));
      row.add_number(v.acpl.loss);
      row.add(judgement_text(v.acpl.error));
      row.add(judgement_text(v.lichess.judgement));
      row.add_fraction(v.lichess.accuracy);
    } else {
      for (int empty = 0; empty < 9; ++empty) row.add("");
    }
    add_people(row, model, ply.people);
    row.add(ply.verdicts ? ply.verdicts->points.reason.text() : std::string(ply.no_verdict));
    out += std::move(row).text();
  }
  return out;
}

}  // namespace pm::report
