#include "expect/settle.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pm::expect {
namespace {

constexpr int longest_step = 8;          // plies from a glance; shorter ones are not worth a search half way
constexpr int glance = 8;                // plies
constexpr double growth_of_cost = 1.45;  // of a search, for each ply more
constexpr double model_cost = 1.5;       // of asking the human model, in glances

constexpr std::size_t most_batches = 200;  // about: choosing takes time too where there are thousands of nodes

double cost_of(int depth) { return std::pow(growth_of_cost, depth - glance); }

struct Option {
  Place place;
  std::optional<int> depth;  // to search; nothing: to grow
  double worth;
};

// How much candidates matter to what is not settled: by index; 0: settled.
std::vector<double> weights_of(const std::vector<Candidate>& candidates) {
  std::vector<double> weights(candidates.size());
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (candidates[i].summary.expected > candidates[best].summary.expected) best = i;
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].interval.width() > narrow_enough) weights[i] = 1;
    if (i == best) continue;
    const double gap = candidates[best].summary.expected - clear_lead - candidates[i].interval.high.value();
    if (gap >= 0) continue;
    weights[i] += 1;
    weights[best] += 1;
  }
  return weights;
}

void add_options(const Analysis& analysis, std::size_t c, double weight, const Target& target,
                 const std::set<Place>& in_flight, std::vector<Option>& options) {
  const Tree& tree = analysis.candidates[c].tree;
  const Uncertainty uncertainty(tree, target);
  const double likely_replies = 1 / analysis.parameters.threshold;
  for (const std::uint32_t at : counted_nodes(tree)) {
    const Node& node = tree.nodes[at];
    const Place place{c, at};
    if (node.kind == NodeKind::terminal || in_flight.contains(place)) continue;
    auto depth = at == 0 ? std::nullopt : next_depth(node.asked, target.depth);
    for (; depth; depth = next_depth(*depth, target.depth)) {
      options.push_back({place, depth, weight * uncertainty.gone_by_searching(at, *depth) / cost_of(*depth)});
    }
    if (node.open && node.kind != NodeKind::pruned) {
      const double replies = std::min(5.0, node.cumulative_probability * likely_replies);
      options.push_back({place, std::nullopt, weight * uncertainty.gone_by_growing(at) / (model_cost + replies)});
    }
  }
}

}  // namespace

int first_depth(int full_depth) { return std::min(glance, full_depth); }

std::optional<int> next_depth(int depth, int full_depth) {
  if (depth >= full_depth) return std::nullopt;
  if (depth < glance) return first_depth(full_depth);
  const int half_way = (glance + full_depth + 1) / 2;
  return depth < half_way && full_depth - glance > longest_step ? half_way : full_depth;
}

Work work_for(const Analysis& analysis, const Target& target, const std::set<Place>& in_flight) {
  Work work;
  const std::vector<double> weights = weights_of(analysis.candidates);
  std::vector<Option> options;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (weights[c] > 0) add_options(analysis, c, weights[c], target, in_flight, options);
  }
  if (options.empty()) {
    work.settled = in_flight.empty();
    return work;
  }
  std::sort(options.begin(), options.end(), [](const Option& a, const Option& b) {
    return std::tuple(-a.worth, a.place, a.depth.has_value()) < std::tuple(-b.worth, b.place, b.depth.has_value());
  });
  const std::size_t at_once = std::max(work_at_once, options.size() / most_batches);
  std::set<Place> chosen;
  for (const Option& each : options) {
    if (chosen.size() == at_once) break;
    if (!chosen.insert(each.place).second) continue;  // it is searched to another depth, or grows, for the time being
    if (each.depth) {
      work.searches.push_back({each.place, *each.depth});
    } else {
      work.growing.push_back(each.place);
    }
  }
  // Neighbours have much in common.
  std::sort(work.searches.begin(), work.searches.end(),
            [](const Work::Search& a, const Work::Search& b) { return a.place < b.place; });
  return work;
}

}  // namespace pm::expect
