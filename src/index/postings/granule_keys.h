#ifndef ZHIWEN_INDEX_POSTINGS_GRANULE_KEYS_H_
#define ZHIWEN_INDEX_POSTINGS_GRANULE_KEYS_H_

// Makes keys of granules (fingerprint/granule_scheme.h), by which an index of overlaps finds the
// texts that have the same granules, or nearly the same. The twenty digits of a code are cut into
// four quarters of five, and each of the six pairs of quarters is a key.
//
// Guarantees  codes that differ in the digits of at most two letters share a key. One character
//             that is replaced, missing or put in changes the counts of at most two letters of a
//             granule. So a granule that one of these happened to shares a key with a granule that
//             begins at the same character, or, where the text ends there, at the one before; but
//             with scale=granule, where a count can change all digits. Keys of a text shorter than
//             a granule equal no keys of whole granules
// Cost        six hashes for a granule
// Threads     free function
// Persisted   docs/formats/catalog.md

#include <cstdint>
#include <vector>

#include "zhiwen/fingerprint.h"

namespace zhiwen {

inline constexpr size_t kKeysOfGranule = 6;

// Returns the distinct keys of a value of initials_dna, ascending: of all its granules, or of the
// one of a short text. A text without a value has none.
std::vector<uint64_t> GranuleKeys(const Fingerprint& value);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_GRANULE_KEYS_H_
