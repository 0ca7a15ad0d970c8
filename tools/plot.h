// A small picture: lines over two axes, as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pm::tools {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x ascending
};

// The axes reach from the least to the greatest value of all series.
std::string draw_plot(const std::string& title, const std::string& x, const std::string& y,
                      const std::vector<Series>& series);

}  // namespace pm::tools
