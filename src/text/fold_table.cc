#include "text/fold_table.h"

#include <iterator>

#include "text/fold_variants.h"

namespace zhiwen {

StoredFoldTable::StoredFoldTable()
    : stage_(std::begin(kFoldStage), std::end(kFoldStage)),
      blocks_(kFoldBlocks, kFoldBlocks + kFoldBlocksSize) {}

uint32_t& StoredFoldTable::OwnRecord(uint32_t code_point) {
  uint16_t& block = stage_[code_point >> 6];
  if (block * size_t{64} < kFoldBlocksSize) {  // may be shared by many: take a copy
    const size_t begin = block * size_t{64};
    block = static_cast<uint16_t>(blocks_.size() / 64);
    for (size_t i = 0; i < 64; ++i) blocks_.push_back(blocks_[begin + i]);
  }
  return blocks_[block * size_t{64} + (code_point & 63)];
}

void StoredFoldTable::Apply(std::span<const FoldPatch> patches, LastChange change) {
  for (const FoldPatch& patch : patches) {
    uint32_t& record = OwnRecord(patch.code_point);
    record = FoldRecord(record)
                 .Retarget(patch.code_point, patch.target, LookUpFold(patch.target), change)
                 .bits();
  }
}

void StoredFoldTable::MakeOperators(std::span<const FoldPatch> patches) {
  for (const FoldPatch& patch : patches) {
    uint32_t& record = OwnRecord(patch.code_point);
    record = FoldRecord(record).AsOperator(patch.code_point, patch.target).bits();
  }
  has_operators_ = true;
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

FoldTable FoldedV3Table() {
  static const StoredFoldTable stored = [] {
    StoredFoldTable table = StoredV2Table();
    table.MakeOperators({kFoldOperators, kFoldOperatorsSize});
    return table;
  }();
  return stored.table();
}

FoldTable FoldTableOf(FoldedVersion version) {
  switch (version) {
    case FoldedVersion::kV1:
      return FoldedV1Table();
    case FoldedVersion::kV2:
      return FoldedV2Table();
    case FoldedVersion::kV3:
      break;
  }
  return FoldedV3Table();
}

}  // namespace zhiwen
