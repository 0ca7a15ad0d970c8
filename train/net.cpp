#include "train/net.h"

#include "nn/planes.h"
#include "nn/policy_map.h"
#include "train/layers.h"
#include "train/winograd.h"

namespace pm::train {
namespace {

using torch::Tensor;

std::vector<float> floats_of(const Tensor& tensor) {
  const Tensor flat = tensor.detach().to(torch::kFloat).contiguous().flatten();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

Convolution convolution_of(const Tensor& boards, const Tensor& weights) {
  return {static_cast<std::size_t>(weights.size(1)), static_cast<std::size_t>(weights.size(0)),
          static_cast<std::size_t>(boards.size(1)), torch::get_num_threads()};
}

struct Winograd : torch::autograd::Function<Winograd> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& boards, const Tensor& weights) {
    context->save_for_backward({boards, weights});
    Tensor results = torch::empty({weights.size(0), boards.size(1), boards.size(2), boards.size(3)});
    convolve(convolution_of(boards, weights), boards.data_ptr<float>(), weights.data_ptr<float>(),
             results.data_ptr<float>());
    return results;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor& boards = saved[0];
    const Tensor& weights = saved[1];
    const Tensor results_gradient = gradients[0].contiguous();
    const bool wanted = context->needs_input_grad(0);
    Tensor boards_gradient = wanted ? torch::empty_like(boards) : Tensor();
    Tensor weights_gradient = torch::empty_like(weights);
    convolve_back(convolution_of(boards, weights), boards.data_ptr<float>(), weights.data_ptr<float>(),
                  results_gradient.data_ptr<float>(), wanted ? boards_gradient.data_ptr<float>() : nullptr,
                  weights_gradient.data_ptr<float>());
    return {boards_gradient, weights_gradient};
  }
};

Tensor convolved(const Tensor& boards, const Tensor& weights) {
  if (weights.size(2) == 3) return Winograd::apply(boards, weights);
  return weights.flatten(1)
      .matmul(boards.flatten(1))
      .view({weights.size(0), boards.size(1), boards.size(2), boards.size(3)});
}

Boards boards_of(const Tensor& x) {
  return {static_cast<std::size_t>(x.size(0)), static_cast<std::size_t>(x.size(1)), torch::get_num_threads()};
}

struct Normal : torch::autograd::Function<Normal> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x, const Tensor& weights,
                        const Tensor& shifts, const Tensor& means, const Tensor& deviations, bool relu) {
    context->save_for_backward({x, weights, shifts, means, deviations});
    context->saved_data["relu"] = relu;
    Tensor y = torch::empty_like(x);
    const Tensor scales = weights * deviations;
    normalise({boards_of(x), relu}, x.data_ptr<float>(), means.data_ptr<float>(), scales.data_ptr<float>(),
              shifts.data_ptr<float>(), y.data_ptr<float>());
    return y;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor y_gradient = gradients[0].contiguous();
    Tensor x_gradient = torch::empty_like(saved[0]);
    Tensor weights_gradient = torch::empty_like(saved[1]);
    Tensor shifts_gradient = torch::empty_like(saved[2]);
    normalise_back({boards_of(saved[0]), context->saved_data["relu"].toBool()}, saved[0].data_ptr<float>(),
                   saved[3].data_ptr<float>(), saved[4].data_ptr<float>(), saved[1].data_ptr<float>(),
                   saved[2].data_ptr<float>(), y_gradient.data_ptr<float>(), x_gradient.data_ptr<float>(),
                   weights_gradient.data_ptr<float>(), shifts_gradient.data_ptr<float>());
    return {x_gradient, weights_gradient, shifts_gradient, Tensor(), Tensor(), Tensor()};
  }
};

struct Average : torch::autograd::Function<Average> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x) {
    context->saved_data["sizes"] = x.sizes();
    Tensor means = torch::empty({x.size(0), x.size(1), x.size(3)});
    average(boards_of(x), x.data_ptr<float>(), means.data_ptr<float>());
    return means;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const Tensor means_gradient = gradients[0].contiguous();
    Tensor x_gradient = torch::empty(context->saved_data["sizes"].toIntVector());
    average_back(boards_of(x_gradient), means_gradient.data_ptr<float>(), x_gradient.data_ptr<float>());
    return {x_gradient};
  }
};

