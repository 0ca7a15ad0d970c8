// The steps of making a model, one command each; main.cpp has their options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "nn/weights.h"

namespace pm::train {

struct DataCommand {
  std::string models;           // the teacher: a folder, a file or a name
  std::string games;            // played by people; may be empty
  std::size_t keep_out = 1000;  // of these games, the last: never learnt from
  std::string puzzles;          // CSV as Lichess publishes it; may be empty
  std::size_t first_puzzles = 40'000;
  std::string out;
  std::size_t positions = 2'000'000;  // of games the teachers play
  std::uint64_t seed = 1;
  int threads = 2;
};
Expected<void> make_data(const DataCommand& command);

struct TrainCommand {
  std::vector<std::string> data;
  std::string out;   // a folder: checkpoint.pt, curve.csv
  std::string from;  // a network file to go on from, which gives the shape; may be empty
  int channels = 64;
  int blocks = 6;
  int batch = 256;
  double millions = 10;  // of positions to see; the steps get smaller, to nothing by then
  double step_size = 1;  // of the first step, relative to what suits a beginner
  std::uint64_t seed = 1;
  int threads = 2;
};
Expected<void> train(const TrainCommand& command);

struct GrowCommand {
  std::string model;  // a network file
  std::string out;    // another, as large as this or larger
  int channels = 64;
  int blocks = 6;
  std::uint64_t seed = 1;
};
Expected<void> grow(const GrowCommand& command);
nn::Weights grown(const nn::Weights& from, std::size_t channels, std::size_t blocks, std::uint64_t seed);

struct PackCommand {
  std::string run;  // the folder of a training
  std::string out;  // the network file (nn/network_file.h)
  std::string name;
  int lowest_rating = 600;
  int highest_rating = 2600;
  std::vector<std::string> data;  // what it learnt from; empty: its probabilities stay as they are
  std::string plot;               // the learning curve as SVG; may be empty
};
Expected<void> pack(const PackCommand& command);

struct GoldenCommand {
  std::string model;  // a network file
  std::string games;
  std::string out;  // positions and answers, JSON
  int positions = 40;
};
Expected<void> make_golden(const GoldenCommand& command);

struct EvaluateCommand {
  std::string model;   // a network file
  std::string models;  // a folder with the teachers
  std::string games;
  std::size_t last = 1000;
  std::string engine;  // may be empty
  int engine_depth = 8;
  std::size_t engine_positions = 3000;
  std::string plot;  // reliability as SVG; may be empty
  int threads = 2;
};
Expected<void> evaluate(const EvaluateCommand& command);

}  // namespace pm::train
