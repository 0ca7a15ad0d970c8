#include "pgn/main_line.h"

#include "pgn/text.h"

namespace pm::pgn {
namespace {

class MainLineVisitor : public Visitor {
 public:
  static constexpr bool wants_variations = false;

  explicit MainLineVisitor(MainLine& line) : line_(line) {}

  // Takes over the strings of the game before, so that their memory is used again.
  void tag(std::string_view name, std::string_view raw_value) {
    if (tags_ == line_.tags.size()) line_.tags.emplace_back();
    Tag& tag = line_.tags[tags_++];
    tag.name.assign(name);
    const bool plain = raw_value.find('\\') == std::string_view::npos && is_ascii(raw_value);
    if (plain) {
      tag.value.assign(raw_value);
    } else {
      tag.value = to_utf8(unescape(raw_value));
    }
  }
  void start(const chess::Position& position) { line_.start = position; }
  void move(const chess::Position& /*before*/, chess::Move m) { line_.moves.push_back(m); }
  void result(Result result) { line_.result = result; }
  void problem(Problem problem) {
    if (line_.problems.size() < max_problems) line_.problems.push_back(std::move(problem));
  }
  std::size_t tags() const { return tags_; }

 private:
  MainLine& line_;
  std::size_t tags_ = 0;
};

}  // namespace

const MainLine* MainLineReader::next() {
  line_.moves.clear();
  line_.problems.clear();
  line_.start = chess::Position::start();
  line_.result = Result::unknown;
  MainLineVisitor visitor(line_);
  if (!parser_.parse(visitor)) return nullptr;
  line_.tags.resize(visitor.tags());
  return &line_;
}

}  // namespace pm::pgn
