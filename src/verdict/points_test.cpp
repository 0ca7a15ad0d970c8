#include "verdict/points.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "chess/fen.h"
#include "chess/san.h"
#include "verdict/test_scores.h"

namespace pm::verdict {
namespace {

using enum PointsClass;

const PointsOptions by_distance{.mates = Mates::distance};  // the tables alone

TEST(ExpectedPoints, are_what_the_formula_gives) {
  const auto rate = [](int value) { return win_rate(Centipawns{value}, score::points_slope).value(); };
  EXPECT_NEAR(rate(100), .587, .0005);
  EXPECT_NEAR(rate(200), .668, .0005);
  EXPECT_NEAR(rate(0), .5, 1e-12);
  EXPECT_EQ(win_rate(mate(5), score::points_slope), WinRate(1));
  EXPECT_EQ(win_rate(mate(-5), score::points_slope), WinRate(0));
}

// Tables exist that give .845 for 500, .933 for 800, and call 150 -> 80 a loss of 3.6%.
TEST(ExpectedPoints, tables_that_do_not_fit_the_formula_are_not_followed) {
  const auto rate = [](int value) { return win_rate(Centipawns{value}, score::points_slope).value(); };
  EXPECT_NEAR(rate(500), .852, .0005);
  EXPECT_NEAR(rate(800), .943, .0005);
  EXPECT_NEAR(points_loss(cp(150), cp(80)).value(), .0588, .0001);
}

struct LossCase {
  MoverScore before;
  MoverScore after;
  PointsClass cls;
};

TEST(ClassByLoss, every_boundary_of_the_table) {
  const std::vector<LossCase> cases{
      // cp -> cp, from 0.00: the last of each class and the first of the next
      {cp(0), cp(-11), best},
      {cp(0), cp(-12), excellent},
      {cp(0), cp(-51), excellent},
      {cp(0), cp(-52), okay},
      {cp(0), cp(-92), okay},
      {cp(0), cp(-93), inaccuracy},
      {cp(0), cp(-139), inaccuracy},
      {cp(0), cp(-140), mistake},
      {cp(0), cp(-269), mistake},
      {cp(0), cp(-270), blunder},
      {cp(0), cp(50), best},
      // mate -> mate
      {mate(2), mate(-1), blunder},
      {mate(2), mate(-3), blunder},
      {mate(2), mate(-4), mistake},
      {mate(-2), mate(4), best},
      {mate(3), mate(2), best},
      {mate(3), mate(3), excellent},
      {mate(3), mate(4), excellent},
      {mate(3), mate(5), okay},
      {mate(3), mate(9), okay},
      {mate(3), mate(10), inaccuracy},
      {mate(-3), mate(-4), best},
      {mate(-3), mate(-3), best},
      {mate(-3), mate(-2), excellent},
      {mate(-3), mate(-1), okay},
      {mate(-9), mate(-1), inaccuracy},
      // mate -> cp
      {mate(-3), cp(-500), best},
      {mate(3), cp(800), excellent},
      {mate(3), cp(799), okay},
      {mate(3), cp(400), okay},
      {mate(3), cp(399), inaccuracy},
      {mate(3), cp(200), inaccuracy},
      {mate(3), cp(199), mistake},
      {mate(3), cp(0), mistake},
      {mate(3), cp(-1), blunder},
      // cp -> mate
      {cp(0), mate(7), best},
      {cp(0), mate(-1), blunder},
      {cp(0), mate(-2), blunder},
      {cp(0), mate(-3), mistake},
      {cp(0), mate(-5), mistake},
      {cp(0), mate(-6), inaccuracy},
      {cp(-2000), mate(-1), blunder},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(info(class_by_loss(cases[i].before, cases[i].after, by_distance)).name, info(cases[i].cls).name)
        << "row " << i;
  }
}

TEST(ClassByLoss, soften_lost_caps_being_mated_in_lost_positions) {
  const PointsOptions soft{.mates = Mates::distance, .soften_lost = true};
  EXPECT_EQ(class_by_loss(cp(-1000), mate(-1), soft), inaccuracy);
  EXPECT_EQ(class_by_loss(cp(-999), mate(-1), soft), mistake);
  EXPECT_EQ(class_by_loss(cp(-701), mate(-1), soft), mistake);
  EXPECT_EQ(class_by_loss(cp(-700), mate(-1), soft), blunder);
  EXPECT_EQ(class_by_loss(cp(-1000), mate(-8), soft), inaccuracy);
}

TEST(ClassByLoss, around_mates_the_worse_of_distance_and_loss_counts) {
  struct Case {
    MoverScore before;
    MoverScore after;
    PointsClass by_distance;
    PointsClass worst;
  };
  const std::vector<Case> table{
      {cp(4300), mate(-9), inaccuracy, blunder},     // a won game thrown away
      {mate(4), mate(-9), mistake, blunder},         //
      {mate(3), cp(800), excellent, okay},           // 94.3% are left
      {mate(3), cp(0), mistake, blunder},            //
      {cp(-2000), mate(-1), blunder, blunder},       // the distance is worse
      {cp(-900), mate(-9), inaccuracy, inaccuracy},  // lost already
      {mate(3), mate(4), excellent, excellent},      //
      {mate(-3), cp(-500), best, best},              //
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(class_by_loss(table[i].before, table[i].after, by_distance), table[i].by_distance) << "row " << i;
    EXPECT_EQ(class_by_loss(table[i].before, table[i].after), table[i].worst) << "row " << i;
  }
}

TEST(ClassTable, values_and_nags) {
  for (std::size_t i = 0; i < points_classes.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(points_classes[i].id), i);
  EXPECT_EQ(info(brilliant).nag, 3);
  EXPECT_EQ(info(critical).nag, 1);
  EXPECT_EQ(info(risky).nag, 5);
  EXPECT_EQ(info(risky).value, 2);
  EXPECT_EQ(info(theory).nag, 0);
}

// A position, a move, and scores from the mover's view.
struct Scene {
  const char* fen;
  const char* move;
  std::vector<std::pair<MoverScore, const char*>> before;
  MoverScore after;
};

PointsVerdict points_of(const Scene& scene, const PointsOptions& options = {}, const PointsKnowledge& knowledge = {}) {
  const chess::Position before = chess::parse_fen(scene.fen).value();
  const chess::Move move = chess::parse_san(before, scene.move).value();
  const chess::Position after = before.after(move);
  const auto white = [&](const MoverScore& s) {
    return WhiteScore(before.side_to_move() == chess::Colour::white ? s.score() : s.score().reversed());
  };
  std::vector<Line> lines;
  lines.reserve(scene.before.size());
  for (const auto& [score, san] : scene.before)
    lines.push_back({white(score), 18, {chess::parse_san(before, san).value()}});
  const std::vector<Line> lines_after{{white(scene.after), 18, {}}};
  return judge_points({before, move, after, lines, lines_after}, options, knowledge);
}

constexpr const char* quiet = "4k3/8/8/3q4/8/8/4N3/4K3 w - - 0 1";
// Legal's mate: the knight takes and leaves the queen hanging.
constexpr const char* legal = "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5";

TEST(Points, forced_comes_before_everything) {
  const auto v =
      points_of({"k7/8/1K6/8/8/8/8/7R b - - 0 1", "Kb8", {{mate(-1), "Kb8"}}, mate(-1)}, {}, {.book = {.known = true}});
  EXPECT_EQ(v.cls, forced);
  EXPECT_EQ(v.reason.rule_name(), "forced");
}

TEST(Points, theory_comes_before_the_numbers) {
  const Scene scene{chess::start_fen.data(), "f3", {{cp(30), "e4"}, {cp(25), "d4"}}, cp(-100)};
  EXPECT_EQ(points_of(scene, {}, {.book = {.known = true}}).cls, theory);
  EXPECT_EQ(points_of(scene).cls, inaccuracy);
  EXPECT_EQ(points_of(scene, {}, {.book = {.known = true, .opening = "Barnes Opening"}}).reason.text(),
            "A known opening position: Barnes Opening. It costs 11.3% winning chances, though. e4 was best.");
  const Scene cheap{chess::start_fen.data(), "Nf3", {{cp(30), "e4"}, {cp(25), "d4"}}, cp(20)};
  const BookKnowledge on_the_way{.known = true, .opening = "Zukertort Opening", .on_the_way = true};
  EXPECT_EQ(points_of(cheap, {}, {.book = on_the_way}).reason.text(),
            "A known opening move, on the way to Zukertort Opening.");
}

TEST(Points, a_mate_let_go_says_what_remains) {
  const auto text = [](MoverScore after) {
    return points_of({quiet, "Kf2", {{mate(3), "Nc3"}, {cp(10), "Ng3"}}, after}).reason.text();
  };
  EXPECT_EQ(text(cp(910)), "Lets a forced mate go (mate in 3); still winning, +9.10. Nc3 was best.");
  EXPECT_EQ(text(cp(100)).substr(0, 60), "Lets a forced mate go (mate in 3); only somewhat better now,");
  EXPECT_NE(text(cp(0)).find("equal now, 0.00"), std::string::npos);
  EXPECT_NE(text(cp(-100)).find("worse now, -1.00"), std::string::npos);
  EXPECT_NE(text(cp(-500)).find("losing now, -5.00"), std::string::npos);
}

TEST(Points, a_loss_of_22_percent_is_a_blunder_whatever_mates_are_about) {
  for (const MoverScore& before : {mate(1), mate(9), cp(4300), cp(0), cp(-300)}) {
    for (const MoverScore& after : {mate(-1), mate(-4), mate(-9), cp(361), cp(-2000)}) {
      if (points_loss(before, after).value() < .22) continue;
      EXPECT_EQ(class_by_loss(before, after), blunder);
    }
  }
}

TEST(Points, the_engines_move_is_best_whatever_the_numbers_say) {
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(0), "Nc3"}, {cp(-20), "Kf2"}}, cp(-400)}).cls, best);
}

