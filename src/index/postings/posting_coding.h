#ifndef ZHIWEN_INDEX_POSTINGS_POSTING_CODING_H_
#define ZHIWEN_INDEX_POSTINGS_POSTING_CODING_H_

// Encodes lists of documents and the positions in them: docs/formats/postings.md

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/files/section_file.h"
#include "index/line_table/mix_key.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr SectionFileKind kPostingsKind = {.name = "postings", .version = 1};

// The lowest bits of a key that are zeros where features have short keys, and are not stored.
inline constexpr uint32_t kMissingKeyBits = 22;

// Returns the feature of the short key of a feature.
constexpr uint64_t ShortenFeature(uint64_t feature) {
  return UnmixKey64(MixKey64(feature) >> kMissingKeyBits << kMissingKeyBits);
}

inline constexpr size_t kPostingBlock = 128;  // documents
inline constexpr size_t kListAlignment = 4;   // bytes

// The entry of a list for each of its blocks, after its 4-byte frequency.
struct PostingBlock {
  uint32_t first = 0;  // first document
  // The sum of the bits of a gap, over the blocks up to this one.
  uint32_t widths = 0;
};
// Returns the bytes of a whole block with gaps of `width` bits.
constexpr uint64_t BytesOfBlocks(uint64_t width) { return width * (kPostingBlock / 8); }

constexpr uint64_t BlocksOfList(uint64_t documents) {
  return (documents + kPostingBlock - 1) / kPostingBlock;
}

struct FeatureEntry {
  uint64_t key = 0;
  bool is_list = false;  // when it has two or more documents
  // The place of the list in units of 4 bytes; otherwise the only document.
  uint32_t at = 0;
};

// Decodes the entries of the section "features", which are sorted by key. Their upper bits are
// given by their part of the directory; their lowest ones may be zeros in all keys, and missing.
class FeatureCoding {
 public:
  // `directory_bits` is 1 to 32, `missing_bits` at most kMissingKeyBits.
  explicit FeatureCoding(uint32_t directory_bits = 1, uint32_t missing_bits = 0)
      : part_shift_(64 - directory_bits),
        missing_bits_(missing_bits),
        key_bytes_((part_shift_ - missing_bits + 1 + 7) / 8) {}

  uint64_t entry_bytes() const { return key_bytes_ + sizeof(uint32_t); }
  uint64_t PartOf(uint64_t key) const { return key >> part_shift_; }
  void Append(const FeatureEntry& entry, std::string& out) const;
  FeatureEntry Read(const uint8_t* bytes, uint64_t part) const;

 private:
  uint32_t part_shift_, missing_bits_;
  uint32_t key_bytes_;
};

struct PostingsSummary {
  uint64_t documents = 0, features = 0, postings = 0, positions = 0;
  uint64_t documents_end = 0;  // one more than the greatest document that has a feature
  uint32_t content = 0;        // 1 with positions
  uint8_t directory_bits = 0;
  uint8_t missing_bits = 0;  // of keys: 0 or kMissingKeyBits
  uint16_t unused = 0;
  uint64_t features_by_frequency[33] = {};
};

// A feature as it is written and read: its documents, ascending, and where positions are kept, the
// end of each document's positions in `positions`, which ascend within a document.
struct FeaturePostings {
  uint64_t feature = 0;
  std::span<const uint32_t> documents;
  std::span<const uint64_t> ends;
  std::span<const uint32_t> positions;
};

// Receives features by ascending MixKey64. The first error ends the visit.
using FeatureTake = std::function<Status(const FeaturePostings&)>;

// Appends the list of two or more documents.
void AppendPostingList(std::span<const uint32_t> documents, std::string& out);

// Appends the positions of a feature. Their bytes begin at `begin` of the section.
void AppendPositions(const FeaturePostings& feature, uint64_t begin, std::string& out);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTING_CODING_H_
