#ifndef ZHIWEN_DEDUP_H_
#define ZHIWEN_DEDUP_H_

// Batch deduplication: the rules are in docs/dedup-rules.md.
//
// In          records of any format of zhiwen/documents.h, or texts, in passes that stream
//             forward. A default run makes four: all records (sketch), those that may match or fold
//             alike (shingle sets), those that the audit checks or the report shows, kept records
//             (output). Passes after the first read only blocks that hold a record they want; of
//             plain inputs the last one leaves blocks that stay whole to the system, which copies
//             them. The third pass is several where its texts do not fit in memory; mode exact
//             makes no second pass; an audit in mode contained makes two more, and one against
//             references reads these five times or more
// Out         a folder: kept/, removed.jsonl.zst, clusters.jsonl.zst, failed.jsonl.zst, with
//             references references.jsonl.zst, unmatchable.jsonl.zst and cuts.jsonl.zst,
//             report.html, report.json
// Guarantees  in = kept + removed + failed, checked against what was written
//             Theorem A: every removed document matches the kept document named as its keeper
//             Theorem B: no two kept documents match; certain with exact candidates, with bands
//             each pair at the threshold is found with probability ≥ 0.9999
//             the same bytes for any number of threads, any memory and any instruction set
// Cost        memory: as given, of which 24 bytes a document. Scratch, where that does not fit in
//             memory: about 370 bytes a document, and 8 bytes a shingle of documents that may
//             match; with exact candidates that is every document
// Fails       see Dedup

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/dedup_findings.h"
#include "zhiwen/documents.h"
#include "zhiwen/environment.h"
#include "zhiwen/executor.h"
#include "zhiwen/extract.h"
#include "zhiwen/reference_rule.h"
#include "zhiwen/result.h"

namespace zhiwen {

class FileSystem;
class ReadableFile;

enum class DedupMode : uint8_t {
  kNear,
  kExact,
  kContained,  // texts that lie in a larger one
};
constexpr std::string_view DedupModeName(DedupMode mode) {
  switch (mode) {
    case DedupMode::kNear:
      return "near";
    case DedupMode::kExact:
      return "exact";
    case DedupMode::kContained:
      return "contained";
  }
  return "";
}

enum class CandidateSource : uint8_t {
  // MinHash bands: a pair at the threshold is a candidate with probability ≥ 0.9999. Mode
  // contained:
  // sampled shingles (docs/dedup-rules.md says how often they find a pair).
  kBands,
  // Every pair at the threshold: prefix-filter join; mode contained: all shingles.
  kExact,
};

// Below this threshold of mode near all pairs are found, as kExact finds them.
inline constexpr double kLowestBandThreshold = 0.7;

// What add_cluster_size adds.
inline constexpr std::string_view kClusterSizeField = "cluster_size";

inline constexpr uint64_t kLeastDedupMemory = uint64_t{128} << 20;

// Documents whose dates lie farther apart than this never match.
struct DateLimit {
  std::string field;     // dates as the keep policy `earliest` reads them
  uint64_t seconds = 0;  // between the dates of two documents that match, at most
};

struct DedupOptions {
  std::vector<std::string> inputs;  // files, folders (zhiwen/documents.h), or "-"
  std::string output;               // a folder that does not exist or is empty
  DedupMode mode = DedupMode::kNear;
  CandidateSource candidates = CandidateSource::kBands;  // below kLowestBandThreshold: kExact
  Channel channel = FoldedChannel();
  double threshold = 0.8;  // 0.5 … 1; mode contained: (0, 1]
  std::string keep = "longest";
  std::vector<std::string> text_fields = {"text"};  // dotted; several are joined by a line end
  // The text fields hold documents of this type, whose texts are extracted. Not given: texts.
  std::optional<DocumentType> text_type = {};
  std::optional<std::string> id_field;  // not given: "id" where a record has it
  uint64_t max_bucket_kept = 2000;
  std::optional<std::string> group_by;  // documents of different values never match
  std::optional<DateLimit> within;
  // Before texts are compared, of the documents with one value of this field the first by rank
  // stays. "url(F)" compares the values of F as addresses (docs/dedup-rules.md).
  std::optional<std::string> key;
  FailureLimit max_failed;
  // The slow path checks so many removals and so many kept documents once more, or as many as say
  // the same where there are few (docs/dedup-rules.md, "The audit"); 0: none.
  uint64_t audit = 1000;
  bool unique_ids = false;      // a repeated id ends the run
  bool skip_bad_files = false;  // damaged files are read as far as they are sound
  bool overwrite = false;

