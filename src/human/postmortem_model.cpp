#include "human/postmortem_model.h"

#include "base/sha256.h"
#include "human/answers.h"
#include "nn/network_file.h"

namespace pm::human {
namespace {

constexpr int level_step = 100;

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

}  // namespace

Expected<std::shared_ptr<HumanModel>> open_postmortem_model(std::string_view bytes, int threads) {
  const auto network = nn::parse_network(bytes);
  if (!network) return tl::make_unexpected(network.error());
  ModelIdentity identity{network->name, {}, sha256_hex(bytes), {}};
  for (int level = network->lowest_rating; level < network->highest_rating; level += level_step) {
    identity.levels.push_back(level);
  }
  identity.levels.push_back(network->highest_rating);
  return std::make_shared<PostmortemModel>(*network, std::move(identity), std::max(1, threads));
}

}  // namespace pm::human
