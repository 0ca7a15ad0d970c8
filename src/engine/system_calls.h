// What a child process asks of the kernel. It is a table so that tests can have any call fail; nobody else sets it.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstddef>

namespace pm::engine {

struct SystemCalls {
  int (*socketpair)(int domain, int type, int protocol, int* pair);
  int (*pipe2)(int* pair, int flags);
  pid_t (*fork)();
  ssize_t (*read)(int descriptor, void* into, std::size_t bytes);
  ssize_t (*send)(int socket, const void* from, std::size_t bytes, int flags);
  int (*poll)(pollfd* descriptors, nfds_t count, int milliseconds);
  pid_t (*waitpid)(pid_t pid, int* status, int options);
};

// To be set while no other thread uses it.
SystemCalls& system_calls();

}  // namespace pm::engine
