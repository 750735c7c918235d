#include "match/granule_passages.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace zhiwen {
namespace {

// A granule that is close by chance, somewhere else, does not end a passage: the next granule may
// follow one of the last few.
constexpr size_t kOpenPassages = 4;

// Returns the number of granules that lie within a copy of so many characters, wherever the
// granules begin; at least 1.
uint64_t SurelyWithin(uint64_t characters, const GranuleScheme& scheme) {
  const uint64_t begins = characters + 1 - std::min(characters, scheme.granule_size());
  return std::max<uint64_t>(1, begins / scheme.granule_step());
}

// Makes passages of granules that come in the order of the stored text.
class PassageMaker {
 public:
  PassageMaker(uint64_t granule, const Granules& stored, const Granules& query)
      : granule_(granule), stored_(stored), query_(query) {}

  void Add(const AlignedGranule& next) {
    const size_t first = passages_.size() - std::min(passages_.size(), kOpenPassages);
    for (size_t i = passages_.size(); i > first; --i) {
      GranulePassage& passage = passages_[i - 1];
      if (Follows(next, passage.back())) return passage.push_back(next);
    }
    passages_.push_back({next});
  }

  // Returns the passages of `least` granules or more.
  std::vector<GranulePassage> Take(size_t least) {
    std::erase_if(passages_, [&](const GranulePassage& passage) { return passage.size() < least; });
    return std::move(passages_);
  }

 private:
  bool Follows(const AlignedGranule& next, const AlignedGranule& before) const {
    const auto in_stored =
        static_cast<int64_t>(stored_.begins[next.stored] - stored_.begins[before.stored]);
    const int64_t in_query = static_cast<int64_t>(query_.begins[next.query]) -
                             static_cast<int64_t>(query_.begins[before.query]);
    const auto granule = static_cast<int64_t>(granule_);
    return in_stored <= granule && in_query > 0 && 4 * std::abs(in_query - in_stored) <= granule;
  }

  uint64_t granule_;
  const Granules& stored_;
  const Granules& query_;
  std::vector<GranulePassage> passages_;
};

}  // namespace

Result<std::vector<GranulePassage>> FindGranulePassages(const GranuleScheme& scheme,
                                                        const Granules& stored,
                                                        const Granules& query,
                                                        const SearchedCodes& codes_of_query,
                                                        const GranuleMatchOptions& options,
                                                        const Cancellation& cancellation) {
  using Passages = std::vector<GranulePassage>;
  if (stored.begins.empty() || query.begins.empty()) return Passages();
  if (stored.is_short || query.is_short) {
    const bool is_equal =
        stored.is_short && query.is_short && stored.codes.bytes == query.codes.bytes;
    return is_equal ? Passages{{AlignedGranule()}} : Passages();
  }
  const uint64_t of_query = query.begins.back() + scheme.granule_size();
  const uint64_t possible =
      std::min<uint64_t>(stored.begins.size(), SurelyWithin(of_query, scheme));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<ClosestCode> closest,
                          codes_of_query.FindClosest(stored.codes, cancellation));
  const auto find = [&](uint32_t radius, size_t least) {
    PassageMaker maker(scheme.granule_size(), stored, query);
    for (size_t i = 0; i < closest.size(); ++i) {
      if (closest[i].distance <= radius) maker.Add({i, closest[i].index, closest[i].distance});
    }
    return maker.Take(least);
  };
  Passages passages = find(options.radius, options.least_granules);
  if (!passages.empty() || possible >= options.least_granules) return passages;
  return find(std::min(options.radius, options.short_radius), possible);
}

}  // namespace zhiwen
