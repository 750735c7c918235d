#include "pipeline/batches/cluster_files.h"

#include <fmt/format.h>

#include "base/json/json_writer.h"

namespace zhiwen {
namespace {

std::string DistSetLine(const StoredCentre& centre) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(centre.id);
  json.Key("code").String(fmt::format("{:0{}x}", centre.code.bits, 2 * centre.code.bytes));
  json.EndObject();
  return line;
}

std::string SimSetLine(std::string line, std::span<const std::string> members) {
  line.pop_back();  // the brace
  line += ",\"members\":[";
  for (size_t i = 0; i < members.size(); ++i) {
    if (i > 0) line += ',';
    AppendJsonString(line, members[i]);
  }
  return line + "]}";
}

}  // namespace

Result<std::unique_ptr<ClusterFiles>> ClusterFiles::Create(FileSystem& files,
                                                           const std::string& folder,
                                                           bool overwrite) {
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(folder));
  std::unique_ptr<ClusterFiles> made(new ClusterFiles());
  const auto create = [&](std::string_view name, std::string_view field,
                          std::unique_ptr<LinesOutput>& file) -> Status {
    const std::string path = fmt::format("{}/{}.jsonl", folder, name);
    ZHIWEN_ASSIGN_OR_RETURN(file, LinesOutput::Create(files, {.name = "clusters", .field = field},
                                                      {.path = path, .overwrite = overwrite}));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(create("clusters", "\",\"cluster\":", made->steps_));
  ZHIWEN_RETURN_IF_ERROR(create("distset", "\",\"code\":\"", made->dist_set_));
  ZHIWEN_RETURN_IF_ERROR(create("simset", "\",\"code\":\"", made->sim_set_));
  return made;
}

Status ClusterFiles::AddStep(std::string_view line) {
  return steps_->Add(fmt::format("{}\n", line));
}

Status ClusterFiles::Publish(const ClusterStore& store) {
  const auto add = [&](const StoredCentre& centre, std::span<const std::string> members) -> Status {
    const std::string line = DistSetLine(centre);
    ZHIWEN_RETURN_IF_ERROR(dist_set_->Add(line + "\n"));
    return sim_set_->Add(SimSetLine(line, members) + "\n");
  };
  ZHIWEN_RETURN_IF_ERROR(store.VisitClusters(add));
  ZHIWEN_RETURN_IF_ERROR(dist_set_->Publish());
  ZHIWEN_RETURN_IF_ERROR(sim_set_->Publish());
  return steps_->Publish();  // last: where it is, the others are
}

}  // namespace zhiwen