TEST(Points, checkmate_is_best) {
  const auto v =
      points_of({"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#", {{mate(1), "Ra8#"}, {cp(300), "Ra7"}}, mate(1)});
  EXPECT_EQ(v.cls, best);
  EXPECT_EQ(v.reason.text(), "Checkmate.");
}

TEST(Points, critical_needs_a_second_line_ten_percent_worse) {
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(0), "Nc3"}, {cp(-115), "Kf2"}}, cp(0)}).cls, best);
  const auto v = points_of({quiet, "Nc3", {{cp(0), "Nc3"}, {cp(-116), "Kf2"}}, cp(0)});
  EXPECT_EQ(v.cls, critical);
  EXPECT_EQ(v.reason.text(), "The only good move: the second best, Kf2, would have cost 10.0% winning chances.");
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(0), "Nc3"}, {cp(-116), "Kf2"}}, cp(0)}, {}, {.finders = Finders{.98, 2000}})
                .reason.text(),
            "The only move, and 98% of 2000s find it; the second best, Kf2, would have cost 10.0% winning chances.");
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(0), "Nc3"}, {cp(-116), "Kf2"}}, cp(0)}, {}, {.finders = Finders{.12, 1500}})
                .reason.text(),
            "The only good move, and only 12% of 1500s find it: the second best, Kf2, would have cost 10.0% winning "
            "chances.");
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(0), "Nc3"}}, cp(0)}).cls, best);  // no second line
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(0), "Nc3"}, {cp(-400), "Kf2"}}, cp(0)}, {.critical = false}).cls, best);
}

