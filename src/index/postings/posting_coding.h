#ifndef ZHIWEN_INDEX_POSTINGS_POSTING_CODING_H_
#define ZHIWEN_INDEX_POSTINGS_POSTING_CODING_H_

// The bytes of a list of documents, and of the positions in them. docs/formats/postings.md

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/section_file.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr SectionFileKind kPostingsKind = {.name = "postings", .version = 1};

inline constexpr size_t kPostingBlock = 128;  // documents
inline constexpr size_t kListAlignment = 8;   // bytes

// What a list begins with, for each of its blocks.
struct PostingBlock {
  uint32_t first = 0;   // document
  uint32_t widths = 0;  // the sum of the bits of a gap, of the blocks up to this one
};
// A whole block with gaps of `width` bits has so many bytes.
constexpr uint64_t BytesOfBlocks(uint64_t width) { return width * (kPostingBlock / 8); }

constexpr uint64_t BlocksOfList(uint64_t documents) {
  return (documents + kPostingBlock - 1) / kPostingBlock;
}

// What the sections "features" consists of, by key.
struct FeatureEntry {
  uint64_t key = 0;
  uint32_t frequency = 0;
  uint32_t at = 0;  // the document of a frequency of 1; else the place of the list, in 8 bytes
};

struct PostingsSummary {
  uint64_t documents = 0, features = 0, postings = 0, positions = 0;
  uint64_t documents_end = 0;  // one more than the greatest document that has a feature
  uint32_t content = 0;        // 1 with positions
  uint32_t directory_bits = 0;
  uint64_t features_by_frequency[33] = {};
};

// A feature as it is written and read: its documents, ascending, and where positions are kept the
// ends of theirs among `positions`, which ascend within a document.
struct FeaturePostings {
  uint64_t feature = 0;
  std::span<const uint32_t> documents;
  std::span<const uint64_t> ends;
  std::span<const uint32_t> positions;
};

// Gives features by ascending MixKey64 to its argument, and ends with the first error of it.
using FeatureTake = std::function<Status(const FeaturePostings&)>;

// Appends the list of two documents or more.
void AppendPostingList(std::span<const uint32_t> documents, std::string& out);

// Appends the positions of a feature, whose bytes begin at `begin` of the section.
void AppendPositions(const FeaturePostings& feature, uint64_t begin, std::string& out);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTING_CODING_H_