  // References: files, folders. An input that matches one by `against_rule` is removed; they
  // themselves are never written. Their formats are as their names say, their fields as above;
  // groups do not keep an input from them.
  std::vector<std::string> against;
  ReferenceRule against_rule = ReferenceRule::kNear;
  std::optional<double> against_threshold;  // (0, 1]; not given: `threshold`
  uint32_t against_run = 50;                // symbols, at least 5; of kOverlap
  // Under kContains a reference of fewer units matches nothing: short texts are words that many
  // documents use.
  uint32_t min_reference = 13;
  // Under kContains a shingle does not count for a reference when more than this share of the
  // inputs, and more than 20 inputs, have it (docs/dedup-rules.md, "Common shingles"). Not given:
  // all count.
  std::optional<double> common_share = 0.001;
  // kMark: inputs that match a reference are kept, and `mark`, which is then needed, marks them
  // alone; other duplicates are left out. kCut: inputs that contain a reference stay without it, by
  // kContains or kOverlap, and are compared with no other input; one text field only.
  ReferenceAction against_action = ReferenceAction::kRemove;

  // Of inputs; not given: each file's by its name.
  std::optional<DocumentFormat> format;
  FileSyntax syntax;  // of inputs; that of references is found out

  // Instead of being left out, removed records are kept with this field set to true, others with
  // false.
  std::optional<std::string> mark;
  // With `mark`: this field of removed records names the keeper, as kept_id of removed.jsonl.zst
  // does; others get null or, where a format has none, an empty value.
  std::optional<std::string> mark_keeper;
  bool add_cluster_size = false;  // field "cluster_size" in every kept record

  // Bound of anonymous memory, at least kLeastDedupMemory; what does not fit goes to `scratch`.
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::string scratch;  // a folder; empty: inside the output folder, until the run is finished

  // Goes on where an interrupted run in the output folder stopped. Its inputs and what decides its
  // result are the same; memory, threads, and how many faults are borne may be others.
  bool resume = false;
  double checkpoint_every = 60;      // seconds of work that an interruption costs at most
  std::vector<std::string> command;  // as typed, for the report
};

struct DedupEnvironment {
  FileSystem& files;
  Executor& executor;
  const Clock& clock;
  ProgressSink& progress;
  LogSink& log;
  const Cancellation& cancellation;
  // What the input "-" is; read once, from front to back. None: "-" is refused.
  ReadableFile* standard_input = nullptr;
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
  std::string reason;  // as in removed.jsonl.zst
  double resemblance = 1, containment = 1, containment_of_kept = 1;
  std::string text, kept_text;      // beginnings
  std::string source, kept_source;  // "file:record"
  SharedWithReference with_reference = {};
};

// A reference, for showing.
struct ReferenceHits {
  std::string id, source;  // source: "file:record"
  uint64_t hits = 0;       // inputs that match it
  std::string text;        // its beginning
};

// A file that was read only in part, or not at all (skip_bad_files).
struct DamagedFile {
  std::string name, message;
  uint64_t records = 0;      // read of it, those before the damage
  bool is_left_out = false;  // it holds no documents
};

// Texts at the beginning of the inputs that look like HTML.
struct HtmlTexts {
  uint64_t looked_at = 0;
  uint64_t html = 0;
};

// References that a user should look at: their number, and the first ones, up to 20.
struct ReferenceList {
  uint64_t count = 0;
  std::vector<ReferenceHits> first;
};

// A shingle that too many inputs have to tell anything about a reference.
struct CommonShingle {
  std::string text;     // as the first reference that has it spells it
  uint64_t inputs = 0;  // that have it
};

// Counts what was cut out of inputs that match a reference (ReferenceAction::kCut).
struct ReferenceCuts {
  uint64_t documents = 0;  // that match a reference, and of which something is kept
  uint64_t passages = 0;   // that they lost
  uint64_t code_points = 0;
};

// What came of the references of a run.
struct AgainstReport {
  uint64_t references = 0;
  uint64_t hit = 0;               // references that some input matches
  uint64_t unmatchable = 0;       // references that nothing can match: those of the next three
  ReferenceList empty = {};       // without text
  ReferenceList too_short = {};   // texts of fewer units than the rule asks for
  ReferenceList too_common = {};  // too few of its shingles are left without the common ones
  uint64_t common_shingles = 0;
  std::vector<CommonShingle> most_common = {};  // up to 20, descending
  // References that more than 1 % of the inputs match, and more than 20 inputs: rather a phrase
  // than a leak.
  uint64_t often_hit = 0;
  std::vector<ReferenceHits> most_hit = {};  // up to 20, descending
  std::optional<ReferenceCuts> cuts = {};    // not given: nothing was to be cut
};

struct DedupReport {
  uint64_t documents = 0;  // records read
  uint64_t kept = 0;
  uint64_t removed_exact = 0, removed_near = 0, removed_contained = 0, removed_against = 0;
  std::optional<uint64_t> removed_key;  // not given: there was no key
  // Under a keep policy with `none`: documents that others of their cluster were removed for.
  std::optional<uint64_t> removed_representative;
  std::vector<std::pair<std::string, uint64_t>> failed;  // by reason, sorted by name
  // Files of inputs and references by encoding; none where all are UTF-8, or have none (Parquet).
  std::vector<std::pair<std::string, uint64_t>> encodings;
  // The same of CSV files by what separates their fields (";", "tab"); none where all have commas.
  std::vector<std::pair<std::string, uint64_t>> separators;
  uint64_t empty = 0;  // kept records without text
  // Documents, kept or removed, with text but fewer symbols on the channel than a shingle has: only
  // another of the same text equals one. In mode exact none are counted.
  uint64_t too_short = 0;
  std::optional<HtmlTexts> html;  // given where so many look like HTML that a warning was due
  uint64_t clusters = 0, largest_cluster = 0;
  uint64_t duplicate_ids = 0;
  std::vector<std::string> duplicate_id_examples;
  std::vector<std::pair<std::string, uint64_t>> missing_policy_values;  // per keep-policy field
  std::optional<uint64_t> missing_group_values;  // documents; not given: there were no groups
  std::optional<uint64_t> missing_dates;         // documents; not given: there was no limit
  std::optional<uint64_t> missing_key_values;    // documents; not given: there was no key
  uint64_t compared_documents = 0;               // those that candidates name, of equal ones one
  // (document, earlier kept), up to its keeper: each was looked at. Where pairs come from a join,
  // their number depends on the memory.
  uint64_t candidate_pairs = 0;
  uint64_t matched_pairs = 0;  // of these, those that match: a document and its keeper
  uint64_t comparisons = 0;    // of two sets: of candidates, and of some pairs ahead of their turn
  uint64_t hot_buckets = 0;    // above max_bucket_kept: their pairs came from the exact join
  // Mode contained: documents mostly made of what hundreds share, whose container may be missed.
  uint64_t saturated_documents = 0;
  double expected_missed_pairs = 0;
  // Also "sampled shingles(answers=17/64)", "join of all shingles" of mode contained.
  std::string candidate_source;  // "bands(bands=24,rows=5)", "exact join", "equal texts"
  // Whether no two kept documents match: "certain", or "probable" (each pair at the threshold was a
  // candidate with probability ≥ 0.9999).
  std::string theorem_b_claim;
  uint64_t threads = 1;
  uint64_t resumes = 0;                      // how often the run was continued
  uint64_t input_bytes = 0, text_bytes = 0;  // of the files, as they are; of the texts in them
  uint64_t kept_bytes = 0;                   // of the files in kept/, as they are
  uint64_t kept_links = 0;                   // texts in kept/ that are the input files themselves
  uint64_t peak_memory_bytes = 0;
  uint64_t scratch_bytes = 0;  // written to scratch files
  std::vector<DamagedFile> bad_files;
  double wall_seconds = 0, cpu_seconds = 0;
  std::vector<StageTime> stages;
  std::vector<RemovalExample> examples;  // a few, by hash of the identity
  DedupFindings findings;                // what report.html shows beyond the figures above
  std::optional<AgainstReport> against;  // not given: there were no references
  std::optional<DedupAudit> audit;       // not given: the run did not check itself

