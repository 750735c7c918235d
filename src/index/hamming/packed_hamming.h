#ifndef ZHIWEN_INDEX_HAMMING_PACKED_HAMMING_H_
#define ZHIWEN_INDEX_HAMMING_PACKED_HAMMING_H_

// Implements the plan of half_keys.h over a mapped file: codes that no longer change, stored twice,
// in the order of either half.
//
// Guarantees  as HalfKeyIndex; a damaged file gives the right answer or an error
// Cost        11.2 to 13.8 bytes a code from a million on; opening reads a thousandth of the file
// Threads     const after Open: share freely
// Fails       Open: kUnreadable for damage; Query: kUnreadable, naming the file and the place
// Persisted   docs/formats/code_index.md: the tables of a segment, which index/codes writes

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/files/block_file.h"
#include "index/hamming/half_keys.h"
#include "index/hamming/hamming_index.h"
#include "index/hamming/packed_table.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The names of the tables by the low half and by the high half.
inline constexpr std::array<std::string_view, 2> kHalfNames = {"low", "high"};

class PackedHamming final : public HammingIndex {
 public:
  // Opens the tables of `codes` codes in a file, which must outlive the object.
  static Result<PackedHamming> Open(const BlockFile& file, uint64_t codes, uint32_t code_bits);

  uint64_t size() const override { return tables_[0].size(); }
  uint64_t bytes() const override { return file_->size(); }
  Status Query(std::span<const uint64_t> queries, uint32_t radius,
               HammingAnswer& answer) const override;

  // Returns the table by the low half (0) or by the high half (1).
  const PackedTable& table(size_t half) const { return tables_[half]; }

 private:
  Status GoThrough(std::span<const uint64_t> queries, uint32_t radius, HammingAnswer& answer) const;

  const BlockFile* file_ = nullptr;
  uint32_t code_bits_ = 64;
  std::array<PackedTable, 2> tables_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_PACKED_HAMMING_H_
