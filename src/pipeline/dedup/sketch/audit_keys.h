#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_AUDIT_KEYS_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_AUDIT_KEYS_H_

// Computes the keys by which an audit holds a few documents against all: the smallest shingles of a
// document in an order of their own, the bottom-k sketch. The first pass writes them for every
// document. A. Broder, "On the resemblance and containment of documents", 1997, §3.
//
// In          64-bit shingles, any order, repeats allowed
// Out         32-bit keys; two matching documents share `required` or more
// Guarantees  A pair at the threshold t is missed with probability at most kAuditMiss: each shared
//             shingle among the k smallest of A ∪ B is among the k smallest of both sets. Of k
//             drawn from a union of which t is shared, the number of shared ones is hypergeometric,
//             and its lower tail lies below that of Binomial(k, t) (Uhlmann 1966). Where A ∪ B has
//             k shingles or fewer, the keys are all of them and no pair is missed
//             The order is that of the high 32 bits, the highest byte last: MinHash takes minima of
//             the low ones in bins by the highest, so that the misses of bands and of an audit are
//             independent
// Cost        about 0.2 ns a shingle, 0.1 µs a document; 4 bytes a key
// Threads     one maker a worker

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"

namespace zhiwen {

// What an audit says of all documents takes this into account.
inline constexpr double kAuditMiss = 0.01;

struct AuditKeyPlan {
  uint32_t keys = 0;      // a document; 0: no audit
  uint32_t required = 0;  // of two documents with so many shingles each
  double threshold = 1;

  // How many keys two matching documents share at least that have so many: no fewer than where both
  // have `a_keys`.
  uint32_t Required(uint32_t a_keys, uint32_t b_keys) const;
};

// Plans keys for documents that match from resemblance `threshold` in (0, 1] on.
AuditKeyPlan PlanAuditKeys(double threshold);

// Plans keys for documents that match when they are equal: one key, a hash of the document.
AuditKeyPlan PlanEqualityKeys();

// P(X < required), X being Binomial(keys, share).
double BinomialBelow(uint32_t keys, double share, uint32_t required);

// A document with fewer keys has zeros behind them.
inline constexpr uint32_t kNoAuditKey = 0;

class AuditKeyMaker {
 public:
  explicit AuditKeyMaker(const AuditKeyPlan& plan) : keys_(plan.keys) {}

  // Documents of different `group` share none but by chance. `out` has plan.keys places.
  void FromShingles(std::span<const uint64_t> shingles, uint64_t group, std::span<uint32_t> out);
  // The same of shingles that come in parts: Begin, Add for every part, Finish.
  void Begin();
  void Add(std::span<const uint64_t> shingles);
  void Finish(uint64_t group, std::span<uint32_t> out);
  // For a document that equals another one or does not match it.
  static void FromHash(const Hash128& hash, std::span<uint32_t> out);

 private:
  void Collect(std::span<const uint64_t> shingles, uint64_t bound);
  uint64_t Shrink(uint64_t bound);
  void Write(uint64_t group, std::span<uint32_t> out) const;

  uint32_t keys_;
  uint64_t bound_ = 0;
  std::vector<uint64_t> orders_;  // BottomOrder, with room for those of a block
  size_t count_ = 0;              // of orders_
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_AUDIT_KEYS_H_
