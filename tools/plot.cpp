#include "tools/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pm::tools {
namespace {

constexpr double width = 640;
constexpr double height = 360;
constexpr double left = 64;
constexpr double right = 16;
constexpr double top = 56;  // room for a title and three names
constexpr double bottom = 48;
constexpr std::array colours{"#2563a8", "#c2571a", "#3b7d3b", "#8a3ea0"};

struct Axis {
  double least;
  double most;
  double from;
  double to;
  double at(double value) const { return from + (value - least) / (most - least) * (to - from); }
};

// A round number of about a fifth of the range.
double step_of(const Axis& axis) {
  const double rough = (axis.most - axis.least) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= rough) return times * power;
  }
  return 10 * power;
}

std::string ticks(const Axis& axis, bool across) {
  std::string svg;
  const double step = step_of(axis);
  const auto first = static_cast<int>(std::ceil(axis.least / step));
  const auto last = static_cast<int>(std::floor(axis.most / step + 1e-6));
  for (int tick = first; tick <= last; ++tick) {
    const double value = tick * step;
    const double at = axis.at(value);
    const std::string text = fmt::format("{:.6g}", value);
    if (across) {
      svg +=
          fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", at, height - bottom + 18, text);
    } else {
      svg += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", left,
                         width - right, at, at);
      svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 6, at + 4, text);
    }
  }
  return svg;
}

}  // namespace

std::string draw_plot(const std::string& title, const std::string& x, const std::string& y,
                      const std::vector<Series>& series) {
  Axis across{1e300, -1e300, left, width - right};
  Axis up{1e300, -1e300, height - bottom, top};
  for (const Series& each : series) {
    for (const auto& [px, py] : each.points) {
      across.least = std::min(across.least, px);
      across.most = std::max(across.most, px);
      up.least = std::min(up.least, py);
      up.most = std::max(up.most, py);
    }
  }
  for (Axis* axis : {&across, &up}) {
    if (!(axis->most > axis->least)) axis->most = axis->least + 1;
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"20\" font-size=\"14\">{3}</text>\n"
      "<text x=\"{4}\" y=\"{5}\" text-anchor=\"end\">{6}</text>\n"
      "<text x=\"{2}\" y=\"34\" fill=\"#555\">{7}</text>\n",
      width, height, left, title, width - right, height - 8, x, y);
  svg += ticks(across, true) + ticks(up, false);
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string points;
    for (const auto& [px, py] : series[i].points) points += fmt::format("{:.1f},{:.1f} ", across.at(px), up.at(py));
    const char* colour = colours[i % colours.size()];
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, colour);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{}\">{}</text>\n", width - right,
                       20 + 14 * static_cast<int>(i), colour, series[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace pm::tools