struct Join : torch::autograd::Function<Join> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& z, const Tensor& scales,
                        const Tensor& shifts, const Tensor& x) {
    Tensor y = torch::empty_like(z);
    join(boards_of(z), z.data_ptr<float>(), scales.data_ptr<float>(), shifts.data_ptr<float>(), x.data_ptr<float>(),
         y.data_ptr<float>());
    context->save_for_backward({z, scales, y});
    return y;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor y_gradient = gradients[0].contiguous();
    Tensor z_gradient = torch::empty_like(saved[0]);
    Tensor scales_gradient = torch::empty_like(saved[1]);
    Tensor shifts_gradient = torch::empty_like(saved[1]);
    Tensor x_gradient = torch::empty_like(saved[0]);
    join_back(boards_of(saved[0]), saved[0].data_ptr<float>(), saved[1].data_ptr<float>(), saved[2].data_ptr<float>(),
              y_gradient.data_ptr<float>(), z_gradient.data_ptr<float>(), scales_gradient.data_ptr<float>(),
              shifts_gradient.data_ptr<float>(), x_gradient.data_ptr<float>());
    return {z_gradient, scales_gradient, shifts_gradient, x_gradient};
  }
};

// How well the squares of each move go together: the sum over channels of asking[from] * offering[to].
struct Pair : torch::autograd::Function<Pair> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& asking, const Tensor& offering,
                        const Tensor& from, const Tensor& to) {
    context->save_for_backward({asking, offering, from, to});
    Tensor sums = torch::zeros(from.sizes());
    pair_up(pairs_of(asking, from, to), asking.data_ptr<float>(), offering.data_ptr<float>(), sums.data_ptr<float>());
    return sums;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor sums_gradient = gradients[0].contiguous();
    Tensor asking_gradient = torch::zeros_like(saved[0]);
    Tensor offering_gradient = torch::zeros_like(saved[1]);
    pair_up_back(pairs_of(saved[0], saved[2], saved[3]), saved[0].data_ptr<float>(), saved[1].data_ptr<float>(),
                 sums_gradient.data_ptr<float>(), asking_gradient.data_ptr<float>(),
                 offering_gradient.data_ptr<float>());
    return {asking_gradient, offering_gradient, Tensor(), Tensor()};
  }

 private:
  static Pairs pairs_of(const Tensor& boards, const Tensor& from, const Tensor& to) {
    return {boards_of(boards), static_cast<std::size_t>(from.numel()), from.data_ptr<std::int64_t>(),
            to.data_ptr<std::int64_t>()};
  }
};

// As many numbers as there are in the tensor.
void fill(const std::vector<float>& numbers, const Tensor& tensor) {
  const torch::NoGradGuard no_gradients;
  tensor.copy_(torch::tensor(at::ArrayRef<float>(numbers)).view(tensor.sizes()));
}

template <class Module>
void fill(const nn::Layer& layer, const Module& module) {
  fill(layer.weights, module->weight);
  fill(layer.biases, module->bias);
}

nn::Layer layer_of(const torch::nn::Linear& linear) { return {floats_of(linear->weight), floats_of(linear->bias)}; }

}  // namespace

NetShape shape_of(const nn::Weights& weights) {
  const auto outputs = [](const nn::Layer& layer) { return static_cast<int>(layer.biases.size()); };
  return {static_cast<int>(weights.channels), static_cast<int>(weights.blocks.size()),
          weights.blocks.empty() ? 0 : outputs(weights.blocks.front().squeeze), outputs(weights.value1),
          outputs(weights.value2)};
}

NormedImpl::NormedImpl(int in, int out, int size)
    : convolution(register_module(
          "convolution", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, size).padding(size / 2).bias(false)))),
      norm(register_module("norm", torch::nn::BatchNorm1d(out))) {}

Tensor NormedImpl::forward(const Tensor& x, bool relu) {
  const Tensor y = convolved(x, convolution->weight);
  Tensor means = norm->running_mean;
  Tensor variances = norm->running_var;
  if (is_training()) {
    const torch::NoGradGuard no_gradients;
    means = torch::empty_like(means);
    variances = torch::empty_like(variances);
    const Boards boards = boards_of(y);
    measure(boards, y.data_ptr<float>(), means.data_ptr<float>(), variances.data_ptr<float>());
    const double kept = 1 - *norm->options.momentum();
    const auto count = static_cast<double>(boards.per_channel());
    if (taken_biases.defined()) {
      norm->weight.copy_(taken_scales * torch::sqrt(variances + norm->options.eps()));
      norm->bias.copy_(taken_biases + taken_scales * means);
      norm->running_mean.copy_(means);
      norm->running_var.copy_(variances);
      taken_scales.reset();
      taken_biases.reset();
    }
    norm->running_mean.mul_(kept).add_(means, 1 - kept);
    norm->running_var.mul_(kept).add_(variances, (1 - kept) * count / (count - 1));
  }
  return Normal::apply(y, norm->weight, norm->bias, means, torch::rsqrt(variances + norm->options.eps()), relu);
}

nn::Layer NormedImpl::folded() {
  const Tensor scale = norm->weight / torch::sqrt(norm->running_var + norm->options.eps());
  return {floats_of(convolution->weight * scale.view({-1, 1, 1, 1})),
          floats_of(norm->bias - norm->running_mean * scale)};
}

