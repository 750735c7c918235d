#include "pipeline/dedup/sketch/audit_keys.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr uint32_t kUsualKeys = 16;
constexpr size_t kBlock = 512;  // shingles between two looks at what they left
constexpr size_t kRoom = 128;   // of candidates for the smallest, before a block

// So many shingles are expected below the first bound: a second look is needed once in thirty.
double ExpectedBelowBound(uint32_t keys) { return keys + 1.5 * std::sqrt(keys) + 2; }

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

// A document with fewer than k keys has keys of all its shingles, and shares t of them or more with
// every match.
uint32_t AuditKeyPlan::Required(uint32_t a_keys, uint32_t b_keys) const {
  if (std::min(a_keys, b_keys) >= keys) return required;
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
  for (uint64_t factor = 2; count_ < keys_ && bound != UINT64_MAX; factor *= 2) {
    bound = bound > UINT64_MAX / factor ? UINT64_MAX : bound * factor;
    Collect(shingles, bound);
  }
  Write(group, out);
}

void AuditKeyMaker::Begin() {
  constexpr size_t kBeyond = 8;  // of the kernel
  orders_.resize(std::max<size_t>(kRoom, keys_) + kBlock + kBeyond);
  count_ = 0;
  bound_ = UINT64_MAX;
}

// Keeps the smallest below the bound; one that is there already does not count again.
void AuditKeyMaker::Add(std::span<const uint64_t> shingles) {
  const auto orders_below = ActiveKernels().orders_below;
  for (; !shingles.empty(); shingles = shingles.subspan(std::min(kBlock, shingles.size()))) {
    const size_t size = std::min(kBlock, shingles.size());
    count_ += orders_below(shingles.data(), size, bound_, &orders_[count_]);
    if (count_ > kRoom) bound_ = Shrink(bound_);
  }
}

void AuditKeyMaker::Finish(uint64_t group, std::span<uint32_t> out) {
  Shrink(bound_);
  Write(group, out);
}

void AuditKeyMaker::Write(uint64_t group, std::span<uint32_t> out) const {
  std::fill(out.begin(), out.end(), kNoAuditKey);
  const auto mask = static_cast<uint32_t>(group ^ group >> 32);
  for (size_t i = 0; i < count_; ++i) {
    out[i] = std::max(static_cast<uint32_t>(orders_[i]) ^ mask, kNoAuditKey + 1);
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
  const std::span<uint64_t> orders = std::span(orders_).first(count_);
  if (orders.size() <= kMostFew) {
    count_ = ActiveKernels().sort_few(orders_.data(), count_, bound);
  } else {
    std::sort(orders.begin(), orders.end());
    count_ = static_cast<size_t>(std::unique(orders.begin(), orders.end()) - orders.begin());
  }
  if (count_ < keys_) return bound;
  count_ = keys_;
  return orders[count_ - 1];
}

}  // namespace zhiwen
