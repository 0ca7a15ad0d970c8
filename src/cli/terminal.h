// What stands behind the standard streams of the process.
#pragma once

#include "cli/app.h"

namespace pm::cli {

// Fills in whether `streams` are terminals, how wide, and whether colours are welcome (NO_COLOR, no-color.org). A
// terminal that calls itself dumb understands no escape sequences and is treated like a file.
void look_at_terminal(Streams& streams);

}  // namespace pm::cli
