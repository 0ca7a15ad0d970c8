#include <algorithm>
#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/ostream.h>

#include "book/polyglot.h"
#include "cli/commands.h"
#include "cli/compression.h"
#include "cli/game_count.h"
#include "cli/game_selection.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/review_format.h"
#include "cli/review_identity.h"
#include "cli/review_meter.h"
#include "cli/say.h"
#include "cli/watched_source.h"
#include "cli/workers.h"
#include "human/models.h"
#include "pgn/reader.h"
#include "review/reviewer.h"
#include "service/engines.h"

namespace pm::cli {
namespace {

constexpr std::size_t max_problems_shown = 20;  // on standard error; the JSON has them all
constexpr std::size_t games_ahead = 4;          // in flight behind the one that is written next
// The same for each worker, in bytes of the input: some forty games, or one that is as large as limits.h allows. So
// many keep the others busy while one has a long game or has to wait for its processor.
constexpr std::uint64_t bytes_ahead_per_worker = 128UL * 1024;

// What became of a game.
struct ReviewedGame {
  bool complete = false;  // half a review is none
  std::string bytes;      // as they stand in the output
  std::size_t judged = 0;
  std::string engine_trouble;
  std::string human_trouble;
};

// A game on its way through the engines, or through the workers.
struct InFlight {
  pgn::ReadGame read;
  std::size_t number = 0;  // in the output, from 1
  std::size_t plies = 0;
  std::uint64_t bytes = 0;                     // of the input
  std::unique_ptr<review::Reviewer> reviewer;  // with engines; made by a worker otherwise
  std::future<ReviewedGame> reviewed;          // by a worker
};

// For workers: whoever waits for them sees games as they come.
class NoSink final : public review::ReviewSink {
  void progress(const review::ReviewProgress& /*of_one_game*/) override {}
};

// One run of the command: its options as they came, what they mean, and how far it is.
class ReviewRun final : review::ReviewSink {
 public:
  ReviewRun(const ReviewCommand& command, const Streams& streams)
      : command_(command),
        streams_(streams),
        meter_(streams, command.progress),
        formatter_(command, streams),
        out_(streams.out, command.output) {}

  int run() {
    if (const int code = prepare(); code != exit_done) return code;
    if (const int code = open_output(); code != exit_done) return code;
    if (meter_.wanted()) meter_.expect(count_games(command_.files, selection_, stop_));
    int code = exit_done;
    for (const std::string& file : command_.files) {
      code = std::max(code, review_file(file));
      if (stop_.stop_requested() || done()) break;
    }
    while (!in_flight_.empty() && !stop_.stop_requested()) finish_game();
    return close(code);
  }

 private:
  int complain(const std::string& sentence, int code = exit_usage) {
    meter_.clear();
    say(streams_.err, sentence);
    return code;
  }

  int prepare() {
    auto selection = parse_selection(command_.games, command_.players);
    if (!selection) return complain(selection.error().sentence);
    selection_ = std::move(*selection);
    if (!command_.book.empty()) {
      auto book = book::PolyglotBook::open(command_.book);
      if (!book) return complain(book.error().sentence);
      book_ = std::move(*book);
    }
    if (const int code = open_people(); code != exit_done) return code;
    if (command_.evals == EvalSource::engine) return start_engines();
    if (jobs() > 1) workers_.emplace(jobs());
    return exit_done;
  }

  int jobs() const { return command_.engine.jobs > 0 ? command_.engine.jobs : service::processors(); }

  int open_people() {
    if (!command_.people) return exit_done;
    const bool alone = command_.evals == EvalSource::engine;  // else each worker asks for itself
    auto model = service::open_model(command_.models, alone ? service::processors() : 1);
    if (!model) return complain(model.error().sentence);
    model_ = std::move(*model);
    if (!model_->identity().files.empty()) {  // a damaged one is found now, not in the middle of a review
      const auto damaged = human::try_networks(*model_, service::processors());
      if (!damaged.empty()) return complain(damaged.front().sentence);
    }
    const auto covered =
        human::choose_ratings({command_.rating, command_.opponent_rating}, {}, chess::Colour::white, *model_);
    return covered ? exit_done : complain(covered.error().sentence);
  }

