#include "index/hamming/packed_hamming.h"

#include <cstring>
#include <utility>

#include "base/large_memory.h"
#include "base/radix_sort.h"
#include "index/line_table/mix_key.h"

namespace zhiwen {
namespace {

constexpr std::array<std::string_view, 2> kTableNames = {"low", "high"};

struct Settings {
  uint64_t codes = 0;
  uint32_t code_bits = 64;
  uint32_t reserved = 0;
};

}  // namespace

Result<uint64_t> WritePackedCodes(std::span<const uint64_t> codes, uint32_t code_bits,
                                  const SectionSink& take) {
  BlockFileWriter file(kPackedCodesKind, take);
  ZHIWEN_RETURN_IF_ERROR(file.StartSection("settings"));
  const Settings settings = {.codes = codes.size(), .code_bits = code_bits};
  ZHIWEN_RETURN_IF_ERROR(file.Append(BytesOfValue(settings)));
  const HalfKeyPlan plan = {.code_bits = code_bits};
  LargeVector<uint64_t> entries(codes.size()), scratch;
  for (size_t t = 0; t < 2; ++t) {
    for (size_t i = 0; i < codes.size(); ++i) {
      const CodeHalves halves = plan.HalvesOf(codes[i]);
      entries[i] = uint64_t{MixKey(halves.of[t])} << 32 | halves.of[1 - t];
    }
    RadixSort(entries, scratch);
    PackedTableWriter table(file, kTableNames[t], codes.size());
    ZHIWEN_RETURN_IF_ERROR(table.Start());
    for (const uint64_t entry : entries) {
      ZHIWEN_RETURN_IF_ERROR(
          table.Add(static_cast<uint32_t>(entry >> 32), static_cast<uint32_t>(entry)));
    }
    ZHIWEN_RETURN_IF_ERROR(table.Finish());
  }
  return file.Finish();
}

Result<std::unique_ptr<PackedHamming>> PackedHamming::Open(FileSystem& files,
                                                           const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<BlockFile> file,
                          BlockFile::Open(files, path, kPackedCodesKind));
  std::unique_ptr<PackedHamming> index(new PackedHamming(std::move(file)));
  ZHIWEN_ASSIGN_OR_RETURN(const BlockSection section, index->file_->Section("settings"));
  Settings settings;
  if (section.size() != sizeof(settings) || !section.Touch(0, sizeof(settings))) {
    return section.Damaged(0);
  }
  std::memcpy(&settings, section.data(), sizeof(settings));
  if (settings.codes > UINT32_MAX || (settings.code_bits != 64 && settings.code_bits != 32)) {
    return section.Damaged(0);
  }
  index->code_bits_ = settings.code_bits;
  for (size_t t = 0; t < 2; ++t) {
    ZHIWEN_ASSIGN_OR_RETURN(index->tables_[t],
                            PackedTable::Open(*index->file_, kTableNames[t], settings.codes));
  }
  return index;
}

Status PackedHamming::Query(std::span<const uint64_t> queries, uint32_t radius,
                            HammingAnswer& answer) const {
  constexpr double kLookUpNanoseconds = 40;  // of about three lines
  const HalfKeyPlan plan = {.code_bits = code_bits_, .radius = radius};
  if (plan.look_ups_among(size(), kLookUpNanoseconds) == 0) {
    return GoThrough(queries, radius, answer);
  }
  return HalfKeyQuery(tables_, plan, kHalfScanLimit).Run(queries, answer);
}

Status PackedHamming::GoThrough(std::span<const uint64_t> queries, uint32_t radius,
                                HammingAnswer& answer) const {
  const HalfKeyPlan plan = {.code_bits = code_bits_};
  const size_t before = answer.matches.size();
  ZHIWEN_RETURN_IF_ERROR(tables_[0].VisitAll([&](uint32_t mixed, uint32_t value) {
    CompareWithAll(plan.CodeOf({{UnmixKey(mixed), value}}), queries, radius, answer);
  }));
  SortMatches(answer, before);
  return {};
}

}  // namespace zhiwen