// The optimizer turns all filters of a convolution by about the same amount, so they are made equally long.
void NormedImpl::take(const nn::Layer& layer) {
  const torch::NoGradGuard no_gradients;
  fill(layer.weights, convolution->weight);
  const Tensor lengths = convolution->weight.flatten(1).norm(2, 1).clamp_min(1e-6);
  taken_scales = lengths / lengths.square().mean().sqrt();
  convolution->weight.div_(taken_scales.view({-1, 1, 1, 1}));
  taken_biases = torch::empty_like(norm->bias);
  fill(layer.biases, taken_biases);
}

BlockImpl::BlockImpl(int channels, int squeezed)
    : conv1(register_module("conv1", Normed(channels, channels, 3))),
      conv2(register_module("conv2", Normed(channels, channels, 3))),
      squeeze(register_module("squeeze", torch::nn::Linear(channels, squeezed))),
      excite(register_module("excite", torch::nn::Linear(squeezed, 2 * channels))) {}

Tensor BlockImpl::forward(const Tensor& x) {
  const Tensor z = conv2(conv1(x, true), false);
  const Tensor squeezed = torch::relu(squeeze(Average::apply(z).flatten(1).t()));
  const auto parts = excite(squeezed).t().view({-1, z.size(1), z.size(3)}).chunk(2, 0);
  return Join::apply(z, torch::sigmoid(parts[0]).contiguous(), parts[1].contiguous(), x);
}

NetImpl::NetImpl(const NetShape& wanted)
    : shape(wanted),
      input(register_module("input", Normed(static_cast<int>(nn::own_planes), shape.channels, 3))),
      blocks(register_module("blocks", torch::nn::ModuleList())),
      policy1(register_module("policy1", Normed(shape.channels, shape.channels, 3))),
      policy2(register_module(
          "policy2", torch::nn::Conv2d(torch::nn::Conv2dOptions(shape.channels, nn::policy_planes, 3).padding(1)))),
      pairing(register_module("pairing", torch::nn::Linear(shape.channels, shape.channels))),
      value1(register_module("value1", Normed(shape.channels, shape.value_planes, 1))),
      value2(register_module("value2", torch::nn::Linear(64 * shape.value_planes, shape.value_hidden))),
      value3(register_module("value3", torch::nn::Linear(shape.value_hidden, 3))) {
  for (int i = 0; i < shape.blocks; ++i) blocks->push_back(Block(shape.channels, shape.squeezed));
  const torch::NoGradGuard no_gradients;
  pairing->weight.zero_();
  pairing->bias.zero_();
}

NetImpl::Answers NetImpl::forward(const Tensor& planes, const Moves& moves) {
  Tensor x = input(planes, true);
  for (const auto& block : *blocks) x = block->as<BlockImpl>()->forward(x);
  const Tensor policy = policy1(x, true);
  const Tensor by_plane = convolved(policy, policy2->weight) + policy2->bias.view({-1, 1, 1, 1});
  const Tensor asking = (pairing->weight.matmul(policy.flatten(1)) + pairing->bias.view({-1, 1})).view(policy.sizes());
  const Tensor logits = by_plane.take(moves.slots) + Pair::apply(asking, policy, moves.from, moves.to);
  const Tensor value =
      torch::relu(value2(value1(x, true).permute({1, 3, 0, 2}).reshape({-1, value2->options.in_features()})));
  return {logits, value3(value)};
}

nn::Weights NetImpl::weights() {
  nn::Weights w;
  w.planes = nn::own_planes;
  w.channels = static_cast<std::size_t>(shape.channels);
  w.input = input->folded();
  for (const auto& each : *blocks) {
    auto* block = each->as<BlockImpl>();
    w.blocks.push_back(
        {block->conv1->folded(), block->conv2->folded(), layer_of(block->squeeze), layer_of(block->excite)});
  }
  w.policy1 = policy1->folded();
  w.policy2 = {floats_of(policy2->weight), floats_of(policy2->bias)};
  w.pairing = layer_of(pairing);
  w.value1 = value1->folded();
  w.value2 = layer_of(value2);
  w.value3 = layer_of(value3);
  return w;
}

void NetImpl::take(const nn::Weights& w) {
  input->take(w.input);
  for (std::size_t i = 0; i < w.blocks.size(); ++i) {
    auto* block = blocks[i]->as<BlockImpl>();
    block->conv1->take(w.blocks[i].conv1);
    block->conv2->take(w.blocks[i].conv2);
    fill(w.blocks[i].squeeze, block->squeeze);
    fill(w.blocks[i].excite, block->excite);
  }
  policy1->take(w.policy1);
  fill(w.policy2, policy2);
  fill(w.pairing, pairing);
  value1->take(w.value1);
  fill(w.value2, value2);
  fill(w.value3, value3);
}

}  // namespace pm::train
