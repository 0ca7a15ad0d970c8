// What an inquiry has asked the engine: which answers are outstanding, and what each of them is for. Each position is
// asked about once, since other lines lead to it, and other candidates. Pure.
//
//   questions.ask({{position, depth}}, take, Order::any);
//   Group group = questions.next();                            // to be asked now
//   questions.take(group.first, answer);                       // calls take(0, answer)
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/evaluator.h"

namespace pm::expect {

class Questions {
 public:
  // `fresh`: the answer was not known before in this run, and this is the first of the questions it answers.
  using Take = std::function<void(std::size_t question, const engine::Answer& answer, bool fresh)>;
  // When answers are taken: as they come; or all of a batch together, when take_oldest() says so, so that what is asked
  // next does not depend on which came first.
  enum class Order : std::uint8_t { any, by_batch };

  // What is known from a deeper search is taken at once; what an outstanding batch asks too is not asked again, if both
  // are taken by batch. `done` comes after the last answer is taken; it may be empty.
  void ask(std::vector<engine::Question> questions, Take take, Order order, std::function<void()> done = {});

  // Batches of which answers are outstanding, or not taken yet.
  std::size_t batches() const { return batches_.size(); }
  // Takes the answers of the oldest batch, which is one of those taken together; false when some are outstanding.
  bool take_oldest();
  void give_up();

  engine::Group next();
  void take(std::size_t ticket, const engine::Answer& answer);

 private:
  struct Awaited {
    std::size_t question;
    std::string fen;
    int depth;
  };
  struct Batch {
    std::size_t first;  // ticket
    Order order;
    Take take;
    std::vector<engine::Question> fresh;            // each position once
    std::map<std::string, std::size_t> places;      // among them, by FEN
    std::vector<std::vector<std::size_t>> answers;  // which of the questions each of them answers
    std::vector<Awaited> awaited;                   // questions an earlier batch asks too
    std::vector<std::optional<engine::Answer>> held;
    std::size_t missing;
    std::function<void()> done;
  };
  struct Known {
    int depth;
    engine::Valuation valuation;
  };
  const Known* known(const std::string& fen, int depth) const;
  void apply(const Batch& batch, std::size_t fresh, const engine::Answer& answer);
  bool is_asked(const std::string& fen, int depth) const;

  std::map<std::string, Known> deepest_;  // by FEN
  std::deque<Batch> batches_;             // oldest first
  std::deque<engine::Group> groups_;      // to be asked
  std::size_t tickets_ = 0;
};

}  // namespace pm::expect
