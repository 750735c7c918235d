#include "pipeline/dedup/checkpoint/resume.h"

#include <fmt/format.h>

#include <algorithm>

#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr std::string_view kStartAgain = "continue it as it was begun, or start it again";

std::string Describe(const std::pair<std::string, std::string>& parameter) {
  return parameter.second.empty() ? "without " + parameter.first
                                  : fmt::format("with {} {}", parameter.first, parameter.second);
}

Status CheckSameNames(const std::vector<CheckpointInput>& before,
                      const std::vector<CheckpointInput>& now) {
  for (size_t i = 0; i < std::min(before.size(), now.size()); ++i) {
    if (before[i].name != now[i].name) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("input {} of the interrupted run is \"{}\", not \"{}\"; {}", i + 1,
                              before[i].name, now[i].name, kStartAgain),
                  {Advice::kStartOver});
    }
    if (before[i].kept_path != now[i].kept_path) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("\"{}\" would be written as kept/{}, and the interrupted run was to "
                              "write kept/{}; {}",
                              now[i].name, now[i].kept_path, before[i].kept_path, kStartAgain),
                  {Advice::kStartOver});
    }
  }
  if (before.size() == now.size()) return {};
  const auto& longer = before.size() > now.size() ? before : now;
  return Fail(
      ErrorCode::kConflict,
      fmt::format("the interrupted run has {} inputs, not {} (\"{}\" is {}); {}", before.size(),
                  now.size(), longer[std::min(before.size(), now.size())].name,
                  before.size() > now.size() ? "missing" : "new", kStartAgain),
      {Advice::kStartOver});
}

}  // namespace

Parameters WithReferences(Parameters parameters, const DedupInputs* references) {
  if (references == nullptr) return parameters;
  parameters.emplace_back("references in", fmt::format("{} files", references->files.size()));
  for (const InputFile& file : references->files) {
    parameters.emplace_back("the references",
                            fmt::format("\"{}\" ({} bytes, changed at {} ns)", file.path,
                                        file.identity.size, file.identity.modified_nanoseconds));
  }
  return parameters;
}

Status CheckSameRun(const Checkpoint& checkpoint, const std::string& output,
                    const Parameters& now) {
  if (checkpoint.program != Version()) {
    return Fail(ErrorCode::kConflict,
                fmt::format("the run in \"{}\" was begun by zhiwen {}, and this is zhiwen {}; "
                            "continue it with that version, or start it again",
                            output, checkpoint.program, Version()),
                {Advice::kStartOver});
  }
  for (size_t i = 0; i < now.size(); ++i) {
    if (i < checkpoint.parameters.size() && checkpoint.parameters[i] == now[i]) continue;
    const std::pair<std::string, std::string> before = i < checkpoint.parameters.size()
                                                           ? checkpoint.parameters[i]
                                                           : std::pair(now[i].first, std::string());
    return Fail(ErrorCode::kConflict,
                fmt::format("the run in \"{}\" was begun {}, not {}; {}", output, Describe(before),
                            Describe(now[i]), kStartAgain),
                {Advice::kStartOver});
  }
  return {};
}

std::vector<CheckpointInput> DescribeInputs(const DedupInputs& inputs) {
  std::vector<CheckpointInput> all;
  all.reserve(inputs.files.size());
  for (size_t i = 0; i < inputs.files.size(); ++i) {
    all.push_back({inputs.names[i], inputs.kept_paths[i], inputs.files[i].identity});
  }
  return all;
}

std::optional<std::string> FindChangedInput(FileSystem& files,
                                            const std::vector<std::string>& paths,
                                            const Checkpoint& checkpoint) {
  const SketchProgress& progress = checkpoint.sketch.progress;
  for (size_t i = 0; i < paths.size() && (checkpoint.sketched || i < progress.file); ++i) {
    const auto file = files.OpenForRead(paths[i]);
    if (!file) return checkpoint.inputs[i].name;
    const auto now = (*file)->Identity();
    if (!now || *now != checkpoint.inputs[i].identity) return checkpoint.inputs[i].name;
  }
  return {};
}

Status AdoptInputs(const DedupInputs& inputs, Checkpoint& checkpoint) {
  std::vector<CheckpointInput> now = DescribeInputs(inputs);
  ZHIWEN_RETURN_IF_ERROR(CheckSameNames(checkpoint.inputs, now));
  const SketchProgress& progress = checkpoint.sketch.progress;
  for (size_t i = 0; i < now.size(); ++i) {
    if (now[i].identity == checkpoint.inputs[i].identity) continue;
    if (checkpoint.sketched || i < progress.file) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("\"{}\" changed after the interrupted run had read it; put it back "
                              "as it was and continue, or start the run again",
                              now[i].name),
                  {Advice::kResume, Advice::kStartOver});
    }
    if (i == progress.file && progress.offset > 0) checkpoint.sketch = checkpoint.file_start;
    break;  // no file behind it is begun
  }
  checkpoint.inputs = std::move(now);
  return {};
}

}  // namespace zhiwen
