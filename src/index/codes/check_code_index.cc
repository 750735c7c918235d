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

  Status Run(const Manifest& manifest) {
    const auto settings = ReadCodeSettings(manifest.settings, folder_.folder());
    if (!settings) Note(settings.error());
    for (const ManifestSegment& entry : manifest.segments) total_ += entry.rows;
    for (const ManifestSegment& entry : manifest.segments) {
      ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
      if (const Status checked = CheckSegment(entry); !checked) Note(checked.error());
      CheckDeleted(entry);
      done_ += entry.rows;
      progress_.Advance("fsck", done_, total_, "rows");
    }
    if (manifest.log != 0) CheckLog(manifest);
    // What holds by itself must hold together.
    if (!found_.problems.empty()) return {};
    const auto state = CodeState::Load(folder_, manifest);
    if (!state) Note(state.error());
    if (state) found_.stats = (*state)->stats();
    ZHIWEN_ASSIGN_OR_RETURN(found_.leftovers, folder_.Leftovers(manifest));
    return {};
  }

  CodeIndexCheck& found() { return found_; }

 private:
  void Note(const Error& error) { found_.problems.push_back(error.message); }

  Status CheckSegment(const ManifestSegment& entry) const {
    ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<CodeSegment> segment,
                            CodeSegment::Open(folder_.files(), folder_.SegmentPath(entry.number)));
    return segment->CheckAll();
  }

  void CheckDeleted(const ManifestSegment& entry) {
    if (entry.deleted == 0) return;
    const auto read =
        RowBitmap::Read(folder_.files(), folder_.DeletedPath(entry.deleted), entry.rows);
    if (!read) Note(read.error());
  }

  void CheckLog(const Manifest& manifest) {
    const auto visit = [](std::string_view record) {
      return VisitChanges(record, [](const CodeChange& /*change*/) {});
    };
    const auto end = ReadLogFile(folder_.files(), folder_.LogPath(manifest.log), manifest.log,
                                 manifest.log_bytes, visit);
    if (!end) Note(end.error());
  }

  const IndexFolder& folder_;
  ProgressSink& progress_;
  const Cancellation& cancellation_;
  uint64_t done_ = 0, total_ = 0;
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
