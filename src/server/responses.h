// The answers that every part of the API gives.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "server/message.h"

namespace pm::server {

inline Response json_response(std::string body, int status = 200) {
  Response response{status, "application/json", std::move(body), {}};
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

inline Response error_response(const Error& error) {
  switch (error.code) {
    case ErrorCode::busy: return busy(503, error.sentence, 5);
    case ErrorCode::no_engine: return busy(503, error.sentence, 60);
    case ErrorCode::file_locked: return busy(503, error.sentence, 5);
    case ErrorCode::no_such_review: return problem(404, error.sentence);
    case ErrorCode::no_room: return problem(507, error.sentence);
    case ErrorCode::file_open:
    case ErrorCode::file_read:
    case ErrorCode::file_write:
    case ErrorCode::store_damaged: return problem(500, error.sentence);
    default: return problem(400, error.sentence);
  }
}

inline Response created(const std::string& location, const std::string& body) {
  Response response = json_response(body, 201);
  response.headers.emplace_back("Location", location);
  return response;
}

inline Response no_content() { return {204, "application/json", "", {}}; }

inline Response not_allowed(const std::string& methods) {
  Response response = problem(405, fmt::format("Expected {}.", methods));
  response.headers.emplace_back("Allow", methods);
  return response;
}

inline Response no_such(std::string_view what) { return problem(404, fmt::format("There is no such {}.", what)); }

}  // namespace pm::server