TEST(Points, the_gate) {
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(1500), "Nc3"}, {cp(700), "Kf2"}}, cp(1500)}).cls, best);  // won anyway
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(1500), "Nc3"}, {cp(699), "Kf2"}}, cp(1500)}).cls, best);  // margin below .1
  EXPECT_EQ(points_of({quiet, "Nc3", {{cp(-1), "Nc3"}, {cp(-900), "Kf2"}}, cp(-1)}).cls, best);     // not even equal
  EXPECT_EQ(points_of({quiet, "Nc3", {{mate(3), "Nc3"}, {mate(9), "Kf2"}}, cp(600)}).cls, best);    // second line mates
  const Scene queen{"8/P5k1/8/8/8/8/6K1/1r6 w - - 0 1", "a8=Q", {{cp(300), "a8=Q"}, {cp(-300), "Kf3"}}, cp(300)};
  EXPECT_EQ(points_of(queen).cls, best);
  const Scene in_check{"4k3/8/8/8/4r3/8/8/4K1R1 w - - 0 1", "Kf2", {{cp(100), "Kf2"}, {cp(-500), "Kd2"}}, cp(100)};
  EXPECT_EQ(points_of(in_check).cls, best);
}

TEST(Points, taking_a_free_piece_is_not_critical) {
  const Scene free{"4k3/8/8/3n4/8/4N3/8/4K3 w - - 0 1", "Nxd5", {{cp(500), "Nxd5"}, {cp(0), "Nc2"}}, cp(500)};
  EXPECT_EQ(points_of(free).cls, best);
  const Scene guarded{"4k3/8/2p5/3n4/8/4N3/8/4K3 w - - 0 1", "Nxd5", {{cp(50), "Nxd5"}, {cp(-400), "Ke2"}}, cp(50)};
  EXPECT_EQ(points_of(guarded).cls, critical);
}

