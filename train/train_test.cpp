// The whole way in seconds: a small network learns 200 positions by heart, and the packed file answers as it did; the
// parts beside the framework's own; the teachers play a few games where they are at hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/shared_data.h"
#include "chess/movegen.h"
#include "human/postmortem_model.h"
#include "nn/network.h"
#include "train/commands.h"
#include "train/data_file.h"
#include "train/files.h"
#include "train/layers.h"
#include "train/net.h"
#include "train/samples.h"
#include "train/winograd.h"

namespace pm::train {
namespace {

// A game in which always the move in the middle of the list is played and taught.
TaughtGame some_game(std::size_t plies, int rating) {
  TaughtGame game;
  game.ratings = {rating, rating};
  chess::PositionHistory history(chess::Position::start());
  for (std::size_t i = 0; i < plies; ++i) {
    const auto legal = chess::legal_moves(history.newest());
    if (legal.empty()) break;
    TaughtPly ply;
    ply.played = (legal.size() / 2 + i * static_cast<std::size_t>(rating / 100)) % legal.size();
    ply.teaching.moves.assign(legal.size(), 0);
    ply.teaching.moves[ply.played] = 65535;
    ply.teaching.results = {40000, 10000, 15535};
    history.play(legal[ply.played]);
    game.plies.push_back(std::move(ply));
  }
  return game;
}

class TrainTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  // Five games, of 200 positions together.
  void write_games() {
    DataWriter writer(folder + "/data");
    for (int rating = 1100; rating <= 1500; rating += 100) writer.write(some_game(40, rating));
  }
  TrainCommand small_training(double steps) {
    TrainCommand command;
    command.data = {folder + "/data"};
    command.out = folder + "/run";
    command.channels = 16;
    command.blocks = 1;
    command.batch = 64;
    command.millions = steps * 64 / 1e6;
    return command;
  }
  std::shared_ptr<human::HumanModel> packed(const std::string& run, const std::string& out) {
    PackCommand packing;
    packing.run = run;
    packing.out = out;
    packing.name = "test";
    EXPECT_TRUE(pack(packing));
    return *human::open_postmortem_model(*read_file(out), 1);
  }

