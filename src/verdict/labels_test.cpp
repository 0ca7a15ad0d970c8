#include "verdict/labels.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "verdict/test_scores.h"

namespace pm::verdict {
namespace {

TEST(Labels, lenient_takes_the_milder_scale_and_strict_the_harsher) {
  // 120 centipawns far from equality: a mistake by centipawns, hardly anything by probability.
  EXPECT_EQ(label_by_loss(cp(1000), cp(880), Dual::lenient), Label::best);
  EXPECT_EQ(label_by_loss(cp(1000), cp(880), Dual::strict), Label::mistake);
}

TEST(Labels, bounds_of_the_table) {
  struct Case {
    int loss;
    Label strict;
  };
  for (const Case& c :
       {Case{0, Label::best}, Case{9, Label::best}, Case{10, Label::excellent}, Case{24, Label::excellent},
        Case{25, Label::good}, Case{49, Label::good}, Case{50, Label::inaccuracy}, Case{99, Label::inaccuracy},
        Case{100, Label::mistake}, Case{299, Label::mistake}, Case{300, Label::blunder}}) {
    EXPECT_EQ(name_of(label_by_loss(cp(900), cp(900 - c.loss), Dual::strict)), name_of(c.strict)) << c.loss;
  }
}

struct OpeningScene {
  const char* move;
  MoverScore before;
  const char* best;
  MoverScore after;
  bool in_book = false;
  std::optional<WhiteScore> shallow = std::nullopt;
};

LabelsVerdict labels_of(const OpeningScene& scene) {
  const chess::Position before = chess::Position::start();
  const chess::Move move = chess::parse_san(before, scene.move).value();
  const chess::Position after = before.after(move);
  const std::vector<Line> lines{{WhiteScore(scene.before.score()), 18, {chess::parse_san(before, scene.best).value()}}};
  const std::vector<Line> lines_after{{WhiteScore(scene.after.score()), 18, {}}};
  return judge_labels({before, move, after, lines, lines_after}, {},
                      {.book = {.known = scene.in_book}, .shallow_before = scene.shallow});
}

TEST(Labels, order_of_the_rules) {
  EXPECT_EQ(labels_of({"e4", cp(30), "d4", cp(-400), true}).label, Label::book);
  EXPECT_EQ(labels_of({"e4", cp(30), "e4", cp(-20)}).label, Label::best);
  EXPECT_EQ(labels_of({"e4", cp(30), "d4", cp(0)}).label, Label::excellent);
}

TEST(Labels, miss_says_what_was_missed_and_keeps_the_severity) {
  const auto win = labels_of({"e4", mate(3), "d4", cp(299)});
  EXPECT_EQ(win.label, Label::miss);
  EXPECT_EQ(win.severity, Label::mistake);
  EXPECT_EQ(win.reason.text(),
            "Missed a win: mate in 3 before, +2.99 now. d4 kept mate in 3. By its loss alone: Mistake.");
  EXPECT_EQ(labels_of({"e4", mate(3), "d4", cp(300)}).label, Label::mistake);
  EXPECT_EQ(labels_of({"e4", cp(900), "d4", cp(-400)}).reason.text(),
            "Lost a won game: +9.00 before, -4.00 now. d4 kept +9.00. By its loss alone: Blunder.");
  EXPECT_EQ(labels_of({"e4", cp(899), "d4", cp(0)}).label, Label::blunder);
  const auto draw = labels_of({"e4", cp(0), "d4", cp(-250)});
  EXPECT_EQ(draw.label, Label::miss);
  EXPECT_EQ(draw.reason.text(), "Missed the draw: 0.00 before, -2.50 now. d4 kept 0.00. By its loss alone: Mistake.");
  EXPECT_EQ(labels_of({"e4", cp(0), "d4", cp(-210)}).label,
            Label::inaccuracy);  // not bad enough to have missed anything
  EXPECT_EQ(labels_of({"e4", cp(50), "d4", cp(-400)}).label, Label::blunder);
}

TEST(Labels, brilliant_compares_with_the_shallower_search) {
  const WhiteScore lost(Centipawns{-250});
  EXPECT_EQ(labels_of({"e4", cp(0), "e4", cp(0), false, lost}).label, Label::brilliant);
  EXPECT_EQ(labels_of({"e4", cp(0), "d4", cp(-20), false, lost}).label, Label::brilliant);
  EXPECT_EQ(labels_of({"e4", cp(0), "d4", cp(-30), false, lost}).label, Label::excellent);
  EXPECT_EQ(labels_of({"e4", cp(0), "e4", cp(0), false, lost}).reason.text(),
            "The engine itself needed depth to see this: -2.50 at first sight, 0.00 after the move.");
}

TEST(Labels, brilliant_without_a_shallower_search_is_what_the_search_before_did_not_see) {
  EXPECT_EQ(labels_of({"e4", cp(0), "e4", cp(0)}).label, Label::best);
  const auto v = labels_of({"e4", cp(-201), "e4", cp(0)});
  EXPECT_EQ(v.label, Label::brilliant);
  EXPECT_EQ(v.reason.text(), "Better than the engine thought before the move: -2.01 then, 0.00 now.");
}

}  // namespace
}  // namespace pm::verdict
