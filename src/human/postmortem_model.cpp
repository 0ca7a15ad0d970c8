#include "human/postmortem_model.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/read_file.h"
#include "base/sha256.h"
#include "human/answers.h"
#include "nn/network_file.h"

namespace pm::human {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;

class PostmortemModel final : public HumanModel {
 public:
  PostmortemModel(const nn::OwnNetwork& network, ModelIdentity identity, int threads)
      : network_(network.weights), identity_(std::move(identity)), threads_(static_cast<std::size_t>(threads)) {}

  const ModelIdentity& identity() const override { return identity_; }

  Expected<std::vector<Prediction>> predict(std::span<const Query> queries, Want want) override {
    return predict_in_parts(*this, queries, threads_, [&](std::span<const Query> some, Prediction* predictions) {
      return answer(some, want, predictions);
    });
  }

 private:
  // False: an answer is no number.
  bool answer(std::span<const Query> queries, Want want, Prediction* predictions) const {
    std::vector<Encoded> encoded;
    encoded.reserve(queries.size());
    std::vector<nn::NetworkInput> inputs;
    inputs.reserve(queries.size());
    for (const Query& query : queries) {
      encoded.push_back(encode(query.history, nn::encode_planes(query.history, query.rating, query.opponent_rating)));
      inputs.push_back({&encoded.back().planes, encoded.back().slots});
    }
    std::vector<nn::NetworkOutput> outputs(queries.size());
    network_.run(inputs, want == Want::moves_and_result, outputs);
    bool sound = true;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      sound = sound && is_finite(outputs[i]);
      predictions[i].moves.resize(encoded[i].moves.size());
      add_answer(encoded[i].moves, outputs[i], 1, predictions[i]);
    }
    return sound;
  }

  nn::Network network_;
  ModelIdentity identity_;
  std::size_t threads_;
};

Expected<std::shared_ptr<PostmortemModel>> open(std::string_view bytes, std::vector<ModelFile> files, int threads) {
  const auto network = nn::parse_network(bytes);
  if (!network) return tl::make_unexpected(network.error());
  ModelIdentity identity{network->name, ratings_from(network->lowest_rating, network->highest_rating),
                         sha256_hex(bytes), std::move(files)};
  return std::make_shared<PostmortemModel>(*network, std::move(identity), std::max(1, threads));
}

}  // namespace

Expected<std::shared_ptr<HumanModel>> open_postmortem_model(std::string_view bytes, int threads) {
  return open(bytes, {}, threads);
}

std::vector<std::string> find_postmortem_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".net") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Expected<std::shared_ptr<HumanModel>> open_postmortem_file(const std::string& path, int threads) {
  const auto bytes = read_file(path, most_bytes);
  if (!bytes) return tl::make_unexpected(bytes.error());
  auto model = open(*bytes, {{path, sha256_hex(*bytes)}}, threads);
  if (!model) return fail(model.error().code, fmt::format("{}: {}", path, model.error().sentence));
  return *model;
}

}  // namespace pm::human
