#ifndef ZHIWEN_INDEX_REFERENCES_REFERENCE_SHINGLES_H_
#define ZHIWEN_INDEX_REFERENCES_REFERENCE_SHINGLES_H_

// Numbers the distinct shingles of all references, and finds which of them an input has. With these
// numbers the inputs that have a shingle are counted, before it is decided whether the shingle is
// significant (docs/dedup-rules.md, "Common shingles").
//
// In          references as symbols; inputs as shingles, with repeats
// Out         numbers of shingles, ascending: a number is the place of the shingle among all
// Guarantees  exact; the numbers depend on the set of shingles alone
// Cost        as HashPostings and BitFilter: about 16 bytes a distinct shingle, and 8 a symbol of
//             the references in work. An input with few shingles of references: 1 to 2 ns a shingle
// Threads     const after Finish: share freely, each thread with its own Scratch
// Fails       Finish: 2³² shingles or more → kExhausted

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/references/bit_filter.h"
#include "index/references/hash_postings.h"
#include "zhiwen/result.h"

namespace zhiwen {

class ReferenceShingles {
 public:
  // The working memory of one thread.
  class Scratch {
   private:
    friend class ReferenceShingles;
    std::vector<uint32_t> places_;
    std::vector<bool> marked_;  // by number
  };

  // Returns an upper bound of the memory in use while shingles of so many symbols are added, and
  // after.
  static uint64_t BytesFor(uint64_t symbols);

  void Reserve(uint64_t symbols) { added_.reserve(symbols); }
  // Adds the shingles of a reference, or of a piece of one, which begins with the last
  // kShingleLength − 1 symbols of the piece before.
  void Add(std::span<const uint32_t> symbols);
  Status Finish();

  size_t size() const { return postings_.size(); }
  uint64_t bytes() const { return postings_.bytes() + filter_.bytes(); }
  uint64_t ShingleOf(uint32_t number) const { return postings_.keys()[number]; }

  // Sets `numbers` to the shingles that an input has.
  void Find(std::span<const uint64_t> shingles, Scratch& scratch,
            std::vector<uint32_t>& numbers) const;

  // Does the same for an input that comes in pieces: `walk` calls its argument for each piece.
  using Take = std::function<void(std::span<const uint64_t> shingles)>;
  void FindInPieces(const std::function<void(const Take& take)>& walk, Scratch& scratch,
                    std::vector<uint32_t>& numbers) const;

 private:
  template <typename Found>
  void VisitFound(std::span<const uint64_t> shingles, Scratch& scratch, const Found& found) const;

  std::vector<uint64_t> added_, shingles_;  // until Finish
  BitFilter filter_;
  HashPostings postings_;  // one value a shingle, which says nothing
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_REFERENCE_SHINGLES_H_
