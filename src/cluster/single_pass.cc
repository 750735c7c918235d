#include "cluster/single_pass.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/hamming/half_key_index.h"
#include "index/hamming/hamming_index.h"

namespace zhiwen {
namespace {

// From this radius on thirds of codes are looked up as well as halves: a third of the time at a
// radius of 6, for 6 MB and 30 bytes a code.
constexpr uint32_t kThirdsFrom = 5, kThirdBits = 18;

uint32_t DistanceOf(uint64_t a, uint64_t b) { return static_cast<uint32_t>(std::popcount(a ^ b)); }

// A centre within the radius of a code.
struct NearCentre {
  uint64_t number = 0, code = 0;
  uint32_t distance = 0;

  friend bool operator<(const NearCentre& a, const NearCentre& b) {
    return std::tie(a.distance, a.code, a.number) < std::tie(b.distance, b.code, b.number);
  }
};

// Returns what becomes of a code that has these centres within the radius, in order.
Result<SinglePassStep> ChooseCentre(uint64_t number, const std::vector<NearCentre>& near,
                                    const SinglePass::Judge& judge) {
  SinglePassStep step{.centre = number, .is_new = true};
  for (size_t i = 0; i < std::min(near.size(), SinglePass::kMostJudged); ++i) {
    if (judge) {
      ZHIWEN_ASSIGN_OR_RETURN(const bool accepted, judge(near[i].number));
      step.refused = step.refused || !accepted;
      if (!accepted) continue;
    }
    step.centre = near[i].number;
    step.is_new = false;
    step.distance = near[i].distance;
    break;
  }
  return step;
}

class SlowSinglePass final : public SinglePass {
 public:
  explicit SlowSinglePass(const SinglePassOptions& options) : options_(options) {}

  Result<SinglePassStep> Take(const StreamCode& code, const Judge& judge) override {
    if (code.date) RestoreDate(*code.date);
    if (options_.window && date_) ForgetBefore(*date_ - static_cast<int64_t>(*options_.window));
    std::vector<NearCentre> near;
    for (const StreamCode& centre : centres_) {
      const uint32_t distance = DistanceOf(centre.code, code.code);
      if (distance <= options_.radius) near.push_back({centre.number, centre.code, distance});
    }
    std::ranges::sort(near, std::less<>());
    ZHIWEN_ASSIGN_OR_RETURN(SinglePassStep step, ChooseCentre(code.number, near, judge));
    step.date = step.latest = date_;
    if (step.is_new) {
      centres_.push_back({.number = code.number, .code = code.code, .date = date_});
    } else {
      StreamCode& joined = *std::ranges::find(centres_, step.centre, &StreamCode::number);
      joined.date = step.latest = std::max(joined.date, date_);  // nothing is less than any date
    }
    return step;
  }

  void Restore(const StreamCode& centre) override { centres_.push_back(centre); }

  void RestoreDate(int64_t date) override {
    if (!date_) {
      for (StreamCode& centre : centres_) centre.date = centre.date.value_or(date);
    }
    date_ = date;
  }

  uint64_t centres() const override { return centres_.size(); }

 private:
  void ForgetBefore(int64_t date) {
    std::erase_if(centres_, [&](const StreamCode& centre) {
      if (centre.date >= date) return false;
      if (options_.forget) options_.forget(centre.number);
      return true;
    });
  }

  const SinglePassOptions options_;
  std::vector<StreamCode> centres_;  // date: of the latest code that joined
  std::optional<int64_t> date_;
};

class IndexedSinglePass final : public SinglePass {
 public:
  explicit IndexedSinglePass(const SinglePassOptions& options)
      : options_(options),
        index_({.code_bits = options.code_bits,
                .third_bits = options.radius < kThirdsFrom ? 0 : kThirdBits}) {}

