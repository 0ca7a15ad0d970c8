#include "pgn/comment.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/numbers.h"
#include "pgn/text.h"

namespace pm::pgn {
namespace {

using std::chrono::milliseconds;

// "0.245" -> 25 (hundredths, rounded half away from zero), without going through binary fractions.
std::optional<int> parse_hundredths(std::string_view text) {
  constexpr std::size_t longest = 12;
  if (text.empty() || text.size() > longest) return std::nullopt;
  std::int64_t thousandths = 0;
  int decimals = -1;
  bool any_digit = false;
  for (const char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
    } else if (c >= '0' && c <= '9') {
      any_digit = true;
      if (decimals >= 3) continue;
      thousandths = (thousandths * 10) + (c - '0');
      if (decimals >= 0) ++decimals;
    } else {
      return std::nullopt;
    }
  }
  if (!any_digit) return std::nullopt;
  for (int i = std::max(decimals, 0); i < 3; ++i) thousandths *= 10;
  const std::int64_t hundredths = (thousandths + 5) / 10;
  if (hundredths > 10'000'000) return std::nullopt;
  return static_cast<int>(hundredths);
}

}  // namespace

// A command reaches from "[%" to the first "]", whatever stands between: then what is left of the text can contain no
// further command, and reading what was written gives the same again.
Comment parse_comment(std::string_view raw) {
  Comment comment;
  std::string all = to_utf8(raw);
  // Only a ; comment can hold a closing brace, and it could not be written in braces again.
  std::replace(all.begin(), all.end(), '}', ')');
  std::string_view rest = all;
  std::string text;
  for (;;) {
    const std::size_t open = rest.find("[%");
    const std::size_t close = open == std::string_view::npos ? open : rest.find(']', open);
    text += rest.substr(0, close == std::string_view::npos ? close : open);
    if (close == std::string_view::npos) break;
    const std::string_view inside = rest.substr(open + 2, close - open - 2);
    std::size_t name = 0;
    while (name < inside.size() && !is_space(inside[name])) ++name;
    comment.commands.push_back({std::string(inside.substr(0, name)), squeeze(inside.substr(name))});
    text += ' ';
    rest.remove_prefix(close + 1);
  }
  comment.text = squeeze(text);
  return comment;
}

std::string format_command(const Command& command) {
  return fmt::format("[%{}{}{}]", command.name, command.args.empty() ? "" : " ", command.args);
}

std::string format_comment(const Comment& comment) {
  std::string text;
  for (const Command& c : comment.commands) {
    if (!text.empty()) text += ' ';
    text += format_command(c);
  }
  if (!text.empty() && !comment.text.empty()) text += ' ';
  return text + comment.text;
}

namespace {
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}
}  // namespace

std::optional<Eval> parse_eval(std::string_view args) {
  Eval eval;
  if (const auto comma = args.find(','); comma != std::string_view::npos) {
    eval.depth = parse_number<int>(trimmed(args.substr(comma + 1)));
    if (!eval.depth) return std::nullopt;
    args = trimmed(args.substr(0, comma));
  }
  if (args.starts_with('#')) {
    eval.kind = Eval::Kind::mate;
    args.remove_prefix(1);
  }
  if (args.starts_with('-') || args.starts_with('+')) {
    eval.negative = args.front() == '-';
    args.remove_prefix(1);
  }
  std::optional<int> value;
  if (eval.kind == Eval::Kind::centipawns) {
    value = parse_hundredths(args);
  } else if (!args.empty() && args.front() >= '0' && args.front() <= '9') {
    value = parse_number<int>(args);
  }
  if (!value || (eval.kind == Eval::Kind::mate && *value > 1'000)) return std::nullopt;
  eval.value = eval.negative ? -*value : *value;
  return eval;
}

std::string format_eval(const Eval& eval) {
  std::string text;
  const int size = std::abs(eval.value);
  const bool minus = eval.value < 0 || (eval.value == 0 && eval.negative);
  if (eval.kind == Eval::Kind::mate) {
    text = fmt::format("#{}{}", minus ? "-" : "", size);
  } else {
    text = fmt::format("{}{}.{:02}", minus ? "-" : "", size / 100, size % 100);
  }
  if (eval.depth) text += fmt::format(",{}", *eval.depth);
  return text;
}

std::optional<milliseconds> parse_clock(std::string_view args) {
  // h:mm:ss, mm:ss or ss, the seconds with up to three decimals.
  std::int64_t total = 0;
  int fields = 0;
  while (true) {
    const auto colon = args.find(':');
    std::string_view field = args.substr(0, colon);
    std::int64_t fraction = 0;
    if (colon == std::string_view::npos) {
      if (const auto dot = field.find('.'); dot != std::string_view::npos) {
        std::string digits(field.substr(dot + 1));
        if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
        digits.resize(3, '0');
        fraction = *parse_number<int>(digits);
        field = field.substr(0, dot);
      }
    }
    const auto value = parse_number<int>(field);
    if (!value || *value < 0 || field.front() == '-' || *value > 1'000'000) return std::nullopt;
    total = (total * 60) + *value;
    if (++fields > 3) return std::nullopt;
    if (colon == std::string_view::npos) return milliseconds((total * 1000) + fraction);
    args.remove_prefix(colon + 1);
  }
}

std::string format_clock(milliseconds time) {
  const std::int64_t ms = time.count();
  std::string text = fmt::format("{}:{:02}:{:02}", ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60);
  if (ms % 1000 != 0) {
    text += fmt::format(".{:03}", ms % 1000);
    while (text.back() == '0') text.pop_back();
  }
  return text;
}

std::vector<Shape> parse_shapes(std::string_view args) {
  std::vector<Shape> shapes;
  while (!args.empty()) {
    const auto comma = args.find(',');
    const std::string item = squeeze(args.substr(0, comma));
    args.remove_prefix(comma == std::string_view::npos ? args.size() : comma + 1);
    if (item.size() != 3 && item.size() != 5) continue;
    const auto from = chess::parse_square(std::string_view(item).substr(1, 2));
    const auto to = item.size() == 5 ? chess::parse_square(std::string_view(item).substr(3, 2)) : from;
    if (from && to && item[0] >= 'A' && item[0] <= 'Z') shapes.push_back({item[0], *from, *to});
  }
  return shapes;
}

std::string format_shapes(const std::vector<Shape>& shapes) {
  std::string text;
  for (const Shape& s : shapes) {
    if (!text.empty()) text += ',';
    text += s.colour + chess::format_square(s.from);
    if (s.to != s.from) text += chess::format_square(s.to);
  }
  return text;
}

const Command* find_command(const Comment& comment, std::string_view name) {
  for (const Command& c : comment.commands) {
    if (c.name == name) return &c;
  }
  return nullptr;
}

std::optional<Eval> find_eval(const Comment& comment) {
  const Command* c = find_command(comment, "eval");
  return c != nullptr ? parse_eval(c->args) : std::nullopt;
}

std::optional<milliseconds> find_clock(const Comment& comment) {
  const Command* c = find_command(comment, "clk");
  return c != nullptr ? parse_clock(c->args) : std::nullopt;
}

std::optional<milliseconds> find_elapsed(const Comment& comment) {
  const Command* c = find_command(comment, "emt");
  return c != nullptr ? parse_clock(c->args) : std::nullopt;
}

std::vector<Shape> find_shapes(const Comment& comment) {
  std::vector<Shape> all;
  for (const Command& c : comment.commands) {
    if (c.name != "csl" && c.name != "cal") continue;
    for (const Shape& s : parse_shapes(c.args)) all.push_back(s);
  }
  return all;
}

}  // namespace pm::pgn
