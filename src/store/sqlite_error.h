// What SQLite says went wrong, in the terms of base/error.h.
#pragma once

#include <string_view>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include "base/error.h"

namespace pm::store {

// Another program has it locked.
bool is_busy(const SQLite::Exception& error);
// SQLite itself calls the file corrupt or no database. Nothing else is damage.
bool is_damage(const SQLite::Exception& error);
bool is_read_only_error(const SQLite::Exception& error);
// The same may go well another time: a lock, a full disk, want of memory.
bool may_pass(const SQLite::Exception& error);

// "WHAT: why". `db`: asked whether a failed write was for want of room; may be null.
Error error_of(const SQLite::Exception& error, std::string_view what, const SQLite::Database* db = nullptr);

}  // namespace pm::store
