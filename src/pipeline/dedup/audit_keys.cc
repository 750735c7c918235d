#include "pipeline/dedup/audit_keys.h"

#include <algorithm>
#include <cmath>

namespace zhiwen {
namespace {

constexpr uint32_t kUsualKeys = 16;
constexpr size_t kRoom = 128;  // of candidates for the smallest
// Odd: the order is that of the product, whose high half is, whatever the low half of a shingle,
// each number once.
constexpr uint64_t kMultiplier = 0xD1342543DE82EF95;

// So many shingles are expected below the first bound: a second look is needed once in a thousand.
double ExpectedBelowBound(uint32_t keys) { return keys + 3 * std::sqrt(keys) + 4; }

}  // namespace

double BinomialBelow(uint32_t keys, double share, uint32_t required) {
  double below = 0;
  for (uint32_t i = 0; i < required && i <= keys; ++i) {
    const double choices =
        std::lgamma(keys + 1.0) - std::lgamma(i + 1.0) - std::lgamma(keys - i + 1.0);
    below += std::exp(choices) * std::pow(share, i) * std::pow(1 - share, keys - i);
  }
  return below;
}

AuditKeyPlan PlanAuditKeys(double threshold) {
  AuditKeyPlan plan{kUsualKeys, 1, threshold};
  while (BinomialBelow(plan.keys, threshold, 1) > kAuditMiss) ++plan.keys;
  while (plan.required < plan.keys &&
         BinomialBelow(plan.keys, threshold, plan.required + 1) <= kAuditMiss) {
    ++plan.required;
  }
  return plan;
}

AuditKeyPlan PlanEqualityKeys() { return {1, 1, 1}; }

// Where not all k keys are there the document is here complete, and shares t of its shingles or
// more with every match.
uint32_t AuditKeyPlan::Required(uint32_t a_keys, uint32_t b_keys) const {
  constexpr double kRounding = 1e-6;
  const double shared = threshold * std::max(a_keys, b_keys) - kRounding;
  return std::min(required, static_cast<uint32_t>(std::max(std::ceil(shared), 1.0)));
}

void AuditKeyMaker::FromShingles(std::span<const uint64_t> shingles, uint64_t group,
                                 std::span<uint32_t> out) {
  const double share = ExpectedBelowBound(keys_) / static_cast<double>(shingles.size());
  uint64_t bound = UINT64_MAX;
  if (share < 1) bound = static_cast<uint64_t>(std::ldexp(share, 64));
  Collect(shingles, bound);
  if (smallest_.size() < keys_ && bound != UINT64_MAX) Collect(shingles, UINT64_MAX);
  Write(group, out);
}

void AuditKeyMaker::Begin() {
  smallest_.clear();
  smallest_.reserve(kRoom);
  bound_ = UINT64_MAX;
}

// The smallest products below the bound; one that is there already does not count again.
void AuditKeyMaker::Add(std::span<const uint64_t> shingles) {
  uint64_t bound = bound_;
  for (const uint64_t shingle : shingles) {
    const uint64_t product = shingle * kMultiplier;
    if (product >= bound) continue;
    smallest_.push_back(product);
    if (smallest_.size() == kRoom) bound = Shrink(bound);
  }
  bound_ = bound;
}

void AuditKeyMaker::Finish(uint64_t group, std::span<uint32_t> out) {
  Shrink(bound_);
  Write(group, out);
}

void AuditKeyMaker::Write(uint64_t group, std::span<uint32_t> out) const {
  std::fill(out.begin(), out.end(), kNoAuditKey);
  const auto mask = static_cast<uint32_t>(group ^ group >> 32);
  for (size_t i = 0; i < smallest_.size(); ++i) {
    out[i] = std::max(static_cast<uint32_t>(smallest_[i]) ^ mask, kNoAuditKey + 1);
  }
}

void AuditKeyMaker::FromHash(const Hash128& hash, std::span<uint32_t> out) {
  std::fill(out.begin(), out.end(), kNoAuditKey);
  out.front() = std::max(static_cast<uint32_t>(hash.low), kNoAuditKey + 1);
}

void AuditKeyMaker::Collect(std::span<const uint64_t> shingles, uint64_t bound) {
  Begin();
  bound_ = bound;
  Add(shingles);
  Shrink(bound_);
}

// Returns the bound from now on.
uint64_t AuditKeyMaker::Shrink(uint64_t bound) {
  std::sort(smallest_.begin(), smallest_.end());
  smallest_.erase(std::unique(smallest_.begin(), smallest_.end()), smallest_.end());
  if (smallest_.size() < keys_) return bound;
  smallest_.resize(keys_);
  return smallest_.back();
}

}  // namespace zhiwen
