#ifndef ZHIWEN_INDEX_LSH_DOCUMENT_SLOTS_H_
#define ZHIWEN_INDEX_LSH_DOCUMENT_SLOTS_H_

// Documents by slot: their numbers, and the bits of their signatures (bbit_signatures.h). Arrays
// grow without moving; slots that are given back are used first.
//
// Cost        8 bytes and those of the bits a slot, rounded up to huge pages; 4 for one given back
// Threads     const functions from many threads; others alone
// Fails       std::bad_alloc, as operator new does

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/prefetch.h"
#include "index/line_table/line_memory.h"

namespace zhiwen {

class DocumentSlots {
 public:
  // `words`, of the bits of a document, is a power of two up to 512.
  explicit DocumentSlots(size_t words) : words_(words) {}

  uint64_t size() const { return end_ - free_.size(); }
  uint64_t bytes() const {
    return bits_.bytes() + documents_.bytes() + free_.capacity() * sizeof(uint32_t);
  }

  uint32_t Add(uint64_t document, std::span<const uint64_t> bits);
  void Free(uint32_t slot) { free_.push_back(slot); }

  // Of a slot in use.
  uint64_t document(uint32_t slot) const {
    uint64_t document;
    std::memcpy(&document, At(documents_, slot), sizeof(document));
    return document;
  }
  const uint8_t* bits(uint32_t slot) const { return At(bits_, slot * words_); }

  void PrefetchDocument(uint32_t slot) const { Prefetch(At(documents_, slot)); }
  void PrefetchBits(uint32_t slot) const { Prefetch(bits(slot)); }

 private:
  static constexpr size_t kLineWords = kLineBytes / sizeof(uint64_t);

  // The word with a number; no document's words lie on both sides of the end of a page.
  static const uint8_t* At(const LineMemory& memory, uint64_t word) {
    return memory.at(word / kLineWords)->bytes + word % kLineWords * sizeof(uint64_t);
  }
  static void Put(LineMemory& memory, uint64_t word, std::span<const uint64_t> words);

  uint64_t words_;
  uint64_t end_ = 0;  // of the slots ever in use
  LineMemory bits_, documents_;
  std::vector<uint32_t> free_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_DOCUMENT_SLOTS_H_
