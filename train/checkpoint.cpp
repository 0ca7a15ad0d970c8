#include "train/checkpoint.h"

#include <filesystem>

#include <fmt/format.h>

namespace pm::train {
namespace {

torch::Tensor numbers_of(std::int64_t step, const NetShape& shape) {
  return torch::tensor({step, static_cast<std::int64_t>(shape.channels), static_cast<std::int64_t>(shape.blocks)});
}

}  // namespace

std::string checkpoint_path(const std::string& run) { return run + "/checkpoint.pt"; }

void save_checkpoint(const std::string& run, std::int64_t step, Net& net, Optimizer& optimizer) {
  torch::serialize::OutputArchive all;
  torch::serialize::OutputArchive weights;
  torch::serialize::OutputArchive steps;
  net->save(weights);
  optimizer.save(steps);
  all.write("numbers", numbers_of(step, net->shape));
  all.write("net", weights);
  all.write("optimizer", steps);
  const std::string unfinished = checkpoint_path(run) + ".part";
  all.save_to(unfinished);
  std::filesystem::rename(unfinished, checkpoint_path(run));
}

Expected<Checkpoint> load_checkpoint(const std::string& run, Optimizer* optimizer, Net* net) {
  try {
    torch::serialize::InputArchive all;
    all.load_from(checkpoint_path(run));
    torch::Tensor numbers;
    all.read("numbers", numbers);
    Checkpoint checkpoint;
    checkpoint.step = numbers[0].item<std::int64_t>();
    checkpoint.shape.channels = static_cast<int>(numbers[1].item<std::int64_t>());
    checkpoint.shape.blocks = static_cast<int>(numbers[2].item<std::int64_t>());
    if (net != nullptr) {
      if ((*net)->shape.channels != checkpoint.shape.channels || (*net)->shape.blocks != checkpoint.shape.blocks) {
        return fail(ErrorCode::bad_input, fmt::format("{} has a network of {} channels and {} blocks", run,
                                                      checkpoint.shape.channels, checkpoint.shape.blocks));
      }
      torch::serialize::InputArchive weights;
      all.read("net", weights);
      (*net)->load(weights);
    }
    if (optimizer != nullptr) {
      torch::serialize::InputArchive steps;
      all.read("optimizer", steps);
      optimizer->load(steps);
    }
    return checkpoint;
  } catch (const c10::Error&) {
    return fail(ErrorCode::file_damaged, fmt::format("{} cannot be read", checkpoint_path(run)));
  }
}

}  // namespace pm::train
