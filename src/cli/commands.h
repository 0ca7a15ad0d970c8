// The commands, each with its options as plain data. app.cpp fills these from the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/app.h"
#include "cli/position_argument.h"
#include "expect/parameters.h"
#include "report/earlier_annotation.h"
#include "report/scheme.h"
#include "report/text.h"
#include "service/engines.h"
#include "verdict/verdicts.h"

namespace pm::cli {

struct CheckOptions {
  std::vector<std::string> files;  // "-" is standard input
  bool json = false;
  bool strict = false;  // any problem makes the exit code 1
  bool quiet = false;
};
int check(const CheckOptions& options, const Streams& streams);

struct PerftOptions {
  std::string fen;
  int depth = 0;
  bool divide = false;
  bool json = false;
};
int perft(const PerftOptions& options, const Streams& streams);

struct MotifsCommand {
  std::string file;  // "-" is standard input
  bool json = false;
  bool score = false;       // against the themes of the file, instead of naming the motifs
  bool difficulty = false;  // the rating each would have, too
  std::string models;       // who says so
  bool quiet = false;
};
int motifs(const MotifsCommand& command, const Streams& streams);

struct VerdictsOptions {
  std::string file;         // "-" is standard input
  bool keep_going = false;  // judge the other positions when one is bad
};
int verdicts(const VerdictsOptions& options, const Streams& streams);

enum class ReviewFormat : std::uint8_t { text, pgn, json, csv, html };
enum class EvalSource : std::uint8_t { engine, pgn };
// How a long command says how far it is: for people (a bar on a terminal, lines elsewhere), for programs, or not at
// all.
enum class ProgressStyle : std::uint8_t { bar, json, none };

struct ReviewCommand {
  std::vector<std::string> arguments;  // as they were given, to know the same command again
  std::vector<std::string> files;      // "-" is standard input
  EvalSource evals = EvalSource::engine;
  service::EngineChoice engine;
  report::Scheme scheme = report::Scheme::points;
  verdict::SchemeOptions schemes;
  ReviewFormat format = ReviewFormat::text;
  std::string output;                // empty: standard output
  std::string games;                 // numbers and ranges (game_selection.h), counted over all files; empty: all
  std::vector<std::string> players;  // only games of any of them; none: all
  std::string book;                  // a Polyglot .bin beside the built-in names; empty: none
  std::string models;                // a folder; empty: wherever one is found, and none is no error
  std::optional<int> rating;         // nothing: the players', by the game's tags
  std::optional<int> opponent_rating;
  std::optional<review::People> people = review::People::quick;  // nothing: the human model is not asked
  review::Effort effort = review::Effort::adaptive;
  report::Evals file_evals = report::Evals::replaced;  // in annotated PGN, when an engine has judged
  ProgressStyle progress = ProgressStyle::bar;
  report::Moves moves = report::Moves::all;  // in the text report
  bool verbose = false;
};
int review(const ReviewCommand& options, const Streams& streams);

struct HumanCommand {
  PositionArgument position;  // the word "-" reads positions from standard input
  std::optional<int> rating;  // nothing: all levels, or 1500 for positions from standard input
  std::optional<int> opponent_rating;
  std::string models;  // a folder; empty: wherever one is found
  bool json = false;
  bool bench = false;
};
int human(const HumanCommand& command, const Streams& streams);

struct ModelsCommand {
  std::string get;     // a model to fetch; empty: say which are there
  std::string models;  // a folder, a file or a name; empty: wherever one is found
  bool json = false;
  bool quiet = false;
};
int models(const ModelsCommand& command, const Streams& streams);

struct ExpectCommand {
  PositionArgument position;
  expect::Parameters parameters;  // but for the ratings
  std::optional<int> rating;      // nothing: the player's, by the tags of the game, or 1500
  std::optional<int> opponent_rating;
  std::vector<std::string> moves;   // SAN; empty: all sensible ones
  std::optional<std::string> tree;  // SAN of the move whose tree is drawn; empty: the best one's
  service::EngineChoice engine;
  std::string models;
  bool json = false;
  bool quiet = false;
};
int expect(const ExpectCommand& command, const Streams& streams);

// Room for saved reviews.
inline constexpr int usual_reviews_mb = 10'000;

struct ServeCommand {
  service::EngineChoice engine;
  std::string models;
  std::string reviews;  // where they are kept; empty: in the user's data folder
  int reviews_mb = usual_reviews_mb;
  int port = 8321;  // 0: any that is free
};
int serve(const ServeCommand& command, const Streams& streams);

struct DoctorOptions {
  service::EngineChoice engine;
  std::string models;
  std::string reviews;  // as for serve
  int reviews_mb = usual_reviews_mb;
  bool repair = false;  // of cache and saved reviews, and nothing else
  std::string backup;   // where saved reviews are copied to; empty: they are not
  bool json = false;
};
int doctor(const DoctorOptions& options, const Streams& streams);
// What it does with --repair and --backup.
int look_after_files(const DoctorOptions& options, const Streams& streams);

}  // namespace pm::cli
