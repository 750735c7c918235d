#include "pipeline/batches/cluster_files.h"

#include <fmt/format.h>

#include "base/files/output_file.h"
#include "base/json/json_writer.h"

namespace zhiwen {
namespace {

constexpr size_t kWrittenAtOnce = size_t{64} << 10;

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

// A file that is written line by line.
class ClusterFiles::LinesFile {
 public:
  // Replaces only a file whose first line has `field`, too.
  static Result<std::unique_ptr<LinesFile>> Create(FileSystem& files, const std::string& path,
                                                   std::string_view field, bool overwrite) {
    auto file = std::make_unique<LinesFile>();
    const auto is_ours = [field](std::unique_ptr<ReadableFile> old) -> Result<bool> {
      std::string first(size_t{64} << 10, '\0');
      ZHIWEN_ASSIGN_OR_RETURN(const size_t bytes, old->ReadAt(0, first));
      const std::string_view line = std::string_view(first).substr(0, bytes);
      return line.starts_with("{\"id\":\"") &&
             line.substr(0, line.find('\n')).find(field) != std::string_view::npos;
    };
    ZHIWEN_ASSIGN_OR_RETURN(file->output_,
                            OutputFile::Create(files, {.name = "clusters", .is_of_kind = is_ours},
                                               {.path = path, .overwrite = overwrite}));
    ZHIWEN_ASSIGN_OR_RETURN(file->file_, file->output_->Open());
    return file;
  }

  Status Add(std::string_view line) {
    lines_ += line;
    lines_ += '\n';
    return lines_.size() < kWrittenAtOnce ? Status() : Write();
  }

  Status Publish() {
    ZHIWEN_RETURN_IF_ERROR(Write());
    ZHIWEN_RETURN_IF_ERROR(file_->Close());
    return output_->Publish();
  }

 private:
  Status Write() {
    ZHIWEN_RETURN_IF_ERROR(file_->Append(lines_));
    lines_.clear();
    return {};
  }

  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<WritableFile> file_;
  std::string lines_;
};

ClusterFiles::ClusterFiles() = default;
ClusterFiles::~ClusterFiles() = default;

Result<std::unique_ptr<ClusterFiles>> ClusterFiles::Create(FileSystem& files,
                                                           const std::string& folder,
                                                           bool overwrite) {
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(folder));
  std::unique_ptr<ClusterFiles> made(new ClusterFiles());
  const auto create = [&](std::string_view name, std::string_view field,
                          std::unique_ptr<LinesFile>& file) -> Status {
    const std::string path = fmt::format("{}/{}.jsonl", folder, name);
    ZHIWEN_ASSIGN_OR_RETURN(file, LinesFile::Create(files, path, field, overwrite));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(create("clusters", "\",\"cluster\":", made->steps_));
  ZHIWEN_RETURN_IF_ERROR(create("distset", "\",\"code\":\"", made->dist_set_));
  ZHIWEN_RETURN_IF_ERROR(create("simset", "\",\"code\":\"", made->sim_set_));
  return made;
}

Status ClusterFiles::AddStep(std::string_view line) { return steps_->Add(line); }

Status ClusterFiles::Publish(const ClusterStore& store) {
  const auto add = [&](const StoredCentre& centre, std::span<const std::string> members) -> Status {
    const std::string line = DistSetLine(centre);
    ZHIWEN_RETURN_IF_ERROR(dist_set_->Add(line));
    return sim_set_->Add(SimSetLine(line, members));
  };
  ZHIWEN_RETURN_IF_ERROR(store.VisitClusters(add));
  ZHIWEN_RETURN_IF_ERROR(dist_set_->Publish());
  ZHIWEN_RETURN_IF_ERROR(sim_set_->Publish());
  return steps_->Publish();  // last: where it is, the others are
}

}  // namespace zhiwen