  int start_engines() {
    auto engines = service::open_engines(
        command_.engine, command_.people ? service::Pools::both : service::Pools::two_lines,
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

  // After everything else that shapes the output, which it must not be mixed with.
  int open_output() {
    std::string sources = engines_.pool ? engines_.pool->identity() : "";
    if (model_) sources += "\n" + model_->identity().sha256;
    const auto found = out_.open(review_identity(command_, sources));
    if (!found) return complain(found.error().sentence);
    if (!found->aside.empty()) {
      complain(fmt::format("{}.part is not of this command and these files: it is kept as {}, and all is reviewed anew",
                           command_.output, found->aside));
    }
    const PartCounts& done = found->done;
    if (done.games == 0) return exit_done;
    complain(fmt::format("going on after {} games", done.games));
    done_before_ = started_ = reviewed_ = done.games;
    plies_ = done.plies;
    judged_ = done.judged;
    meter_.skip({done.games, done.plies});
    return exit_done;
  }

  // The cache warns from whatever thread it is used by; here it is told.
  void tell_warnings() {
    const std::scoped_lock lock(warnings_mutex_);
    for (const std::string& sentence : warnings_) complain(sentence);
    warnings_.clear();
  }

  bool done() const { return selection_.over(seen_); }

  void progress(const review::ReviewProgress& of_one_game) override {
    meter_.advance(of_one_game, engines_.single_pool != nullptr);
  }

  int review_file(const std::string& file) {
    const auto source = pgn::open_source(file);
    if (!source && source.error().code == ErrorCode::interrupted) return exit_done;
    if (!source) return complain(source.error().sentence);
    WatchedSource watched(**source, meter_.progress(), stop_, [&](std::uint64_t /*bytes*/) { return meter_.line(); });
    pgn::GameReader reader(watched);
    std::uint64_t bytes_before = 0;
    while (!done() && !stop_.stop_requested()) {
      auto read = reader.next();
      if (!read) break;
      ++seen_;
      for (const pgn::Problem& p : read->problems) show_problem(file, p);
      if (!selection_.wants(seen_, read->game.tags)) continue;
      if (++chosen_ <= done_before_) continue;
      start_game(std::move(*read), reader.bytes() - std::exchange(bytes_before, reader.bytes()));
      if (!out_.good()) return exit_failed;  // close() says why
    }
    if (reader.error() && reader.error()->code != ErrorCode::interrupted) return complain(reader.error()->sentence);
    return exit_done;
  }

  void show_problem(const std::string& file, const pgn::Problem& p) {
    if (++problems_ > max_problems_shown) return;
    meter_.clear();
    say_problem(streams_.err,
                fmt::format("{}:{}:{}: game {}: {}", file, p.place.line, p.place.column, p.game, p.message));
  }

  void start_game(pgn::ReadGame read, std::uint64_t bytes) {
    auto game = std::make_unique<InFlight>();
    game->read = std::move(read);
    game->bytes = bytes;
    game->number = ++started_;
    game->plies = pgn::main_line(game->read.game).moves.size();
    review::ReviewRequest request;
    request.limit = command_.engine.limit;
    request.effort = command_.effort;
    request.people = command_.people.value_or(review::People::quick);
    request.ratings = {command_.rating, command_.opponent_rating};
    request.asker.stop = stop_;
    const review::Sources sources = engines_.sources(asks_people_ ? model_.get() : nullptr, book_ ? &*book_ : nullptr);
    if (workers_) {
      game->reviewed = workers_->submit([this, &game = *game, sources, request = std::move(request)] {
        if (stop_.stop_requested()) return ReviewedGame();
        game.reviewer = std::make_unique<review::Reviewer>(game.read.game, sources, request);
        NoSink sink;
        return finished(game, sink);
      });
    } else {
      game->reviewer = std::make_unique<review::Reviewer>(game->read.game, sources, std::move(request));
    }
    bytes_in_flight_ += bytes;
    in_flight_.push_back(std::move(game));
    // Waiting for many games at once: waking up for each of them costs a tenth of the time.
    if (workers_ && too_many_in_flight()) in_flight_[in_flight_.size() / 2]->reviewed.wait();
    while (!in_flight_.empty() && !stop_.stop_requested() && (too_many_in_flight() || front_is_ready())) finish_game();
  }

  // As many as keep everybody busy; memory is theirs.
  bool too_many_in_flight() const {
    if (workers_) return bytes_in_flight_ > bytes_ahead_per_worker * static_cast<std::uint64_t>(jobs());
    return in_flight_.size() > (engines_.pool ? games_ahead : 0);
  }

  bool front_is_ready() const {
    const auto& reviewed = in_flight_.front()->reviewed;
    return reviewed.valid() && reviewed.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  // Any thread, for a game of its own.
  ReviewedGame finished(InFlight& game, review::ReviewSink& sink) const {
    review::Gathered gathered = game.reviewer->gather(sink);
    ReviewedGame result{gathered.complete, {}, 0, gathered.engine_trouble, gathered.human_trouble};
    if (!gathered.complete) return result;
    const auto review = review::assemble(game.read.game, std::move(gathered.evidence), command_.schemes, stop_);
    const std::string text =
        stop_.stop_requested() ? "" : formatter_.game(review, game.read.problems, game.number, stop_);
    result.complete = !stop_.stop_requested();
    if (!result.complete) return result;
    result.bytes = pack(text, packing_of(command_.output));
    result.judged = static_cast<std::size_t>(std::count_if(review.plies.begin(), review.plies.end(),
                                                           [](const auto& ply) { return ply.verdicts.has_value(); }));
    return result;
  }

  void finish_game() {
    const std::unique_ptr<InFlight> game = std::move(in_flight_.front());
    in_flight_.pop_front();
    bytes_in_flight_ -= game->bytes;
    meter_.begin_game(game->plies);
    const ReviewedGame result = game->reviewed.valid() ? game->reviewed.get() : finished(*game, *this);
    if (!result.complete) return;
    if (!result.human_trouble.empty()) {
      if (asks_people_) complain(fmt::format("{}; going on without people", result.human_trouble));
      asks_people_ = false;
    }
    if (!result.engine_trouble.empty()) {
      complain(fmt::format("game {}: some positions could not be evaluated: {}", game->number, result.engine_trouble));
    }
    write(*game, result);
  }

  void write(const InFlight& game, const ReviewedGame& result) {
    if (streams_.out_is_terminal) meter_.clear();
    out_.write(result.bytes, game.plies, result.judged);
    if (streams_.out_is_terminal) streams_.out.flush();  // a bar must not stand within a line of results
    ++reviewed_;
    plies_ += game.plies;
    judged_ += result.judged;
    meter_.finish_game();
  }

  // What the user should know at the end; `code` is what happened so far.
  int close(int code) {
    meter_.close();
    tell_warnings();
    if (problems_ > max_problems_shown) {
      say(streams_.err, fmt::format("{} more problems not shown (`check` lists them)", problems_ - max_problems_shown));
    }
    const bool interrupted = stop_.stop_requested();
    if (reviewed_ > 0 && (!interrupted || out_.kept() == nullptr)) {
      if (const auto error = out_.close(pack(formatter_.end(), packing_of(command_.output))))
        return complain(*error, exit_failed);
    }
    if (interrupted) {
      say(streams_.err,
          fmt::format(
              "interrupted; {} reviewed games are kept{}{}", reviewed_,
              out_.kept() != nullptr ? fmt::format(" in {} for the same command to go on from", *out_.kept()) : "",
              engines_.cache ? ", and what was evaluated is in the cache" : ""));
      return exit_interrupted;
    }
    if (code != exit_done) return code;
    if (seen_ > 0) {
      for (const std::string& sentence : selection_.strangers()) code = complain(sentence, exit_failed);
    }
    if (reviewed_ == 0) {
      return code != exit_done ? code : complain(seen_ == 0 ? "no games found" : "no game was chosen", exit_failed);
    }
    if (plies_ > 0 && judged_ == 0) {
      if (engines_.pool) return complain("no move could be judged", exit_failed);
      complain("no move could be judged: --evals pgn needs [%eval ...] comments, as Lichess writes them");
    }
    return exit_done;
  }

  const ReviewCommand& command_;
  const Streams& streams_;
  ReviewMeter meter_;
  ReviewFormatter formatter_;
  OutputFile out_;
  std::stop_token stop_ = catch_interrupts();
  GameSelection selection_;
  std::optional<book::PolyglotBook> book_;
  std::mutex warnings_mutex_;
  std::vector<std::string> warnings_;
  std::shared_ptr<human::HumanModel> model_;  // null: no people
  bool asks_people_ = true;                   // until the model fails
  service::Engines engines_;
  std::deque<std::unique_ptr<InFlight>> in_flight_;
  std::uint64_t bytes_in_flight_ = 0;
  std::optional<Workers<ReviewedGame>> workers_;  // without engines; after what they use: they go first
  std::size_t seen_ = 0;                          // games, over all files
  std::size_t chosen_ = 0;                        // of them
  std::size_t done_before_ = 0;                   // of those, by an earlier run
  std::size_t started_ = 0;                       // those done before included; the number of the last
  std::size_t reviewed_ = 0;                      // the same
  std::size_t plies_ = 0;
  std::size_t judged_ = 0;
  std::size_t problems_ = 0;
};

}  // namespace

int review(const ReviewCommand& options, const Streams& streams) { return ReviewRun(options, streams).run(); }

}  // namespace pm::cli
