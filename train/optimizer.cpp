#include "train/optimizer.h"

#include <fmt/format.h>

namespace pm::train {
namespace {

using torch::Tensor;

constexpr double turn_rate = 0.012;  // the angle of a step, about
constexpr double other_rate = 3e-3;
constexpr double momentum_kept = 0.95;

// The nearest matrix with all singular values about 1, by five steps of a polynomial that pushes them there.
Tensor levelled(const Tensor& gradient) {
  Tensor x = gradient.flatten(1);
  const bool tall = x.size(0) > x.size(1);
  if (tall) x = x.t();
  x = x / (x.norm() + 1e-7);
  for (int i = 0; i < 5; ++i) {
    const Tensor a = x.mm(x.t());
    x = 3.4445 * x + (-4.7750 * a + 2.0315 * a.mm(a)).mm(x);
  }
  if (tall) x = x.t();
  return x.reshape(gradient.sizes());
}

}  // namespace

Optimizer::Optimizer(Net& net) {
  std::vector<Tensor> others;
  for (const auto& parameter : net->named_parameters()) {
    const Tensor& weight = parameter.value();
    if (weight.dim() == 4 && parameter.key().find("convolution") != std::string::npos) {
      turned_.push_back({weight, torch::zeros_like(weight), weight.norm().item<double>()});
    } else {
      others.push_back(weight);
    }
  }
  others_ = std::make_unique<torch::optim::AdamW>(others, torch::optim::AdamWOptions(other_rate).weight_decay(1e-4));
}

void Optimizer::step(double part) {
  const torch::NoGradGuard no_gradients;
  for (Turned& each : turned_) {
    const Tensor& gradient = each.weight.grad();
    each.momentum.mul_(momentum_kept).add_(gradient);
    const Tensor turn = levelled(gradient + momentum_kept * each.momentum);
    each.weight.sub_(turn * (turn_rate * part * each.length / turn.norm()));
    each.weight.mul_(each.length / each.weight.norm());
  }
  for (auto& group : others_->param_groups()) {
    static_cast<torch::optim::AdamWOptions&>(group.options()).lr(other_rate * part);
  }
  others_->step();
}

void Optimizer::zero_grad() {
  for (Turned& each : turned_) each.weight.mutable_grad().reset();
  others_->zero_grad();
}

void Optimizer::save(torch::serialize::OutputArchive& archive) {
  for (std::size_t i = 0; i < turned_.size(); ++i) archive.write(fmt::format("momentum{}", i), turned_[i].momentum);
  torch::serialize::OutputArchive others;
  others_->save(others);
  archive.write("others", others);
}

void Optimizer::load(torch::serialize::InputArchive& archive) {
  for (std::size_t i = 0; i < turned_.size(); ++i) {
    archive.read(fmt::format("momentum{}", i), turned_[i].momentum);
    turned_[i].length = turned_[i].weight.norm().item<double>();
  }
  torch::serialize::InputArchive others;
  archive.read("others", others);
  others_->load(others);
}

}  // namespace pm::train
