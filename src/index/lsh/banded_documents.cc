#include "index/lsh/banded_documents.h"

#include <algorithm>
#include <cstring>
#include <tuple>

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
    uint32_t query = 0;  // its place in the block
    uint32_t slot = 0;
    uint32_t equal = 0;

    friend bool operator==(const Found&, const Found&) = default;
  };

  std::span<const BandedQuery> queries;
  std::vector<uint32_t> keys;
  std::vector<uint32_t> query_of;  // of each key
  std::vector<Found> found;
  std::vector<uint32_t> places;
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
    block.keys.clear(), block.query_of.clear();
    while (end < queries.size() && block.keys.size() < kLookUpsOfBlock) {
      const BandedQuery& query = queries[end];
      AppendBandKeys(depths_[query.depth], rows[query.row], block.band_keys, block.keys);
      block.query_of.resize(block.keys.size(), static_cast<uint32_t>(end++ - begin));
    }
    block.queries = queries.subspan(begin, end - begin);
    LookUp(block, answer.truncated);
    CompareBits(rows, block);
    for (const Block::Found& found : block.found) {
      const uint32_t row = block.queries[found.query].row;
      answer.candidates.push_back({row, found.equal, slots_.document(found.slot)});
    }
  }
}

// Finds what shares a bucket with a query, by query and slot, each once.
void BandedDocuments::LookUp(Block& block, std::vector<TruncatedQuery>& truncated) const {
  block.found.clear();
  const auto visit = [&](size_t place, uint32_t slot) {
    slots_.PrefetchBits(slot);
    block.found.push_back({block.query_of[place], slot, 0});
  };
  const size_t before = truncated.size();
  uint32_t last_cut = 0;
  const auto cut = [&](size_t place) {
    const uint32_t query = block.query_of[place];
    if (truncated.size() == before || query != last_cut) {
      truncated.push_back({block.queries[query].row, 0});
    }
    last_cut = query;
    ++truncated.back().bands;
  };
  // Memory is never damaged.
  static_cast<void>(table_.VisitKeys(block.keys, bucket_limit_, block.places, visit, cut));
  std::sort(block.found.begin(), block.found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.query, a.slot) < std::tie(b.query, b.slot);
  });
  block.found.erase(std::unique(block.found.begin(), block.found.end()), block.found.end());
}

// Leaves of what was found that which has enough equal bits.
void BandedDocuments::CompareBits(const SignatureRows& rows, Block& block) const {
  size_t kept = 0;
  const BandedQuery* query = nullptr;  // whose bits are in the block
  for (Block::Found found : block.found) {
    if (query != &block.queries[found.query]) {
      query = &block.queries[found.query];
      bbit_.Encode(rows[query->row], block.bits);
    }
    found.equal = bbit_.CountEqual(block.bits.data(), slots_.bits(found.slot));
    if (found.equal < query->least_equal) continue;
    slots_.PrefetchDocument(found.slot);
    block.found[kept++] = found;
  }
  block.found.resize(kept);
}

}  // namespace zhiwen