TEST(Points, a_sacrifice_that_works_is_brilliant) {
  const auto v = points_of({legal, "Nxe5", {{cp(220), "Nxe5"}, {cp(60), "d3"}}, cp(220)});
  EXPECT_EQ(v.cls, brilliant);
  EXPECT_EQ(v.reason.text(), "Offers the queen on d1; the best reply, taking it or not, leaves +2.20.");
}

TEST(Points, precedence_of_brilliant_over_critical_can_be_turned) {
  const Scene scene{legal, "Nxe5", {{cp(220), "Nxe5"}, {cp(60), "d3"}}, cp(220)};
  EXPECT_EQ(points_of(scene, {.precedence = Precedence::brilliant}).cls, brilliant);
  EXPECT_EQ(points_of(scene, {.precedence = Precedence::critical}).cls, critical);
  EXPECT_EQ(points_of(scene, {.brilliant = false}).cls, critical);
  EXPECT_EQ(points_of(scene, {.critical = false, .brilliant = false}).cls, best);
}

Practice practice_of(double played, double best, double reach = .02, double confidence = .7) {
  const auto score = [&](double expected) {
    return PracticalScore{WinRate(expected), WinRate(expected - reach), WinRate(expected + reach), confidence};
  };
  return {score(played), score(best), 1500, "Qxd4", .98, "Nxc2+"};
}

TEST(Points, risky_is_worse_for_the_engine_and_better_against_people) {
  const Scene scene{quiet, "Kf2", {{cp(0), "Nc3"}, {cp(-10), "Ng3"}}, cp(-100)};
  const auto v = points_of(scene, {}, {.practice = practice_of(.60, .54)});
  EXPECT_EQ(v.cls, risky);
  EXPECT_EQ(v.reason.text(),
            "Objectively worse, but better in practice: against 1500s it scores 60.0%, Nc3 54.0%. 98% answer Qxd4, and "
            "then comes Nxc2+.");
}

