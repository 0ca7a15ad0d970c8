#include "engine/system_calls.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pm::engine {

SystemCalls& system_calls() {
  static SystemCalls calls{::socketpair, ::pipe2, ::fork, ::read, ::send, ::poll, ::waitpid};
  return calls;
}

}  // namespace pm::engine
