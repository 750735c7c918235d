#include "pipeline/dedup/write/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "base/scratch/partitioned_spool.h"
#include "pipeline/dedup/rows/bounded_partitions.h"

namespace zhiwen {
namespace {

constexpr size_t kExamples = 5;
constexpr size_t kBuffer = size_t{16} << 10;

struct IdRow {
  uint64_t hash;
  uint64_t document;
};

// Memory of a row of a partition, with its places in the table.
constexpr uint64_t kBytesPerRow = sizeof(IdRow) + sizeof(uint64_t) * 4;

// Hashes of ids, open addressing.
class IdSet {
 public:
  explicit IdSet(size_t ids) : slots_(std::bit_ceil(ids * 2 + 2)) {}

  // Returns false when the id was there before. 0 is a free slot.
  bool Insert(uint64_t hash) {
    size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
    const bool is_new = slots_[at] == 0;
    slots_[at] = hash;
    return is_new;
  }

 private:
  std::vector<uint64_t> slots_;
};

Status SpreadIds(const RunSpools& spools, DocumentIndex documents, PartitionedSpool& partitions) {
  Spool::Reader reader(*spools.id_hashes);
  for (DocumentIndex d = 0; d < documents; ++d) {
    IdRow row{0, d};
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row.hash));
    if (row.hash == 0) continue;
    const auto partition = static_cast<uint32_t>((row.hash >> 32) * partitions.partitions() >> 32);
    ZHIWEN_RETURN_IF_ERROR(
        partitions.Append(partition, {reinterpret_cast<const char*>(&row), sizeof(row)}));
  }
  return {};
}

// Adds the first repetitions by position, so that examples do not depend on partitions.
void Remember(uint64_t document, std::vector<uint64_t>& first) {
  if (first.size() == 4 * kExamples && document > first.back()) return;
  first.insert(std::lower_bound(first.begin(), first.end(), document), document);
  if (first.size() > 4 * kExamples) first.pop_back();
}

uint64_t& CountOf(const RemovalRow& row, DedupMode mode, DedupReport& report) {
  if (row.against) return report.removed_against;
  if (row.by_key) return *report.removed_key;
  if (row.IsRepresentative()) return *report.removed_representative;
  if (row.equal_exact) return report.removed_exact;
  return mode == DedupMode::kContained ? report.removed_contained : report.removed_near;
}

std::string CandidateSourceName(DedupMode mode, const SketchOptions& sketch) {
  switch (mode) {
    case DedupMode::kExact:
      return "equal texts";
    case DedupMode::kContained:
      return sketch.sampling->is_exact() ? "join of all shingles"
                                         : fmt::format("sampled shingles(answers={}/64)",
                                                       sketch.sampling->answer_rate() * 64);
    case DedupMode::kNear:
      break;
  }
  const std::optional<BandPlan>& bands = sketch.bands;
  return bands ? fmt::format("bands(bands={},rows={})", bands->bands, bands->rows) : "exact join";
}

// Counts kept documents without text, and those with too little for a shingle. An empty text is
// removed for its key alone.
Status CountShort(const RunData& run, DedupReport& report) {
  report.empty = run.totals.empty;
  const bool is_exact = run.rules.mode == DedupMode::kExact;
  if (is_exact && !run.reading.key) return {};
  DocumentIndex d = 0;
  for (Spool::Reader reader(*run.spools.documents); !reader.AtEnd(); ++d) {
    DocumentRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    const bool is_empty = row.code_points == 0;
    report.too_short += !is_exact && row.shingles == 0 && !is_empty ? 1 : 0;
    report.empty -= is_empty && run.removals.IsRemoved(d) ? 1 : 0;
  }
  return {};
}

// Returns the files of inputs, and of references where there are any.
std::vector<const InputFile*> FilesReadBy(const RunData& run) {
  std::vector<const InputFile*> files;
  files.reserve(run.inputs.files.size());
  for (const InputFile& file : run.inputs.files) files.push_back(&file);
  if (run.references == nullptr) return files;
  for (const InputFile& file : run.references->inputs().files) files.push_back(&file);
  return files;
}

}  // namespace

Result<DuplicateIds> CountDuplicateIds(const RunContext& run, DocumentIndex documents) {
  const uint64_t parts = 1 + documents * kBytesPerRow / std::max<uint64_t>(run.work_bytes / 2, 1);
  ZHIWEN_ASSIGN_OR_RETURN(
      const auto partitions,
      PartitionedSpool::Create(run.scratch, "ids",
                               static_cast<uint32_t>(std::min<uint64_t>(parts, kMostPartitions)),
                               kBuffer));
  ZHIWEN_RETURN_IF_ERROR(SpreadIds(run.spools, documents, *partitions));
  DuplicateIds duplicates;
  std::vector<uint64_t> first;
  std::vector<char> bytes;
  for (uint32_t p = 0; p < partitions->partitions(); ++p) {
    ZHIWEN_RETURN_IF_ERROR(partitions->Read(p, bytes));
    const std::span rows(reinterpret_cast<const IdRow*>(bytes.data()),
                         bytes.size() / sizeof(IdRow));
    IdSet seen(rows.size());
    for (const IdRow& row : rows) {
      if (seen.Insert(row.hash)) continue;
      ++duplicates.count;
      Remember(row.document, first);
    }
  }
  auto& examples = duplicates.examples;
  for (size_t i = 0; i < first.size() && examples.size() < kExamples; ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel label,
                            run.spools.labels->Get(static_cast<DocumentIndex>(first[i])));
    if (std::ranges::find(examples, label.id) == examples.end()) examples.push_back(label.id);
  }
  return duplicates;
}