  Result<SinglePassStep> Take(const StreamCode& code, const Judge& judge) override {
    if (code.date) RestoreDate(*code.date);
    ForgetOld();
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<NearCentre> near,
                            FindNear(code.code, judge ? kMostJudged : 1));
    ZHIWEN_ASSIGN_OR_RETURN(SinglePassStep step, ChooseCentre(code.number, near, judge));
    step.date = step.latest = date_;
    if (step.is_new) {
      Restore({.number = code.number, .code = code.code, .date = date_});
    } else if (options_.window) {
      const auto joined = std::ranges::find(near, step.centre, &NearCentre::number);
      std::optional<int64_t>& latest = Find(joined->code, joined->number)->second.date;
      latest = step.latest = std::max(latest, date_);
    }
    return step;
  }

  void Restore(const StreamCode& centre) override {
    index_.Insert({&centre.code, 1});
    centres_.emplace(centre.code, Centre{centre.number, centre.date});
    if (!options_.window) return;
    const Age age{centre.date.value_or(0), centre.number, centre.code};
    if (centre.date) {
      ages_.push(age);
    } else {
      undated_.push_back(age);
    }
  }

  void RestoreDate(int64_t date) override {
    for (Age& age : std::exchange(undated_, {})) {
      age.date = date;
      Find(age.code, age.number)->second.date = date;
      ages_.push(age);
    }
    date_ = date;
  }

  uint64_t centres() const override { return centres_.size(); }

 private:
  struct Centre {
    uint64_t number = 0;
    std::optional<int64_t> date = {};  // of the latest code that joined
  };
  using Centres = std::unordered_multimap<uint64_t, Centre>;  // by code

  // A centre with a date at or before that of the latest code that joined it.
  struct Age {
    int64_t date = 0;
    uint64_t number = 0, code = 0;

    friend bool operator>(const Age& a, const Age& b) {
      return std::tie(a.date, a.number) > std::tie(b.date, b.number);
    }
  };

  Centres::iterator Find(uint64_t code, uint64_t number) {
    auto [begin, end] = centres_.equal_range(code);
    while (begin != end && begin->second.number != number) ++begin;
    return begin;
  }

  void ForgetOld() {
    if (!options_.window || !date_) return;
    const int64_t oldest = *date_ - static_cast<int64_t>(*options_.window);
    while (!ages_.empty() && ages_.top().date < oldest) {
      Age age = ages_.top();
      ages_.pop();
      const auto centre = Find(age.code, age.number);
      if (centre->second.date >= oldest) {
        age.date = *centre->second.date;
        ages_.push(age);
        continue;
      }
      centres_.erase(centre);
      if (!centres_.contains(age.code)) index_.Remove({&age.code, 1});
      if (options_.forget) options_.forget(age.number);
    }
  }

  // Returns the centres of the `codes` nearest codes within the radius, in order.
  Result<std::vector<NearCentre>> FindNear(uint64_t code, size_t codes) const {
    ZHIWEN_ASSIGN_OR_RETURN(const NearestCodes nearest,
                            FindNearest(index_, code, codes, options_.radius));
    std::vector<NearCentre> near;
    const auto add = [&](uint64_t other, uint32_t distance) {
      const auto [begin, end] = centres_.equal_range(other);
      for (auto i = begin; i != end; ++i) near.push_back({i->second.number, other, distance});
    };
    if (nearest.is_exact) {
      for (const HammingMatch& match : nearest.matches) add(match.code, match.distance);
    } else {  // where the index may miss some
      index_.VisitAll([&](uint64_t other) {
        const uint32_t distance = DistanceOf(other, code);
        if (distance <= options_.radius) add(other, distance);
      });
    }
    std::ranges::sort(near, std::less<>());
    return near;
  }

  const SinglePassOptions options_;
  HalfKeyIndex index_;
  Centres centres_;
  std::priority_queue<Age, std::vector<Age>, std::greater<>>
      ages_;  // with a window: all dated ones
  std::vector<Age> undated_;
  std::optional<int64_t> date_;
};

}  // namespace

std::unique_ptr<SinglePass> MakeSlowSinglePass(const SinglePassOptions& options) {
  return std::make_unique<SlowSinglePass>(options);
}

std::unique_ptr<SinglePass> MakeIndexedSinglePass(const SinglePassOptions& options) {
  return std::make_unique<IndexedSinglePass>(options);
}

}  // namespace zhiwen
