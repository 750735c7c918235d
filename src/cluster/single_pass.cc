#include "cluster/single_pass.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "index/hamming/half_key_index.h"
#include "index/hamming/hamming_index.h"

namespace zhiwen {
namespace {

class SlowSinglePass final : public SinglePass {
 public:
  explicit SlowSinglePass(uint32_t radius) : radius_(radius) {}

  Result<SinglePassStep> Take(uint64_t code) override {
    SinglePassStep nearest{.centre = code, .is_new = true, .distance = radius_ + 1};
    for (const uint64_t centre : centres_) {  // ascending, so that the first of equals stays
      const auto distance = static_cast<uint32_t>(std::popcount(centre ^ code));
      if (distance < nearest.distance) nearest = {centre, false, distance};
    }
    if (!nearest.is_new) return nearest;
    centres_.insert(std::ranges::lower_bound(centres_, code), code);
    return SinglePassStep{.centre = code, .is_new = true, .distance = 0};
  }

  uint64_t centres() const override { return centres_.size(); }

 private:
  const uint32_t radius_;
  std::vector<uint64_t> centres_;  // ascending
};

class IndexedSinglePass final : public SinglePass {
 public:
  IndexedSinglePass(uint32_t code_bits, uint32_t radius)
      : radius_(radius), index_({.code_bits = code_bits}) {}

  Result<SinglePassStep> Take(uint64_t code) override {
    ZHIWEN_ASSIGN_OR_RETURN(const NearestCodes nearest, FindNearest(index_, code, 1, radius_));
    SinglePassStep step{.centre = code, .is_new = true, .distance = 0};
    if (!nearest.is_exact) {
      step = CompareAll(code);
    } else if (!nearest.matches.empty()) {
      const HammingMatch& match = nearest.matches.front();
      step = {.centre = match.code, .is_new = false, .distance = match.distance};
    }
    if (step.is_new) index_.Insert({&code, 1});
    return step;
  }

  uint64_t centres() const override { return index_.size(); }

 private:
  // Finds the nearest centre where the index may miss it.
  SinglePassStep CompareAll(uint64_t code) const {
    SinglePassStep nearest{.centre = code, .is_new = true, .distance = radius_ + 1};
    index_.VisitAll([&](uint64_t centre) {
      const auto distance = static_cast<uint32_t>(std::popcount(centre ^ code));
      if (distance > radius_ || distance > nearest.distance) return;
      if (distance == nearest.distance && centre > nearest.centre) return;
      nearest = {centre, false, distance};
    });
    if (nearest.is_new) nearest.distance = 0;
    return nearest;
  }

  const uint32_t radius_;
  HalfKeyIndex index_;
};

}  // namespace

std::unique_ptr<SinglePass> MakeSlowSinglePass(uint32_t radius) {
  return std::make_unique<SlowSinglePass>(radius);
}

std::unique_ptr<SinglePass> MakeIndexedSinglePass(uint32_t code_bits, uint32_t radius) {
  return std::make_unique<IndexedSinglePass>(code_bits, radius);
}

}  // namespace zhiwen
