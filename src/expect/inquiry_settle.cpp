// The settled run of an inquiry: one batch after the other where it tells most (settle.h).
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "expect/inquiry.h"

namespace pm::expect {

void Inquiry::settle() {
  so_far();
  if (searches_left() == 0) {
    nothing_new_ = true;
    if (in_flight_.empty()) end(Phase::complete, Stopped::searches);
    return;
  }
  const Work work = work_for(analysis_, target(), in_flight_);
  if (work.settled) return end(Phase::complete, all_final() ? Stopped::exact : Stopped::settled);
  nothing_new_ = work.searches.empty() && work.growing.empty();
  if (nothing_new_) return;
  if (work.growing.empty()) return search_and_grow(work.searches, {});
  for (const Place place : work.growing) queries_.push_back(growth_.query_at(place));
  take_predictions_ = [this, work](std::vector<human::Prediction>& predictions) {
    std::vector<Grown> grown;
    grown.reserve(work.growing.size());
    for (std::size_t i = 0; i < work.growing.size(); ++i) {
      grown.push_back({work.growing[i], growth_.children_of(work.growing[i], predictions[i])});
    }
    search_and_grow(work.searches, std::move(grown));
  };
}

bool Inquiry::all_final() const {
  return std::all_of(analysis_.candidates.begin(), analysis_.candidates.end(),
                     [](const Candidate& each) { return each.is_final; });
}

std::size_t Inquiry::searches_left() const {
  return parameters_.searches ? *parameters_.searches - std::min(*parameters_.searches, searched_)
                              : std::numeric_limits<std::size_t>::max();
}

// What fits into the searches that are left. Children stand below their parent once all of them have a value.
void Inquiry::search_and_grow(const std::vector<Work::Search>& wanted, std::vector<Grown> grown) {
  std::vector<engine::Question> questions;
  std::vector<std::size_t> owners;
  std::vector<std::pair<std::size_t, std::size_t>> children;  // of which one that grows, and which child
  const int depth = first_depth(parameters_.depth);
  bool all_fit = true;
  for (std::size_t g = 0; g < grown.size(); ++g) {
    const auto is_asked = [](const Node& child) { return child.kind != NodeKind::terminal; };
    const auto asked = std::count_if(grown[g].children.begin(), grown[g].children.end(), is_asked);
    if (questions.size() + static_cast<std::size_t>(asked) > searches_left()) {
      analysis_.nodes -= grown[g].children.size();
      grown.resize(g);
      all_fit = false;
      break;
    }
    in_flight_.insert(grown[g].place);
    for (std::size_t c = 0; c < grown[g].children.size(); ++c) {
      if (!is_asked(grown[g].children[c])) continue;
      questions.push_back({grown[g].children[c].position, depth});
      owners.push_back(grown[g].place.candidate);
      children.emplace_back(g, c);
    }
  }
  std::vector<Work::Search> searches = wanted;
  searches.resize(std::min(searches.size(), searches_left() - questions.size()));
  for (const auto& [place, to] : searches) {
    questions.push_back({node_at(place).position, to});
    owners.push_back(place.candidate);
    in_flight_.insert(place);
  }
  searched_ += questions.size();
  if (!all_fit) searched_ = *parameters_.searches;
  analysis_.counts.total += questions.size();
  const auto shared = std::make_shared<std::vector<Grown>>(std::move(grown));
  const auto take = [this, searches, children, shared, depth](std::size_t i,
                                                              const std::optional<engine::Valuation>& valuation) {
    if (i >= children.size()) {
      const Work::Search& search = searches[i - children.size()];
      return set_value(search.place, search.depth, valuation);
    }
    Node& child = (*shared)[children[i].first].children[children[i].second];
    child.asked = depth;
    child.unevaluated = !valuation;
    if (!valuation) return;
    child.depth = depth;
    child.win_rate = worth_(*valuation);
  };
  const auto done = [this, searches, shared] {
    for (const Work::Search& each : searches) in_flight_.erase(each.place);
    for (Grown& each : *shared) {
      in_flight_.erase(each.place);
      changed_.insert(each.place.candidate);
      growth_.attach(each.place, std::move(each.children));
    }
    for (const std::size_t c : changed_) decide_again(analysis_.candidates[c].tree, followed_from());
    nothing_new_ = false;
  };
  const auto told = [this, owners](std::size_t i, const engine::Answer& answer) { count(owners[i], answer); };
  ask(std::move(questions), told, take, Questions::Order::by_batch, done);
}

}  // namespace pm::expect
