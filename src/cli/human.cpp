#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include <fmt/ostream.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/say.h"
#include "human/difficulty.h"
#include "human/models.h"
#include "nn/kernels.h"
#include "pgn/source.h"
#include "report/json_writer.h"

namespace pm::cli {
namespace {

using chess::PositionHistory;
using human::HumanModel;
using human::Prediction;
using human::Query;
using human::Want;

constexpr const char* weaker =
    "The networks look at the last eight boards, so this answer is weaker than one for a game: give GAME.pgn --ply N,\n"
    "or \"startpos moves ...\", where you can.";
constexpr std::size_t answered_at_once = 128;  // of standard input: enough for all cores, few enough to stop soon

int complain(const Streams& streams, const std::string& sentence, int code = exit_usage) {
  say(streams.err, sentence);
  return code;
}

std::string as_json(const HumanModel& model, const Query& query, const Prediction& prediction) {
  const chess::Position& position = query.history.newest();
  std::string text;
  report::JsonWriter json(text);
  json.begin_object().field("final_fen", chess::format_fen(position)).field("rating", query.rating);
  json.field("opponent_rating", query.opponent_rating);
  json.key("moves").begin_object();
  for (const auto& [move, probability] : prediction.moves) {
    json.field(chess::format_uci(move, chess::natural_notation(position)), probability);
  }
  json.end_object().key("wdl").begin_array();
  json.value(prediction.result.win).value(prediction.result.draw).value(prediction.result.loss).end_array();
  json.field("history", query.history.is_complete() ? "full" : "fen");
  json.key("model").begin_object().field("name", model.identity().name);
  json.field("sha256", model.identity().sha256).end_object().end_object();
  return text;
}

constexpr int half_column = 9;  // behind the ratings

// A share as a bar of so many characters, padded: eighths of blocks on a terminal, '#' elsewhere.
std::string bar(double share, int width, bool blocks) {
  constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto filled = static_cast<int>(std::lround(share * width * 8));
  const int whole = blocks ? filled / 8 : (filled + 4) / 8;
  std::string text;
  for (int i = 0; i < whole; ++i) text += blocks ? "█" : "#";
  const int rest = blocks ? filled % 8 : 0;
  text += eighths[rest];
  return text.append(static_cast<std::size_t>(std::max(0, width - whole - (rest > 0 ? 1 : 0))), ' ');
}

// Rows of the table: moves that somebody plays in at least so many games of a hundred, the commonest first.
constexpr double worth_a_row = 0.02;

std::vector<std::size_t> rows_shown(const std::vector<Prediction>& levels) {
  std::vector<std::size_t> rows(levels[0].moves.size());
  std::iota(rows.begin(), rows.end(), 0);
  const auto mean = [&](std::size_t row) {
    double sum = 0;
    for (const Prediction& level : levels) sum += level.moves[row].probability;
    return sum;
  };
  std::sort(rows.begin(), rows.end(),
            [&](std::size_t a, std::size_t b) { return mean(a) != mean(b) ? mean(a) > mean(b) : a < b; });
  std::erase_if(rows, [&](std::size_t row) {
    return std::none_of(levels.begin(), levels.end(),
                        [&](const Prediction& level) { return level.moves[row].probability >= worth_a_row; });
  });
  return rows;
}

// The rating from which on half of the people play a move, where there is one among those shown.
std::string half_at(const std::vector<Query>& queries, const std::vector<Prediction>& levels, std::size_t row) {
  std::vector<int> ratings;
  std::vector<double> probabilities;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    ratings.push_back(queries[i].rating);
    probabilities.push_back(levels[i].moves[row].probability);
  }
  if (probabilities.back() < .5) return "";  // the strongest have given it up
  const human::Difficulty difficulty = human::difficulty_of(ratings, probabilities);
  if (difficulty.reach == human::Difficulty::Reach::over) return "";
  return fmt::format("{}{}", difficulty.reach == human::Difficulty::Reach::under ? "<" : "", difficulty.rating);
}

void print_table(const std::vector<Query>& queries, const std::vector<Prediction>& levels, const Streams& streams) {
  const chess::Position& position = queries[0].history.newest();
  const bool blocks = streams.out_is_terminal;
  // A column is " 66.1 ###": as much bar as the width allows, none when that would say nothing.
  const int columns = static_cast<int>(levels.size());
  const int room = (streams.width - 8 - half_column) / columns - 7;
  const int bar_width = room < (blocks ? 2 : 4) ? 0 : std::min(room, columns == 1 ? 40 : 8);
  const auto cell = [&](double share) {
    return bar_width == 0 ? fmt::format(" {:>5.1f}", 100 * share)
                          : fmt::format(" {:>5.1f} {}", 100 * share, bar(share, bar_width, blocks));
  };
  const auto print_row = [&](const std::string& head, const auto& value_of, const std::string& last = "") {
    std::string row = fmt::format("{:<7}", head);
    for (std::size_t i = 0; i < levels.size(); ++i) row += value_of(i);
    if (levels.size() > 1) row += fmt::format("{:>{}}", last, half_column);
    row.erase(row.find_last_not_of(' ') + 1);
    fmt::print(streams.out, "{}\n", row);
  };
  print_row(
      "rating",
      [&](std::size_t i) {
        return fmt::format(" {:>5}{:<{}}", queries[i].rating, "", bar_width == 0 ? 0 : bar_width + 1);
      },
      "half at");
  std::vector<double> others(levels.size(), 1);
  const std::vector<std::size_t> rows = rows_shown(levels);
  for (const std::size_t row : rows) {
    print_row(
        chess::format_san(position, levels[0].moves[row].move),
        [&](std::size_t i) {
          others[i] -= levels[i].moves[row].probability;
          return cell(levels[i].moves[row].probability);
        },
        half_at(queries, levels, row));
  }
  if (rows.size() < levels[0].moves.size()) {
    print_row("others", [&](std::size_t i) { return cell(std::max(0.0, others[i])); });
  }
  streams.out << '\n';
  const std::pair<const char*, double human::ResultProbabilities::*> results[] = {
      {"win", &human::ResultProbabilities::win},
      {"draw", &human::ResultProbabilities::draw},
      {"loss", &human::ResultProbabilities::loss}};
  for (const auto& [name, result] : results) {
    print_row(name, [&, member = result](std::size_t i) { return cell(levels[i].result.*member); });
  }
}

void print_text(const HumanModel& model, const GivenPosition& given, const std::vector<Query>& queries,
                const std::vector<Prediction>& predictions, const Streams& streams) {
  const chess::Position& position = queries[0].history.newest();
  const char* side = position.side_to_move() == chess::Colour::white ? "White" : "Black";
  if (!given.game.empty()) fmt::print(streams.out, "{}\n", given.game);
  fmt::print(streams.out, "{}\n", chess::format_fen(position));
  const bool same =
      std::all_of(queries.begin(), queries.end(), [](const Query& q) { return q.rating == q.opponent_rating; });
  fmt::print(streams.out, "What people play here{}, in percent; {} to move; {}.\n\n",
             same ? "" : fmt::format(" against people rated {}", queries[0].opponent_rating), side,
             printable(human::model_text(model.identity().name, model.identity().sha256)));
  if (predictions[0].moves.empty()) {
    fmt::print(streams.out, "There is no move: {}.\n", position.in_check() ? "checkmate" : "stalemate");
    return;
  }
  print_table(queries, predictions, streams);
  if (queries[0].history.is_complete()) return;
  fmt::print(streams.out, "\n{}\n{}\n",
             given.state.moves.empty() ? "Only the position is known, not the moves before it."
                                       : fmt::format("Only the last {} boards are known.", queries[0].history.size()),
             weaker);
}

// All steps of the model; on a terminal that is too narrow every second, or third, with the lowest and near the
// highest.
std::vector<int> ratings_shown(const HumanModel& model, const Streams& streams) {
  const std::vector<int>& steps = model.identity().ratings.steps;
  constexpr int head = 7;
  constexpr int column = 6;
  const int room = std::max(1, (streams.width - head - half_column) / column);
  const auto every = streams.out_is_terminal
                         ? (steps.size() + static_cast<std::size_t>(room) - 1) / static_cast<std::size_t>(room)
                         : 1;
  std::vector<int> shown;
  for (std::size_t i = 0; i < steps.size(); i += every) shown.push_back(steps[i]);
  return shown;
}

// Lines of standard input, as they come: those that arrived together are answered together.
class LineReader {
 public:
  explicit LineReader(pgn::ByteSource& source) : source_(source) {}

