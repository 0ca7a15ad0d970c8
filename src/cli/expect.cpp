#include <chrono>
#include <cmath>
#include <mutex>

#include <fmt/ostream.h>

#include "chess/fen.h"
#include "chess/position_history.h"
#include "chess/san.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "engine/pool_evaluator.h"
#include "report/expect_json.h"
#include "report/expect_text.h"

namespace pm::cli {
namespace {

// What is told of an analysis while it runs.
std::string so_far(const expect::Analysis& analysis, bool with_bar) {
  const expect::Counts& counts = analysis.counts;
  if (analysis.phase == expect::Phase::trees) {
    return fmt::format("following likely replies: {} positions so far", counts.done);
  }
  const std::string done = counts.total_is_final ? fmt::format("{} of {} positions", counts.done, counts.total)
                                                 : fmt::format("{} positions", expect::valued_nodes(analysis));
  const std::string bar = with_bar && counts.total_is_final ? progress_bar(counts.done, counts.total) : "";
  if (analysis.phase == expect::Phase::filter) return fmt::format("{}looking at all moves: {}", bar, done);
  if (analysis.candidates.empty()) return fmt::format("{}valuing the lines: {}", bar, done);
  const expect::Candidate& leader = *expect::ranked(analysis.candidates).front();
  const std::string value =
      leader.summary.pending_mass > expect::probability_slack
          ? ""
          : fmt::format(" with {:.1f}% +-{:.1f}", 100 * leader.summary.expected, 50 * leader.interval.width());
  return fmt::format("{}valuing the lines: {}, move {} of {}; {} leads{}", bar, done, analysis.candidate_now,
                     analysis.candidates.size(), leader.san, value);
}

class ExpectRun {
 public:
  ExpectRun(const ExpectCommand& command, const Streams& streams)
      : command_(command), streams_(streams), progress_(streams.err, streams.err_is_terminal, command.quiet) {}

  int run() {
    if (const int code = read(); code != exit_done) return code;
    if (const int code = open(); code != exit_done) return code;
    const auto begin = std::chrono::steady_clock::now();
    engine::PoolEvaluator evaluator(*engines_.single_pool, engines_.cache.get(),
                                    [this] { progress_.show([&] { return so_far_; }); });
    const expect::Request request{chess::PositionHistory(given_.state), parameters_, only_, {}};
    const expect::Analysis analysis = expect::analyse(
        request, *model_, evaluator,
        [this](const expect::Analysis& analysis) {
          progress_.show([&] { return so_far_ = so_far(analysis, streams_.err_is_terminal); });
        },
        stop_);
    progress_.clear();
    tell_warnings();
    if (analysis.phase == expect::Phase::failed) {
      const std::string why = evaluator.trouble().empty() ? "" : fmt::format(": {}", evaluator.trouble());
      return complain(analysis.error + why, exit_failed);
    }
    print(analysis, evaluator, std::chrono::steady_clock::now() - begin);
    return analysis.phase == expect::Phase::cancelled ? exit_interrupted : exit_done;
  }

 private:
  int complain(const std::string& sentence, int code = exit_usage) {
    progress_.clear();
    say(streams_.err, sentence);
    return code;
  }

  // The position, and the moves that were named.
  int read() {
    if (command_.position.words.empty()) {
      return complain("expect: expected a FEN or GAME.pgn --ply N (see postmortem expect --help)");
    }
    auto given = read_position(command_.position);
    if (stop_.stop_requested()) return exit_interrupted;
    if (!given) return complain(given.error().sentence);
    given_ = std::move(*given);
    for (const std::string& problem : given_.problems) say_problem(streams_.err, problem);
    const chess::Position root = given_.state.current();
    for (const std::string& san : command_.moves) {
      const auto move = chess::parse_san(root, san);
      if (!move) return complain(fmt::format("--moves {}: {}", san, move.error().sentence));
      only_.push_back(*move);
    }
    if (command_.tree && !command_.tree->empty()) {
      const auto move = chess::parse_san(root, *command_.tree);
      if (!move) return complain(fmt::format("--tree {}: {}", *command_.tree, move.error().sentence));
      tree_ = *move;
    }
    return exit_done;
  }

  int open() {
    parameters_ = command_.parameters;
    auto model = service::open_model(command_.models);
    if (!model) return complain(model.error().sentence);
    model_ = std::move(*model);
    const chess::Colour player = given_.state.current().side_to_move();
    const auto ratings =
        human::choose_ratings({command_.rating, command_.opponent_rating}, given_.ratings, player, *model_);
    if (!ratings) return complain(ratings.error().sentence);
    parameters_.rating = ratings->of(player);
    parameters_.opponent_rating = ratings->of(!player);
    parameters_.lead = ratings->lead_of(player);
    if (const auto sound = expect::check(parameters_); !sound) return complain(sound.error().sentence);
    service::EngineChoice wanted = command_.engine;
    if (parameters_.map == expect::WinRateMap::wdl) wanted.options.emplace_back("UCI_ShowWDL", "true");
    auto engines = service::open_engines(
        wanted, service::Pools::one_line,
        [this](const std::string& sentence) {
          const std::scoped_lock lock(warnings_mutex_);
          warnings_.push_back(sentence);
        },
        stop_);
    tell_warnings();
    if (!engines) return complain(engines.error().sentence, exit_code_of(engines.error()));
    engines_ = std::move(*engines);
    return exit_done;
  }

