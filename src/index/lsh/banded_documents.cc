#include "index/lsh/banded_documents.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace zhiwen {
namespace {

constexpr size_t kLookUpsOfBlock = 128;  // whose lines are asked for together

// Mixed keys, as LineTable takes them.
uint32_t KeyOfNumber(uint64_t document) {
  return static_cast<uint32_t>((document ^ document >> 32) * 0x9E3779B97F4A7C15 >> 32);
}

// Appends those of the bands of a signature that have a minimum.
void AppendBandKeys(const BandPlan& plan, std::span<const uint32_t> signature,
                    std::vector<uint64_t>& scratch, std::vector<uint32_t>& keys) {
  scratch.resize(plan.bands);
  ComputeBandKeys(plan, signature, scratch);
  for (const uint64_t key : scratch) {
    if (key != kNoBandKey) keys.push_back(static_cast<uint32_t>(key));
  }
}

}  // namespace

Status CheckLimits(double filter_miss, size_t bucket_limit) {
  if (!(filter_miss >= 0 && filter_miss < 1)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot filter candidates: the share {} that may be missed is outside "
                            "[0, 1)",
                            filter_miss));
  }
  if (bucket_limit == 0) {
    return Fail(ErrorCode::kInvalidArgument,
                "cannot look at no document of a bucket: the limit of buckets is 0");
  }
  return {};
}

void AppendVerified(std::span<const BandedCandidate> candidates, double threshold,
                    const SimilarityOf& similarity_of, SimilarityAnswer& answer) {
  std::vector<uint64_t> documents;
  for (size_t i = 0; i < candidates.size(); ++i) {
    documents.push_back(candidates[i].document);
    const bool is_last = i + 1 == candidates.size() || candidates[i + 1].row != candidates[i].row;
    if (!is_last) continue;
    AppendVerified(candidates[i].row, documents, threshold, similarity_of, answer);
    documents.clear();
  }
}

// Queries that are looked up together.
struct BandedDocuments::Block {
  struct Found {
    uint32_t slot = 0;
    uint32_t equal = 0;
  };

  void Clear() { keys.clear(), ends.clear(), found.clear(), found_ends.clear(); }

  std::span<const BandedQuery> queries;
  std::vector<uint32_t> keys;
  std::vector<size_t> ends;  // of the keys of each query
  std::vector<Found> found;
  std::vector<size_t> found_ends;
  std::vector<uint64_t> band_keys, bits;  // of one
};

