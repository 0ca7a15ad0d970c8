#include "server/connections.h"

namespace pm::server {

Connections::Place::~Place() {
  const std::scoped_lock lock(all_.mutex_);
  if (open_) all_.of(doing_).erase(at_);
}

bool Connections::Place::turns_to(Doing doing) {
  const std::scoped_lock lock(all_.mutex_);
  if (!open_) return false;
  auto& into = all_.of(doing);
  into.splice(into.end(), all_.of(doing_), at_);
  doing_ = doing;
  return true;
}

std::unique_ptr<Connections::Place> Connections::enter(Close close) {
  auto place = std::make_unique<Place>(*this, std::move(close));
  Close close_another;
  {
    const std::scoped_lock lock(mutex_);
    if (count() >= most_) {
      close_another = take_least_missed();
      if (!close_another) return nullptr;
    }
    auto& waiting = of(Doing::waiting);
    place->at_ = waiting.insert(waiting.end(), place.get());
    place->open_ = true;
  }
  if (close_another) close_another();
  return place;
}

bool Connections::make_room() {
  Close close;
  {
    const std::scoped_lock lock(mutex_);
    close = take_least_missed();
  }
  if (close) close();
  return static_cast<bool>(close);
}

std::size_t Connections::open() const {
  const std::scoped_lock lock(mutex_);
  return count();
}

std::size_t Connections::count() const {
  std::size_t count = 0;
  for (const auto& places : places_) count += places.size();
  return count;
}

Connections::Close Connections::take_least_missed() {
  for (const Doing doing : {Doing::waiting, Doing::receiving, Doing::following}) {
    auto& places = of(doing);
    if (places.empty()) continue;
    Place& place = *places.front();
    places.pop_front();
    place.open_ = false;
    return place.close_;
  }
  return {};
}

}  // namespace pm::server
