#ifndef ZHIWEN_MATCH_DIGIT_SIMILARITY_H_
#define ZHIWEN_MATCH_DIGIT_SIMILARITY_H_

// Finds the closest codes of digits (fingerprint/dna_code.h). The L1 distance of two codes is the
// sum of the differences of their digits.
//
// In          codes of one width that DnaRadix knows, fewer than 2³² in a text
// Guarantees  integers until the last division: the same result on every machine, and the result of
//             comparing every code with every other (digit_similarity_test.cc)
// Cost        one look-up for a code that has an equal one. Each other code is compared with one in
//             eight of all codes, and with the seven neighbours of those that are near enough. Two
//             texts that are unlike therefore cost the product of their numbers of codes, at a
//             tenth of a nanosecond where neighbours are similar (overlap=1), and up to a
//             nanosecond where they are not. docs/formats/initials_dna.md has figures
// Fails       kInterrupted, kTerminated: `cancellation` is checked after each code

#include <cstdint>
#include <memory>
#include <vector>

#include "fingerprint/dna_code.h"
#include "zhiwen/environment.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ClosestCode {
  size_t index = 0;       // place of the first closest code
  uint32_t distance = 0;  // L1 distance

  friend bool operator==(const ClosestCode&, const ClosestCode&) = default;
};

// The codes of a text, made ready for several searches of the closest ones.
class SearchedCodes {
 public:
  // Fails as `cancellation` says.
  static Result<SearchedCodes> Create(const CodeSequence& codes, const Cancellation& cancellation);
  ~SearchedCodes();
  SearchedCodes(SearchedCodes&&) noexcept;
  SearchedCodes& operator=(SearchedCodes&&) noexcept;

  // Returns the closest of the codes, of which there must be one, for each code of `stored`.
  Result<std::vector<ClosestCode>> FindClosest(const CodeSequence& stored,
                                               const Cancellation& cancellation) const;

  // Returns the closest code of those from place `first` to `last`, both of which there must be; of
  // equally close ones the one next to the place `expected`.
  ClosestCode FindClosestBetween(const DnaDigits& digits, size_t first, size_t last,
                                 size_t expected) const;

  // Returns the next place of the code that is at `place`, or the number of codes.
  size_t NextPlaceOf(size_t place) const;

 private:
  struct Codes;
  explicit SearchedCodes(std::unique_ptr<const Codes> codes);

  std::unique_ptr<const Codes> codes_;
};

// Returns the closest code of `query`, which must have one, for each code of `stored`. When the
// granules of the query begin at every character (overlap=1) and those of the stored text at larger
// steps, a copied passage is found at any offset, and a missing character changes only the granules
// around it.
Result<std::vector<ClosestCode>> FindClosestCodes(const CodeSequence& stored,
                                                  const CodeSequence& query,
                                                  const Cancellation& cancellation);

// Returns 1 − d / m, where d is the mean distance from each code of both sequences to the closest
// code of the other one, and m is the largest possible distance. The result is 0 to 1, symmetric, 1
// for equal sequences, and 0 where one sequence has no code.
Result<double> DigitSimilarity(const CodeSequence& a, const CodeSequence& b,
                               const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_DIGIT_SIMILARITY_H_
