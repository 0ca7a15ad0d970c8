// Maia-3: a transformer that knows both players' ratings, from 600 to 2600, as its ONNX export: a graph (maia3-5m.onnx)
// and its numbers beside it (maia3-5m.onnx.data).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "human/human_model.h"

namespace pm::human {

// The graphs of a folder, the smallest network first; empty when there are none or no such folder.
std::vector<std::string> find_maia3_files(const std::string& folder);

// Reads the network at once.
Expected<std::shared_ptr<HumanModel>> open_maia3(const std::string& graph, int threads);

}  // namespace pm::human