  // At least one line unless the input is at its end; an error when reading failed or a line has no end.
  Expected<std::vector<std::string>> next() {
    constexpr std::size_t longest = 1 << 16;  // some ten thousand moves
    std::vector<std::string> lines;
    while (lines.empty() && !ended_) {
      std::array<char, 1 << 16> piece;
      const auto n = source_.read(piece);
      if (!n) return tl::make_unexpected(n.error());
      ended_ = *n == 0;
      rest_.append(piece.data(), *n);
      if (ended_ && !rest_.empty() && rest_.back() != '\n') rest_ += '\n';
      std::size_t begin = 0;
      for (std::size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
        lines.push_back(rest_.substr(begin, end - begin));
      }
      rest_.erase(0, begin);
      if (rest_.size() > longest) return fail(ErrorCode::bad_input, "a line of standard input is longer than 64 kB");
    }
    return lines;
  }

 private:
  pgn::ByteSource& source_;
  std::string rest_;
  bool ended_ = false;
};

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

// Answers some lines, counting them; the exit code they deserve.
int answer_some(HumanModel& model, std::span<const std::string> lines, std::size_t& number, int rating, int opponent,
                const Streams& streams) {
  std::vector<Query> queries;
  std::vector<std::optional<std::string>> errors;  // one for each line that is not blank
  for (const std::string& line : lines) {
    ++number;
    if (is_blank(line)) continue;
    const auto given = parse_position(line);
    errors.push_back(given ? std::nullopt : std::optional(fmt::format("line {}: {}", number, given.error().sentence)));
    if (given) queries.push_back({chess::PositionHistory(given->state), rating, opponent});
  }
  const auto predictions = model.predict(queries, Want::moves_and_result);
  if (!predictions) return complain(streams, predictions.error().sentence, exit_failed);
  int code = exit_done;
  std::size_t answered = 0;
  for (const auto& error : errors) {
    if (error) {
      std::string text;
      report::JsonWriter(text).begin_object().field("error", *error).end_object();
      streams.out << text << '\n';
      code = exit_usage;
    } else {
      streams.out << as_json(model, queries[answered], (*predictions)[answered]) << '\n';
      ++answered;
    }
  }
  streams.out.flush();
  return code;
}

// One JSON object for each line, in order; a line that is no position gets {"error": ...} and the exit code 2.
int answer_lines(HumanModel& model, const HumanCommand& command, const Streams& streams, const std::stop_token& stop) {
  const auto ratings =
      human::choose_ratings({command.rating, command.opponent_rating}, {}, chess::Colour::white, model);
  if (!ratings) return complain(streams, ratings.error().sentence);
  auto source = pgn::open_source("-");
  if (stop.stop_requested()) return exit_interrupted;
  if (!source) return complain(streams, source.error().sentence);
  LineReader reader(**source);
  std::size_t number = 0;
  int code = exit_done;
  while (!stop.stop_requested()) {
    const auto lines = reader.next();
    if (stop.stop_requested()) break;
    if (!lines) return complain(streams, lines.error().sentence);
    if (lines->empty()) return code;
    for (std::size_t done = 0; done < lines->size() && !stop.stop_requested(); done += answered_at_once) {
      const auto some = std::span(*lines).subspan(done, std::min(answered_at_once, lines->size() - done));
      const int answered = answer_some(model, some, number, ratings->white, ratings->black, streams);
      if (answered == exit_failed) return answered;
      code = std::max(code, answered);
    }
  }
  return exit_interrupted;
}

// Positions of games of random moves, always the same.
std::vector<Query> bench_queries(std::size_t count, int rating) {
  std::mt19937 random(1);
  std::vector<Query> queries;
  chess::PositionHistory history(chess::Position::start());
  while (queries.size() < count) {
    const chess::MoveList moves = chess::legal_moves(history.newest());
    if (moves.empty() || history.newest().move_number() > 40) {
      history = chess::PositionHistory(chess::Position::start());
      continue;
    }
    queries.push_back({history, rating, rating});
    history.play(moves[random() % moves.size()]);
  }
  return queries;
}

// The best of five rounds of a third of a second, in positions a second; nothing when interrupted.
Expected<std::optional<double>> speed(HumanModel& model, std::span<const Query> queries, Want want,
                                      const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const auto begin = Clock::now();
    std::size_t done = 0;
    std::chrono::duration<double> taken{};
    while (taken.count() < 0.3) {
      if (stop.stop_requested()) return std::nullopt;
      const auto predictions = model.predict(queries, want);
      if (!predictions) return tl::make_unexpected(predictions.error());
      done += queries.size();
      taken = Clock::now() - begin;
    }
    best = std::max(best, static_cast<double>(done) / taken.count());
  }
  return best;
}

