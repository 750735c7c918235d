#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCHER_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCHER_H_

// Turns the records of a block into the rows that the first pass keeps.
//
// Threads     one object a worker

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fingerprint/one_permutation.h"
#include "pipeline/dedup/input/large_text.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "pipeline/dedup/rows/removal_row.h"
#include "pipeline/dedup/sketch/audit_keys.h"
#include "pipeline/dedup/sketch/reference_cuts.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct LabelPart {
  uint32_t record;  // in the block
  uint32_t id_length;
};

// Shingles of a large text that belong at `place` of SketchJob::samples.
struct LargeSample {
  size_t place = 0;
  MappedShingles set;
  std::optional<uint64_t> group;  // to be mixed with
};

// A record that has one of the fields that are to be added.
struct FieldClash {
  size_t field = 0;  // index into RecordFields::added
  uint32_t record = 0;
};

// A block on its way through the pass.
struct SketchJob {
  RecordBlock block;
  uint64_t bytes_read = 0;  // of the inputs, once the block was read
  // The rows of the block; files, records and documents count from its start.
  std::vector<DocumentRow> documents;
  std::vector<uint64_t> band_rows;  // [document][band]
  std::string samples;
  std::vector<LargeSample> large_samples;
  std::vector<RemovalRow> against;
  std::vector<std::pair<DocumentIndex, DocumentCuts>> cuts;
  std::vector<uint32_t> matched;     // references, as often as documents match them
  std::string reference_shingles;    // where the references wait
  std::vector<uint32_t> audit_keys;  // [document][key]
  std::vector<Hash128> keys;         // of --key
  std::vector<int64_t> dates;        // of --within
  std::string rank_keys;
  std::vector<uint64_t> id_hashes;
  std::vector<LabelPart> labels;
  std::string ids;
  std::vector<FailedRecord> failed;
  SketchTotals totals;
  Status status;                    // an error of the run
  std::optional<uint32_t> uncut;    // the record that `status` speaks of, if it does
  std::optional<FieldClash> clash;  // the first
  std::vector<BadFile> bad_files;   // between the block before and this one

  void Clear() {
    status = {};
    uncut = {};
    clash = {};
    documents.clear();
    band_rows.clear();
    samples.clear();
    large_samples.clear();
    against.clear();
    cuts.clear();
    matched.clear();
    reference_shingles.clear();
    audit_keys.clear();
    keys.clear();
    dates.clear();
    rank_keys.clear();
    id_hashes.clear();
    labels.clear();
    ids.clear();
    failed.clear();
    totals = {};
  }
};

// Returns the error that `place` of an input file has a field `name`, which is to be added.
Status FailClash(const RunContext& run, const std::string& name, uint32_t file,
                 std::string_view place);

class Sketcher {
 public:
  // run.scratch takes files of large texts, with names of this `worker`. All outlive it.
  static Result<Sketcher> Create(const RunContext& run, const SketchOptions& options,
                                 const References* references, size_t worker);

  // Replaces what `job` holds but its block and the bad files before it. An error of the run is
  // job.status.
  void Sketch(SketchJob& job);

 private:
  Sketcher(const RunContext& run, const SketchOptions& options, BlockParser parser);
  void AddFailed(const BlockRecord& record, RecordFault fault, SketchJob& job);
  Status CheckHead(const RecordBlock& block) const;
  void AddDocument(const BlockRecord& record, const Document& document, SketchJob& job);
  static void AddLabel(const BlockRecord& record, const Document& document, SketchJob& job);
  void AddKey(const Document& document, uint64_t group, SketchJob& job) const;
  uint64_t AddRankKey(const Document& document, uint64_t length, SketchJob& job);
  void SketchText(std::string_view text, uint64_t group, DocumentRow& row, SketchJob& job);
  Status SketchLarge(std::string_view text, uint64_t group, DocumentRow& row, SketchJob& job);
  void AddSample(std::span<const uint64_t> shingles, bool decided, uint64_t group,
                 std::string& samples);
  Status AddLargeSample(LargeText& text, bool decided, uint64_t group, SketchJob& job);
  void AppendSampleHead(const ShingleSample& sample, std::string& samples) const;
  Result<bool> MatchReferences(LargeText& text, uint64_t shingles, SketchJob& job);
  Status AddMatch(std::string_view text, const RemovalRow& row, SketchJob& job);
  Result<bool> MatchReferences(std::string_view text, std::span<const uint64_t> shingles,
                               SketchJob& job);
  void AddAuditKeys(std::span<const uint64_t> shingles, uint64_t group, const DocumentRow& row,
                    std::vector<uint32_t>& keys);
  void AddBandKeys(std::span<const uint64_t> shingles, uint64_t group,
                   std::vector<uint64_t>& band_rows);
  void AddLargeBandKeys(std::string_view text, uint64_t group, std::vector<uint64_t>& band_rows);
  void SetBandKeys(uint64_t group, std::span<uint64_t> keys) const;
  bool IsDecidedByEquality(const DocumentRow& row) const;
  void SetCollapse(const Hash128& hash, uint64_t group, DocumentRow& row) const;

  const RunContext* run_;
  const SketchOptions* options_;
  BlockParser parser_;
  TextFeatures features_;
  TextPieces pieces_;
  AuditKeyMaker audit_keys_;
  std::optional<OnePermutationMinHash> minhash_;
  std::optional<ReferenceMatcher> matcher_;
  std::optional<ReferenceCutter> cutter_;
  bool references_wait_ = false;
  FoundShingles found_;
  std::string file_name_;
  uint64_t files_ = 0;  // so that none has the name of one that a job before still holds
  std::vector<uint32_t> signature_;
  // The shingle set of the text last sketched, mode contained; of a large text its size alone.
  std::vector<uint64_t> set_;
  uint64_t set_size_ = 0;
  int64_t date_ = kNoDate;  // of the document at hand
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCHER_H_
