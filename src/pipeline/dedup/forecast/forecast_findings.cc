#include "pipeline/dedup/forecast/forecast_findings.h"

#include <algorithm>

namespace zhiwen {
namespace {

Result<std::vector<SampledUnit>> ReadUnits(const RunData& run, const FindOptions& options) {
  std::vector<SampledUnit> units;
  uint64_t end = 0, blocks = 0;
  uint32_t number = 0;
  for (Spool::Reader reader(*run.spools.blocks); !reader.AtEnd();) {
    BlockRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    const bool is_rows = run.inputs.files[row.file].format == RecordFormat::kParquet;
    const bool goes_on = !units.empty() && units.back().file == row.file && row.offset == end;
    const bool is_full = !units.empty() && (is_rows ? blocks >= options.unit_blocks
                                                    : units.back().stream >= options.unit_bytes);
    if (!goes_on || is_full) {
      number += goes_on ? 1 : 2;
      units.push_back({.file = row.file, .number = number});
      blocks = 0;
    }
    SampledUnit& unit = units.back();
    unit.stream += row.length;
    unit.records += row.records;
    unit.documents += row.documents;
    end = row.offset + row.length;
    ++blocks;
  }
  return units;
}

// Clusters are of documents that no reference removed.
void CountRemovals(const Removals& removals, SampleFindings& found) {
  std::vector<DocumentIndex> cluster_of;
  std::vector<uint32_t> unit_of;
  cluster_of.reserve(found.documents);
  unit_of.reserve(found.documents);
  DocumentIndex d = 0;
  for (SampledUnit& unit : found.units) {
    for (const uint64_t end = d + unit.documents; d < end; ++d) {
      found.removed += removals.IsRemoved(d) ? 1 : 0;
      if (removals.keepers[d] == kReferenceKeeper) {
        ++unit.against;
        continue;
      }
      cluster_of.push_back(removals.ClusterOf(d));
      unit_of.push_back(unit.number);
    }
    found.against += unit.against;
  }
  found.clusters = CountClusters(cluster_of, unit_of);
}

Status ReadShingles(const RunData& run, SampleFindings& found) {
  Spool::Reader reader(*run.spools.documents);
  for (DocumentIndex d = 0; d < found.documents; ++d) {
    DocumentRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    if (row.shingles == 0) continue;
    ++found.comparable_documents;
    found.comparable_shingles += row.shingles;
    found.most_shingles = std::max<uint64_t>(found.most_shingles, row.shingles);
  }
  return {};
}

// Rank keys are gone when the rows of later stages come.
uint64_t RowBytes(const RunSpools& spools) {
  uint64_t bytes = 0;
  for (const Spool* spool :
       {spools.blocks.get(), spools.documents.get(), spools.id_hashes.get(), spools.failed.get(),
        spools.label_rows.get(), spools.samples.get(), spools.against.get(), spools.cuts.get(),
        spools.reference_shingles.get(), spools.audit_keys.get(), spools.keys.get(),
        spools.dates.get()}) {
    bytes += spool->size();
  }
  for (const auto& band : spools.bands) bytes += band->size();
  return bytes;
}

}  // namespace

Result<SampleFindings> FindInSample(const RunData& run, const FindOptions& options) {
  SampleFindings found;
  found.documents = run.removals.keepers.size();
  ZHIWEN_ASSIGN_OR_RETURN(found.units, ReadUnits(run, options));
  CountRemovals(run.removals, found);
  ZHIWEN_RETURN_IF_ERROR(ReadShingles(run, found));
  found.row_bytes = RowBytes(run.spools);
  found.label_bytes = run.spools.label_rows->size();
  return found;
}

}  // namespace zhiwen
