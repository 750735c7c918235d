#include "match/digit_similarity.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "fingerprint/dna_code.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

static_assert(kDnaLetters.size() == kDigitRows);

// The number of neighbouring distinct codes in a group, which the middle code represents.
constexpr size_t kNeighbours = 8;
// The number of groups searched at once; a multiple of kDigitColumns.
constexpr size_t kGroupsAtOnce = 512;

// Digits padded with zeros to the size of a vector register.
using PaddedDigits = std::array<uint8_t, 32>;

constexpr uint32_t kNoNumber = UINT32_MAX;

uint32_t DistanceOf(const PaddedDigits& a, const PaddedDigits& b) {
  int sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return static_cast<uint32_t>(sum);
}

PaddedDigits Pad(const DnaDigits& digits) {
  PaddedDigits padded = {};
  std::ranges::copy(digits, padded.begin());
  return padded;
}

// The distinct codes of a text, numbered by first occurrence. Where granules overlap much, codes
// that are neighbours in the text are similar. They are searched by groups of neighbours: no code
// of a group is nearer to a given code than the group's middle code, less the largest distance of
// the group's codes from the middle.
class DistinctCodes {
 public:
  static Result<DistinctCodes> Create(const CodeSequence& codes, const Cancellation& cancellation);

  size_t size() const { return digits_.size(); }
  const PaddedDigits& digits(size_t number) const { return digits_[number]; }
  size_t first_index(size_t number) const { return first_indices_[number]; }
  // Returns for each place of the text the number of its distinct code.
  std::span<const uint32_t> numbers() const { return numbers_; }
  // Returns for each place the next one with the same code, or the number of places.
  std::span<const uint32_t> next_places() const { return next_places_; }

  // Returns the number of the first closest code, and its distance. There must be at least one
  // code. `likely` is the number of a code that is probably close.
  std::pair<size_t, uint32_t> FindClosest(const PaddedDigits& digits, size_t likely) const;

 private:
  // Returns the slot that holds the number of these digits, or the empty slot where it would be.
  size_t SlotOf(const PaddedDigits& digits) const;
  void AddGroups();

  std::vector<PaddedDigits> digits_;
  std::vector<size_t> first_indices_;
  std::vector<uint32_t> numbers_, next_places_;
  std::vector<uint32_t> slots_;  // numbers of codes, by hash of the digits; or kNoNumber
  // For each group of neighbours, its middle code (in the layout of digits_near) and the largest
  // distance from it.
  std::vector<uint8_t> middles_, radii_;
};

size_t DistinctCodes::SlotOf(const PaddedDigits& digits) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = HashBytes64({reinterpret_cast<const char*>(digits.data()), digits.size()}) & mask;
  while (slots_[slot] != kNoNumber && digits_[slots_[slot]] != digits) slot = (slot + 1) & mask;
  return slot;
}

Result<DistinctCodes> DistinctCodes::Create(const CodeSequence& codes,
                                            const Cancellation& cancellation) {
  DistinctCodes distinct;
  const uint32_t radix = DnaRadix(codes.width);
  distinct.slots_.assign(std::bit_ceil(2 * codes.size() + 1), kNoNumber);
  distinct.next_places_.resize(codes.size());
  std::vector<uint32_t> last_places;  // by number
  for (size_t i = 0; i < codes.size(); ++i) {
    if (cancellation.requested()) return Fail(cancellation.Check());
    const PaddedDigits padded = Pad(DigitsOfDna(codes[i], radix));
    uint32_t& number = distinct.slots_[distinct.SlotOf(padded)];
    if (number == kNoNumber) {
      number = static_cast<uint32_t>(distinct.size());
      distinct.digits_.push_back(padded);
      distinct.first_indices_.push_back(i);
      last_places.push_back(static_cast<uint32_t>(i));
    }
    distinct.numbers_.push_back(number);
    distinct.next_places_[last_places[number]] = static_cast<uint32_t>(i);
    last_places[number] = static_cast<uint32_t>(i);
  }
  for (const uint32_t last : last_places) {
    distinct.next_places_[last] = static_cast<uint32_t>(codes.size());
  }
  distinct.AddGroups();
  return distinct;
}

void DistinctCodes::AddGroups() {
  for (size_t begin = 0; begin < size(); begin += kNeighbours) {
    const std::span<const PaddedDigits> group =
        std::span(digits_).subspan(begin, std::min(kNeighbours, size() - begin));
    const PaddedDigits& middle = group[group.size() / 2];
    uint32_t radius = 0;
    for (const PaddedDigits& code : group) radius = std::max(radius, DistanceOf(middle, code));
    const size_t column = radii_.size() % kDigitColumns;
    if (column == 0) middles_.resize(middles_.size() + kDigitRows * kDigitColumns);
    uint8_t* const columns = &middles_[middles_.size() - kDigitRows * kDigitColumns];
    for (size_t row = 0; row < kDigitRows; ++row) {
      columns[row * kDigitColumns + column] = middle[row];
    }
    radii_.push_back(static_cast<uint8_t>(radius));
  }
}