// Ascending, each once.
std::vector<uint32_t> BandedDocuments::KeysOf(uint64_t document,
                                              std::span<const uint32_t> signature) const {
  std::vector<uint32_t> keys = {KeyOfNumber(document)};
  std::vector<uint64_t> scratch;
  for (const BandPlan& plan : depths_) AppendBandKeys(plan, signature, scratch, keys);
  for (const uint32_t key : keys) table_.PrefetchLine(key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::optional<uint32_t> BandedDocuments::FindSlot(uint64_t document) const {
  std::optional<uint32_t> found;
  table_.VisitValues(KeyOfNumber(document), SIZE_MAX, [&](uint32_t slot) {
    if (slots_.document(slot) == document) found = slot;
  });
  return found;
}

bool BandedDocuments::Insert(uint64_t document, std::span<const uint32_t> signature) {
  const std::vector<uint32_t> keys = KeysOf(document, signature);
  if (Contains(document)) return false;
  std::vector<uint64_t> bits(bbit_.words());
  bbit_.Encode(signature, bits);
  const uint32_t slot = slots_.Add(document, bits);
  for (const uint32_t key : keys) table_.Insert(key, slot);
  return true;
}

bool BandedDocuments::Remove(uint64_t document, std::span<const uint32_t> signature) {
  const std::vector<uint32_t> keys = KeysOf(document, signature);
  const std::optional<uint32_t> slot = FindSlot(document);
  if (!slot) return false;
  // Bits alone would take a signature for the right one that differs in a value or two.
  std::vector<uint64_t> bits(bbit_.words());
  bbit_.Encode(signature, bits);
  if (std::memcmp(bits.data(), slots_.bits(*slot), bits.size() * sizeof(uint64_t)) != 0) {
    return false;
  }
  for (const uint32_t key : keys) {
    if (!table_.Contains(key, *slot)) return false;
  }
  for (const uint32_t key : keys) table_.Remove(key, *slot);
  slots_.Free(*slot);
  return true;
}

void BandedDocuments::Query(const SignatureRows& rows, std::span<const BandedQuery> queries,
                            BandedAnswer& answer) const {
  Block block;
  block.bits.resize(bbit_.words());
  for (size_t begin = 0, end = 0; begin < queries.size(); begin = end) {
    block.Clear();
    while (end < queries.size() && block.keys.size() < kLookUpsOfBlock) {
      const BandedQuery& query = queries[end++];
      const size_t before = block.keys.size();
      AppendBandKeys(depths_[query.depth], rows[query.row], block.band_keys, block.keys);
      for (size_t i = before; i < block.keys.size(); ++i) table_.PrefetchLine(block.keys[i]);
      block.ends.push_back(block.keys.size());
    }
    block.queries = queries.subspan(begin, end - begin);
    LookUp(rows, block, answer);
  }
}

// Each step asks for the memory of the next one, for all queries of the block.
void BandedDocuments::LookUp(const SignatureRows& rows, Block& block, BandedAnswer& answer) const {
  for (const uint32_t key : block.keys) table_.PrefetchChain(key);
  size_t key = 0;
  for (size_t q = 0; q < block.queries.size(); ++q) {
    const auto begin = static_cast<ptrdiff_t>(block.found.size());
    uint32_t cut = 0;
    for (; key < block.ends[q]; ++key) {
      const auto visit = [&](uint32_t slot) { block.found.push_back({slot, 0}); };
      if (!table_.VisitValues(block.keys[key], bucket_limit_, visit)) ++cut;
    }
    if (cut > 0) answer.truncated.push_back({block.queries[q].row, cut});
    const auto by_slot = [](const auto& a, const auto& b) { return a.slot < b.slot; };
    const auto same = [](const auto& a, const auto& b) { return a.slot == b.slot; };
    std::sort(block.found.begin() + begin, block.found.end(), by_slot);
    block.found.erase(std::unique(block.found.begin() + begin, block.found.end(), same),
                      block.found.end());
    for (auto found = block.found.begin() + begin; found != block.found.end(); ++found) {
      slots_.PrefetchBits(found->slot);
    }
    block.found_ends.push_back(block.found.size());
  }
  CompareBits(rows, block);
  size_t i = 0;
  for (size_t q = 0; q < block.queries.size(); ++q) {
    for (; i < block.found_ends[q]; ++i) {
      const Block::Found& found = block.found[i];
      answer.candidates.push_back({block.queries[q].row, found.equal, slots_.document(found.slot)});
    }
  }
}

// Leaves of what was found that which has enough equal bits.
void BandedDocuments::CompareBits(const SignatureRows& rows, Block& block) const {
  size_t kept = 0;
  size_t i = 0;
  for (size_t q = 0; q < block.queries.size(); ++q) {
    if (i < block.found_ends[q]) bbit_.Encode(rows[block.queries[q].row], block.bits);
    for (; i < block.found_ends[q]; ++i) {
      const uint32_t slot = block.found[i].slot;
      const uint32_t equal = bbit_.CountEqual(block.bits.data(), slots_.bits(slot));
      if (equal < block.queries[q].least_equal) continue;
      slots_.PrefetchDocument(slot);
      block.found[kept++] = {slot, equal};
    }
    block.found_ends[q] = kept;
  }
}

}  // namespace zhiwen
