// For tests: a client that sends what it is told over a real socket, however wrong, and reads what comes.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace pm::server {

class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { ::close(socket_); }

  bool connected() const { return connected_; }
  void send(std::string_view text) {
    while (!text.empty()) {
      const auto sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Until the text holds `part`, or the other side closes.
  std::string read_until(std::string_view part) {
    char buffer[4096];
    while (read_.find(part) == std::string::npos) {
      const auto got = ::recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      read_.append(buffer, static_cast<std::size_t>(got));
    }
    return read_;
  }
  std::string read_all() { return read_until("\x01 never sent"); }
  void forget() { read_.clear(); }

 private:
  int socket_;
  bool connected_ = false;
  std::string read_;
};

}  // namespace pm::server