  void tell_warnings() {
    const std::scoped_lock lock(warnings_mutex_);
    for (const std::string& sentence : warnings_) complain(sentence);
    warnings_.clear();
  }

  void print(const expect::Analysis& analysis, const engine::PoolEvaluator& evaluator,
             std::chrono::duration<double> taken) {
    const chess::PositionHistory history = chess::PositionHistory(given_.state);
    if (command_.json) {
      streams_.out << report::expect_json(
          analysis, {history, model_->identity(), evaluator.identity(), parameters_.seconds.has_value()});
    } else {
      print_text(analysis, history, evaluator.identity());
    }
    for (const std::string& warning : analysis.warnings) complain(warning);
    if (!evaluator.trouble().empty()) complain(fmt::format("the engine had trouble: {}", evaluator.trouble()));
    if (command_.quiet) return;
    const char* end = analysis.phase == expect::Phase::cancelled      ? "; interrupted, values are as far as it got"
                      : analysis.stopped == expect::Stopped::settled  ? "; the ranking is settled"
                      : analysis.stopped == expect::Stopped::time     ? "; the time was up"
                      : analysis.stopped == expect::Stopped::searches ? "; the searches were up"
                                                                      : "";
    fmt::print(streams_.err, "{:.1f} s; {} positions evaluated, {} known from before{}\n", taken.count(),
               analysis.evaluations, analysis.known, end);
  }

  void print_text(const expect::Analysis& analysis, const chess::PositionHistory& history,
                  const engine::EvaluatorIdentity& engine) const {
    const chess::Position& root = history.newest();
    const expect::Parameters& p = analysis.parameters;
    if (!given_.game.empty()) fmt::print(streams_.out, "{}\n", given_.game);
    fmt::print(streams_.out, "{}\n", chess::format_fen(root));
    fmt::print(streams_.out, "What each sensible move scores for {}, rated {}, against people rated {}.\n",
               root.side_to_move() == chess::Colour::white ? "White" : "Black", p.rating, p.opponent_rating);
    fmt::print(streams_.out, "{}, depth {}; {}; lines of {:g}% and more; moves within {:g}% of the best; {} map\n\n",
               printable(engine.name), p.depth,
               printable(human::model_text(model_->identity().name, model_->identity().sha256)), 100 * p.threshold,
               -100 * p.loss, expect::word_of(p.map));
    const bool terminal = streams_.out_is_terminal;
    const report::ExpectTextOptions look{terminal && !streams_.no_colour, terminal};
    streams_.out << report::expect_list(analysis, look);
    if (command_.tree && !analysis.candidates.empty()) print_tree(analysis, look);
    if (!analysis.candidates.empty() && analysis.candidates.front().summary.confidence < low_confidence &&
        p.effort != expect::Effort::settled && p.threshold > lower_threshold) {
      fmt::print(streams_.out,
                 "\nConfidence is how much of the play is followed beyond the reply; --threshold {:g} "
                 "follows more and takes longer.\n",
                 p.threshold / 10);
    }
    if (analysis.truncated) streams_.out << "\nSome lines were cut off: the trees grew too large.\n";
    if (!analysis.history_known) {
      streams_.out
          << "\nThe moves before this position are not known, which makes people's moves harder to predict: give\n"
             "GAME.pgn --ply N, or \"startpos moves ...\", where you can.\n";
    }
  }

  void print_tree(const expect::Analysis& analysis, const report::ExpectTextOptions& look) const {
    const expect::Candidate* chosen = tree_ ? nullptr : &analysis.candidates.front();
    for (const expect::Candidate& each : analysis.candidates) {
      if (tree_ && each.move == *tree_) chosen = &each;
    }
    streams_.out << '\n';
    if (chosen == nullptr) {
      fmt::print(streams_.out, "{} is not among the sensible moves; --moves {} looks at it all the same.\n",
                 printable(*command_.tree), printable(*command_.tree));
      return;
    }
    streams_.out << report::expect_tree(*chosen, look);
  }

  static constexpr double low_confidence = 0.6;
  static constexpr double lower_threshold = 0.001;

  const ExpectCommand& command_;
  const Streams& streams_;
  Progress progress_;
  std::stop_token stop_ = catch_interrupts();
  GivenPosition given_;
  std::vector<chess::Move> only_;
  std::optional<chess::Move> tree_;
  expect::Parameters parameters_;
  std::shared_ptr<human::HumanModel> model_;
  std::mutex warnings_mutex_;
  std::vector<std::string> warnings_;
  service::Engines engines_;
  std::string so_far_ = "looking at all moves";
};

}  // namespace

int expect(const ExpectCommand& command, const Streams& streams) { return ExpectRun(command, streams).run(); }

}  // namespace pm::cli
