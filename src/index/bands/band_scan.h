#ifndef ZHIWEN_INDEX_BANDS_BAND_SCAN_H_
#define ZHIWEN_INDEX_BANDS_BAND_SCAN_H_

// Finds the buckets of one band: the documents with equal keys. Most keys are unique. A first pass
// excludes these by a table of bits; a second pass counts the others exactly, in parts when they do
// not fit in memory.
//
// In          the keys of a band by document, read twice or more; kNoBandKey agrees with nothing
// Out         the members of buckets of two or more
// Guarantees  members of a bucket come in one call, ascending; buckets are numbered by their first
//             appearance
// Cost        about 3 ns a key while the bit table fits the cache, then a probe for each remaining
//             key. Memory: 1 to 2 bytes a document; 100 bytes for each key that may not be unique,
//             at most `memory_bytes`
// Threads     one object a thread, which reuses its tables
// Fails       as the source of keys and the receiver do

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/large_memory.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A document that lies in a bucket.
struct BucketMember {
  uint32_t document;
  uint32_t band;
  uint32_t bucket;  // index of the bucket in its band

  friend bool operator==(const BucketMember&, const BucketMember&) = default;
};

// Passes the keys of a band in pieces: the number of the first document, and the keys from there
// on.
using KeyVisitor = std::function<void(uint32_t first, std::span<const uint64_t> keys)>;
using KeySource = std::function<Status(const KeyVisitor& visit)>;

class BandScan {
 public:
  explicit BandScan(uint64_t memory_bytes);

  Status Run(uint32_t band, uint32_t documents, const KeySource& source,
             const std::function<Status(std::span<const BucketMember>)>& found);

 private:
  // Records which hash values were seen once, and which twice or more. One struct holds 64 of each,
  // so that a key touches one cache line.
  struct SeenBits {
    uint64_t once = 0, twice = 0;
  };
  struct Suspect {
    uint64_t key;
    uint32_t document;
  };
  struct Slot {
    uint64_t key;
    uint32_t count;
    uint32_t bucket;
  };

  Result<uint64_t> MarkSeen(uint32_t documents, const KeySource& source);
  bool IsSeenTwice(uint64_t key) const;
  Status CollectSuspects(const KeySource& source, uint64_t part, uint64_t parts);
  void CountSuspects();
  void GatherMembers(uint32_t band);

  const uint64_t most_suspects_;
  int seen_shift_ = 0;
  uint32_t next_bucket_ = 0;
  std::vector<SeenBits> seen_;
  LargeVector<Suspect> suspects_;
  std::vector<Slot> slots_;
  std::vector<size_t> places_;  // slot of each suspect
  std::vector<BucketMember> members_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_BANDS_BAND_SCAN_H_