std::pair<size_t, uint32_t> DistinctCodes::FindClosest(const PaddedDigits& digits,
                                                       size_t likely) const {
  if (const uint32_t equal = slots_[SlotOf(digits)]; equal != kNoNumber) return {equal, 0};
  std::pair<size_t, uint32_t> closest;
  // The first code at most as far as `likely` is still to be found.
  uint32_t bound = DistanceOf(digits, digits_[likely]) + 1;
  std::array<uint32_t, kGroupsAtOnce> near;
  for (size_t begin = 0; begin < radii_.size() && bound > 1; begin += kGroupsAtOnce) {
    const size_t found = ActiveKernels().digits_near(
        digits.data(), &middles_[begin * kDigitRows], &radii_[begin],
        std::min(kGroupsAtOnce, radii_.size() - begin), bound, near.data());
    for (size_t i = 0; i < found; ++i) {
      const size_t first = (begin + near[i]) * kNeighbours;
      for (size_t j = first; j < std::min(first + kNeighbours, size()); ++j) {
        const uint32_t distance = DistanceOf(digits, digits_[j]);
        if (distance >= bound) continue;
        bound = distance;
        closest = {j, distance};
      }
    }
  }
  return closest;
}

// Returns the closest code of `query` for each distinct code of `stored`.
Result<std::vector<ClosestCode>> FindClosest(const DistinctCodes& stored,
                                             const DistinctCodes& query,
                                             const Cancellation& cancellation) {
  std::vector<ClosestCode> closest;
  closest.reserve(stored.size());
  size_t likely = 0;
  for (size_t i = 0; i < stored.size(); ++i) {
    if (cancellation.requested()) return Fail(cancellation.Check());
    const auto [number, distance] = query.FindClosest(stored.digits(i), likely);
    closest.push_back({query.first_index(number), distance});
    likely = number;
  }
  return closest;
}

Result<uint64_t> SumOfDistances(const DistinctCodes& stored, const DistinctCodes& query,
                                const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<ClosestCode> closest,
                          FindClosest(stored, query, cancellation));
  uint64_t sum = 0;
  for (const uint32_t number : stored.numbers()) sum += closest[number].distance;
  return sum;
}

}  // namespace

struct SearchedCodes::Codes {
  DistinctCodes distinct;
};

SearchedCodes::SearchedCodes(std::unique_ptr<const Codes> codes) : codes_(std::move(codes)) {}
SearchedCodes::~SearchedCodes() = default;
SearchedCodes::SearchedCodes(SearchedCodes&&) noexcept = default;
SearchedCodes& SearchedCodes::operator=(SearchedCodes&&) noexcept = default;

Result<SearchedCodes> SearchedCodes::Create(const CodeSequence& codes,
                                            const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(DistinctCodes distinct, DistinctCodes::Create(codes, cancellation));
  return SearchedCodes(std::make_unique<const Codes>(Codes{std::move(distinct)}));
}

Result<std::vector<ClosestCode>> SearchedCodes::FindClosest(
    const CodeSequence& stored, const Cancellation& cancellation) const {
  ZHIWEN_ASSIGN_OR_RETURN(const DistinctCodes of_stored,
                          DistinctCodes::Create(stored, cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<ClosestCode> distinct,
                          zhiwen::FindClosest(of_stored, codes_->distinct, cancellation));
  std::vector<ClosestCode> closest;
  closest.reserve(stored.size());
  for (const uint32_t number : of_stored.numbers()) closest.push_back(distinct[number]);
  return closest;
}

ClosestCode SearchedCodes::FindClosestBetween(const DnaDigits& digits, size_t first, size_t last,
                                              size_t expected) const {
  const DistinctCodes& distinct = codes_->distinct;
  const PaddedDigits padded = Pad(digits);
  const auto from_expected = [&](size_t place) {
    return place < expected ? expected - place : place - expected;
  };
  ClosestCode closest = {first, UINT32_MAX};
  for (size_t place = first; place <= last; ++place) {
    const uint32_t distance = DistanceOf(padded, distinct.digits(distinct.numbers()[place]));
    if (distance > closest.distance) continue;
    if (distance < closest.distance || from_expected(place) < from_expected(closest.index)) {
      closest = {place, distance};
    }
  }
  return closest;
}

size_t SearchedCodes::NextPlaceOf(size_t place) const {
  return codes_->distinct.next_places()[place];
}

Result<std::vector<ClosestCode>> FindClosestCodes(const CodeSequence& stored,
                                                  const CodeSequence& query,
                                                  const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(const SearchedCodes searched, SearchedCodes::Create(query, cancellation));
  return searched.FindClosest(stored, cancellation);
}

Result<double> DigitSimilarity(const CodeSequence& a, const CodeSequence& b,
                               const Cancellation& cancellation) {
  if (a.size() == 0 || b.size() == 0) return 0;
  ZHIWEN_ASSIGN_OR_RETURN(const DistinctCodes of_a, DistinctCodes::Create(a, cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(const DistinctCodes of_b, DistinctCodes::Create(b, cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t from_a, SumOfDistances(of_a, of_b, cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t from_b, SumOfDistances(of_b, of_a, cancellation));
  const uint64_t largest = (a.size() + b.size()) * kDnaLetters.size() * (DnaRadix(a.width) - 1);
  return 1 - static_cast<double>(from_a + from_b) / static_cast<double>(largest);
}

}  // namespace zhiwen
