#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "index/codes/code_changes.h"
#include "index/codes/code_settings.h"
#include "index/codes/code_state.h"
#include "index/codes/open_code_index.h"

namespace zhiwen {
namespace {

// Notes what is wrong, and goes on.
class Check {
 public:
  Check(const IndexFolder& folder, ProgressSink& progress, const Cancellation& cancellation)
      : folder_(folder), progress_(progress), cancellation_(cancellation) {}

  // Fails where nobody can tell: another version, no memory.
  Status Run(const Manifest& manifest) {
    const auto settings = ReadCodeSettings(manifest.settings, folder_.folder());
    if (!settings) ZHIWEN_RETURN_IF_ERROR(Note(settings.error()));
    ZHIWEN_RETURN_IF_ERROR(OpenParts(manifest));
    ZHIWEN_RETURN_IF_ERROR(CheckSegments());
    // What holds by itself must hold together.
    if (!found_.problems.empty()) return {};
    const auto state = CodeState::Load(folder_, manifest);
    if (!state) ZHIWEN_RETURN_IF_ERROR(Note(state.error()));
    if (state) found_.stats = (*state)->stats();
    // Of a writer that is at work they are what it makes.
    if (folder_.IsLocked()) return {};
    ZHIWEN_ASSIGN_OR_RETURN(found_.leftovers, folder_.Leftovers(manifest));
    return {};
  }

  CodeIndexCheck& found() { return found_; }

 private:
  Status Note(const Error& error) {
    if (error.code != ErrorCode::kUnreadable && error.code != ErrorCode::kNotFound) {
      return Fail(error.code, error.message);
    }
    found_.problems.push_back(error.message);
    return {};
  }

  // First: what is open stays, whatever another process removes.
  Status OpenParts(const Manifest& manifest) {
    for (const ManifestSegment& entry : manifest.segments) {
      auto segment = CodeSegment::Open(folder_.files(), folder_.SegmentPath(entry.number));
      if (segment) {
        segments_.push_back(*std::move(segment));
      } else {
        ZHIWEN_RETURN_IF_ERROR(Note(segment.error()));
      }
      if (entry.deleted == 0) continue;
      const auto deleted =
          RowBitmap::Read(folder_.files(), folder_.DeletedPath(entry.deleted), entry.rows);
      if (!deleted) ZHIWEN_RETURN_IF_ERROR(Note(deleted.error()));
    }
    if (manifest.log == 0) return {};
    const auto visit = [](std::string_view record) {
      return VisitChanges(record, [](const CodeChange& /*change*/) {});
    };
    const auto end = ReadLogFile(folder_.files(), folder_.LogPath(manifest.log), manifest.log,
                                 manifest.log_bytes, visit);
    return end ? Status() : Note(end.error());
  }

  Status CheckSegments() {
    uint64_t done = 0, total = 0;
    for (const auto& segment : segments_) total += segment->rows();
    for (const auto& segment : segments_) {
      const Status checked = segment->CheckAll(cancellation_);
      ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
      if (!checked) ZHIWEN_RETURN_IF_ERROR(Note(checked.error()));
      done += segment->rows();
      progress_.Advance("fsck", done, total, "rows");
    }
    return {};
  }

  const IndexFolder& folder_;
  ProgressSink& progress_;
  const Cancellation& cancellation_;
  std::vector<std::unique_ptr<CodeSegment>> segments_;
  CodeIndexCheck found_;
};

}  // namespace

Result<CodeIndexCheck> CheckCodeIndex(FileSystem& files, const std::string& folder,
                                      ProgressSink& progress, const Cancellation& cancellation) {
  const IndexFolder index(files, folder, kCodesKind);
  CodeIndexCheck damaged;  // what is wrong, while another process changes nothing
  const auto check = [&](const Manifest& manifest) -> Result<CodeIndexCheck> {
    Check run(index, progress, cancellation);
    ZHIWEN_RETURN_IF_ERROR(run.Run(manifest));
    if (run.found().problems.empty()) return std::move(run.found());
    damaged = std::move(run.found());
    return Fail(ErrorCode::kUnreadable, damaged.problems.front());
  };
  auto checked = WithSteadyManifest(index, check);
  if (checked || checked.error().code != ErrorCode::kUnreadable) return checked;
  if (damaged.problems.empty()) damaged.problems.push_back(checked.error().message);
  return damaged;
}

}  // namespace zhiwen
