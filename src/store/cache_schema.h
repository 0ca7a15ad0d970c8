// The table of the cache, for those who open it.
#pragma once

#include "store/sqlite_file.h"

namespace pm::store {

// evaluations: key, value, used (when last, in hours since 1970).
SqliteSchema cache_schema();

}  // namespace pm::store
