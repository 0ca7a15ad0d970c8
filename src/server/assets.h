// The files of the web app, compiled in.
#pragma once

#include "server/message.h"

namespace pm::server {

// 404 for what is not there; "/" is the page.
Response asset(const Request& request);

}  // namespace pm::server
