#include "human/maia.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/read_file.h"
#include "base/sha256.h"
#include "human/answers.h"
#include "nn/leela_file.h"

namespace pm::human {
namespace {

constexpr std::size_t most_file_bytes = std::size_t{64} << 20;  // Maia-1 networks have 1.3 MB

// A level's network, loaded by whoever needs it first.
class Level {
 public:
  explicit Level(MaiaFile file) : file_(std::move(file)) {}

  int rating() const { return file_.level; }

  const std::string& path() const { return file_.path; }

  // To be called once, before anything else.
  Expected<std::string> take_sum() {
    const auto bytes = read_file(file_.path, most_file_bytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return sum_ = sha256_hex(*bytes);
  }

  Expected<const nn::Network*> network() {
    const std::scoped_lock lock(mutex_);
    if (network_) return network_.get();
    const auto bytes = read_file(file_.path, most_file_bytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    if (sha256_hex(*bytes) != sum_) {
      return fail(ErrorCode::weights_format, fmt::format("{}: the file was changed while in use", file_.path));
    }
    const auto weights = nn::parse_leela(*bytes);
    if (!weights) {
      return fail(weights.error().code, fmt::format("{}: {}", file_.path, weights.error().sentence));
    }
    network_ = std::make_unique<nn::Network>(*weights);
    return network_.get();
  }

 private:
  MaiaFile file_;
  std::string sum_;
  std::mutex mutex_;
  std::unique_ptr<nn::Network> network_;
};

// Which queries a network has to answer, and what part of each answer is its.
struct Job {
  std::size_t query;
  double share;
};

class MaiaFamily final : public HumanModel {
 public:
  MaiaFamily(std::vector<std::unique_ptr<Level>> levels, ModelIdentity identity, int threads)
      : levels_(std::move(levels)), identity_(std::move(identity)), threads_(static_cast<std::size_t>(threads)) {}

  const ModelIdentity& identity() const override { return identity_; }

  Expected<std::vector<Prediction>> predict(std::span<const Query> queries, Want want) override {
    std::vector<Prediction> predictions(queries.size());
    for (std::size_t done = 0; done < queries.size(); done += most_at_once) {
      const std::size_t now = std::min(most_at_once, queries.size() - done);
      const auto some = predict_some(queries.subspan(done, now), want, std::span(predictions).subspan(done, now));
      if (!some) return tl::make_unexpected(some.error());
    }
    return predictions;
  }

 private:
  Expected<void> predict_some(std::span<const Query> queries, Want want, std::span<Prediction> predictions) {
    std::vector<std::vector<Job>> jobs(levels_.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (auto covered = check_rating(queries[i].rating); !covered) return covered;
      share_out(queries[i].rating, i, jobs);
    }
    std::vector<const nn::Network*> networks(levels_.size());
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      if (jobs[level].empty()) continue;
      const auto network = levels_[level]->network();
      if (!network) return tl::make_unexpected(network.error());
      networks[level] = *network;
    }
    std::vector<Encoded> encoded(queries.size());
    in_parts(threads_, queries.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        encoded[i] = encode(queries[i].history, nn::encode_planes(queries[i].history));
        predictions[i].moves.resize(encoded[i].moves.size());
      }
    });
    for (std::size_t level = 0; level < levels_.size(); ++level) {  // lowest first, so that sums are always the same
      if (jobs[level].empty()) continue;
      std::atomic<bool> sound = true;
      in_parts(threads_, jobs[level].size(), [&](std::size_t begin, std::size_t end) {
        answer(*networks[level], std::span(jobs[level]).subspan(begin, end - begin), want, sound, encoded, predictions);
      });
      if (!sound) {
        return fail(ErrorCode::weights_format,
                    fmt::format("{}: the network's answers are not finite numbers", levels_[level]->path()));
      }
    }
    return {};
  }

  // The neighbours of a covered rating and their parts.
  void share_out(int rating, std::size_t query, std::vector<std::vector<Job>>& jobs) const {
    std::size_t above = 0;
    while (levels_[above]->rating() < rating) ++above;
    const int upper = levels_[above]->rating();
    if (upper == rating) {
      jobs[above].push_back({query, 1});
      return;
    }
    const int lower = levels_[above - 1]->rating();
    const double share = static_cast<double>(rating - lower) / (upper - lower);
    jobs[above - 1].push_back({query, 1 - share});
    jobs[above].push_back({query, share});
  }

  // `sound` becomes false when the network gives something that is no number.
  static void answer(const nn::Network& network, std::span<const Job> jobs, Want want, std::atomic<bool>& sound,
                     std::span<const Encoded> encoded, std::span<Prediction> predictions) {
    std::vector<nn::NetworkInput> inputs;
    inputs.reserve(jobs.size());
    for (const Job& job : jobs) inputs.push_back({&encoded[job.query].planes, encoded[job.query].slots});
    std::vector<nn::NetworkOutput> outputs(jobs.size());
    network.run(inputs, want == Want::moves_and_result, outputs);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (!is_finite(outputs[i])) sound = false;
      add_answer(encoded[jobs[i].query].moves, outputs[i], jobs[i].share, predictions[jobs[i].query]);
    }
  }

  std::vector<std::unique_ptr<Level>> levels_;
  ModelIdentity identity_;
  std::size_t threads_;
};

}  // namespace

std::optional<int> maia_level(std::string_view name) {
  constexpr std::string_view prefix = "maia-";
  constexpr std::string_view suffix = ".pb.gz";
  if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() < prefix.size() + suffix.size()) {
    return std::nullopt;
  }
  const auto level = parse_number<int>(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
  // Only the name as it would be written: maia-01500 beside maia-1500 would be the same level twice.
  if (!level || *level <= 0 || name != fmt::format("{}{}{}", prefix, *level, suffix)) return std::nullopt;
  return level;
}

std::vector<MaiaFile> find_maia_files(const std::string& folder) {
  std::vector<MaiaFile> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (const auto level = maia_level(entry.path().filename().string()))
      files.push_back({*level, entry.path().string()});
  }
  std::sort(files.begin(), files.end(), [](const MaiaFile& a, const MaiaFile& b) { return a.level < b.level; });
  return files;
}

Expected<std::shared_ptr<HumanModel>> open_maia(std::vector<MaiaFile> files, int threads) {
  std::vector<std::unique_ptr<Level>> levels;
  levels.reserve(files.size());
  for (MaiaFile& file : files) levels.push_back(std::make_unique<Level>(std::move(file)));

  std::vector<Expected<std::string>> sums(levels.size());
  {
    const auto workers = static_cast<std::size_t>(std::max(1, threads));
    std::vector<std::jthread> at_work;
    at_work.reserve(workers);
    for (std::size_t worker = 0; worker < workers; ++worker) {
      at_work.emplace_back([&, worker] {
        for (std::size_t i = worker; i < levels.size(); i += workers) sums[i] = levels[i]->take_sum();
      });
    }
  }
  ModelIdentity identity{"Maia-1", {}, {}, {}};
  std::string all;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!sums[i]) return tl::make_unexpected(sums[i].error());
    identity.ratings.steps.push_back(levels[i]->rating());
    identity.files.push_back({levels[i]->path(), *sums[i]});
    all += fmt::format("{} {}\n", levels[i]->rating(), *sums[i]);
  }
  identity.sha256 = levels.size() == 1 ? *sums[0] : sha256_hex(all);
  return std::make_shared<MaiaFamily>(std::move(levels), std::move(identity), std::max(1, threads));
}

}  // namespace pm::human
