// Which connections are open and what each is doing, so that there is always room for a new one: when there are as many
// as there may be, the one that is missed least is closed. Knows nothing of sockets.
//
//   const auto place = connections.enter([weak] { ... });  // how it is closed, from any thread
//   if (!place->turns_to(Connections::Doing::answering)) ...  // it was closed meanwhile
//
// Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

namespace pm::server {

class Connections {
 public:
  // In the order in which they make room, the oldest of each first: those that have not sent a whole header, those
  // whose body comes in, those that follow events (browsers connect again and go on). Whoever is being answered stays.
  enum class Doing : std::uint8_t { waiting, receiving, following, answering };
  using Close = std::function<void()>;

  explicit Connections(std::size_t most) : most_(most) {}
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  ~Connections() = default;

  // Of one connection, as long as it lives; it is waiting at first.
  class Place {
   public:
    Place(Connections& all, Close close) : all_(all), close_(std::move(close)) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();

    // False when it has made room for another.
    bool turns_to(Doing doing);

   private:
    friend class Connections;
    Connections& all_;
    Close close_;
    // For the mutex of all.
    bool open_ = false;
    Doing doing_ = Doing::waiting;
    std::list<Place*>::iterator at_;
  };

  // Null when there is no room: all are being answered.
  std::unique_ptr<Place> enter(Close close);
  // Closes one; false when none may be closed.
  bool make_room();
  std::size_t open() const;

 private:
  static constexpr std::size_t kinds = 4;
  std::list<Place*>& of(Doing doing) { return places_[static_cast<std::size_t>(doing)]; }
  // For these the mutex is held.
  std::size_t count() const;
  Close take_least_missed();

  std::size_t most_;
  mutable std::mutex mutex_;
  std::array<std::list<Place*>, kinds> places_;  // by what they do, oldest first
};

}  // namespace pm::server
