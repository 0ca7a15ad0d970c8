// How far a training has come, in one file that is replaced as a whole: a run that is killed goes on from the last one.
#pragma once

#include <string>

#include "base/error.h"
#include "train/net.h"
#include "train/optimizer.h"

namespace pm::train {

struct Checkpoint {
  std::int64_t step = 0;
  NetShape shape;
};

std::string checkpoint_path(const std::string& run);

void save_checkpoint(const std::string& run, std::int64_t step, Net& net, Optimizer& optimizer);

// Fills the net, which must have the shape of the one that was saved, and the optimizer; either may be null.
Expected<Checkpoint> load_checkpoint(const std::string& run, Optimizer* optimizer, Net* net);

}  // namespace pm::train