int bench(const HumanCommand& command, const Streams& streams, const std::stop_token& stop) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto one = human::open_model({command.models, 1});
  if (!one) return complain(streams, one.error().sentence);
  const auto all = human::open_model({command.models, cores});
  if (!all) return complain(streams, all.error().sentence);
  // A level, not a blend of two: one network answers.
  const int wanted = command.rating.value_or((*one)->nearest_rating(human::default_rating));
  if (const auto covered = (*one)->check_rating(wanted); !covered) return complain(streams, covered.error().sentence);
  const int rating = (*one)->nearest_step(wanted);
  fmt::print(streams.out, "{} {}, {}: positions a second, each with its moves' probabilities and the result's\n",
             printable((*one)->identity().name), rating, nn::best_kernels().name);
  fmt::print(streams.out, "{:>5}  {:>10}  {:>11}  {:>22}\n", "batch", "one thread", fmt::format("{} threads", cores),
             "moves only, one thread");
  for (const std::size_t batch : {std::size_t{1}, std::size_t{8}, std::size_t{32}, std::size_t{128}}) {
    const auto queries = bench_queries(batch, rating);
    double found[3] = {};
    int column = 0;
    for (const auto& [model, want] :
         {std::pair{*one, Want::moves_and_result}, {*all, Want::moves_and_result}, {*one, Want::moves}}) {
      const auto measured = speed(*model, queries, want, stop);
      if (!measured) return complain(streams, measured.error().sentence, exit_failed);
      if (!*measured) return exit_interrupted;
      found[column++] = **measured;
    }
    fmt::print(streams.out, "{:>5}  {:>10.0f}  {:>11.0f}  {:>22.0f}\n", batch, found[0], found[1], found[2]);
    streams.out.flush();
  }
  return exit_done;
}

}  // namespace

