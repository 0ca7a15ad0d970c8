// The way down the gradient. The weights of convolutions before batch normalisation, whose length means nothing, are
// turned: each step is the momentum with all its singular values made equal (Muon), by an angle that is the rate.
// Everything else goes by AdamW.
#pragma once

#include <torch/torch.h>

#include "train/net.h"

namespace pm::train {

class Optimizer {
 public:
  explicit Optimizer(Net& net);

  // `part` is 1 at the beginning and falls to 0.
  void step(double part);
  void zero_grad();

  void save(torch::serialize::OutputArchive& archive);
  void load(torch::serialize::InputArchive& archive);

 private:
  struct Turned {
    torch::Tensor weight;
    torch::Tensor momentum;
    double length;  // kept
  };

  std::vector<Turned> turned_;
  std::unique_ptr<torch::optim::AdamW> others_;
};

}  // namespace pm::train
