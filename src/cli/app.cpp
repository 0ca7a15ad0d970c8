#include "cli/app.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "base/version.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "cli/shared_err.h"
#include "cli/usage.h"
#include "engine/find_engine.h"

namespace pm::cli {
namespace {

constexpr int max_perft_depth = 30;

CLI::App* add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand(
      "check", "Read PGN files and report what is in them: games, plies, problems with line and column, speed");
  command->add_option("FILE", options.files, "PGN files, plain, .gz or .zst; - is standard input")->required();
  command->add_flag("--json", options.json, "Print one JSON object (postmortem.check/1) instead of text");
  command->add_flag("--strict", options.strict, "Exit with 1 when any problem was found");
  command->add_flag("--quiet", options.quiet, "No progress on standard error");
  command->footer(
      "Examples:\n"
      "  postmortem check games.pgn\n"
      "  postmortem check --strict --json lichess.pgn.zst\n"
      "  zcat old.pgn.gz | postmortem check -");
  return command;
}

CLI::App* add_perft(CLI::App& app, PerftOptions& options, std::vector<std::string>& fen_words) {
  CLI::App* command =
      app.add_subcommand("perft", "Count the positions a number of plies ahead: the classic check of a move generator");
  command->add_option("FEN", fen_words, "The position, as a FEN (quotes are optional) or startpos")->required();
  command->add_option("--depth", options.depth, "How many plies ahead")
      ->required()
      ->check(CLI::Range(0, max_perft_depth));
  command->add_flag("--divide", options.divide, "Also print the count below each move");
  command->add_flag("--json", options.json, "Print JSON instead of text");
  command->footer(
      "Examples:\n"
      "  postmortem perft startpos --depth 6\n"
      "  postmortem perft \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\" --depth 5 --divide");
  return command;
}

void add_models_option(CLI::App* command, std::string& folder) {
  command
      ->add_option(
          "--models", folder,
          "A folder or file with human models, maia3 or maia1 for those of the usual folder, or built-in for the "
          "program's own (default: $POSTMORTEM_MODELS, or ~/.local/share/postmortem/models; without any, "
          "built-in; `postmortem models` lists them)")
      ->type_name("WHERE");
}

CLI::App* add_motifs(CLI::App& app, MotifsCommand& options) {
  CLI::App* command = app.add_subcommand(
      "motifs",
      "Name the tactical motifs of puzzles (fork, pin, smothered mate, ...), or measure how well that is done");
  command
      ->add_option("FILE", options.file,
                   "CSV with the columns PuzzleId, FEN, Moves and Themes, plain, .gz or .zst; - is standard input")
      ->required();
  CLI::Option* json = command->add_flag("--json", options.json, "Print one JSON object (postmortem.motifs/1)");
  command
      ->add_flag("--score", options.score,
                 "Print precision, recall and F1 of each motif against the column Themes instead")
      ->excludes(json);
  command->add_flag(
      "--difficulty", options.difficulty,
      "Also say which rating each puzzle would have, by what people of all ratings play; with --score how "
      "near that comes to the column Rating");
  add_models_option(command, options.models);
  command->add_flag("--quiet", options.quiet, "No progress on standard error");
  command->footer(
      "Examples:\n"
      "  postmortem motifs puzzles.csv\n"
      "  postmortem motifs --difficulty my-puzzles.csv\n"
      "  postmortem motifs --json puzzles.csv.zst\n"
      "  postmortem motifs --score lichess_db_puzzle.csv.zst");
  return command;
}

CLI::App* add_verdicts(CLI::App& app, VerdictsOptions& options) {
  CLI::App* command = app.add_subcommand(
      "verdicts", "Judge moves by engine lines given in a JSON file: all four schemes with reasons, no engine needed");
  command->add_option("FILE", options.file, "JSON with positions and lines (docs/formats.md); - is standard input")
      ->required();
  command->add_flag_callback("--json", [] {}, "Print JSON, as it always does");
  command->add_flag("--keep-going", options.keep_going,
                    "Judge the other positions when one is bad; the exit code is 2 all the same");
  command->footer(
      "Examples:\n"
      "  postmortem verdicts samples/verdicts.json\n"
      "  postmortem verdicts --keep-going - < positions.json");
  return command;
}

// `hash_mb`: the table of the engines the command is about.
void add_engine_options(CLI::App* command, service::EngineChoice& options, int& hash_mb,
                        const char* jobs_help = "Engine processes at work (default: one per core)") {
  command->add_option("--engine", options.path, fmt::format("A UCI engine (default: {})", engine::engine_places_text));
  command
      ->add_option_function<std::vector<std::string>>(
          "--engine-option",
          [&options](const std::vector<std::string>& all) {
            for (const std::string& one : all) {
              const std::size_t equals = one.find('=');
              if (equals == 0 || equals == std::string::npos || one.find('\n') != std::string::npos) {
                throw CLI::ValidationError("--engine-option", fmt::format("expected NAME=VALUE, found {}", one));
              }
              options.options.emplace_back(one.substr(0, equals), one.substr(equals + 1));
            }
          },
          "An option of the engine; may be given several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--hash", hash_mb, fmt::format("Hash table of each engine, in MB (default: {})", hash_mb))
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--jobs", options.jobs, jobs_help)->check(CLI::Range(1, 512));
  auto* cache =
      command->add_option("--cache", options.cache, "Where evaluations are kept (default: the user's cache folder)");
  command
      ->add_option("--cache-limit", options.cache_mb,
                   fmt::format("Room for evaluations, in MB: what was not used for longest goes (default: {})",
                               options.cache_mb))
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("MB");
  command
      ->add_flag_callback(
          "--no-cache", [&options] { options.use_cache = false; }, "Keep nothing, and evaluate everything anew")
      ->excludes(cache);
}

void add_limit_options(CLI::App* command, service::EngineChoice& options) {
  using Kind = engine::Limit::Kind;
  const auto add_limit = [&](const char* name, Kind kind, int most, const char* help) {
    return command
        ->add_option_function<int>(
            name, [&options, kind](int value) { options.limit = {kind, static_cast<std::uint64_t>(value)}; }, help)
        ->check(CLI::Range(1, most));
  };
  auto* depth = add_limit("--depth", Kind::depth, 100, "Search every position so many plies deep (default: 18)");
  auto* nodes = add_limit("--nodes", Kind::nodes, 2'000'000'000, "Search so many nodes instead");
  auto* time =
      add_limit("--movetime", Kind::movetime, 3'600'000, "Search so many milliseconds instead; not repeatable");
  depth->excludes(nodes, time);
  nodes->excludes(time);
}

void add_rating_options(CLI::App* command, std::optional<int>& rating, std::optional<int>& opponent_rating,
                        const char* otherwise, const char* opponent_otherwise) {
  command->add_option("--rating", rating, fmt::format("The rating of the side to move (default: {})", otherwise))
      ->type_name("N");
  command
      ->add_option("--opponent-rating", opponent_rating,
                   fmt::format("The rating of the other side (default: {})", opponent_otherwise))
      ->type_name("N");
}

// How moves are judged, and which verdicts are shown.
void add_verdict_options(CLI::App* command, ReviewCommand& options) {
  using report::Scheme;
  using verdict::Dual;
  using verdict::Mates;
  using verdict::Precedence;
  add_choice<EvalSource>(command, "--evals", options.evals, {{"engine", EvalSource::engine}, {"pgn", EvalSource::pgn}},
                         "Scores by an engine, or those in the [%eval] comments of the file");
  add_choice<Scheme>(
      command, "--scheme", options.scheme,
      {{"points", Scheme::points}, {"labels", Scheme::labels}, {"acpl", Scheme::acpl}, {"lichess", Scheme::lichess}},
      "Verdicts shown");
  command->add_flag_callback(
      "--no-theory", [&options] { options.schemes.theory = false; }, "Judge opening moves like all others");
  command->add_flag_callback(
      "--no-critical", [&options] { options.schemes.points.critical = false; }, "No move is CRITICAL");
  command->add_flag_callback(
      "--no-brilliant", [&options] { options.schemes.points.brilliant = false; }, "No move is BRILLIANT");
  add_choice<Precedence>(command, "--precedence", options.schemes.points.precedence,
                         {{"brilliant", Precedence::brilliant}, {"critical", Precedence::critical}},
                         "What a move is that could be both");
  add_choice<Dual>(command, "--dual", options.schemes.labels.dual,
                   {{"lenient", Dual::lenient}, {"strict", Dual::strict}},
                   "Which scale of the labels counts, the milder or the harsher");
  add_choice<Mates>(command, "--mates", options.schemes.points.mates,
                    {{"worst", Mates::worst}, {"distance", Mates::distance}},
                    "Classes around mates: the worse of distance and winning chances lost, or the distance alone");
  command->add_option("--book", options.book, "A Polyglot book (.bin) of known moves, beside the built-in names");
}

void add_output_options(CLI::App* command, ReviewCommand& options, bool& json) {
  auto* format = add_choice<ReviewFormat>(command, "--format", options.format,
                                          {{"text", ReviewFormat::text},
                                           {"pgn", ReviewFormat::pgn},
                                           {"json", ReviewFormat::json},
                                           {"csv", ReviewFormat::csv},
                                           {"html", ReviewFormat::html}},
                                          "Output");
  command->add_flag("--json", json, "The same as --format json")->excludes(format);
  command->add_flag_callback(
      "--keep-evals", [&options] { options.file_evals = report::Evals::kept; },
      "Annotated PGN keeps the [%eval] scores of the file; else those of the engine that judged replace them");
  command
      ->add_option("--output", options.output,
                   "Write to this file instead of standard output, packed if its name ends in .gz or .zst.\n"
                   "What an interrupted run has done is in FILE.part; the same command goes on from there")
      ->type_name("FILE");
  auto* only = add_choice<report::Moves>(command, "--only", options.moves, {{"errors", report::Moves::errors}},
                                         "The text report lists these moves alone");
  command
      ->add_flag_callback(
          "--brief", [&options] { options.moves = report::Moves::none; },
          "The text report ends with the figures: story and key moments, but no list of moves")
      ->excludes(only);
  command->add_flag("--verbose", options.verbose,
                    "The text report has a sentence for every move, and the bounds of its class");
  auto* progress = add_choice<ProgressStyle>(
      command, "--progress", options.progress,
      {{"bar", ProgressStyle::bar}, {"json", ProgressStyle::json}, {"none", ProgressStyle::none}},
      "Progress on standard error: for people, one JSON object a line for programs (docs/formats.md), or none");
  command
      ->add_flag_callback(
          "--quiet", [&options] { options.progress = ProgressStyle::none; }, "The same as --progress none")
      ->excludes(progress);
}

void add_people_options(CLI::App* command, ReviewCommand& options) {
  add_models_option(command, options.models);
  command
      ->add_option("--rating", options.rating,
                   "Compare with people of this rating (default: the players', by the game's tags, or 1500)")
      ->type_name("N");
  command->add_option("--opponent-rating", options.opponent_rating, "The same for Black, when it differs")
      ->type_name("N");
  using People = std::optional<review::People>;
  auto* people = add_choice<People>(
      command, "--people", options.people,
      {{"quick", review::People::quick}, {"full", review::People::full}, {"off", std::nullopt}},
      "What moves score against people: only where it can change a verdict or a sentence, for every move that lost "
      "something, or nothing about people at all");
  command->add_flag_callback(
             "--no-people", [&options] { options.people.reset(); }, "The same as --people off")
      ->excludes(people);
}

CLI::App* add_review(CLI::App& app, ReviewCommand& options, bool& json) {
  CLI::App* command = app.add_subcommand("review", "Review every game: each move's verdict, and why it got it");
  command->add_option("FILE", options.files, "PGN files, plain, .gz or .zst; - is standard input")->required();
  command->add_option("--games", options.games, "Only these games, counted over all files: 3, 3-7, 3-, -7 or 2,5,9-12");
  command
      ->add_option(
          "--player", options.players,
          "Only games of this player: the whole name in any case and order (Paul Morphy or \"Morphy, Paul\");\n"
          "may be given several times")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_verdict_options(command, options);
  add_output_options(command, options, json);
  add_people_options(command, options);
  add_choice<review::Effort>(command, "--effort", options.effort,
                             {{"full", review::Effort::full}, {"adaptive", review::Effort::adaptive}},
                             "Search all positions less far and those again that a verdict hangs on, for about a fifth "
                             "of the work at depth 16; or all of "
                             "them to the limit");
  add_limit_options(command, options.engine);
  add_engine_options(command, options.engine, options.engine.hash_mb,
                     "Engine processes at work, or threads with --evals pgn (default: one per core)");
  command->footer(
      "Examples:\n"
      "  postmortem review samples/opera.pgn\n"
      "  postmortem review --depth 22 --format html --output report.html game.pgn\n"
      "  postmortem review --evals pgn --scheme lichess samples/opera-evals.pgn\n"
      "  postmortem review --games 2,5,9-12 games.pgn\n"
      "  postmortem review --progress json --json --output games.ndjson games.pgn\n"
      "  postmortem review --player \"magnus carlsen\" --json games.pgn.zst > games.ndjson");
  return command;
}

void add_position_options(CLI::App* command, PositionArgument& position) {
  command->add_option("POSITION", position.words,
                      R"(A FEN (quotes are optional), "startpos moves e2e4 ...", "fen FEN moves ...", or a PGN file)");
  command->add_option("--ply", position.ply, "Of a PGN file: the position after so many plies (default: its end)")
      ->check(CLI::Range(0, 100'000))
      ->type_name("N");
  command->add_option("--game", position.game, "Of a PGN file: which game (default: the first)")
      ->check(CLI::Range(1, 2'000'000'000))
      ->type_name("N");
}

CLI::App* add_human(CLI::App& app, HumanCommand& options) {
  CLI::App* command = app.add_subcommand(
      "human", "Say what people would play: each move's probability and the game's result, for one or all ratings");
  add_position_options(command, options.position);
  add_rating_options(command, options.rating, options.opponent_rating,
                     "all levels side by side; 1500 for standard input", "the same");
  add_models_option(command, options.models);
  command->add_flag("--json", options.json, "Print one JSON object per rating instead of a table");
  command->add_flag("--bench", options.bench, "Measure positions per second at batches of 1, 8, 32 and 128");
  command->footer(
      "With - as the position, standard input has one position per line in UCI's form, and one JSON object per line\n"
      "comes out.\n\n"
      "Examples:\n"
      "  postmortem human samples/opera.pgn --ply 16\n"
      "  postmortem human \"startpos moves e2e4 c7c5\" --rating 1500\n"
      "  echo \"startpos moves e2e4\" | postmortem human - --rating 1900\n"
      "  postmortem human --bench");
  return command;
}

CLI::App* add_models(CLI::App& app, ModelsCommand& options) {
  CLI::App* command =
      app.add_subcommand("models", "Say which human models are there, with ratings, licences and sums, or fetch one");
  command
      ->add_option_function<std::vector<std::string>>(
          "ACTION",
          [&options](const std::vector<std::string>& words) {
            const bool known = words.size() == 2 && words[0] == "get" && words[1] == "maia3";
            if (!known) {
              throw CLI::ValidationError("models",
                                         fmt::format("expected get maia3 or nothing, found {}", fmt::join(words, " ")));
            }
            options.get = words[1];
          },
          "get maia3 fetches the Maia-3 network with npm, checks it and keeps it in the user's folder of models")
      ->type_name("get NAME")
      ->expected(1, 2);
  add_models_option(command, options.models);
  command->add_flag("--json", options.json, "Print JSON (postmortem.models/1) instead of text");
  for (const char* listing : {"--models", "--json"}) {
    command->get_option(listing)->excludes(command->get_option("ACTION"));
  }
  command->add_flag("--quiet", options.quiet, "No progress on standard error");
  command->footer(
      "Examples:\n"
      "  postmortem models\n"
      "  postmortem models get maia3");
  return command;
}

CLI::App* add_expect(CLI::App& app, ExpectCommand& options) {
  using expect::Effort;
  using expect::Pruning;
  using expect::Uncovered;
  using expect::WinRateMap;
  CLI::App* command = app.add_subcommand(
      "expect",
      "Say what each sensible move would score against people: likely replies followed, and judged by an engine");
  add_position_options(command, options.position);
  expect::Parameters& p = options.parameters;
  add_rating_options(command, options.rating, options.opponent_rating, "the player's, by the game's tags, or 1500",
                     "the same as --rating; without that by the game's tags");
  command->add_option("--threshold", p.threshold, "Follow lines of this probability and more (default: 0.1)")
      ->type_name("P");
  command->add_option("--depth", p.depth, "Search every position so many plies deep (default: 15)")->type_name("N");
  command->add_option("--loss", p.loss, "Look at moves at most this far below the best (default: -0.1)")
      ->type_name("L");
  auto* uncovered = add_choice<Uncovered>(
      command, "--uncovered", p.uncovered,
      {{"local", Uncovered::local}, {"candidate", Uncovered::candidate}, {"root", Uncovered::root}},
      "Replies too unlikely to follow are worth what their position, the move, or the best move is worth");
  auto* pruning =
      add_choice<Pruning>(command, "--pruning", p.pruning, {{"player", Pruning::player}, {"none", Pruning::none}},
                          "Whether the player's own errors end a line, or are followed like the opponent's");
  auto* map = add_choice<WinRateMap>(
      command, "--map", p.map,
      {{"people", WinRateMap::people}, {"logistic", WinRateMap::logistic}, {"wdl", WinRateMap::wdl}},
      "Win rates by results of people of these ratings, by Lichess's curve, or by the engine's own count");
  command
      ->add_flag_callback(
          "--literal", [&p] { expect::make_literal(p); },
          "As first designed: --map logistic --pruning player --uncovered root --effort exact")
      ->excludes(uncovered, pruning, map);
  auto* effort = add_choice<Effort>(command, "--effort", p.effort,
                                    {{"settled", Effort::settled}, {"fast", Effort::fast}, {"exact", Effort::exact}},
                                    "Search where it tells most until the ranking is settled (default), or value all "
                                    "lines, unlikely ones less deeply, "
                                    "or all lines to the full depth (default where --uncovered is not local)");
  auto* time = command->add_option("--time", p.seconds, "Stop after so many seconds at the latest; not repeatable")
                   ->type_name("S");
  auto* searches =
      command->add_option("--searches", p.searches, "Stop after so many searches below the candidates at the latest")
          ->type_name("N")
          ->excludes(time);
  command->parse_complete_callback([&p, effort, time, searches] {
    const bool limited = !time->empty() || !searches->empty();
    if (effort->empty() && !limited) p.effort = expect::usual_effort(p.uncovered);
  });
  command->add_option("--moves", options.moves, "Only these moves, as in Nf3,O-O")
      ->delimiter(',')
      ->type_name("SAN,SAN");
  command
      ->add_option_function<std::vector<std::string>>(
          "--tree", [&options](const std::vector<std::string>& san) { options.tree = san.empty() ? "" : san.front(); },
          "Draw the tree below this move, or below the best one")
      ->expected(0, 1)
      ->type_name("[SAN]");
  command->add_flag("--json", options.json, "Print JSON (postmortem.expect/1) instead of text");
  command->add_flag("--quiet", options.quiet, "No progress on standard error");
  add_models_option(command, options.models);
  add_engine_options(command, options.engine, options.engine.single_hash_mb);
  command->footer(
      "Examples:\n"
      "  postmortem expect samples/opera.pgn --ply 16\n"
      "  postmortem expect samples/opera.pgn --ply 16 --rating 1900 --threshold 0.01 --tree\n"
      "  postmortem expect \"startpos moves e2e4 e7e5\" --moves Nf3,Bc4 --json");
  return command;
}

void add_reviews_options(CLI::App* command, std::string& reviews, int& reviews_mb) {
  command->add_option("--reviews", reviews, "Where reviews are kept (default: in the user's data folder)")
      ->type_name("FILE");
  command
      ->add_option(
          "--reviews-limit", reviews_mb,
          fmt::format("Room for reviews, in MB: with more no review is added, and none goes (default: {})", reviews_mb))
      ->check(CLI::Range(1, 1 << 24))
      ->type_name("MB");
}

CLI::App* add_serve(CLI::App& app, ServeCommand& options) {
  CLI::App* command = app.add_subcommand("serve", "The web app, for browsers on this machine");
  command->add_option("--port", options.port, "The port to listen on; 0 takes any that is free (default: 8321)")
      ->check(CLI::Range(0, 65535))
      ->type_name("N");
  add_reviews_options(command, options.reviews, options.reviews_mb);
  add_models_option(command, options.models);
  add_engine_options(command, options.engine, options.engine.hash_mb);
  command->footer("Example:\n  postmortem serve");
  return command;
}

CLI::App* add_doctor(CLI::App& app, DoctorOptions& options) {
  CLI::App* command = app.add_subcommand("doctor",
                                         "Say what was found: engine and its speed, human model, cores, cache, saved "
                                         "reviews, openings; what is missing and how to get it");
  add_engine_options(command, options.engine, options.engine.hash_mb);
  add_models_option(command, options.models);
  add_reviews_options(command, options.reviews, options.reviews_mb);
  command->add_flag(
      "--repair", options.repair,
      "Only look whether cache and saved reviews are whole; of a damaged one save what can be read into a "
      "new file, and keep the old one as .damaged");
  command
      ->add_option("--backup", options.backup,
                   "Only copy the saved reviews to this file; a server may be using them meanwhile")
      ->type_name("FILE");
  command->add_flag("--json", options.json, "Print JSON (postmortem.doctor/1) instead of text");
  command->footer(
      "Examples:\n"
      "  postmortem doctor\n"
      "  postmortem doctor --repair\n"
      "  postmortem doctor --backup reviews-copy.sqlite");
  return command;
}

int run_command(const std::vector<std::string>& given, const Streams& streams) {
  const std::vector<std::string> args = with_help_as_option(given);
  CLI::App app("Postmortem: chess game review that knows people.", "postmortem");
  app.set_version_flag("--version", fmt::format("postmortem {}", version()));
  app.require_subcommand(0, 1);
  app.footer(
      "Exit codes: 0 done, 1 the job failed, 2 bad options or unreadable files, 130 interrupted.\n"
      "`postmortem help COMMAND` explains a command, as `postmortem COMMAND --help` does.");
  CheckOptions check_options;
  PerftOptions perft_options;
  std::vector<std::string> fen_words;
  VerdictsOptions verdicts_options;
  ReviewCommand review_options;
  bool review_json = false;
  const CLI::App* review_command = add_review(app, review_options, review_json);
  HumanCommand human_options;
  const CLI::App* human_command = add_human(app, human_options);
  ModelsCommand models_options;
  const CLI::App* models_command = add_models(app, models_options);
  ExpectCommand expect_options;
  const CLI::App* expect_command = add_expect(app, expect_options);
  ServeCommand serve_options;
  const CLI::App* serve_command = add_serve(app, serve_options);
  DoctorOptions doctor_options;
  const CLI::App* doctor_command = add_doctor(app, doctor_options);
  const CLI::App* verdicts_command = add_verdicts(app, verdicts_options);
  MotifsCommand motifs_options;
  const CLI::App* motifs_command = add_motifs(app, motifs_options);
  const CLI::App* check_command = add_check(app, check_options);
  const CLI::App* perft_command = add_perft(app, perft_options, fen_words);

  if (const auto unknown = unknown_command(app, args)) {
    say(streams.err, *unknown);
    return exit_usage;
  }
  try {
    std::vector<std::string> reversed(args.rbegin(), args.rend());  // CLI11 takes them last first
    app.parse(std::move(reversed));
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked, streams.out, streams.err);
    return exit_done;
  } catch (const CLI::ParseError& error) {
    say(streams.err, usage_error(app, args, error));
    return exit_usage;
  }
  if (review_command->parsed()) {
    review_options.schemes.labels.brilliant = review_options.schemes.points.brilliant;
    if (review_json) review_options.format = ReviewFormat::json;
    review_options.arguments = args;
    SharedErr err(streams);
    review_options.engine.tell = err.tell();
    return review(review_options, err.streams());
  }
  if (human_command->parsed()) return human(human_options, streams);
  if (models_command->parsed()) return models(models_options, streams);
  if (expect_command->parsed()) {
    SharedErr err(streams);
    expect_options.engine.tell = err.tell();
    return expect(expect_options, err.streams());
  }
  if (serve_command->parsed()) return serve(serve_options, streams);
  if (doctor_command->parsed()) return doctor(doctor_options, streams);
  if (verdicts_command->parsed()) return verdicts(verdicts_options, streams);
  if (motifs_command->parsed()) return motifs(motifs_options, streams);
  if (check_command->parsed()) return check(check_options, streams);
  if (perft_command->parsed()) {
    perft_options.fen = fmt::format("{}", fmt::join(fen_words, " "));
    return perft(perft_options, streams);
  }
  streams.out << app.help();
  return exit_done;
}

}  // namespace

int run(const std::vector<std::string>& args, const Streams& streams) {
  const int code = run_command(args, streams);
  streams.out.flush();
  if (streams.out) return code;
  streams.err << "postmortem: the results could not be written (is the disk full?)\n";
  return exit_failed;
}

}  // namespace pm::cli
