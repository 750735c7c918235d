#ifndef ZHIWEN_INDEX_HAMMING_PACKED_HAMMING_H_
#define ZHIWEN_INDEX_HAMMING_PACKED_HAMMING_H_

// The plan of half_keys.h over a file that is mapped: codes that do not change any more, twice, in
// the order of either half.
//
// Guarantees  as HalfKeyIndex; of a damaged file the right answer or an error
// Cost        11.2 to 13.8 bytes a code from a million on; opening reads a thousandth of the file.
//             Writing takes 24 bytes of memory a code
// Threads     const after Open: share freely
// Fails       Open: kNotFound, kUnreadable for damage, kConflict for another version; Query:
//             kUnreadable, naming the file and the place
// Persisted   docs/formats/packed_codes.md

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/block_file.h"
#include "index/hamming/half_keys.h"
#include "index/hamming/hamming_index.h"
#include "index/hamming/packed_table.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr SectionFileKind kPackedCodesKind = {.name = "packed codes", .version = 1};

// Hands the bytes of a file of these codes to `take`; they are distinct, fewer than 2³². Returns
// its BlockFile::identity(). Fails with the error of `take`.
Result<uint64_t> WritePackedCodes(std::span<const uint64_t> codes, uint32_t code_bits,
                                  const SectionSink& take);

class PackedHamming final : public HammingIndex {
 public:
  static Result<std::unique_ptr<PackedHamming>> Open(FileSystem& files, const std::string& path);

  uint64_t size() const override { return tables_[0].size(); }
  uint64_t bytes() const override { return file_->size(); }
  uint32_t code_bits() const { return code_bits_; }
  Status Query(std::span<const uint64_t> queries, uint32_t radius,
               HammingAnswer& answer) const override;

  // Reads everything. Fails where a block is damaged.
  Status CheckAll() const { return file_->CheckAll(); }

 private:
  explicit PackedHamming(std::unique_ptr<BlockFile> file) : file_(std::move(file)) {}
  Status GoThrough(std::span<const uint64_t> queries, uint32_t radius, HammingAnswer& answer) const;

  std::unique_ptr<BlockFile> file_;
  uint32_t code_bits_ = 64;
  std::array<PackedTable, 2> tables_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_PACKED_HAMMING_H_
