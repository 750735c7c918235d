#ifndef ZHIWEN_PIPELINE_DEDUP_REPORT_FINDINGS_H_
#define ZHIWEN_PIPELINE_DEDUP_REPORT_FINDINGS_H_

// Collects what report.html shows beyond the counts, and the examples of the terminal: walks over
// the decisions once (findings_collector.h) and reads the texts of the chosen examples again.

#include <mutex>
#include <string>
#include <vector>

#include "pipeline/dedup/decide/run_data.h"
#include "zhiwen/dedup.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Fills report.examples, and report.findings but for the warnings.
Status CollectFindings(const RunData& run, DedupReport& report);

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