  // Mode contained: the share of what an exact join would remove that was removed, at least.
  double expected_recall() const {
    const auto found = static_cast<double>(removed_contained);
    return found == 0 ? 1 : found / (found + expected_missed_pairs);
  }
  uint64_t removed_total() const {
    return removed_exact + removed_near + removed_contained + removed_against +
           removed_key.value_or(0) + removed_representative.value_or(0);
  }
  // Which were compared with no other document.
  uint64_t cut_documents() const { return against && against->cuts ? against->cuts->documents : 0; }
  uint64_t failed_total() const {
    uint64_t total = 0;
    for (const auto& [reason, count] : failed) total += count;
    return total;
  }
};

// Runs a deduplication. On failure the output folder holds no report.json; what was written is
// under its .partial folder, and where that holds a checkpoint, as the message then says,
// options.resume goes on from there and gives the same bytes. Fails: kInvalidArgument (option out
// of range, unknown policy) · kNotFound (an input, a named field no record has) · kUnreadable (an
// input cannot be read, changed during the run, or more failed records than the limit) · kConflict
// (output not empty or locked; the interrupted run is another one, or there is one and options say
// nothing of it) · kExhausted (disk, memory) · kInternal (the run found itself wrong) ·
// kInterrupted, kTerminated.
Result<DedupReport> Dedup(const DedupOptions& options, const DedupEnvironment& environment);

// A limit as people type it: "date,7d".
std::string DateLimitText(const DateLimit& limit);

// The report as written to report.json: {"schema_version", "result", "run"}.
std::string DedupReportToJson(const DedupReport& report, const DedupOptions& options);

// The report as written to report.html: one page for people, in Chinese and English, that needs
// nothing beside it. Texts, ids and names of the corpus are shown, never interpreted.
std::string RenderHtmlReport(const DedupReport& report, const DedupOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_DEDUP_H_
