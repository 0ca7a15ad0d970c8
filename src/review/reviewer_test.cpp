#include "review/reviewer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "chess/movegen.h"
#include "chess/san.h"
#include "review/evidence_codec.h"
#include "review/test_games.h"

namespace pm::review {
namespace {

using namespace std::chrono_literals;
using Options = std::vector<std::pair<std::string, std::string>>;

engine::StartEngine bad_engine(Options options = {}) {
  engine::EngineSetup setup;
  setup.path = POSTMORTEM_BAD_ENGINE;
  setup.options = std::move(options);
  setup.deadlines = {.answer = 5s, .silence = 1500ms, .search = 3s, .grace = 300ms};
  return [setup](const std::stop_token& stop) { return engine::start_uci_engine(setup, stop); };
}

std::unique_ptr<engine::EnginePool> open_pool(engine::StartEngine start, int jobs = 2, store::Store* store = nullptr,
                                              const std::stop_token& stop = {}) {
  return engine::EnginePool::open(std::move(start), jobs, {}, store, stop).value();
}

class QuietSink final : public ReviewSink {
 public:
  void progress(const ReviewProgress& now) override {
    EXPECT_LE(now.done, now.total);
    ++told;
  }
  void first_look(const Evidence& evidence) override { looks.push_back(evidence); }
  int told = 0;
  std::vector<Evidence> looks;
};

Gathered gather_with(engine::EnginePool& pool, const pgn::Game& game = long_game(), ReviewRequest request = {}) {
  QuietSink sink;
  Sources sources;
  sources.pool = &pool;
  return Reviewer(game, sources, std::move(request)).gather(sink);
}

GameReview review_with(engine::EnginePool& pool, const pgn::Game& game = long_game()) {
  return assemble(game, gather_with(pool, game).evidence, {});
}

// Everything the engine said, as text: what two runs must agree on.
std::string fingerprint(const GameReview& review) {
  std::string text = format_evidence(review.evidence);
  for (const PlyReview& ply : review.plies) {
    text += ply.verdicts ? ply.verdicts->points.reason.text() : std::string(ply.no_verdict);
    text += '\n';
  }
  return text;
}

TEST(Reviewer, is_the_same_whatever_the_number_of_engines) {
  const auto one = open_pool(bad_engine(), 1);
  const auto three = open_pool(bad_engine(), 3);
  const GameReview review = review_with(*one);
  EXPECT_EQ(fingerprint(review), fingerprint(review_with(*three)));
  EXPECT_EQ(review.evidence.engine->name, "Bad Engine 1");
  EXPECT_EQ(review.evidence.engine->limit, engine::Limit{});
  for (const PlyReview& ply : review.plies) EXPECT_TRUE(ply.verdicts) << ply.san;
}

TEST(Reviewer, from_the_store_is_the_same_and_costs_nothing) {
  store::MemoryStore store;
  const std::string fresh = fingerprint(review_with(*open_pool(bad_engine(), 2, &store)));
  EXPECT_GE(store.size(), 3U);
  // An engine that crashes at every search: nothing may be asked.
  const auto pool = open_pool(bad_engine({{"Fault", "crash"}}), 2, &store);
  EXPECT_EQ(fingerprint(review_with(*pool)), fresh);
  EXPECT_EQ(pool->restarts(), 0U);
}

TEST(Reviewer, a_damaged_entry_of_the_store_is_evaluated_anew) {
  store::MemoryStore store;
  const auto pool = open_pool(bad_engine(), 2, &store);
  const std::string fresh = fingerprint(review_with(*pool));
  store.put(pool->identity() + key_of(GamePlan(long_game()).segments(engine::Limit{})[0]), "rubbish");
  EXPECT_EQ(fingerprint(review_with(*pool)), fresh);
}

TEST(Reviewer, one_fault_of_any_kind_changes_nothing) {
  const std::string good = fingerprint(review_with(*open_pool(bad_engine())));
  for (const char* fault : {"crash", "hang", "rubbish", "illegal", "no_score", "mate_zero", "half_line", "chatter"}) {
    const auto marker = std::filesystem::path(testing::TempDir()) / ("marker_" + std::to_string(::getpid()) + fault);
    std::filesystem::remove(marker);
    const auto pool = open_pool(bad_engine({{"Fault", fault}, {"FaultAt", "5"}, {"Marker", marker.string()}}), 1);
    EXPECT_EQ(fingerprint(review_with(*pool)), good) << fault;
    EXPECT_EQ(pool->restarts(), 1U) << fault;
    std::filesystem::remove(marker);
  }
}

TEST(Reviewer, a_position_that_keeps_failing_is_given_up_and_the_rest_goes_on) {
  // The twelfth search of each engine fails, so the last position of a whole segment is given up. Those of the opening
  // are searched by themselves, and the next try goes well.
  const auto pool = open_pool(bad_engine({{"Fault", "crash"}, {"FaultAt", "12"}}), 1);
  const pgn::Game& game = long_game();
  const Gathered gathered = gather_with(*pool, game);
  EXPECT_EQ(gathered.engine_trouble, "the engine has died");
  const GameReview review = assemble(game, gathered.evidence, {});
  constexpr std::size_t given_up = shared_positions + segment_length - 1;
  EXPECT_TRUE(review.before(given_up).failed);
  EXPECT_TRUE(review.before(given_up - 1).known() && review.before(given_up + 1).known());
  EXPECT_TRUE(review.before(segment_length - 1).known());
  EXPECT_EQ(review.plies[given_up].no_verdict, "the engine failed here");
  EXPECT_TRUE(review.plies[0].verdicts);
}

TEST(Reviewer, an_engine_that_never_works_fails_the_positions_not_the_run) {
  const auto pool = open_pool(bad_engine({{"Fault", "crash"}}), 2);
  const pgn::Game game = read_game("1. e4 *");
  EXPECT_FALSE(review_with(*pool, game).plies[0].verdicts);
}

TEST(EnginePool, an_engine_that_does_not_start_is_an_error_at_once) {
  engine::EngineSetup setup;
  setup.path = "no/such/engine";
  const auto pool = engine::EnginePool::open(
      [setup](const std::stop_token& stop) { return engine::start_uci_engine(setup, stop); }, 2, {}, nullptr, {});
  EXPECT_EQ(pool.error().code, ErrorCode::engine_start);
}

TEST(Reviewer, a_stop_ends_the_wait_at_once) {
  std::stop_source stop;
  const auto pool = open_pool(bad_engine({{"Delay", "60000"}}), 2, nullptr, stop.get_token());
  const std::jthread later([&] {
    std::this_thread::sleep_for(100ms);
    stop.request_stop();
  });
  ReviewRequest request;
  request.limit = {engine::Limit::Kind::movetime, 100'000};
  const Gathered gathered = gather_with(*pool, long_game(), request);
  EXPECT_FALSE(gathered.complete);
  EXPECT_FALSE(gathered.evidence.positions[0].known());
}

// Otherwise this takes longer than a test may.
TEST(EnginePool, gives_up_what_it_has_not_done_when_it_goes) {
  const auto pool = open_pool(bad_engine({{"Delay", "60000"}}));
  for (engine::Segment& segment : GamePlan(long_game()).segments({engine::Limit::Kind::movetime, 100'000})) {
    pool->submit(std::move(segment));
  }
}

TEST(Reviewer, takes_a_first_look_for_whoever_wants_one) {
  const auto pool = open_pool(bad_engine());
  Sources sources;
  sources.pool = pool.get();
  ReviewRequest request;
  request.first_look = true;
  QuietSink sink;
  const Gathered gathered = Reviewer(long_game(), sources, request).gather(sink);
  ASSERT_EQ(sink.looks.size(), 1U);
  EXPECT_EQ(sink.looks[0].engine->limit, first_look_limit);
  for (const PlyReview& ply : assemble(long_game(), sink.looks[0], {}).plies) EXPECT_TRUE(ply.verdicts);
  EXPECT_EQ(gathered.evidence.engine->limit, request.limit);
  request.limit.value = 6;
  QuietSink shallow;
  EXPECT_TRUE(Reviewer(long_game(), sources, request).gather(shallow).complete);
  EXPECT_TRUE(shallow.looks.empty());
}

TEST(Reviewer, an_adaptive_review_shows_what_its_first_pass_has_found) {
  const auto pool = open_pool(bad_engine());
  Sources sources;
  sources.pool = pool.get();
  ReviewRequest request;
  request.first_look = true;
  request.effort = Effort::adaptive;
  QuietSink sink;
  EXPECT_TRUE(Reviewer(long_game(), sources, request).gather(sink).complete);
  ASSERT_EQ(sink.looks.size(), 2U);
  EXPECT_EQ(sink.looks[0].engine->limit, first_look_limit);
  for (const PlyReview& ply : assemble(long_game(), sink.looks[1], {}).plies) EXPECT_TRUE(ply.verdicts);
}

// An engine that answers from a table: White's centipawns by ply and depth asked for.
class TableEngine final : public engine::Engine {
 public:
  using Table = std::function<int(std::size_t ply, std::uint64_t depth)>;
  explicit TableEngine(Table table) : table_(std::move(table)) {}
  const std::string& name() const override { return name_; }
  Expected<void> new_game(const std::stop_token&) override { return {}; }
  Expected<engine::Evaluation> evaluate(const engine::Search& search, const std::stop_token&) override {
    const chess::Position position = search.state.current();
    const bool black = position.side_to_move() == chess::Colour::black;
    const auto whole_moves = static_cast<std::size_t>(position.move_number() - 1);
    const std::size_t ply = (2 * whole_moves) + (black ? 1 : 0);
    const int centipawns = table_(ply, search.limit.value);
    const chess::Move first = chess::legal_moves(position)[0];
    return engine::Evaluation{
        {{score::WhiteScore(score::Centipawns{centipawns}), static_cast<int>(search.limit.value), {first}}},
        std::nullopt,
        search.limit};
  }

 private:
  std::string name_ = "Table";
  Table table_;
};

Gathered gather_from_table(const pgn::Game& game, const TableEngine::Table& table) {
  const auto pool = open_pool([table](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> {
    return std::make_unique<TableEngine>(table);
  });
  return gather_with(*pool, game);
}

// Moves that no book knows.
pgn::Game endgame(const std::string& moves) {
  return read_game("[SetUp \"1\"]\n[FEN \"4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\"]\n\n" + moves);
}

std::uint64_t depth_of(const Gathered& gathered, std::size_t position) {
  return gathered.evidence.positions[position].limit->value;
}

TEST(Reviewer, searches_close_calls_deeper_and_judges_both_neighbours_by_the_new_score) {
  // 0.00 before and -0.92 after is 8% to the inch: between OKAY and INACCURACY. Deeper it is -1.50.
  const pgn::Game game = endgame("1. c4 c6 2. d4 *");
  const Gathered gathered = gather_from_table(game, [](std::size_t ply, std::uint64_t depth) {
    return ply == 0 ? 0 : depth > 18 ? -150 : -92;
  });
  EXPECT_EQ(depth_of(gathered, 0), 20U);
  EXPECT_EQ(depth_of(gathered, 1), 20U);
  verdict::SchemeOptions options;
  options.theory = false;
  const GameReview review = assemble(game, gathered.evidence, options);
  EXPECT_EQ(review.plies[0].verdicts->points.cls, verdict::PointsClass::mistake);
  EXPECT_EQ(verdict::word_of(review.plies[0].verdicts->points.confidence), "open") << "12.8% is near 12%";
  EXPECT_EQ(review.after(0).lines.front().score, review.before(1).lines.front().score);
  EXPECT_EQ(review.plies[1].verdicts->acpl.loss, 58) << "the neighbour is judged by the common score";
  EXPECT_TRUE(review.searched_deeper(0) && review.searched_deeper(1));
  EXPECT_FALSE(review.searched_deeper(2));
}

// 1. c4 loses 8.1%, near the line of an error; 2. d4 loses nothing.
TEST(Reviewer, an_adaptive_review_searches_again_only_what_a_verdict_hangs_on) {
  const pgn::Game game = endgame("1. c4 c6 2. d4 d6 *");
  const auto pool = open_pool([](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> {
    return std::make_unique<TableEngine>([](std::size_t ply, std::uint64_t /*depth*/) { return ply == 0 ? 0 : -93; });
  });
  ReviewRequest request;
  request.limit = {engine::Limit::Kind::depth, 16};
  request.effort = Effort::adaptive;
  const Gathered gathered = gather_with(*pool, game, request);
  EXPECT_EQ(depth_of(gathered, 0), 15U);
  EXPECT_EQ(depth_of(gathered, 1), 15U);
  for (const std::size_t at : {2, 3, 4}) EXPECT_EQ(depth_of(gathered, at), 10U) << at;
  EXPECT_EQ(gathered.evidence.engine->limit.value, 16U);
  EXPECT_EQ(gathered.evidence.engine->effort, Effort::adaptive);
  EXPECT_FALSE(assemble(game, gathered.evidence, {}).searched_deeper(0)) << "not deeper than was asked for";
}

// The move proves better than was thought, and the engine dies whenever it is asked again.
TEST(Reviewer, an_adaptive_review_does_not_ask_without_end) {
  class OnceOnly final : public engine::Engine {
   public:
    const std::string& name() const override { return name_; }
    Expected<void> new_game(const std::stop_token&) override { return {}; }
    Expected<engine::Evaluation> evaluate(const engine::Search& search, const std::stop_token&) override {
      if (search.limit.value > 12) return fail(ErrorCode::engine_wrong, "too deep");
      const chess::Position position = search.state.current();
      const bool black = position.side_to_move() == chess::Colour::black;
      const score::WhiteScore score(score::Centipawns{black ? 100 : 0});
      return engine::Evaluation{{{score, 12, {chess::legal_moves(position)[0]}}}, std::nullopt, search.limit};
    }

   private:
    std::string name_ = "Once";
  };
  const pgn::Game game = endgame("1. c4 *");
  const auto pool = open_pool(
      [](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> { return std::make_unique<OnceOnly>(); });
  ReviewRequest request;
  request.effort = Effort::adaptive;  // to depth 18: every position to 12
  const Gathered gathered = gather_with(*pool, game, request);
  EXPECT_TRUE(gathered.complete);
  EXPECT_TRUE(gathered.evidence.plies[0].better_than_thought);
}

TEST(Reviewer, an_adaptive_review_divides_nodes_as_it_divides_depth) {
  const pgn::Game game = endgame("1. c4 c6 *");
  const auto pool = open_pool([](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> {
    return std::make_unique<TableEngine>([](std::size_t ply, std::uint64_t /*nodes*/) { return ply == 0 ? 0 : -93; });
  });
  ReviewRequest request;
  request.limit = {engine::Limit::Kind::nodes, 1000};
  request.effort = Effort::adaptive;
  const Gathered gathered = gather_with(*pool, game, request);
  EXPECT_EQ(depth_of(gathered, 0), 640U);
  EXPECT_EQ(depth_of(gathered, 2), 40U);
}

TEST(Reviewer, an_adaptive_review_gives_the_same_bytes_whatever_the_jobs) {
  ReviewRequest request;
  request.effort = Effort::adaptive;
  const auto bytes = [&](int jobs) {
    return format_evidence(gather_with(*open_pool(bad_engine(), jobs), long_game(), request).evidence);
  };
  EXPECT_EQ(bytes(1), bytes(3));
}

TEST(Reviewer, a_contradiction_that_depth_resolves_is_resolved) {
  // White gains a pawn by the move, so the engine underrated the position before; two plies deeper it sees it.
  const pgn::Game game = endgame("1. c4 c6 *");
  const Gathered gathered =
      gather_from_table(game, [](std::size_t ply, std::uint64_t depth) { return ply == 0 && depth < 19 ? 0 : 100; });
  EXPECT_EQ(depth_of(gathered, 0), 19U);
  EXPECT_FALSE(gathered.evidence.plies[0].better_than_thought);
  EXPECT_EQ(gathered.evidence.positions[0].lines.front().score, score::WhiteScore(score::Centipawns{100}));
}

TEST(Reviewer, a_contradiction_that_stays_raises_the_position_before) {
  const pgn::Game game = endgame("1. c4 c6 2. d4 *");
  const Gathered gathered = gather_from_table(game, [](std::size_t ply, std::uint64_t) { return ply < 2 ? 0 : 200; });
  // 1... c6 gives something away, and that is no contradiction.
  EXPECT_FALSE(gathered.evidence.plies[1].better_than_thought);
  const Gathered raised = gather_from_table(game, [](std::size_t ply, std::uint64_t) { return ply < 3 ? 0 : 200; });
  ASSERT_TRUE(raised.evidence.plies[2].better_than_thought);
  EXPECT_EQ(depth_of(raised, 2), 21U) << "searched three times more";
  const GameReview review = assemble(game, raised.evidence, {});
  EXPECT_EQ(review.before(2).lines.front().score, review.after(2).lines.front().score);
  EXPECT_EQ(review.before(2).lines.front().pv.front(), review.plies[2].move);
  EXPECT_EQ(review.plies[2].verdicts->points.cls, verdict::PointsClass::best);
  EXPECT_EQ(review.plies[2].verdicts->points.reason.rule_name(), "found_by_playing");
  EXPECT_EQ(review.plies[1].verdicts->acpl.loss, 200) << "what the move before gave away counts";
  EXPECT_EQ(review.better_line(2), nullptr);
}

TEST(Reviewer, a_first_choice_that_proves_an_error_is_not_the_first_choice) {
  // The engine's first line of the position before allows a mate that it sees only after the move; the second does not.
  class Blind final : public engine::Engine {
   public:
    const std::string& name() const override { return name_; }
    Expected<void> new_game(const std::stop_token&) override { return {}; }
    Expected<engine::Evaluation> evaluate(const engine::Search& search, const std::stop_token&) override {
      const chess::Position position = search.state.current();
      const auto move = [&](const char* san) { return chess::parse_san(position, san).value(); };
      const auto cp = [](int value) { return score::WhiteScore(score::Centipawns{value}); };
      if (position.side_to_move() == chess::Colour::white) {
        return engine::Evaluation{{{cp(10), 18, {move("c4")}}, {cp(0), 18, {move("d4")}}}, std::nullopt, search.limit};
      }
      const score::WhiteScore mated(score::Mate{2, false});
      return engine::Evaluation{{{mated, 18, {chess::legal_moves(position)[0]}}}, std::nullopt, search.limit};
    }

   private:
    std::string name_ = "Blind";
  };
  const pgn::Game game = endgame("1. c4 *");
  const auto pool = open_pool(
      [](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> { return std::make_unique<Blind>(); });
  const GameReview review = review_with(*pool, game);
  EXPECT_EQ(review.before(0).limit->value, 21U) << "searched three times more";
  ASSERT_NE(review.better_line(0), nullptr);
  EXPECT_EQ(chess::format_san(review.positions[0], review.better_line(0)->pv.front()), "d4");
  EXPECT_EQ(review.before(0).lines.at(1).score, review.after(0).lines.front().score);
  EXPECT_EQ(review.plies[0].verdicts->points.cls, verdict::PointsClass::blunder);
  EXPECT_FALSE(review.evidence.plies[0].better_than_thought);
}

// Whatever an engine says, a review does not contradict itself.
void expect_no_contradictions(const GameReview& review) {
  for (const auto side : {chess::Colour::white, chess::Colour::black}) {
    int moves = 0;
    int loss = 0;
    for (std::size_t at = 0; at < review.plies.size(); ++at) {
      const PlyReview& ply = review.plies[at];
      if (ply.mover != side || !ply.verdicts) continue;
      const auto before = review.before(at).lines.front().score.seen_by(side);
      const auto after = review.after(at).lines.front().score.seen_by(side);
      ++moves;
      loss += verdict::centipawn_loss(before, after);
      EXPECT_LE(score::win_rate(after, score::points_slope).value(),
                score::win_rate(before, score::points_slope).value() + .01 + 1e-12);
      const score::Line* better = review.better_line(at);
      if (better == nullptr) {
        const verdict::Verdicts& v = *ply.verdicts;
        EXPECT_EQ(verdict::info(v.points.cls).value, 5);
        EXPECT_LE(v.labels.label, verdict::Label::best);
        EXPECT_NE(v.labels.label, verdict::Label::miss);
        EXPECT_FALSE(v.acpl.error || v.lichess.judgement);
      } else {
        EXPECT_NE(better->pv.front(), ply.move);
      }
    }
    ASSERT_GT(moves, 0);
    EXPECT_DOUBLE_EQ(review.of(side).game.acpl.value(), static_cast<double>(loss) / moves);
  }
}

TEST(Reviewer, an_engine_that_contradicts_itself_makes_no_contradictions) {
  for (const auto& options : {Options{}, Options{{"Wild", "true"}}}) {
    const auto one = open_pool(bad_engine(options), 1);
    const auto three = open_pool(bad_engine(options), 3);
    const GameReview review = review_with(*one);
    expect_no_contradictions(review);
    EXPECT_EQ(fingerprint(review), fingerprint(review_with(*three)));
  }
}

TEST(Reviewer, a_tried_mate_that_the_review_missed_is_the_best_move) {
  const std::string start = "[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\"]\n\n";
  const pgn::Game reviewed = read_game(start + "1. h3 *");
  Evidence evidence = evidence_of(reviewed, nullptr);
  const chess::Move h3 = chess::parse_san(reviewed.start, "h3").value();
  evidence.positions[0] = {{{score::WhiteScore(score::Centipawns{300}), 18, {h3}}}, std::nullopt, engine::Limit{}};
  const pgn::Game tried = read_game(start + "1. Rd8# *");
  const auto pool = open_pool([](const std::stop_token&) -> Expected<std::unique_ptr<engine::Engine>> {
    return std::make_unique<TableEngine>([](std::size_t, std::uint64_t) { return 300; });
  });
  ReviewRequest request;
  request.known = {&evidence, 1};
  const GameReview review = assemble(tried, gather_with(*pool, tried, request).evidence, {});
  EXPECT_EQ(review.better_line(0), nullptr);
  EXPECT_EQ(review.before(0).lines.front().score, score::WhiteScore(score::Mate{1, true}));
  EXPECT_TRUE(review.evidence.plies[0].better_than_thought);
}

// The same answer for a game, for the moves of it one by one, and for other moves by the same scores.
TEST(Reviewer, tried_moves_take_over_what_a_review_has_found_out) {
  const auto pool = open_pool(bad_engine());
  const Gathered whole = gather_with(*pool);
  verdict::SchemeOptions options;
  options.theory = false;  // which depends on where a game goes from here
  const GameReview review = assemble(long_game(), whole.evidence, options);
  const std::size_t searches = pool->asked();
  const chess::GameState line = pgn::main_line(long_game());
  for (std::size_t ply = 0; ply < line.moves.size(); ++ply) {
    pgn::Game game;
    pgn::NodeId at = pgn::Game::root;
    for (std::size_t i = 0; i <= ply; ++i) at = game.add_move(at, line.moves[i]);
    ReviewRequest request;
    request.from = ply;
    request.known = {&whole.evidence, ply + 2};
    const GameReview tried = assemble(game, gather_with(*pool, game, request).evidence, options);
    EXPECT_EQ(tried.plies[ply].verdicts->points.reason.text(), review.plies[ply].verdicts->points.reason.text());
    EXPECT_EQ(tried.plies[ply].verdicts->labels.reason.text(), review.plies[ply].verdicts->labels.reason.text());
    EXPECT_EQ(tried.plies[ply].verdicts->acpl.loss, review.plies[ply].verdicts->acpl.loss);
    EXPECT_EQ(tried.plies[ply].verdicts->lichess.accuracy, review.plies[ply].verdicts->lichess.accuracy);
  }
  EXPECT_EQ(pool->asked(), searches) << "no engine was asked again";
}

// Kills engines at random while reviews run.
TEST(Reviewer, killing_engines_at_random_changes_nothing) {
  const std::string good = fingerprint(review_with(*open_pool(bad_engine({{"Delay", "2"}}))));
  std::mt19937 random(7);
  for (int run = 0; run < 20; ++run) {
    const auto pool = open_pool(bad_engine({{"Delay", "2"}}));
    std::jthread killer([&](const std::stop_token& stop) {
      for (int kills = 0; kills < 2 && !stop.stop_requested(); ++kills) {
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 40));
        std::vector<pid_t> engines;
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
          std::ifstream file(task.path() / "children");
          for (pid_t pid = 0; file >> pid;) engines.push_back(pid);
        }
        if (!engines.empty()) ::kill(engines[random() % engines.size()], SIGKILL);
      }
    });
    const GameReview review = review_with(*pool);
    killer.request_stop();
    killer.join();
    ASSERT_EQ(fingerprint(review), good) << "run " << run;
  }
}

}  // namespace
}  // namespace pm::review
