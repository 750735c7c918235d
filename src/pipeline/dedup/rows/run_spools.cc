#include "pipeline/dedup/rows/run_spools.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <string>
#include <utility>

namespace zhiwen {
namespace {

constexpr std::array<const char*, 14> kNames = {
    "blocks",  "documents",      "rank_keys",          "id_hashes",  "failed", "labels", "samples",
    "against", "reference_hits", "reference_shingles", "audit_keys", "keys",   "dates",  "cuts"};

std::string BandName(uint32_t band) { return fmt::format("band{}", band); }

using Open = std::function<Result<std::unique_ptr<Spool>>(const std::string& name, size_t place)>;

Result<RunSpools> OpenAll(uint32_t bands, const Open& open) {
  RunSpools spools;
  const std::array<std::unique_ptr<Spool>*, kNames.size()> places = {
      &spools.blocks,         &spools.documents,
      &spools.rank_keys,      &spools.id_hashes,
      &spools.failed,         &spools.label_rows,
      &spools.samples,        &spools.against,
      &spools.reference_hits, &spools.reference_shingles,
      &spools.audit_keys,     &spools.keys,
      &spools.dates,          &spools.cuts};
  for (size_t i = 0; i < kNames.size(); ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(*places[i], open(kNames[i], i));
  }
  for (uint32_t band = 0; band < bands; ++band) {
    ZHIWEN_ASSIGN_OR_RETURN(auto spool, open(BandName(band), kNames.size() + band));
    spools.bands.push_back(std::move(spool));
  }
  spools.labels = std::make_unique<Labels>(*spools.label_rows);
  ZHIWEN_RETURN_IF_ERROR(spools.labels->Load());
  return spools;
}

struct FailedHead {
  uint64_t record, offset, length;
  uint32_t file;
  uint32_t before;
  uint32_t reason;
  uint32_t message_length;
  uint64_t raw_length;
};

}  // namespace

Result<RunSpools> RunSpools::Create(Scratch& scratch, uint32_t bands) {
  return OpenAll(bands,
                 [&](const std::string& name, size_t) { return Spool::Create(scratch, name); });
}

Result<RunSpools> RunSpools::Reopen(Scratch& scratch, uint32_t bands,
                                    const std::vector<SpoolMark>& marks) {
  if (marks.empty()) return Create(scratch, bands);
  if (marks.size() != kNames.size() + bands) {
    return Fail(ErrorCode::kInternal, "a checkpoint is of another number of spools");
  }
  return OpenAll(bands, [&](const std::string& name, size_t place) {
    return Spool::Reopen(scratch, name, marks[place]);
  });
}

std::vector<std::string> RunSpools::FileNames(uint32_t bands) {
  std::vector<std::string> names(kNames.begin(), kNames.end());
  for (uint32_t band = 0; band < bands; ++band) names.push_back(BandName(band));
  return names;
}

std::vector<Spool*> RunSpools::All() const {
  std::vector<Spool*> all = {blocks.get(),         documents.get(),
                             rank_keys.get(),      id_hashes.get(),
                             failed.get(),         label_rows.get(),
                             samples.get(),        against.get(),
                             reference_hits.get(), reference_shingles.get(),
                             audit_keys.get(),     keys.get(),
                             dates.get(),          cuts.get()};
  for (const auto& band : bands) all.push_back(band.get());
  return all;
}

Result<std::vector<SpoolMark>> RunSpools::Save() {
  std::vector<SpoolMark> marks;
  for (Spool* spool : All()) {
    ZHIWEN_ASSIGN_OR_RETURN(const SpoolMark mark, spool->Save());
    marks.push_back(mark);
  }
  return marks;
}

void RunSpools::Keep() {
  for (Spool* spool : All()) spool->Keep();
}

void AppendFailed(const FailedRecord& record, std::string& out) {
  const FailedHead head{record.record,
                        record.offset,
                        record.length,
                        record.file,
                        record.before,
                        static_cast<uint32_t>(record.fault.reason),
                        static_cast<uint32_t>(record.fault.message.size()),
                        record.raw.size()};
  out.append(reinterpret_cast<const char*>(&head), sizeof(head));
  out += record.fault.message;
  out += record.raw;
}

Result<FailedRecord> ReadFailed(Spool::Reader& reader) {
  FailedHead head{};
  ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(head));
  FailedRecord record{.file = head.file,
                      .record = head.record,
                      .offset = head.offset,
                      .length = head.length,
                      .before = head.before,
                      .fault = {static_cast<RecordFault::Reason>(head.reason),
                                std::string(head.message_length, '\0')},
                      .raw = std::string(head.raw_length, '\0')};
  ZHIWEN_RETURN_IF_ERROR(reader.Read(record.fault.message));
  ZHIWEN_RETURN_IF_ERROR(reader.Read(record.raw));
  return record;
}

}  // namespace zhiwen
