#include "pipeline/dedup/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>

#include "base/scratch/partitioned_spool.h"

namespace zhiwen {
namespace {

constexpr size_t kExamples = 5;
constexpr size_t kBuffer = size_t{16} << 10;
constexpr uint32_t kMostPartitions = 4096;

struct IdRow {
  uint64_t hash;
  uint64_t document;
};

// Of a partition: its rows and their table.
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

}  // namespace

Result<DuplicateIds> CountDuplicateIds(const RunSpools& spools, DocumentIndex documents,
                                       Scratch& scratch, uint64_t memory_bytes) {
  const uint64_t parts = 1 + documents * kBytesPerRow / std::max<uint64_t>(memory_bytes / 2, 1);
  ZHIWEN_ASSIGN_OR_RETURN(
      const auto partitions,
      PartitionedSpool::Create(scratch, "ids",
                               static_cast<uint32_t>(std::min<uint64_t>(parts, kMostPartitions)),
                               kBuffer));
  ZHIWEN_RETURN_IF_ERROR(SpreadIds(spools, documents, *partitions));
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
                            spools.labels->Get(static_cast<DocumentIndex>(first[i])));
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

Status CountDocuments(const RunData& run, const Plan& plan, DedupReport& report) {
  const SketchTotals& totals = run.totals;
  report.documents = totals.records;
  for (Spool::Reader reader(*run.removals.rows); !reader.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    ++(row.equal_exact ? report.removed_exact : report.removed_near);
  }
  report.kept = totals.documents - report.removed_exact - report.removed_near;
  report.failed = CountFaults(totals);
  report.empty = totals.empty;
  for (size_t i = 0; i < plan.policy.fields().size(); ++i) {
    const uint64_t missing = i < totals.missing_values.size() ? totals.missing_values[i] : 0;
    report.missing_policy_values.emplace_back(plan.policy.fields()[i], missing);
  }
  report.input_bytes = run.inputs.total_bytes;
  report.text_bytes = totals.text_bytes;
  const std::optional<BandPlan>& bands = plan.sketch.bands;
  const bool is_exact = plan.sketch.mode == DedupMode::kExact;
  report.candidate_source = is_exact ? "equal texts"
                            : bands
                                ? fmt::format("bands(bands={},rows={})", bands->bands, bands->rows)
                                : "exact join";
  report.theorem_b_claim = bands ? "probable" : "certain";
  if (bands) {
    ZHIWEN_ASSIGN_OR_RETURN(report.expected_missed_pairs,
                            ExpectedMissedPairs(*bands, run.removals));
  }
  return {};
}

Result<double> ExpectedMissedPairs(const BandPlan& plan, const Removals& removals) {
  double missed = 0;
  for (Spool::Reader reader(*removals.rows); !reader.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    const double found = CandidateProbability(plan, row.Resemblance());
    missed += (1 - found) / found;
  }
  return missed;
}

}  // namespace zhiwen