std::vector<std::pair<std::string, uint64_t>> CountFaults(const SketchTotals& totals) {
  std::map<std::string, uint64_t> counts;
  for (size_t reason = 0; reason < totals.failed_by_reason.size(); ++reason) {
    const uint64_t count = totals.failed_by_reason[reason];
    if (count == 0) continue;
    counts.emplace(RecordFaultName(static_cast<RecordFault::Reason>(reason)), count);
  }
  return {counts.begin(), counts.end()};
}

Result<std::vector<DamagedFile>> DescribeBadFiles(const RunContext& run,
                                                  const std::vector<BadFile>& bad_files) {
  std::vector<DamagedFile> described;
  if (bad_files.empty()) return described;
  std::map<uint32_t, uint64_t> records;
  for (const BadFile& bad : bad_files) records[bad.file] = 0;
  for (Spool::Reader reader(*run.spools.blocks); !reader.AtEnd();) {
    BlockRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    const auto counted = records.find(row.file);
    if (counted != records.end()) counted->second += row.records;
  }
  for (const BadFile& bad : bad_files) {
    described.push_back({run.inputs.names[bad.file], bad.message, records[bad.file]});
  }
  return described;
}

std::vector<std::pair<std::string, uint64_t>> CountEncodings(const RunData& run) {
  std::map<std::string, uint64_t> counts;
  for (const InputFile* file : FilesReadBy(run)) {
    if (file->format == RecordFormat::kParquet || !file->encoding) continue;
    ++counts[std::string(TextEncodingName(*file->encoding))];
  }
  if (counts.size() == counts.count(std::string(TextEncodingName(TextEncoding::kUtf8)))) return {};
  return {counts.begin(), counts.end()};
}

std::vector<std::pair<std::string, uint64_t>> CountSeparators(const RunData& run) {
  std::map<std::string, uint64_t> counts;
  for (const InputFile* file : FilesReadBy(run)) {
    if (file->format == RecordFormat::kCsv) ++counts[SeparatorName(file->separator)];
  }
  if (counts.size() == counts.count(",")) return {};
  return {counts.begin(), counts.end()};
}

Status CountDocuments(const RunData& run, const SketchOptions& sketch, DedupReport& report) {
  const SketchTotals& totals = run.totals;
  report.documents = totals.records;
  if (run.rules.keeps_none) report.removed_representative = 0;
  if (run.rules.within) report.missing_dates = totals.documents - totals.dated;
  if (run.reading.key) {
    report.removed_key = 0;
    report.missing_key_values = totals.documents - totals.keyed;
  }
  for (Spool::Reader reader(*run.removals.rows); !reader.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    ++CountOf(row, run.rules.mode, report);
  }
  report.kept = totals.documents - report.removed_total();
  report.failed = CountFaults(totals);
  ZHIWEN_RETURN_IF_ERROR(CountShort(run, report));
  for (size_t i = 0; i < sketch.policy.fields().size(); ++i) {
    const uint64_t missing = i < totals.missing_values.size() ? totals.missing_values[i] : 0;
    report.missing_policy_values.emplace_back(sketch.policy.fields()[i], missing);
  }
  if (run.reading.group_by) report.missing_group_values = totals.documents - totals.grouped;
  report.encodings = CountEncodings(run);
  report.separators = CountSeparators(run);
  report.input_bytes = run.inputs.total_bytes;
  report.text_bytes = totals.text_bytes;
  report.candidate_source = CandidateSourceName(run.rules.mode, sketch);
  report.theorem_b_claim = "certain";
  if (sketch.bands) {
    report.theorem_b_claim = "probable";
    ZHIWEN_ASSIGN_OR_RETURN(report.expected_missed_pairs,
                            ExpectedMissedPairs(*sketch.bands, run.removals));
  }
  if (sketch.sampling && !sketch.sampling->is_exact()) {
    report.theorem_b_claim = "probable";
    ZHIWEN_ASSIGN_OR_RETURN(report.expected_missed_pairs,
                            ExpectedMissedPairs(*sketch.sampling, run.removals));
  }
  return {};
}

Result<std::vector<uint64_t>> CountReferenceHits(const RunData& run) {
  std::vector<uint64_t> hits(run.references->size());
  for (Spool::Reader reader(*run.spools.reference_hits); !reader.AtEnd();) {
    ReferenceHitsRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    hits[row.reference] += row.documents;
  }
  return hits;
}

Result<double> ExpectedMissedPairs(const BandPlan& plan, const Removals& removals) {
  double missed = 0;
  for (Spool::Reader reader(*removals.rows); !reader.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    if (row.against || !row.HasSimilarities()) continue;
    const double found = CandidateProbability(plan, row.Resemblance());
    missed += (1 - found) / found;
  }
  return missed;
}

Result<double> ExpectedMissedPairs(const ShingleSampling& sampling, const Removals& removals) {
  constexpr double kBelowBound = 0.0005;  // more answers are required than the pair has
  double missed = 0;
  for (Spool::Reader reader(*removals.rows); !reader.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    if (row.against || row.equal_channel || !row.HasSimilarities()) continue;
    const double rate = std::ldexp(static_cast<double>(sampling.AskBound(row.size)), -64);
    const double miss = std::pow(1 - rate, static_cast<double>(row.shared)) + kBelowBound;
    missed += miss / (1 - miss);
  }
  return missed;
}

}  // namespace zhiwen