TEST(Points, not_everything_that_scores_better_is_risky) {
  const auto class_of = [](MoverScore before, MoverScore after, const Practice& practice) {
    const Scene scene{quiet, "Kf2", {{before, "Nc3"}, {before, "Ng3"}}, after};
    return points_of(scene, {}, {.practice = practice}).cls;
  };
  const Practice good = practice_of(.60, .54);
  EXPECT_EQ(class_of(cp(0), cp(-50), good), risky);
  EXPECT_EQ(class_of(cp(0), cp(-50), practice_of(.59, .545)), excellent) << "less than five points";
  EXPECT_EQ(class_of(cp(0), cp(-50), practice_of(.60, .54, .03)), excellent) << "the intervals touch";
  EXPECT_EQ(class_of(cp(0), cp(-50), practice_of(.60, .54, .02, .59)), excellent) << "too little was followed";
  EXPECT_EQ(class_of(cp(0), cp(-200), good), mistake) << "a mistake stays one";
  EXPECT_EQ(class_of(cp(-180), cp(-199), good), risky);
  EXPECT_EQ(class_of(cp(-180), cp(-200), good), excellent) << "lost";
  EXPECT_EQ(class_of(cp(540), cp(499), good), risky);
  EXPECT_EQ(class_of(cp(540), cp(500), good), excellent) << "won";
  EXPECT_EQ(class_of(mate(5), cp(490), good), mistake) << "a mate is involved";
  EXPECT_EQ(class_of(mate(5), mate(6), good), excellent) << "a mate is involved";
}

TEST(Points, the_reason_says_what_was_lost_and_what_was_best) {
  const Scene scene{"4k3/8/8/3r4/8/2N5/8/3QK3 w - - 0 1", "Qd4", {{cp(400), "Nxd5"}, {cp(300), "Qxd5"}}, cp(-300)};
  const auto v = points_of(scene);
  EXPECT_EQ(v.cls, blunder);
  EXPECT_EQ(v.reason.text(), "Loses 54.3% winning chances, from 80.2% to 25.9%. Nxd5 was best.");
  EXPECT_NEAR(v.reason.find("loss")->value, v.loss.value(), 1e-12);
  EXPECT_EQ(v.reason.find("threshold_low")->value, .22);
}

TEST(Points, accuracy_of_a_move) {
  EXPECT_NEAR(points_accuracy(Loss(0)), 99.99, .001);
  EXPECT_NEAR(points_accuracy(points_loss(cp(0), cp(-270))), 39.6, .01);
  EXPECT_NEAR(points_accuracy(points_loss(mate(3), mate(-4))), -1.28, .01);
}

RC_GTEST_PROP(PointsProperty, a_larger_loss_never_gets_a_better_class, ()) {
  const auto before = *rc::gen::inRange(-2000, 2000);
  const auto a = *rc::gen::inRange(-3000, 3000);
  const auto b = *rc::gen::inRange(-3000, 3000);
  const auto worse = std::min(a, b);
  const auto better = std::max(a, b);
  RC_ASSERT(info(class_by_loss(cp(before), cp(worse))).value <= info(class_by_loss(cp(before), cp(better))).value);
}

RC_GTEST_PROP(PointsProperty, colours_are_treated_alike, ()) {
  const auto scores = *rc::gen::container<std::vector<int>>(3, rc::gen::inRange(-900, 900));
  const auto w = points_of({"4k3/8/2p5/3n4/8/4N3/8/4K3 w - - 0 1",
                            "Nxd5",
                            {{cp(scores[0]), "Nxd5"}, {cp(scores[1]), "Ke2"}},
                            cp(scores[2])});
  const auto b = points_of({"4k3/8/4n3/8/3N4/2P5/8/4K3 b - - 0 1",
                            "Nxd4",
                            {{cp(scores[0]), "Nxd4"}, {cp(scores[1]), "Ke7"}},
                            cp(scores[2])});
  RC_ASSERT(w.cls == b.cls);
  RC_ASSERT(w.reason.rule() == b.reason.rule());
}

}  // namespace
}  // namespace pm::verdict
