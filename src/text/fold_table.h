#ifndef ZHIWEN_TEXT_FOLD_TABLE_H_
#define ZHIWEN_TEXT_FOLD_TABLE_H_

// Which version of folded: the record of every code point. That of folded.v1 is generated
// (text/fold_tables.h); a later one is an earlier one in which some records are replaced, made when
// it is first asked for.
//
// Cost        a lookup is two loads, of every version; making one takes some ten microseconds and
//             300 KB
// Threads     share freely

#include <cstdint>
#include <span>
#include <vector>

#include "text/fold_tables.h"

namespace zhiwen {

// A code point that becomes something else than in the table before.
struct FoldPatch {
  uint32_t code_point;
  uint32_t target;
};

// A view of a table; what it shows lives as long as the program or the StoredFoldTable.
class FoldTable {
 public:
  FoldTable(const uint16_t* stage, const uint32_t* blocks, bool has_operators = false)
      : stage_(stage), blocks_(blocks), has_operators_(has_operators) {}

  // Returns the record of `code_point` (below 0x110000).
  [[gnu::always_inline]] FoldRecord LookUp(uint32_t code_point) const {
    return FoldRecord(blocks_[stage_[code_point >> 6] * 64U + (code_point & 63)]);
  }

  // Whether the version counts operators (FoldClass::kOperator).
  bool has_operators() const { return has_operators_; }

 private:
  const uint16_t* stage_;
  const uint32_t* blocks_;
  bool has_operators_;
};

// A table that can be changed, at first that of folded.v1.
class StoredFoldTable {
 public:
  StoredFoldTable();

  // Replaces what the code points become; a target is a code point that folded.v1 leaves alone, or
  // one that it makes several of, which stands for them.
  void Apply(std::span<const FoldPatch> patches, LastChange change);

  // Makes the code points operators, each as its target, which is ASCII.
  void MakeOperators(std::span<const FoldPatch> patches);
  FoldTable table() const { return {stage_.data(), blocks_.data(), has_operators_}; }

 private:
  // The record of a code point, in a block that no other table shares.
  uint32_t& OwnRecord(uint32_t code_point);

  std::vector<uint16_t> stage_;
  std::vector<uint32_t> blocks_;
  bool has_operators_ = false;
};

enum class FoldedVersion : uint8_t { kV1, kV2, kV3 };
inline constexpr FoldedVersion kNewestFolded = FoldedVersion::kV3;

FoldTable FoldedV1Table();
const StoredFoldTable& StoredV2Table();
inline FoldTable FoldedV2Table() { return StoredV2Table().table(); }
FoldTable FoldedV3Table();
FoldTable FoldTableOf(FoldedVersion version);
inline FoldTable NewestFoldTable() { return FoldTableOf(kNewestFolded); }

// The version that loose.v1, regional.v1, shape.v1, variants.v1 and the readings .v1 are defined
// on, and the language data of version 2; a newer folded changes none of them.
inline constexpr FoldedVersion kBaseFolded = FoldedVersion::kV2;
inline FoldTable BaseFoldTable() { return FoldTableOf(kBaseFolded); }

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_FOLD_TABLE_H_