int human(const HumanCommand& command, const Streams& streams) {
  const std::stop_token stop = catch_interrupts();
  if (command.bench) {
    if (command.position.words.empty()) return bench(command, streams, stop);
    return complain(streams, "--bench: expected no position beside it");
  }
  if (command.position.words.empty()) {
    return complain(streams, "human: expected a FEN, GAME.pgn --ply N or - (see postmortem human --help)");
  }
  const bool from_stdin = command.position.words.size() == 1 && command.position.words[0] == "-";
  if (from_stdin && (command.position.ply || command.position.game)) {
    return complain(streams, "--ply and --game: expected with a PGN file, found with standard input");
  }
  const auto given = from_stdin ? Expected<GivenPosition>{} : read_position(command.position);
  if (stop.stop_requested()) return exit_interrupted;
  if (!given) return complain(streams, given.error().sentence);
  for (const std::string& problem : given->problems) say_problem(streams.err, problem);
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto model = human::open_model({command.models, threads});
  if (!model) return complain(streams, model.error().sentence);
  for (const auto& rating : {command.rating, command.opponent_rating}) {
    if (!rating) continue;
    if (const auto covered = (*model)->check_rating(*rating); !covered)
      return complain(streams, covered.error().sentence);
  }
  if (from_stdin) return answer_lines(**model, command, streams, stop);
  const chess::PositionHistory history = chess::PositionHistory(given->state);
  std::vector<Query> queries;
  const std::vector<int> ratings = command.rating ? std::vector{*command.rating}
                                   : command.json ? (*model)->identity().ratings.steps
                                                  : ratings_shown(**model, streams);
  queries.reserve(ratings.size());
  for (const int rating : ratings) queries.push_back({history, rating, command.opponent_rating.value_or(rating)});
  const auto predictions = (*model)->predict(queries, Want::moves_and_result);
  if (!predictions) return complain(streams, predictions.error().sentence, exit_failed);
  if (!command.json) {
    print_text(**model, *given, queries, *predictions, streams);
    return exit_done;
  }
  for (std::size_t i = 0; i < queries.size(); ++i) {
    streams.out << as_json(**model, queries[i], (*predictions)[i]) << '\n';
  }
  return exit_done;
}

}  // namespace pm::cli
