#ifndef ZHIWEN_INDEX_LSH_BANDED_DOCUMENTS_H_
#define ZHIWEN_INDEX_LSH_BANDED_DOCUMENTS_H_

// Documents by the bands of their signatures: what MinHashIndex and the partitions of
// ContainmentEnsemble are made of. The rows of a band are hashed to 32 bits, which are a key of one
// LineTable for all bands; its values are slots of documents. A document's number is a key, too, so
// that it is found to be removed. What shares a bucket with a query and has too few equal bits
// (bbit_signatures.h) is no candidate.
//
// Signatures may be banded at several depths, numbers of rows, of which a query chooses one.
//
// Guarantees  a document that shares a band with a query, and has enough equal bits, is a candidate
//             unless the bucket has more than `bucket_limit` documents. Equal hashes of different
//             rows give other candidates: about entries / 2³² for each band looked up
// Cost        9 bytes a band, 17 and the bits a document. Removing one of a bucket of thousands
//             goes through the bucket
// Threads     const functions from many threads; others alone
// Fails       std::bad_alloc, as operator new does
// Not for     more than 2³² documents; from 10⁸ on, several indexes give fewer false candidates

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "index/band_plan.h"
#include "index/line_table/line_table.h"
#include "index/lsh/bbit_signatures.h"
#include "index/lsh/document_slots.h"
#include "index/lsh/minhash_plan.h"
#include "index/lsh/signature_rows.h"
#include "index/lsh/similarity_answer.h"

namespace zhiwen {

struct BandedQuery {
  uint32_t row = 0;
  uint32_t depth = 0;        // its place among the plans
  uint32_t least_equal = 0;  // values, of a candidate
};

struct BandedCandidate {
  uint32_t row = 0;
  uint32_t equal = 0;  // values whose bits are equal
  uint64_t document = 0;
};

struct BandedAnswer {
  std::vector<BandedCandidate> candidates;  // in the order of queries, each once for a query
  std::vector<TruncatedQuery> truncated;    // in the order of queries; `query` is the row
};

// Asks for the similarities of candidates, those of a query that stand together at once, and
// appends what reaches `threshold`.
void AppendVerified(std::span<const BandedCandidate> candidates, double threshold,
                    const SimilarityOf& similarity_of, SimilarityAnswer& answer);

class BandedDocuments {
 public:
  // Signatures have as many values as each of `depths` and `bbit` need.
  BandedDocuments(std::vector<BandPlan> depths, const BbitSignatures& bbit, size_t bucket_limit)
      : depths_(std::move(depths)),
        bbit_(bbit),
        bucket_limit_(bucket_limit),
        slots_(bbit.words()) {}

  uint64_t size() const { return slots_.size(); }
  uint64_t bytes() const { return table_.bytes() + slots_.bytes(); }

  bool Contains(uint64_t document) const { return FindSlot(document).has_value(); }
  // Returns false, and changes nothing, when the document is there.
  bool Insert(uint64_t document, std::span<const uint32_t> signature);
  // Returns false, and changes nothing, unless the document is there with that signature.
  bool Remove(uint64_t document, std::span<const uint32_t> signature);

  void Query(const SignatureRows& rows, std::span<const BandedQuery> queries,
             BandedAnswer& answer) const;

 private:
  struct Block;

  std::optional<uint32_t> FindSlot(uint64_t document) const;
  std::vector<uint32_t> KeysOf(uint64_t document, std::span<const uint32_t> signature) const;
  void LookUp(Block& block, std::vector<TruncatedQuery>& truncated) const;
  void CompareBits(const SignatureRows& rows, Block& block) const;

  std::vector<BandPlan> depths_;
  BbitSignatures bbit_;
  size_t bucket_limit_;
  LineTable table_;
  DocumentSlots slots_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_BANDED_DOCUMENTS_H_
