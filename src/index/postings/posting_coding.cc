#include "index/postings/posting_coding.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/coding.h"
#include "base/value_bytes.h"

namespace zhiwen {
namespace {

// Returns the bits of the gaps between consecutive documents, less 1.
uint32_t WidthOf(std::span<const uint32_t> documents) {
  uint32_t gaps = 0;
  for (size_t i = 1; i < documents.size(); ++i) gaps |= documents[i] - documents[i - 1] - 1;
  return static_cast<uint32_t>(std::bit_width(gaps));
}

void AppendPacked(std::span<const uint32_t> documents, uint32_t width, std::string& out) {
  uint64_t word = 0;
  uint32_t bits = 0;
  for (size_t i = 1; i < documents.size(); ++i) {
    word |= uint64_t{documents[i] - documents[i - 1] - 1} << bits;
    for (bits += width; bits >= 8; bits -= 8, word >>= 8) out += static_cast<char>(word);
  }
  if (bits > 0) out += static_cast<char>(word);
}

}  // namespace

void FeatureCoding::Append(const FeatureEntry& entry, std::string& out) const {
  const uint64_t low = (entry.key << (64 - part_shift_)) >> (64 - part_shift_) >> missing_bits_;
  const uint64_t front = low << 1 | (entry.is_list ? 1 : 0);
  out.append(BytesOfValue(front).substr(0, key_bytes_));
  AppendFixed32(out, entry.at);
}

FeatureEntry FeatureCoding::Read(const uint8_t* bytes, uint64_t part) const {
  uint64_t front;
  uint32_t at;
  std::memcpy(&at, bytes + key_bytes_, sizeof(at));
  if (key_bytes_ > sizeof(at)) {
    std::memcpy(&front, bytes, sizeof(front));
  } else {  // the entry may have fewer bytes than that
    uint32_t half;
    std::memcpy(&half, bytes, sizeof(half));
    front = half;
  }
  front &= ~uint64_t{0} >> (64 - 8 * key_bytes_);
  return {part << part_shift_ | front >> 1 << missing_bits_, (front & 1) != 0, at};
}

void AppendPostingList(std::span<const uint32_t> documents, std::string& out) {
  uint32_t widths = 0;
  AppendFixed32(out, static_cast<uint32_t>(documents.size()));
  for (size_t i = 0; i < documents.size(); i += kPostingBlock) {
    const auto block = documents.subspan(i, std::min(kPostingBlock, documents.size() - i));
    widths += WidthOf(block);
    AppendFixed32(out, block[0]);
    AppendFixed32(out, widths);
  }
  const size_t packed = out.size();
  widths = 0;
  for (size_t i = 0; i < documents.size(); i += kPostingBlock) {
    const auto block = documents.subspan(i, std::min(kPostingBlock, documents.size() - i));
    out.resize(packed + BytesOfBlocks(widths));  // a whole block has no gap after its last document
    AppendPacked(block, WidthOf(block), out);
    widths += WidthOf(block);
  }
  const size_t past = (out.size() - packed) % kListAlignment;
  if (past > 0) out.append(kListAlignment - past, '\0');
}

void AppendPositions(const FeaturePostings& feature, uint64_t begin, std::string& out) {
  const size_t start = out.size();
  const uint64_t blocks = BlocksOfList(feature.documents.size());
  const uint64_t table = blocks > 1 ? blocks * sizeof(uint64_t) : 0;
  out.append(table, '\0');
  uint64_t at = 0;
  for (size_t i = 0; i < feature.documents.size(); ++i) {
    if (table > 0 && i % kPostingBlock == 0) {
      std::string offset;
      AppendFixed64(offset, begin + (out.size() - start));
      out.replace(start + i / kPostingBlock * sizeof(uint64_t), offset.size(), offset);
    }
    const auto positions = feature.positions.subspan(at, feature.ends[i] - at);
    at = feature.ends[i];
    AppendVarint(out, uint64_t{positions[0]} * 2 + (positions.size() > 1 ? 1 : 0));
    if (positions.size() > 1) AppendVarint(out, positions.size() - 2);
    for (size_t k = 1; k < positions.size(); ++k) {
      AppendVarint(out, positions[k] - positions[k - 1] - 1);
    }
  }
}

}  // namespace zhiwen
