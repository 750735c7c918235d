#ifndef ZHIWEN_ENVIRONMENT_H_
#define ZHIWEN_ENVIRONMENT_H_

// What a pipeline takes from the outside: clock, cancellation, progress, warnings. The core creates
// none of them, which is what makes fault tests possible.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Wall and processor time.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::nanoseconds Monotonic() const = 0;      // since an arbitrary start
  virtual std::chrono::nanoseconds ProcessorTime() const = 0;  // of all threads of the process
  virtual std::chrono::sys_seconds Now() const = 0;            // UTC
};

const Clock& SystemClock();

// Set from a signal handler or another thread; long work looks at it often.
class Cancellation {
 public:
  // `code` is kInterrupted or kTerminated. Safe in a signal handler.
  void Request(ErrorCode code) { code_.store(static_cast<int>(code), std::memory_order_relaxed); }
  bool requested() const { return code_.load(std::memory_order_relaxed) >= 0; }
  // Ok, or the error with the requested code.
  Status Check() const;

 private:
  std::atomic<int> code_{-1};
};

// What long work is at.
enum class Stage : uint8_t {
  kRead,
  kSample,
  kCheck,  // what an interrupted run left; texts, against a library
  kReferences,
  kSketch,
  kMatchReferences,  // inputs with references, when all inputs have been read
  kReadMatches,      // the texts of those that match
  kRank,
  kCollapse,
  kBands,
  kCandidates,
  kJoinPartitions,
  kSelect,
  kBatches,
  kShingleSets,
  kDecide,
  kCopies,
  kCount,
  kAudit,
  kAuditParts,  // parts of the input, read to find texts that lie in others
  kWrite,
  kExplain,
  kCompute,  // fingerprints
  kCompare,
  kSegment,
  kExtract,  // texts of pages
  kCountTerms,
  kTrain,
  kCalibrate,
  kAddRows,
  kRemoveRows,
  kQuery,
  kMergeCodes,
  kMergeEntries,
  kMergeFeatures,
  kCheckRows,
  kJoinRows,
  kJoinCodes,
  kReplay,  // changes of a library that its index lacks
  kLearn,   // what pages of a site have in common
};

// How the surfaces show a stage. Stages that people need not tell apart have the same name.
struct StageTraits {
  Stage stage;
  std::string_view name;  // "shingle sets"
  std::string_view unit;  // "bytes", "documents"; empty: it cannot say how far it is
};

// Returns the row of `stage`; every stage has one.
const StageTraits& TraitsOf(Stage stage);

// All rows, in the order of Stage.
std::span<const StageTraits> AllStageTraits();

// How far a stage is; called from several threads, often.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  // `done` and `total` count units of the stage. total 0: unknown; both 0: the stage begins.
  virtual void Advance(Stage stage, uint64_t done, uint64_t total) = 0;
};

// Receives warnings, one sentence each, without a final newline.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void Warn(std::string_view message) = 0;
};

ProgressSink& NoProgress();
LogSink& NoLog();

}  // namespace zhiwen

#endif  // ZHIWEN_ENVIRONMENT_H_
