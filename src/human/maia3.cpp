#include "human/maia3.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/read_file.h"
#include "base/sha256.h"
#include "human/answers.h"
#include "nn/onnx_file.h"
#include "nn/transformer.h"

namespace pm::human {
namespace {

constexpr std::size_t most_graph_bytes = std::size_t{64} << 20U;
constexpr std::size_t most_data_bytes = std::size_t{2} << 30U;
constexpr int lowest_rating = 600;
constexpr int highest_rating = 2600;

// The one that everybody has by its name alone, others with their size: what was measured of one is not of another.
std::string name_of(const nn::Maia3Weights& weights) {
  constexpr std::size_t usual_width = 256;
  constexpr std::size_t usual_blocks = 8;
  if (weights.width == usual_width && weights.blocks.size() == usual_blocks) return "Maia-3";
  return fmt::format("Maia-3 {}x{}", weights.blocks.size(), weights.width);
}

class Maia3Model final : public HumanModel {
 public:
  Maia3Model(const nn::Maia3Weights& weights, ModelIdentity identity, int threads)
      : network_(weights), identity_(std::move(identity)), threads_(static_cast<std::size_t>(threads)) {}

  const ModelIdentity& identity() const override { return identity_; }

  Expected<std::vector<Prediction>> predict(std::span<const Query> queries, Want want) override {
    return predict_in_parts(*this, queries, threads_, [&](std::span<const Query> some, Prediction* predictions) {
      return answer(some, want, predictions);
    });
  }

 private:
  // A position as the network is asked about it.
  struct Asked {
    chess::MoveList moves;
    nn::Maia3Squares squares;
    std::vector<nn::Maia3Move> slots;
  };

  // False: an answer is no number.
  bool answer(std::span<const Query> queries, Want want, Prediction* predictions) const {
    std::vector<Asked> asked;
    asked.reserve(queries.size());
    std::vector<nn::Maia3Input> inputs;
    inputs.reserve(queries.size());
    for (const Query& query : queries) {
      const chess::Position& position = query.history.newest();
      asked.push_back({chess::legal_moves(position), nn::encode_maia3(query.history, network_.boards()), {}});
      Asked& now = asked.back();
      now.slots.reserve(now.moves.size());
      for (const chess::Move m : now.moves) now.slots.push_back(nn::maia3_move(m, position.side_to_move()));
      inputs.push_back({&now.squares, query.rating, query.opponent_rating, now.slots});
    }
    std::vector<nn::NetworkOutput> outputs(queries.size());
    network_.run(inputs, want == Want::moves_and_result, outputs);
    bool sound = true;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      sound = sound && is_finite(outputs[i]);
      predictions[i].moves.resize(asked[i].moves.size());
      add_answer(asked[i].moves, outputs[i], 1, predictions[i]);
    }
    return sound;
  }

  nn::Maia3Network network_;
  ModelIdentity identity_;
  std::size_t threads_;
};

}  // namespace

std::vector<std::string> find_maia3_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("maia3") && name.ends_with(".onnx")) files.push_back(entry.path().string());
  }
  const auto size_of = [](const std::string& file) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file + ".data", unknown);
    return unknown ? std::uintmax_t{0} : size;
  };
  std::sort(files.begin(), files.end(), [&](const std::string& a, const std::string& b) {
    return std::pair(size_of(a), a) < std::pair(size_of(b), b);
  });
  return files;
}

Expected<std::shared_ptr<HumanModel>> open_maia3(const std::string& graph_path, int threads) {
  const auto graph = read_file(graph_path, most_graph_bytes);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto wrong = [&](const Error& error) {
    return fail(error.code, fmt::format("{}: {}", graph_path, error.sentence));
  };
  const auto beside = nn::external_file(*graph);
  if (!beside) return wrong(beside.error());
  ModelIdentity identity{
      "", ratings_from(lowest_rating, highest_rating), sha256_hex(*graph), {{graph_path, sha256_hex(*graph)}}};
  std::string data;
  if (!beside->empty()) {
    const std::string data_path = (std::filesystem::path(graph_path).parent_path() / *beside).string();
    auto read = read_file(data_path, most_data_bytes);
    if (!read) return tl::make_unexpected(read.error());
    data = std::move(*read);
    identity.files.push_back({data_path, sha256_hex(data)});
    identity.sha256 = sha256_hex(fmt::format("{}\n{}\n", identity.files[0].sha256, identity.files[1].sha256));
  }
  const auto weights = nn::parse_maia3(*graph, data);
  if (!weights) return wrong(weights.error());
  identity.name = name_of(*weights);
  return std::make_shared<Maia3Model>(*weights, std::move(identity), std::max(1, threads));
}

}  // namespace pm::human
