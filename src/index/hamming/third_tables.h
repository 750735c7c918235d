#ifndef ZHIWEN_INDEX_HAMMING_THIRD_TABLES_H_
#define ZHIWEN_INDEX_HAMMING_THIRD_TABLES_H_

// Looks up codes of 64 bits by each of three parts, for radii at which their halves have too many
// flips. Within distance r of a query, part t differs in at most ⌊(r−t)/3⌋ bits for some t. For r =
// 8 these are 696 look-ups, compared with 46,938 by halves. Each finds all codes that share 21
// bits, fifty of a hundred million, and these are compared. The codes of a part are in chains of
// lines, seven to a line.
//
// Guarantees  exact for every radius; where parts are so biased that chains are as long as the
//             table, all codes are compared
// Cost        8 bytes a part for every bucket, and 30 bytes a code from a hundred million on; a
//             change reads two lines of each part, or the whole chain
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does
// Not for     radii below 5; small sets

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_memory.h"
#include "base/prefetch.h"
#include "index/hamming/hamming_index.h"
#include "index/line_table/line_memory.h"

namespace zhiwen {

class ThirdTables {
 public:
  // The number of `bits` of each part that are looked up is at most 21.
  explicit ThirdTables(uint32_t bits);

  uint64_t bytes() const;

  // The codes to insert must be absent, and the code to remove must be present.
  void Insert(std::span<const uint64_t> codes);
  void Remove(uint64_t code);

  // Answers as HammingIndex::Query does.
  void Query(std::span<const uint64_t> queries, uint32_t radius, HammingAnswer& answer) const;
  // Returns the approximate time of a query.
  double NanosecondsFor(uint32_t radius) const;

 private:
  static constexpr uint32_t kParts = 3, kPartBits = 21;
  static constexpr size_t kCodes = 7;  // codes of a line

  struct CodeLine {
    std::array<uint64_t, kCodes> codes;
    // Codes of the line; in the first line of a chain, of the whole chain.
    uint32_t count;
    uint32_t link;  // number of the next line, from 1 on, or 0
  };
  static_assert(sizeof(CodeLine) == sizeof(Line));

  struct Table {
    LargeVector<uint32_t> first;  // link of each bucket
    LineMemory memory;
    uint64_t lines = 0;
    uint32_t free = 0;  // link; free lines are chained

    const CodeLine& at(uint32_t link) const {
      return *static_cast<const CodeLine*>(static_cast<const void*>(memory.at(link - 1)));
    }
    CodeLine& at(uint32_t link) {
      return *static_cast<CodeLine*>(static_cast<void*>(memory.at(link - 1)));
    }
    void Add(uint32_t bucket, uint64_t code);
    void Remove(uint32_t bucket, uint64_t code);
  };

  uint32_t PartOf(uint64_t code, size_t part) const {
    return static_cast<uint32_t>(code >> part * kPartBits & ((uint64_t{1} << bits_) - 1));
  }
  // Returns the radius of a part for codes within `radius`, or −1 when the part need not be looked
  // up.
  static int RadiusOf(uint32_t radius, size_t part) {
    return (static_cast<int>(radius + kParts) - static_cast<int>(part)) / static_cast<int>(kParts) -
           1;
  }
  struct Asked {
    uint32_t query = 0;  // its index
    uint64_t code = 0;
    uint32_t radius = 0;
  };
  bool LookUp(const Asked& asked, std::vector<uint32_t>& links, HammingAnswer& answer) const;
  template <typename Keep>
  void Compare(const Asked& asked, const CodeLine& line, HammingAnswer& answer,
               const Keep& keep) const;
  void GoThrough(const Asked& asked, HammingAnswer& answer) const;

  uint32_t bits_;
  uint64_t size_ = 0;
  std::array<Table, kParts> tables_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_THIRD_TABLES_H_
