#include "zhiwen/shared_places.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "fingerprint/granule_scheme.h"
#include "match/digit_similarity.h"

namespace zhiwen {
namespace {

ByteOffset FirstByte(const SelectedShingle& shingle) { return shingle.source.begin; }

// Returns the number of bytes that lie in at least one shingle.
double CoveredBytes(SelectedShingles shingles) {
  std::ranges::sort(shingles, {}, FirstByte);
  ByteOffset covered;  // all bytes before it are counted
  uint64_t bytes = 0;
  for (const SelectedShingle& shingle : shingles) {
    const ByteOffset begin = std::max(covered, shingle.source.begin);
    covered = std::max(covered, shingle.source.end);
    bytes += covered - std::min(begin, covered);
  }
  return static_cast<double>(bytes);
}

}  // namespace

std::vector<SharedShingle> FindSharedShingles(const SelectedShingles& a,
                                              const SelectedShingles& b) {
  SelectedShingles of_a = a;
  SelectedShingles of_b = b;
  std::ranges::stable_sort(of_a, {}, &SelectedShingle::hash);
  std::ranges::stable_sort(of_b, {}, &SelectedShingle::hash);
  const auto behind = [](auto first, const SelectedShingles& all) {
    return std::find_if(first, all.end(),
                        [&](const SelectedShingle& other) { return other.hash != first->hash; });
  };
  std::vector<SharedShingle> shared;
  auto in_a = of_a.cbegin();
  auto in_b = of_b.cbegin();
  while (in_a != of_a.cend() && in_b != of_b.cend()) {
    if (in_a->hash != in_b->hash) {
      ++(in_a->hash < in_b->hash ? in_a : in_b);
      continue;
    }
    const auto a_end = behind(in_a, of_a);
    const auto b_end = behind(in_b, of_b);
    shared.push_back({{in_a, a_end}, {in_b, b_end}});
    in_a = a_end;
    in_b = b_end;
  }
  std::ranges::stable_sort(shared, {},
                           [](const SharedShingle& shingle) { return shingle.a.front().position; });
  return shared;
}

double ShingleCoverage(const SelectedShingles& a, const SelectedShingles& b) {
  SelectedShingles shared_in_a, shared_in_b;
  for (const SharedShingle& shingle : FindSharedShingles(a, b)) {
    shared_in_a.insert(shared_in_a.end(), shingle.a.begin(), shingle.a.end());
    shared_in_b.insert(shared_in_b.end(), shingle.b.begin(), shingle.b.end());
  }
  const double all = CoveredBytes(a) + CoveredBytes(b);
  if (all == 0) return 0;
  return (CoveredBytes(std::move(shared_in_a)) + CoveredBytes(std::move(shared_in_b))) / all;
}

Result<std::vector<ClosestGranule>> FindClosestGranules(const Scheme& scheme, std::string_view a,
                                                        std::string_view b,
                                                        const Cancellation& cancellation) {
  const auto* const granules = dynamic_cast<const GranuleScheme*>(&scheme);
  if (granules == nullptr) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot find granules of the scheme \"{}\": only initials_dna has any",
                            scheme.canonical_name()));
  }
  using Begin = GranuleScheme::Begin;
  ZHIWEN_ASSIGN_OR_RETURN(const Granules of_a, granules->ComputeGranules(a, Begin::kAtSteps));
  ZHIWEN_ASSIGN_OR_RETURN(const Granules of_b,
                          granules->ComputeGranules(b, Begin::kAtEveryCharacter));
  std::vector<ClosestGranule> found;
  if (of_b.sources.empty()) return found;
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<ClosestCode> closest,
                          FindClosestCodes(of_a.codes, of_b.codes, cancellation));
  for (size_t i = 0; i < closest.size(); ++i) {
    found.push_back({of_a.sources[i], of_b.sources[closest[i].index], closest[i].distance});
  }
  return found;
}

}  // namespace zhiwen
