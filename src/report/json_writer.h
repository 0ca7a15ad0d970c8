// Writes JSON into a string as it goes: no tree in memory, keys in the order they are written, the same bytes for the
// same values.
//
//   JsonWriter json(out);
//   json.begin_object().field("san", "e4").key("pv").begin_array().value("e7e5").end_array().end_object();
//
// Real numbers (below 10^12) are rounded to six decimals ("0.25", "0.0"); invalid UTF-8 cannot come in, since the
// readers convert.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace pm::report {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);       // of our own choosing: nothing in it needs escaping
  JsonWriter& user_key(std::string_view name);  // from outside
  JsonWriter& line_break();                     // between values, for people

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(double number);
  JsonWriter& value(std::integral auto number) { return integer(static_cast<long long>(number)); }
  JsonWriter& null();
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }

  template <class T>
  JsonWriter& field(std::string_view name, const T& what) {
    key(name);
    return value(what);
  }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& integer(long long number);
  void separate();
  void quote(std::string_view text);

  std::string& out_;
  bool first_ = true;  // nothing stands before in this object or array
};

}  // namespace pm::report
