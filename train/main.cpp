// Makes a human model: data, training, packing. `trainer COMMAND --help` says what each step takes.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "nn/weights.h"
#include "train/commands.h"

using namespace pm;

int main(int argc, char** argv) {
  CLI::App app{"Trains the human model that is built into the program"};
  app.require_subcommand(1);

  train::DataCommand data;
  auto* make_data =
      app.add_subcommand("data", "Let the teacher play, and say what it thinks of games of people and of puzzles");
  make_data->add_option("--models", data.models, "The teacher: a folder, a file or a name")->required();
  make_data->add_option("--games", data.games, "Games of people (PGN)");
  make_data->add_option("--keep-out", data.keep_out, "The last games, never learnt from")->capture_default_str();
  make_data->add_option("--puzzles", data.puzzles, "Puzzles as Lichess publishes them (CSV)");
  make_data->add_option("--first-puzzles", data.first_puzzles, "Of these, how many")->capture_default_str();
  make_data->add_option("--out", data.out, "The data")->required();
  make_data->add_option("--positions", data.positions, "Of the teacher's games")->capture_default_str();
  make_data->add_option("--seed", data.seed)->capture_default_str();
  make_data->add_option("--threads", data.threads)->capture_default_str();

  train::TrainCommand learning;
  auto* learn = app.add_subcommand("train", "Learn from the data; goes on where an earlier run stopped");
  learn->add_option("--data", learning.data, "Made by `trainer data`; may be given again")->required();
  learn->add_option("--out", learning.out, "A folder for checkpoints and the learning curve")->required();
  learn->add_option("--from", learning.from, "A network file to go on from; it has the size too");
  learn->add_option("--channels", learning.channels)->capture_default_str();
  learn->add_option("--blocks", learning.blocks)->capture_default_str();
  learn->add_option("--batch", learning.batch)->capture_default_str();
  learn->add_option("--millions", learning.millions, "Of positions to see")->capture_default_str();
  learn->add_option("--step-size", learning.step_size, "Relative; smaller ones suit a long training better")
      ->capture_default_str();
  learn->add_option("--seed", learning.seed)->capture_default_str();
  learn->add_option("--threads", learning.threads)->capture_default_str();

  train::GrowCommand grow;
  auto* growing = app.add_subcommand("grow", "Make a larger network that answers as another does, to go on from");
  growing->add_option("--model", grow.model, "A network file")->required();
  growing->add_option("--out", grow.out, "The larger one")->required();
  growing->add_option("--channels", grow.channels)->capture_default_str();
  growing->add_option("--blocks", grow.blocks)->capture_default_str();
  growing->add_option("--seed", grow.seed)->capture_default_str();

  train::PackCommand pack;
  auto* packing = app.add_subcommand("pack", "Make the network file of a training");
  packing->add_option("--run", pack.run, "The folder of the training")->required();
  packing->add_option("--out", pack.out, "The network file")->required();
  packing->add_option("--name", pack.name)->required();
  packing->add_option("--lowest-rating", pack.lowest_rating)->capture_default_str();
  packing->add_option("--highest-rating", pack.highest_rating)->capture_default_str();
  packing->add_option("--data", pack.data, "What it learnt from; makes it as sure as is right of the games kept out");
  packing->add_option("--plot", pack.plot, "The learning curve, SVG");

  train::GoldenCommand golden;
  auto* remembering = app.add_subcommand("golden", "Write a network's answers down, as the framework computes them");
  remembering->add_option("--model", golden.model, "A network file")->required();
  remembering->add_option("--games", golden.games, "Games to take positions from (PGN)")->required();
  remembering->add_option("--out", golden.out, "The answers, JSON")->required();
  remembering->add_option("--positions", golden.positions)->capture_default_str();

  train::EvaluateCommand evaluate;
  auto* evaluating = app.add_subcommand("eval", "Foretell the moves of games nobody learnt from");
  evaluating->add_option("--model", evaluate.model, "A network file")->required();
  evaluating->add_option("--models", evaluate.models, "A folder with the Maia-1 networks")->required();
  evaluating->add_option("--games", evaluate.games, "Games of people (PGN)")->required();
  evaluating->add_option("--last", evaluate.last, "How many games from the end")->capture_default_str();
  evaluating->add_option("--engine", evaluate.engine, "A UCI engine to compare with");
  evaluating->add_option("--engine-depth", evaluate.engine_depth)->capture_default_str();
  evaluating->add_option("--engine-positions", evaluate.engine_positions)->capture_default_str();
  evaluating->add_option("--plot", evaluate.plot, "Reliability, SVG");
  evaluating->add_option("--threads", evaluate.threads)->capture_default_str();

  for (auto* command : {make_data, learn, evaluating}) command->get_option("--threads")->check(CLI::Range(1, 256));
  for (auto* command : {learn, growing}) {
    command->get_option("--blocks")->check(CLI::Range(std::size_t{1}, nn::most_blocks));
    command->get_option("--channels")->check(CLI::Range(std::size_t{4}, nn::most_channels));
  }
  CLI11_PARSE(app, argc, argv);
  try {
    const auto done = make_data->parsed()     ? train::make_data(data)
                      : learn->parsed()       ? train::train(learning)
                      : growing->parsed()     ? train::grow(grow)
                      : packing->parsed()     ? train::pack(pack)
                      : remembering->parsed() ? train::make_golden(golden)
                                              : train::evaluate(evaluate);
    if (done) return 0;
    fmt::print(stderr, "trainer: {}\n", done.error().sentence);
  } catch (const std::exception& error) {  // the framework's, or the file system's
    fmt::print(stderr, "trainer: {}\n", error.what());
  }
  return 1;
}
