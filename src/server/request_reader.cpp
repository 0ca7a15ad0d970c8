#include "server/request_reader.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <boost/beast/http/basic_parser.hpp>

namespace pm::server {
namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

constexpr std::size_t first_room = 1U << 10U;
constexpr std::size_t first_body = 16U << 10U;  // then twice as much, and so on

std::string_view view(string_view text) { return {text.data(), text.size()}; }

}  // namespace

// Keeps of a header what anybody looks at, and the body as its bytes come.
class RequestReader::Parser final : public http::basic_parser<true> {
 public:
  explicit Parser(BodyBudget::Share& share) : share_(share) {
    body_limit(boost::none);  // the reader looks at the length: what it allows depends on the header
  }

  Request request;
  unsigned version_number = 11;
  bool expects_continue = false;
  std::size_t most_body = 0;
  std::optional<Response> refusal;  // what was wrong, where the parser would have gone on

 private:
  void refuse(int status, std::string_view sentence, error_code& error) {
    refusal = problem(status, sentence);
    error = http::error::bad_value;
  }

  void on_request_impl(http::verb /*verb*/, string_view method, string_view target, int version,
                       error_code& error) override {
    request.method = view(method);
    version_number = static_cast<unsigned>(version);
    auto parsed = server::parse_target(view(target));
    if (!parsed) return refuse(400, "The address cannot be read.", error);
    request.path = std::move(parsed->path);
    request.query = std::move(parsed->query);
  }

  // A field that must not come twice: whoever looks at the other one would understand another request.
  void keep(std::string& into, bool& seen, string_view value, const char* name, error_code& error) {
    if (seen) return refuse(400, fmt::format("{}: expected once, found twice.", name), error);
    seen = true;
    into = view(value);
  }

  void on_field_impl(http::field field, string_view name, string_view value, error_code& error) override {
    if (is_header_done()) return;  // of a trailer: it comes too late to say anything
    std::string text;
    switch (field) {
      case http::field::host: return keep(request.host, seen_.host, value, "Host", error);
      case http::field::origin: return keep(request.origin.emplace(), seen_.origin, value, "Origin", error);
      case http::field::content_type: return keep(request.content_type, seen_.type, value, "Content-Type", error);
      case http::field::content_length: return keep(text, seen_.length, value, "Content-Length", error);
      case http::field::transfer_encoding:
        if (!boost::beast::iequals(value, "chunked")) {
          return refuse(501, "Transfer-Encoding: expected none or chunked.", error);
        }
        if (version_number < 11) return refuse(400, "Transfer-Encoding: HTTP/1.0 knows none.", error);
        return;
      case http::field::expect:
        if (!boost::beast::iequals(value, "100-continue")) {
          return refuse(417, "Expect: expected none or 100-continue.", error);
        }
        expects_continue = version_number >= 11;
        return;
      case http::field::if_none_match: request.if_none_match = view(value); return;
      case http::field::accept_encoding:
        request.accepts_gzip = view(value).find("gzip") != std::string_view::npos;
        return;
      default: break;
    }
    if (boost::beast::iequals(name, "Last-Event-ID")) {
      std::from_chars(value.data(), value.data() + value.size(), request.last_event);
    }
  }

  void on_header_impl(error_code& /*error*/) override {
    request.body_bytes = 0;
    if (const auto length = content_length()) request.body_bytes = *length;
    if (chunked()) request.body_bytes = std::nullopt;
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/, error_code& /*error*/) override {}
  std::size_t on_body_impl(string_view bytes, error_code& error) override {
    std::string& body = request.body;
    const std::size_t wanted = body.size() + bytes.size();
    if (wanted > most_body) {
      refuse(413, "The request is too large.", error);
      return 0;
    }
    if (wanted > body.capacity()) {
      const std::size_t capacity = std::max({first_body, 2 * body.capacity(), wanted});
      if (!share_.grow_to(capacity)) {
        refusal = busy(503, "Too much is being sent at once.", 5);
        error = http::error::bad_value;
        return 0;
      }
      body.reserve(capacity);
    }
    body.append(bytes.data(), bytes.size());
    return bytes.size();
  }

  void on_chunk_header_impl(std::uint64_t size, string_view /*extensions*/, error_code& error) override {
    if (size > most_body - std::min(most_body, request.body.size())) refuse(413, "The request is too large.", error);
  }
  std::size_t on_chunk_body_impl(std::uint64_t /*left*/, string_view bytes, error_code& error) override {
    return on_body_impl(bytes, error);
  }
  void on_response_impl(int /*status*/, string_view /*reason*/, int /*version*/, error_code& /*error*/) override {}
  void on_finish_impl(error_code& /*error*/) override {}

  BodyBudget::Share& share_;
  struct {
    bool host = false;
    bool origin = false;
    bool type = false;
    bool length = false;
  } seen_;
};

RequestReader::RequestReader(const RequestLimits& limits, BodyBudget& budget) : limits_(limits), share_(budget) {}
RequestReader::~RequestReader() = default;

RequestReader::Found RequestReader::begin() {
  parser_ = std::make_unique<Parser>(share_);
  parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
  share_.give_back();
  header_told_ = false;
  header_bytes_ = 0;
  bytes_behind_ = 0;
  return go_on();
}

std::span<char> RequestReader::room() {
  std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(begin_), bytes_.begin() + static_cast<std::ptrdiff_t>(end_),
            bytes_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (end_ == bytes_.size()) bytes_.resize(std::min(limits_.header_bytes, std::max(first_room, 2 * bytes_.size())));
  return std::span(bytes_).subspan(end_);
}

RequestReader::Found RequestReader::take(std::size_t bytes) {
  end_ += bytes;
  return go_on();
}

RequestReader::Found RequestReader::go_on() {
  while (!parser_->is_done()) {
    if (begin_ == end_) return Found::nothing;
    error_code error;
    const std::size_t used = parser_->put({bytes_.data() + begin_, end_ - begin_}, error);
    begin_ += used;
    (header_told_ ? bytes_behind_ : header_bytes_) += used;
    if (parser_->refusal) return refuse(std::move(*parser_->refusal));
    if (header_bytes_ > limits_.header_bytes || error == http::error::header_limit) {
      return refuse(problem(431, "The header is too large."));
    }
    if (bytes_behind_ - parser_->request.body.size() > limits_.framing_bytes) {
      return refuse(problem(413, "There is too much around the chunks of the body."));
    }
    if (error == http::error::need_more) {
      if (end_ - begin_ < limits_.header_bytes) return Found::nothing;
      return refuse(problem(413, "There is too much around the chunks of the body."));
    }
    if (error) return refuse(problem(400, "This is not HTTP as it should be."));
    if (!header_told_ && parser_->is_header_done()) {
      header_told_ = true;
      return Found::header;
    }
  }
  return Found::request;
}

RequestReader::Found RequestReader::refuse(Response response) {
  refusal_ = std::move(response);
  share_.give_back();
  parser_->request.body = {};
  return Found::refusal;
}

bool RequestReader::has_begun() const { return header_bytes_ > 0 || begin_ < end_; }
const Request& RequestReader::request() const { return parser_->request; }
bool RequestReader::expects_continue() const { return parser_->expects_continue; }
bool RequestReader::keeps_alive() const { return parser_->keep_alive(); }
unsigned RequestReader::version() const { return parser_->version_number; }
void RequestReader::allow_body(std::size_t most_bytes) { parser_->most_body = most_bytes; }
Request RequestReader::take_request() { return std::move(parser_->request); }

}  // namespace pm::server
