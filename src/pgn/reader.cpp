#include "pgn/reader.h"

#include <utility>

#include "pgn/text.h"

namespace pm::pgn {
namespace {

class TreeBuilder : public Visitor {
 public:
  explicit TreeBuilder(ReadGame& into) : into_(into) {}

  void tag(std::string_view name, std::string_view raw_value) {
    into_.game.tags.push_back({std::string(name), to_utf8(unescape(raw_value))});
  }
  void start(const chess::Position& position) { into_.game.start = position; }

  void move(const chess::Position& /*before*/, chess::Move m) {
    const NodeId parent = branching_ ? into_.game.node(current_).parent : current_;
    current_ = into_.game.add_move(parent, m);
    branching_ = numbered_ = false;
    into_.game.node(current_).before = std::exchange(waiting_, {});
  }

  // After a number, and at the start of a variation, a comment waits for the move it stands before.
  void move_number() { numbered_ = true; }

  void comment(std::string_view raw) {
    if (comment_bytes_ + raw.size() > max_comments_bytes) return;
    Comment comment = parse_comment(raw);
    if (comment.empty()) return;
    comment_bytes_ += raw.size() + sizeof(Comment) + (comment.commands.size() * sizeof(Command));
    auto& list = numbered_ || branching_ ? waiting_ : into_.game.node(current_).after;
    list.push_back(std::move(comment));
  }

  void nag(unsigned number) {
    auto& nags = into_.game.node(current_).nags;
    if (current_ != Game::root && !branching_ && nags.size() < max_nags)
      nags.push_back(static_cast<std::uint8_t>(number));
  }

  void open_variation() {
    flush();
    branches_.push_back(current_);
    branching_ = true;
  }
  void close_variation() {
    const bool empty = branching_;
    if (!empty) flush();
    current_ = branches_.back();
    branches_.pop_back();
    branching_ = false;
    flush();  // the comments of a variation without moves stay with the move before it
  }
  void result(Result result) { into_.game.result = result; }
  void problem(Problem problem) {
    if (into_.problems.size() < max_problems) into_.problems.push_back(std::move(problem));
  }
  // Comments that waited for a move that never came.
  void flush() {
    for (Comment& c : std::exchange(waiting_, {})) into_.game.node(current_).after.push_back(std::move(c));
    numbered_ = false;
  }

 private:
  ReadGame& into_;
  NodeId current_ = Game::root;
  std::vector<NodeId> branches_;  // the moves whose alternatives are being read
  bool branching_ = false;        // the next move is an alternative to current_
  bool numbered_ = false;
  std::vector<Comment> waiting_;
  std::size_t comment_bytes_ = 0;
};

}  // namespace

std::optional<ReadGame> GameReader::next() {
  ReadGame read;
  TreeBuilder builder(read);
  if (!parser_.parse(builder)) return std::nullopt;
  builder.flush();
  return read;
}

}  // namespace pm::pgn
