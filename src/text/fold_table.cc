#include "text/fold_table.h"

#include <iterator>

#include "text/fold_variants.h"

namespace zhiwen {

StoredFoldTable::StoredFoldTable()
    : stage_(std::begin(kFoldStage), std::end(kFoldStage)),
      blocks_(kFoldBlocks, kFoldBlocks + kFoldBlocksSize) {}

void StoredFoldTable::Apply(std::span<const FoldPatch> patches, LastChange change) {
  for (const FoldPatch& patch : patches) {
    uint16_t& block = stage_[patch.code_point >> 6];
    if (block * size_t{64} < kFoldBlocksSize) {  // may be shared by many: take a copy
      const size_t begin = block * size_t{64};
      block = static_cast<uint16_t>(blocks_.size() / 64);
      for (size_t i = 0; i < 64; ++i) blocks_.push_back(blocks_[begin + i]);
    }
    uint32_t& record = blocks_[block * size_t{64} + (patch.code_point & 63)];
    record = FoldRecord(record)
                 .Retarget(patch.code_point, patch.target, LookUpFold(patch.target), change)
                 .bits();
  }
}

FoldTable FoldedV1Table() { return {kFoldStage, kFoldBlocks}; }

const StoredFoldTable& StoredV2Table() {
  static const StoredFoldTable stored = [] {
    StoredFoldTable table;
    table.Apply({kFoldVariants, kFoldVariantsSize}, LastChange::kVersion);
    return table;
  }();
  return stored;
}

FoldTable FoldTableOf(FoldedVersion version) {
  return version == FoldedVersion::kV1 ? FoldedV1Table() : FoldedV2Table();
}

}  // namespace zhiwen
