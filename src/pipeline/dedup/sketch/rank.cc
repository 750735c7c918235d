#include "pipeline/dedup/sketch/rank.h"

#include <string>

#include "base/scratch/row_sorter.h"

namespace zhiwen {
namespace {

// How many documents pass between two looks at the cancellation.
constexpr DocumentIndex kStride = 1 << 16;

void AppendBigEndian(uint32_t value, std::string& out) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

uint32_t ReadBigEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

Status AddKeys(const RunContext& run, DocumentIndex documents, RowSorter& sorter) {
  Spool::Reader reader(*run.spools.rank_keys);
  std::string row;
  for (DocumentIndex d = 0; d < documents; ++d) {
    if (d % kStride == 0) {
      ZHIWEN_RETURN_IF_ERROR(run.environment.cancellation.Check());
      run.environment.progress.Advance(Stage::kRank, d, documents);
    }
    uint32_t size = 0;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(size));
    row.resize(size);
    ZHIWEN_RETURN_IF_ERROR(reader.Read(row));
    AppendBigEndian(d, row);
    ZHIWEN_RETURN_IF_ERROR(sorter.Add(row));
  }
  return {};
}

}  // namespace

Result<std::vector<uint32_t>> RankDocuments(const RunContext& run, DocumentIndex documents) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto sorter,
                          RowSorter::Create(run.scratch, "rank", run.work_bytes));
  ZHIWEN_RETURN_IF_ERROR(AddKeys(run, documents, *sorter));
  ZHIWEN_RETURN_IF_ERROR(sorter->Sort());
  std::vector<uint32_t> ranks(documents);
  std::string_view row;
  for (uint32_t rank = 0; rank < documents; ++rank) {
    if (rank % kStride == 0) ZHIWEN_RETURN_IF_ERROR(run.environment.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, sorter->Next(row));
    if (!more) return Fail(ErrorCode::kInternal, "the sorted ranks end early");
    ranks[ReadBigEndian(row.substr(row.size() - 4))] = rank;
  }
  return ranks;
}

}  // namespace zhiwen
