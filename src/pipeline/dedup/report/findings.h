#ifndef ZHIWEN_PIPELINE_DEDUP_REPORT_FINDINGS_H_
#define ZHIWEN_PIPELINE_DEDUP_REPORT_FINDINGS_H_

// Collects what report.html shows beyond the counts, and the examples of the terminal: walks over
// the decisions once (findings_collector.h) and sees the texts of the chosen examples again.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/dedup/decide/run_data.h"
#include "pipeline/dedup/input/document_pass.h"
#include "zhiwen/dedup.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

class CollectedFindings {
 public:
  // Walks over the decisions and chooses what is shown.
  static Result<CollectedFindings> Collect(const RunData& run);
  ~CollectedFindings();
  CollectedFindings(CollectedFindings&&) noexcept;

  // The documents to be visited before Show; this outlives the wish.
  DocumentWish Wish();
  // Fills report.examples, and report.findings but for the warnings.
  Status Show(const RunData& run, DedupReport& report) const;

 private:
  struct State;
  explicit CollectedFindings(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Passes warnings on and remembers the first of them.
class WarningRecorder : public LogSink {
 public:
  explicit WarningRecorder(LogSink& next) : next_(next) {}

  void Warn(std::string_view message) override;
  std::vector<std::string> Take();

 private:
  LogSink& next_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_REPORT_FINDINGS_H_
