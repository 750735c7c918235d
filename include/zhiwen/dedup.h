#ifndef ZHIWEN_DEDUP_H_
#define ZHIWEN_DEDUP_H_

// Batch deduplication: the rules are in docs/dedup-rules.md.
//
// In          JSON Lines files, read in passes that stream forward: all records (sketch), those
//             that may match or fold alike (shingle sets), kept lines (output)
// Out         a folder: kept/, removed.jsonl.zst, clusters.jsonl.zst, failed.jsonl.zst, report.json
// Guarantees  in = kept + removed + failed, checked against what was written
//             Theorem A: every removed document matches the kept document named as its keeper
//             Theorem B: no two kept documents match; certain with exact candidates, with bands
//             each pair at the threshold is found with probability ≥ 0.9999
//             the same bytes for any number of threads and any instruction set
// Cost        about 300 bytes a document, and 8 bytes a shingle of documents that may match; with
//             exact candidates that is every document
// Fails       see Dedup

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/environment.h"
#include "zhiwen/executor.h"
#include "zhiwen/result.h"

namespace zhiwen {

class FileSystem;

enum class DedupMode : uint8_t { kNear, kExact };
enum class CandidateSource : uint8_t {
  kBands,  // MinHash bands: a pair at the threshold is a candidate with probability ≥ 0.9999
  kExact,  // prefix-filter join: every pair at the threshold
};

// How many failed records end a run: the larger of `count` and `share` of the records read.
struct FailureLimit {
  uint64_t count = 100;
  double share = 0.01;
};

struct DedupOptions {
  std::vector<std::string> inputs;  // files, or folders (zhiwen/documents.h)
  std::string output;               // a folder that does not exist or is empty
  DedupMode mode = DedupMode::kNear;
  CandidateSource candidates = CandidateSource::kBands;  // thresholds below 0.7 use kExact
  Channel channel = Channel::kFolded;
  double threshold = 0.8;  // 0.5 … 1
  std::string keep = "longest";
  std::vector<std::string> text_fields = {"text"};  // dotted; several are joined by a line end
  std::optional<std::string> id_field;              // not given: "id" where a record has it
  uint64_t max_bucket_kept = 2000;
  FailureLimit max_failed;
  bool overwrite = false;
  std::vector<std::string> command;  // as typed, for the report
};

struct DedupEnvironment {
  FileSystem& files;
  Executor& executor;
  const Clock& clock;
  ProgressSink& progress;
  LogSink& log;
  const Cancellation& cancellation;
};

struct StageTime {
  std::string name;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  uint64_t bytes = 0;
};

// One removal, for showing: identity is (input, record number).
struct RemovalExample {
  std::string id, kept_id;
  std::string reason;  // "exact" or "near"
  double resemblance = 1, containment = 1, containment_of_kept = 1;
  std::string text, kept_text;  // beginnings
};

struct DedupReport {
  uint64_t documents = 0;  // records read
  uint64_t kept = 0;
  uint64_t removed_exact = 0, removed_near = 0;
  std::vector<std::pair<std::string, uint64_t>> failed;  // by reason, sorted by name
  uint64_t empty = 0;                                    // kept records without text
  uint64_t clusters = 0, largest_cluster = 0;
  uint64_t duplicate_ids = 0;
  std::vector<std::string> duplicate_id_examples;
  std::vector<std::pair<std::string, uint64_t>> missing_policy_values;  // per keep-policy field
  uint64_t candidate_pairs = 0, verified_pairs = 0;
  uint64_t hot_buckets = 0;  // above max_bucket_kept: their pairs came from the exact join
  double expected_missed_pairs = 0;
  std::string candidate_source;  // "bands(bands=24,rows=5)", "exact join", "equal texts"
  // Whether no two kept documents match: "certain", or "probable" (each pair at the threshold was a
  // candidate with probability ≥ 0.9999).
  std::string theorem_b_claim;
  uint64_t threads = 1;
  uint64_t input_bytes = 0, text_bytes = 0, kept_bytes = 0;
  uint64_t peak_memory_bytes = 0;
  double wall_seconds = 0, cpu_seconds = 0;
  std::vector<StageTime> stages;
  std::vector<RemovalExample> examples;  // a few, by hash of the identity

  uint64_t failed_total() const {
    uint64_t total = 0;
    for (const auto& [reason, count] : failed) total += count;
    return total;
  }
};

// Runs a deduplication. On failure the output folder holds no report.json; what was written is
// under its .partial folder. Fails: kInvalidArgument (option out of range, unknown policy) ·
// kNotFound (an input, a named field no record has) · kUnreadable (an input cannot be read, changed
// during the run, or more failed records than the limit) · kConflict (output not empty or locked) ·
// kExhausted (disk) · kInterrupted, kTerminated.
Result<DedupReport> Dedup(const DedupOptions& options, const DedupEnvironment& environment);

// The report as written to report.json: {"schema_version", "result", "run"}.
std::string DedupReportToJson(const DedupReport& report, const DedupOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_DEDUP_H_