  std::string folder = (std::filesystem::temp_directory_path() /
                        fmt::format("postmortem-{}", testing::UnitTest::GetInstance()->current_test_info()->name()))
                           .string();
};

TEST_F(TrainTest, DataReadBackAsTheyWereWritten) {
  const std::string path = folder + "/data";
  const TaughtGame game = some_game(30, 1500);
  EXPECT_TRUE(DataWriter(path).write(game));
  const auto read = read_data(path);
  ASSERT_TRUE(read) << read.error().sentence;
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ((*read)[0].ratings, game.ratings);
  ASSERT_EQ((*read)[0].plies.size(), game.plies.size());
  EXPECT_EQ((*read)[0].plies[7].played, game.plies[7].played);
  EXPECT_EQ((*read)[0].plies[7].teaching.moves, game.plies[7].teaching.moves);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_FALSE(read_data(path));
}

// Beside the framework's own convolution, forward and back, with channels that fill no block evenly.
TEST(Winograd, AgreesWithThePlainConvolution) {
  torch::manual_seed(1);
  const auto wanted = torch::requires_grad();
  torch::Tensor boards = torch::randn({48, 20, 8, 8}, wanted);
  torch::Tensor weights = torch::randn({11, 20, 3, 3}, wanted);
  const torch::Tensor results = torch::conv2d(boards, weights, {}, 1, 1);
  const torch::Tensor some = torch::randn_like(results);
  results.backward(some);
  const auto turned = [](const torch::Tensor& t) {
    return t.detach().view({3, 16, -1, 64}).permute({2, 0, 3, 1}).contiguous();
  };
  const auto near = [](const torch::Tensor& a, const torch::Tensor& b) {
    return (a - b).abs().max().item<double>() < 1e-3 * b.abs().max().item<double>();
  };
  for (const int threads : {1, 2, 3}) {
    const Convolution how{20, 11, 3, threads};
    const torch::Tensor x = turned(boards);
    torch::Tensor y = torch::empty({11, 3, 64, 16});
    convolve(how, x.data_ptr<float>(), weights.data_ptr<float>(), y.data_ptr<float>());
    EXPECT_TRUE(near(y, turned(results)));
    torch::Tensor dx = torch::empty_like(x);
    torch::Tensor dw = torch::empty_like(weights);
    convolve_back(how, x.data_ptr<float>(), weights.data_ptr<float>(), turned(some).data_ptr<float>(),
                  dx.data_ptr<float>(), dw.data_ptr<float>());
    EXPECT_TRUE(near(dx, turned(boards.grad())));
    EXPECT_TRUE(near(dw, weights.grad()));
  }
}

// Beside the framework's own layers, with their gradients.
TEST(Layers, AgreeWithTheFrameworks) {
  torch::manual_seed(2);
  const Boards how{5, 3, 2};
  const auto near = [](const torch::Tensor& a, const torch::Tensor& b) {
    return (a - b).abs().max().item<double>() < 1e-4 * (1 + b.abs().max().item<double>());
  };
  const auto data = [](const torch::Tensor& t) { return t.data_ptr<float>(); };
  const auto some = [](at::IntArrayRef sizes) { return torch::randn(sizes, torch::requires_grad()); };
  for (const bool relu : {false, true}) {
    torch::Tensor x = some({5, 3, 64, 16});
    torch::Tensor weights = some({5});
    torch::Tensor shifts = some({5});
    torch::Tensor y = torch::batch_norm(x.view({1, 5, -1}), weights, shifts, {}, {}, true, 0.1, 1e-5, false);
    if (relu) y = torch::relu(y);
    const torch::Tensor dy = torch::randn_like(y);
    y.backward(dy);
    torch::Tensor means = torch::empty({5});
    torch::Tensor variances = torch::empty({5});
    measure(how, data(x), data(means), data(variances));
    const torch::Tensor deviations = torch::rsqrt(variances + 1e-5);
    torch::Tensor ours = torch::empty_like(x);
    const torch::Tensor scales = (weights * deviations).detach();
    normalise({how, relu}, data(x), data(means), data(scales), data(shifts), data(ours));
    EXPECT_TRUE(near(ours.view({1, 5, -1}), y));
    torch::Tensor dx = torch::empty_like(x);
    torch::Tensor dw = torch::empty({5});
    torch::Tensor ds = torch::empty({5});
    normalise_back({how, relu}, data(x), data(means), data(deviations), data(weights), data(shifts), data(dy), data(dx),
                   data(dw), data(ds));
    EXPECT_TRUE(near(dx, x.grad()));
    EXPECT_TRUE(near(dw, weights.grad()));
    EXPECT_TRUE(near(ds, shifts.grad()));
  }
  torch::Tensor z = some({5, 3, 64, 16});
  torch::Tensor x = some({5, 3, 64, 16});
  torch::Tensor scales = some({5, 3, 1, 16});
  torch::Tensor shifts = some({5, 3, 1, 16});
  const torch::Tensor y = torch::relu(z * scales + shifts + x);
  const torch::Tensor dy = torch::randn_like(y);
  y.backward(dy);
  torch::Tensor ours = torch::empty_like(x);
  join(how, data(z), data(scales), data(shifts), data(x), data(ours));
  EXPECT_TRUE(near(ours, y));
  torch::Tensor dz = torch::empty_like(z);
  torch::Tensor dx = torch::empty_like(x);
  torch::Tensor dscales = torch::empty_like(scales);
  torch::Tensor dshifts = torch::empty_like(shifts);
  join_back(how, data(z), data(scales), data(y), data(dy), data(dz), data(dscales), data(dshifts), data(dx));
  EXPECT_TRUE(near(dz, z.grad()) && near(dx, x.grad()));
  EXPECT_TRUE(near(dscales, scales.grad()) && near(dshifts, shifts.grad()));
  torch::Tensor means = torch::empty({5, 3, 16});
  average(how, data(x), data(means));
  EXPECT_TRUE(near(means, x.mean(2)));
  average_back(how, data(means), data(dx));
  EXPECT_TRUE(near(dx, (means / 64).unsqueeze(2).expand_as(dx)));
}

TEST(Layers, PairUpAsTheFrameworkDoes) {
  torch::manual_seed(3);
  torch::Tensor asking = torch::randn({5, 3, 64, 16}, torch::requires_grad());
  torch::Tensor offering = torch::randn({5, 3, 64, 16}, torch::requires_grad());
  const torch::Tensor from = torch::randint(3 * 64 * 16, {1100}, torch::kLong);
  const torch::Tensor to = torch::randint(3 * 64 * 16, {1100}, torch::kLong);
  const torch::Tensor sums = (asking.flatten(1).index_select(1, from) * offering.flatten(1).index_select(1, to)).sum(0);
  const torch::Tensor some = torch::randn_like(sums);
  sums.backward(some);
  const Pairs how{{5, 3, 2}, 1100, from.data_ptr<std::int64_t>(), to.data_ptr<std::int64_t>()};
  torch::Tensor ours = torch::empty_like(sums);
  pair_up(how, asking.data_ptr<float>(), offering.data_ptr<float>(), ours.data_ptr<float>());
  EXPECT_TRUE(torch::allclose(ours, sums, 1e-4, 1e-4));
  torch::Tensor asking_gradient = torch::zeros_like(asking);
  torch::Tensor offering_gradient = torch::zeros_like(offering);
  pair_up_back(how, asking.data_ptr<float>(), offering.data_ptr<float>(), some.data_ptr<float>(),
               asking_gradient.data_ptr<float>(), offering_gradient.data_ptr<float>());
  EXPECT_TRUE(torch::allclose(asking_gradient, asking.grad(), 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(offering_gradient, offering.grad(), 1e-4, 1e-4));
}

// A game of people comes up more often than one of the teacher's.
TEST(Samples, FavourGamesOfPeople) {
  std::vector<TaughtGame> games{some_game(20, 1200), some_game(20, 2200)};
  games[1].by_people = true;
  Samples samples(games, 1);
  int people = 0;
  for (int i = 0; i < 2000; ++i) {
    if (samples.next().planes[nn::leela_planes - 2].value > 2) ++people;
  }
  EXPECT_NEAR(people / 2000.0, 3.0 / 4, 0.05);
}

// The batch that restores normalisation is answered as the network it was taken from answers, and so is what comes
// after.
TEST(NetTest, GoesOnWhereAFoldedNetworkStood) {
  torch::manual_seed(4);
  const NetShape shape{16, 2};
  const torch::Tensor planes = torch::randn({nn::own_planes, 4, 64, 16});
  const NetImpl::Moves moves{torch::randint(16 * 4 * 64 * 16, {50}, torch::kLong),
                             torch::randint(4 * 64 * 16, {50}, torch::kLong),
                             torch::randint(4 * 64 * 16, {50}, torch::kLong)};
  Net first(shape);
  const torch::NoGradGuard no_gradients;
  torch::nn::init::normal_(first->pairing->weight, 0, 0.1);
  torch::nn::init::normal_(first->input->norm->bias);
  for (int i = 0; i < 5; ++i) first->forward(planes * (i + 1), moves);  // its normalisation is not this batch's
  first->eval();
  const auto wanted = first->forward(planes, moves);
  Net second(shape);
  second->take(first->weights());
  const auto learning = second->forward(planes, moves);
  second->eval();
  const auto after = second->forward(planes, moves);
  for (const auto& answers : {learning, after}) {
    EXPECT_TRUE(torch::allclose(answers.moves, wanted.moves, 1e-3, 1e-3));
    EXPECT_TRUE(torch::allclose(answers.results, wanted.results, 1e-3, 1e-3));
  }
  EXPECT_EQ(shape_of(first->weights()), shape);
}

// More channels, blocks and planes, and still nearly the same answers.
TEST(Grow, AnswersAsTheSmallerNetworkDoes) {
  torch::manual_seed(5);
  Net small(NetShape{16, 2});
  const torch::NoGradGuard no_gradients;
  torch::nn::init::normal_(small->pairing->weight, 0, 0.1);
  small->eval();
  const nn::Network before(small->weights());
  const nn::Network after(grown(small->weights(), 32, 3, 1));
  const chess::PositionHistory history(chess::Position::start());
  const nn::Planes planes = nn::encode_planes(history, 1500, 1500);
  std::vector<nn::PolicySlot> slots;
  for (const chess::Move m : chess::legal_moves(history.newest())) {
    slots.push_back(nn::policy_slot(m, chess::Colour::white));
  }
  const nn::NetworkInput input{&planes, slots};
  std::array<nn::NetworkOutput, 2> outputs;
  before.run({&input, 1}, true, {&outputs[0], 1});
  after.run({&input, 1}, true, {&outputs[1], 1});
  for (std::size_t i = 0; i < slots.size(); ++i) EXPECT_NEAR(outputs[1].logits[i], outputs[0].logits[i], 0.1) << i;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(outputs[1].wdl[i], outputs[0].wdl[i], 0.02);
}

TEST_F(TrainTest, LearnsTwoHundredPositionsByHeart) {
  write_games();
  const TrainCommand command = small_training(400);
  ASSERT_TRUE(train(command));
  const auto model = packed(command.out, folder + "/net");
  std::size_t right = 0;
  std::size_t all = 0;
  for (int rating = 1100; rating <= 1500; rating += 100) {
    chess::PositionHistory history(chess::Position::start());
    for (const TaughtPly& ply : some_game(40, rating).plies) {
      const auto answer = model->predict(std::vector<human::Query>{{history, rating, rating}}, human::Want::moves);
      const auto& moves = answer->front().moves;
      const auto most = std::max_element(moves.begin(), moves.end(),
                                         [](const auto& a, const auto& b) { return a.probability < b.probability; });
      right += most - moves.begin() == static_cast<std::ptrdiff_t>(ply.played) ? 1U : 0U;
      ++all;
      history.play(moves[ply.played].move);
    }
  }
  EXPECT_GT(static_cast<double>(right) / static_cast<double>(all), 0.95) << right << " of " << all;
}

// From a network file, and again from the checkpoint of that: the file must not come back.
TEST_F(TrainTest, GoesOnFromAFileAndThenFromTheCheckpoint) {
  write_games();
  TrainCommand command = small_training(30);
  ASSERT_TRUE(train(command));
  const auto first = packed(command.out, folder + "/first");
  command.from = folder + "/first";
  command.channels = 48;  // not heeded: the file has the size
  command.out = folder + "/second";
  command.millions *= 5;
  ASSERT_TRUE(train(command));
  const auto second = packed(command.out, folder + "/second-net");
  command.millions *= 1.1;
  command.step_size = 0;
  ASSERT_TRUE(train(command));
  const auto third = packed(command.out, folder + "/third-net");

  chess::PositionHistory history(chess::Position::start());
  double learnt = 0;
  double moved = 0;
  for (const TaughtPly& ply : some_game(40, 1300).plies) {
    const std::vector<human::Query> query{{history, 1300, 1300}};
    const auto probability = [&](human::HumanModel& model) {
      return model.predict(query, human::Want::moves)->front().moves[ply.played].probability;
    };
    learnt += probability(*second) - probability(*first);
    moved += std::abs(probability(*third) - probability(*second));
    history.play(chess::legal_moves(history.newest())[ply.played]);
  }
  EXPECT_GT(learnt, 4) << "of 40 positions";
  EXPECT_LT(moved, 1) << "of 40 positions";
}

TEST_F(TrainTest, SaysWhatIsWrongWithAnOrder) {
  write_games();
  std::ofstream(folder + "/damaged") << "PMHUMAN";
  struct Case {
    const char* name;
    void (*spoil)(TrainCommand&, const std::string& folder);
    const char* sentence;
  };
  const Case cases[] = {
      {"channels", [](TrainCommand& c, const std::string&) { c.channels = 50; }, "multiple of 4"},
      {"batch", [](TrainCommand& c, const std::string&) { c.batch = 20; }, "multiple of 16"},
      {"no such network", [](TrainCommand& c, const std::string& f) { c.from = f + "/none"; }, "cannot read"},
      {"a damaged network", [](TrainCommand& c, const std::string& f) { c.from = f + "/damaged"; }, "/damaged: "},
      {"no such data", [](TrainCommand& c, const std::string& f) { c.data = {f + "/none"}; }, "cannot read"},
  };
  for (const Case& each : cases) {
    TrainCommand command = small_training(1);
    each.spoil(command, folder);
    const auto done = train(command);
    ASSERT_FALSE(done) << each.name;
    EXPECT_NE(done.error().sentence.find(each.sentence), std::string::npos) << done.error().sentence;
  }
}

TEST_F(TrainTest, TheTeacherPlaysAndJudgesGamesOfPeopleAndPuzzles) {
  const auto models = shared_data("maia1");
  const auto games = shared_data("games/lichess-3000.pgn.zst");
  const auto puzzles = shared_data("puzzles/lichess-puzzles-60k.csv.zst");
  if (!models || !games || !puzzles) GTEST_SKIP() << no_shared_data;
  DataCommand command;
  command.models = *models;
  command.games = *games;
  command.keep_out = 2995;
  command.puzzles = *puzzles;
  command.first_puzzles = 7;
  command.out = folder + "/data";
  command.positions = 100;
  ASSERT_TRUE(make_data(command));
  const auto made = read_data(command.out);
  ASSERT_TRUE(made) << made.error().sentence;
  std::size_t people = 0;
  std::size_t from_puzzles = 0;
  std::size_t positions = 0;
  for (const TaughtGame& game : *made) {
    EXPECT_EQ(all_samples(game).size(), game.plies.size());
    positions += game.plies.size();
    if (game.by_people) ++people;
    if (!game.start.empty()) ++from_puzzles;
  }
  EXPECT_EQ(people, 5U);
  EXPECT_EQ(from_puzzles, 7U);
  EXPECT_GE(positions, 100U);
}

}  // namespace
}  // namespace pm::train
