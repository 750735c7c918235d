#include "match/granule_passages.h"

#include <algorithm>
#include <utility>

#include "fingerprint/dna_code.h"

namespace zhiwen {
namespace {

// Returns the number of granules that lie within a copy of so many characters, wherever the
// granules begin; at least 1.
uint64_t SurelyWithin(uint64_t characters, const GranuleScheme& scheme) {
  const uint64_t begins = characters + 1 - std::min(characters, scheme.granule_size());
  return std::max<uint64_t>(1, begins / scheme.granule_step());
}

// Makes passages of granules that come in the order of the stored text.
class PassageMaker {
 public:
  PassageMaker(uint64_t granule, const Granules& stored, const Granules& query,
               const SearchedCodes& codes, uint32_t radius)
      : granule_(granule), stored_(stored), query_(query), codes_(codes), radius_(radius) {}

  // Adds the granule of the stored text that comes next, of which `closest` is the closest one.
  void Add(size_t stored, const ClosestCode& closest) {
    taken_.clear();
    if (!open_.empty()) GoOn(stored);
    if (closest.distance > radius_) return;
    size_t place = closest.index;
    for (size_t i = 0; i < kMostRepeats && place < query_.begins.size(); ++i) {
      if (!IsTaken(place) && open_.size() < kMostOpenPassages) {
        open_.push_back(passages_.size());
        taken_.push_back(place);
        passages_.push_back({{stored, place, closest.distance}});
      }
      place = codes_.NextPlaceOf(place);
    }
  }

  // Returns the passages of `least` granules or more.
  std::vector<GranulePassage> Take(size_t least) {
    std::erase_if(passages_, [&](const GranulePassage& passage) { return passage.size() < least; });
    return std::move(passages_);
  }

 private:
  // Lets the passages that may go on do so, the oldest first. One that comes to the place of an
  // older one ends.
  void GoOn(size_t stored) {
    const DnaDigits digits = DigitsOfDna(stored_.codes[stored], DnaRadix(stored_.codes.width));
    std::erase_if(open_, [&](size_t number) {
      GranulePassage& passage = passages_[number];
      const AlignedGranule& before = passage.back();
      const uint64_t apart = stored_.begins[stored] - stored_.begins[before.stored];
      if (apart > granule_) return true;
      const uint64_t expected = before.query + apart;
      const uint64_t first = std::max(before.query + 1, expected - std::min(expected, Slack()));
      const uint64_t last = std::min<uint64_t>(expected + Slack(), query_.begins.size() - 1);
      if (first > last) return false;
      const ClosestCode next = codes_.FindClosestBetween(digits, first, last, expected);
      if (next.distance > radius_) return false;
      if (IsTaken(next.index)) return true;
      taken_.push_back(next.index);
      passage.push_back({stored, next.index, next.distance});
      return false;
    });
  }

  uint64_t Slack() const { return granule_ / 4; }

  // Returns whether a passage has a granule near this place by now.
  bool IsTaken(size_t place) const {
    return std::ranges::any_of(taken_, [&](size_t taken) {
      return (taken < place ? place - taken : taken - place) <= Slack();
    });
  }

  const uint64_t granule_;
  const Granules& stored_;
  const Granules& query_;
  const SearchedCodes& codes_;
  const uint32_t radius_;
  std::vector<GranulePassage> passages_;
  std::vector<size_t> open_;   // numbers of the passages that may go on
  std::vector<size_t> taken_;  // places of the query that the last granule has in passages
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
    PassageMaker maker(scheme.granule_size(), stored, query, codes_of_query, radius);
    for (size_t i = 0; i < closest.size() && !cancellation.requested(); ++i) {
      maker.Add(i, closest[i]);
    }
    return maker.Take(least);
  };
  Passages passages = find(options.radius, options.least_granules);
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  if (!passages.empty() || possible >= options.least_granules) return passages;
  passages = find(std::min(options.radius, options.short_radius), possible);
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  return passages;
}

}  // namespace zhiwen
