#include "pipeline/dedup/sketch/sketch_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/value_bytes.h"
#include "pipeline/dedup/input/text_features.h"

namespace zhiwen {
void SketchWriter::BeginFile(SketchJob& job) {
  progress_.file = job.block.file;
  progress_.offset = 0;
  progress_.records = 0;
  for (BadFile& bad : job.bad_files) progress_.bad_files.push_back(std::move(bad));
}

Status SketchWriter::Append(SketchJob& job) {
  progress_.whole = false;
  ZHIWEN_RETURN_IF_ERROR(AppendRows(job));
  progress_.whole = true;
  return {};
}

Status SketchWriter::AppendRows(SketchJob& job) {
  if (progress_.totals.documents + job.documents.size() >= kNoDocument) {
    return Fail(ErrorCode::kExhausted,
                "more than 4,294,967,294 documents in one run; split the input");
  }
  const BlockRow row{.file = job.block.file,
                     .first_document = static_cast<DocumentIndex>(progress_.totals.documents),
                     .documents = static_cast<uint32_t>(job.documents.size()),
                     .records = static_cast<uint32_t>(job.totals.records),
                     .first_record = progress_.records + 1,
                     .offset = job.block.offset,
                     .length = job.block.length,
                     .blank_bytes = job.totals.blank_bytes};
  ZHIWEN_RETURN_IF_ERROR(
      spools_.blocks->Append({reinterpret_cast<const char*>(&row), sizeof(row)}));
  ZHIWEN_RETURN_IF_ERROR(spools_.documents->Append(BytesOfValues(job.documents)));
  ZHIWEN_RETURN_IF_ERROR(spools_.audit_keys->Append(BytesOfValues(job.audit_keys)));
  ZHIWEN_RETURN_IF_ERROR(spools_.keys->Append(BytesOfValues(job.keys)));
  ZHIWEN_RETURN_IF_ERROR(spools_.dates->Append(BytesOfValues(job.dates)));
  ZHIWEN_RETURN_IF_ERROR(spools_.rank_keys->Append(job.rank_keys));
  ZHIWEN_RETURN_IF_ERROR(spools_.id_hashes->Append(BytesOfValues(job.id_hashes)));
  ZHIWEN_RETURN_IF_ERROR(AppendLabels(row, job));
  ZHIWEN_RETURN_IF_ERROR(AppendFailures(row, job));
  ZHIWEN_RETURN_IF_ERROR(AppendBands(job));
  ZHIWEN_RETURN_IF_ERROR(AppendSamples(job));
  ZHIWEN_RETURN_IF_ERROR(AppendAgainst(row, job));
  ZHIWEN_RETURN_IF_ERROR(spools_.reference_shingles->Append(job.reference_shingles));
  progress_.records += job.totals.records;
  progress_.offset = job.block.offset + job.block.length;
  progress_.totals.Add(job.totals);
  return {};
}

Status SketchWriter::AppendLabels(const BlockRow& row, const SketchJob& job) {
  std::string_view ids = job.ids;
  for (const LabelPart& label : job.labels) {
    ZHIWEN_RETURN_IF_ERROR(spools_.labels->Append(row.file, row.first_record + label.record,
                                                  ids.substr(0, label.id_length)));
    ids.remove_prefix(label.id_length);
  }
  return {};
}

Status SketchWriter::AppendFailures(const BlockRow& row, SketchJob& job) {
  for (FailedRecord& failed : job.failed) {
    failed.file = row.file;
    failed.record += row.first_record;
    failed.before += row.first_document;
    bytes_.clear();
    AppendFailed(failed, bytes_);
    ZHIWEN_RETURN_IF_ERROR(spools_.failed->Append(bytes_));
  }
  return {};
}

// Appends samples; those of large texts, each at its place, are freed once they are written.
Status SketchWriter::AppendSamples(SketchJob& job) {
  constexpr size_t kShinglesAtOnce = 8192;
  size_t begin = 0;
  for (const LargeSample& large : job.large_samples) {
    const std::string_view before =
        std::string_view(job.samples).substr(begin, large.place - begin);
    ZHIWEN_RETURN_IF_ERROR(spools_.samples->Append(before));
    begin = large.place;
    for (auto rest = large.set.shingles; !rest.empty();) {
      const auto some = rest.first(std::min(rest.size(), kShinglesAtOnce));
      rest = rest.subspan(some.size());
      column_.assign(some.begin(), some.end());
      if (large.group) {
        for (uint64_t& shingle : column_) shingle = MixWithGroup(shingle, *large.group);
      }
      ZHIWEN_RETURN_IF_ERROR(spools_.samples->Append(BytesOfValues(column_)));
    }
  }
  job.large_samples.clear();
  return spools_.samples->Append(std::string_view(job.samples).substr(begin));
}

Status SketchWriter::AppendAgainst(const BlockRow& row, SketchJob& job) {
  for (RemovalRow& against : job.against) against.document += row.first_document;
  ZHIWEN_RETURN_IF_ERROR(spools_.against->Append(BytesOfValues(job.against)));
  for (const auto& [document, cuts] : job.cuts) {
    ZHIWEN_RETURN_IF_ERROR(spools_.cuts->Append(CutsRow(row.first_document + document, cuts)));
  }
  std::ranges::sort(job.matched);
  for (size_t begin = 0; begin < job.matched.size();) {
    const uint32_t reference = job.matched[begin];
    const size_t first = begin;
    while (begin < job.matched.size() && job.matched[begin] == reference) ++begin;
    ZHIWEN_RETURN_IF_ERROR(spools_.reference_hits->AppendRow(
        ReferenceHitsRow{reference, static_cast<uint32_t>(begin - first)}));
  }
  return {};
}

// Turns rows, one a document, into columns, one a band.
Status SketchWriter::AppendBands(const SketchJob& job) {
  const size_t documents = job.documents.size();
  column_.resize(documents);
  for (uint32_t band = 0; band < bands_; ++band) {
    for (size_t d = 0; d < documents; ++d) column_[d] = job.band_rows[d * bands_ + band];
    ZHIWEN_RETURN_IF_ERROR(spools_.bands[band]->Append(BytesOfValues(column_)));
  }
  return {};
}

}  // namespace zhiwen
