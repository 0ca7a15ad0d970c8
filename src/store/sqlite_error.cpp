#include "store/sqlite_error.h"

#include <sqlite3.h>

#include <cerrno>

#include <fmt/format.h>

namespace pm::store {
namespace {

constexpr int primary_bits = 0xff;  // of an extended code

int primary_code(const SQLite::Exception& error) { return error.getErrorCode() & primary_bits; }

// A quota, or a full disk that was noticed by another call than write(), is an input/output error to SQLite.
bool wants_room(const SQLite::Database* db) {
  const int number = db != nullptr ? sqlite3_system_errno(db->getHandle()) : 0;
  return number == ENOSPC || number == EDQUOT;
}

ErrorCode code_of(const SQLite::Exception& error, const SQLite::Database* db) {
  switch (primary_code(error)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return ErrorCode::file_locked;
    case SQLITE_FULL: return ErrorCode::no_room;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return ErrorCode::store_damaged;
    case SQLITE_READONLY: return ErrorCode::file_write;
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH: return ErrorCode::file_open;
    case SQLITE_IOERR:
      if (wants_room(db)) return ErrorCode::no_room;
      return (error.getExtendedErrorCode() == SQLITE_IOERR_READ) ? ErrorCode::file_read : ErrorCode::file_write;
    default: return ErrorCode::file_read;
  }
}

}  // namespace

bool is_busy(const SQLite::Exception& error) {
  return primary_code(error) == SQLITE_BUSY || primary_code(error) == SQLITE_LOCKED;
}

bool is_damage(const SQLite::Exception& error) {
  return primary_code(error) == SQLITE_CORRUPT || primary_code(error) == SQLITE_NOTADB;
}

bool is_read_only_error(const SQLite::Exception& error) { return primary_code(error) == SQLITE_READONLY; }

bool may_pass(const SQLite::Exception& error) {
  switch (primary_code(error)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
    case SQLITE_INTERRUPT: return true;
    default: return false;
  }
}

Error error_of(const SQLite::Exception& error, std::string_view what, const SQLite::Database* db) {
  return {code_of(error, db), fmt::format("{}: {}", what, error.what()), {}};
}

}  // namespace pm::store
