// The settled run of an inquiry: one batch after the other where it tells most (settle.h).
#include <memory>
#include <utility>

#include "expect/inquiry.h"
#include "expect/settle.h"

namespace pm::expect {

void Inquiry::settle() {
  so_far();
  if (parameters_.searches && searched_ >= *parameters_.searches && in_flight_.empty()) {
    return end(Phase::complete, Stopped::searches);
  }
  const Work work = work_for(analysis_, target(), in_flight_);
  if (work.settled) return end(Phase::complete, Stopped::settled);
  std::vector<std::pair<Place, int>> searches;
  std::vector<Place> growing;
  std::size_t left = parameters_.searches ? *parameters_.searches - std::min(*parameters_.searches, searched_)
                                          : work.searches.size() + work.growing.size();
  for (const Place place : work.growing) {
    if (left > 0) growing.push_back(place), --left;
  }
  for (const Work::Search& each : work.searches) {
    if (left > 0) searches.emplace_back(each.place, each.depth), --left;
  }
  nothing_new_ = searches.empty() && growing.empty();
  if (nothing_new_) return;
  if (growing.empty()) return search_and_grow(searches, {});
  for (const Place place : growing) queries_.push_back(growth_.query_at(place));
  take_predictions_ = [this, growing, searches](std::vector<human::Prediction>& predictions) {
    std::vector<Grown> grown;
    for (std::size_t i = 0; i < growing.size(); ++i) {
      grown.push_back({growing[i], growth_.children_of(growing[i], predictions[i])});
    }
    search_and_grow(searches, std::move(grown));
  };
}

// Children stand below their parent once all of them have a value.
void Inquiry::search_and_grow(const std::vector<std::pair<Place, int>>& searches, std::vector<Grown> grown) {
  std::vector<engine::Question> questions;
  std::vector<std::size_t> owners;
  for (const auto& [place, depth] : searches) {
    questions.push_back({node_at(place).position, depth});
    owners.push_back(place.candidate);
    in_flight_.insert(place);
  }
  std::vector<std::pair<std::size_t, std::size_t>> children;  // of which one that grows, and which child
  const int depth = first_depth(parameters_.depth);
  for (std::size_t g = 0; g < grown.size(); ++g) {
    in_flight_.insert(grown[g].place);
    for (std::size_t c = 0; c < grown[g].children.size(); ++c) {
      if (grown[g].children[c].kind == NodeKind::terminal) continue;
      questions.push_back({grown[g].children[c].position, depth});
      owners.push_back(grown[g].place.candidate);
      children.emplace_back(g, c);
    }
  }
  searched_ += questions.size();
  analysis_.counts.total += questions.size();
  const auto shared = std::make_shared<std::vector<Grown>>(std::move(grown));
  const auto take = [this, searches, children, shared, depth](std::size_t i,
                                                              const std::optional<engine::Valuation>& valuation) {
    if (i < searches.size()) return set_value(searches[i].first, searches[i].second, valuation);
    const auto [g, c] = children[i - searches.size()];
    Node& child = (*shared)[g].children[c];
    child.depth = depth;
    child.unevaluated = !valuation;
    if (valuation) child.win_rate = worth_(*valuation);
  };
  const auto done = [this, searches, shared] {
    for (const auto& [place, ignored] : searches) in_flight_.erase(place);
    for (Grown& each : *shared) {
      in_flight_.erase(each.place);
      changed_.insert(each.place.candidate);
      growth_.attach(each.place, std::move(each.children));
    }
    for (const std::size_t c : changed_) decide_again(analysis_.candidates[c].tree, followed_from());
    nothing_new_ = false;
  };
  const auto told = [this, owners](std::size_t i, const engine::Answer& answer) {
    count(analysis_.candidates[owners[i]], answer);
  };
  ask(std::move(questions), told, take, Questions::Order::by_batch, done);
}

}  // namespace pm::expect
