#include "expect/questions.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "chess/fen.h"

namespace pm::expect {

void Questions::ask(std::vector<engine::Question> questions, Take take, Order order, std::function<void()> done) {
  Batch batch{tickets_, order, std::move(take), {}, {}, {}, {}, {}, 0, std::move(done)};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    std::string fen = chess::format_fen(questions[i].position);
    if (const Known* found = known(fen, questions[i].depth)) {
      batch.take(i, {found->valuation}, false);
      continue;
    }
    if (order == Order::by_batch && is_asked(fen, questions[i].depth)) {
      batch.awaited.push_back({i, std::move(fen), questions[i].depth});
      continue;
    }
    const auto [place, is_new] = batch.places.emplace(std::move(fen), batch.fresh.size());
    if (is_new) {
      batch.fresh.push_back(questions[i]);
      batch.answers.emplace_back();
    }
    engine::Question& asked = batch.fresh[place->second];
    asked.depth = std::max(asked.depth, questions[i].depth);
    batch.answers[place->second].push_back(i);
  }
  if (batch.fresh.empty() && batch.awaited.empty()) {
    if (batch.done) batch.done();
    return;
  }
  batch.missing = batch.fresh.size();
  batch.held.resize(batch.fresh.size());
  const std::size_t length = engine::group_length(batch.fresh.size());
  for (std::size_t grouped = 0; grouped < batch.fresh.size(); grouped += length) {
    const auto begin = batch.fresh.begin() + static_cast<std::ptrdiff_t>(grouped);
    const auto count = static_cast<std::ptrdiff_t>(std::min(length, batch.fresh.size() - grouped));
    groups_.push_back({tickets_ + grouped, {begin, begin + count}});
  }
  tickets_ += batch.fresh.size();
  batches_.push_back(std::move(batch));
}

const Questions::Known* Questions::known(const std::string& fen, int depth) const {
  const auto found = deepest_.find(fen);
  return found != deepest_.end() && found->second.depth >= depth ? &found->second : nullptr;
}

bool Questions::is_asked(const std::string& fen, int depth) const {
  return std::any_of(batches_.begin(), batches_.end(), [&](const Batch& each) {
    const auto place = each.places.find(fen);
    return each.order == Order::by_batch && place != each.places.end() && each.fresh[place->second].depth >= depth;
  });
}

engine::Group Questions::next() {
  if (groups_.empty()) return {};
  engine::Group group = std::move(groups_.front());
  groups_.pop_front();
  return group;
}

void Questions::take(std::size_t ticket, const engine::Answer& answer) {
  const auto batch = std::find_if(batches_.begin(), batches_.end(), [&](const Batch& each) {
    return ticket >= each.first && ticket - each.first < each.fresh.size();
  });
  if (batch == batches_.end()) return;  // it was given up
  const std::size_t fresh = ticket - batch->first;
  assert(!batch->held[fresh]);
  batch->held[fresh] = answer;
  --batch->missing;
  if (batch->order == Order::by_batch) return;
  if (batch->missing > 0) return apply(*batch, fresh, answer);
  // It goes before its last answer is taken: that may lead to new questions.
  const Batch last = std::move(*batch);
  batches_.erase(batch);
  apply(last, fresh, answer);
  if (last.done) last.done();
}

bool Questions::take_oldest() {
  if (batches_.empty() || batches_.front().missing > 0) return false;
  const Batch batch = std::move(batches_.front());
  batches_.pop_front();
  for (const Awaited& each : batch.awaited) {
    const Known* found = known(each.fen, each.depth);
    batch.take(each.question, found != nullptr ? engine::Answer{found->valuation} : engine::Answer{}, false);
  }
  for (std::size_t i = 0; i < batch.fresh.size(); ++i) apply(batch, i, *batch.held[i]);
  if (batch.done) batch.done();
  return true;
}

void Questions::give_up() {
  batches_.clear();
  groups_.clear();
}

void Questions::apply(const Batch& batch, std::size_t fresh, const engine::Answer& answer) {
  if (answer.valuation) {
    const engine::Question& asked = batch.fresh[fresh];
    Known& deepest = deepest_.try_emplace(chess::format_fen(asked.position), Known{0, {}}).first->second;
    if (asked.depth > deepest.depth) deepest = {asked.depth, *answer.valuation};
  }
  bool is_first = true;
  for (const std::size_t question : batch.answers[fresh]) batch.take(question, answer, std::exchange(is_first, false));
}

}  // namespace pm::expect
