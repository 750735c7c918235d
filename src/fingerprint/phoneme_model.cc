#include "fingerprint/phoneme_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace zhiwen {
namespace {

double EntropyOf(std::span<const uint64_t> counts) {
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), uint64_t{0}));
  double entropy = 0;
  for (const uint64_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / all;
    entropy -= share * std::log2(share);
  }
  return entropy;
}

double CosineOf(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  double product = 0, of_a = 0, of_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<double>(a[i]);
    const auto y = static_cast<double>(b[i]);
    product += x * y;
    of_a += x * x;
    of_b += y * y;
  }
  return product == 0 ? 0 : product / std::sqrt(of_a * of_b);
}

// Returns the bytes of a value of the scheme phonemes (numbers of equal size, most significant byte
// first), or null for any other value.
const FingerprintBytes* PhonemeBytes(const Fingerprint& value) {
  const auto* bytes = std::get_if<FingerprintBytes>(&value);
  const bool fits =
      bytes != nullptr && (bytes->size() == kPhonemeCount || bytes->size() == 8 * kPhonemeCount);
  return fits ? bytes : nullptr;
}

}  // namespace

PhonemeTriple ComputeEntropies(const PhonemeCounts& counts) {
  return {EntropyOf(counts.initials), EntropyOf(counts.finals), EntropyOf(counts.tones)};
}

PhonemeTriple WeightsOf(const PhonemeTriple& entropies) {
  const double all = entropies[0] + entropies[1] + entropies[2];
  if (all == 0) return {};
  return {entropies[0] / all, entropies[1] / all, entropies[2] / all};
}

PhonemeTriple ComputeCosines(const PhonemeCounts& a, const PhonemeCounts& b) {
  return {CosineOf(a.initials, b.initials), CosineOf(a.finals, b.finals),
          CosineOf(a.tones, b.tones)};
}

bool HasPhonemes(const Fingerprint& value) { return PhonemeBytes(value) != nullptr; }

PhonemeCounts PhonemesOf(const Fingerprint& value) {
  const FingerprintBytes& bytes = *PhonemeBytes(value);
  const size_t width = bytes.size() / kPhonemeCount;
  std::array<uint64_t, kPhonemeCount> numbers = {};
  for (size_t i = 0; i < bytes.size(); ++i) numbers[i / width] = numbers[i / width] << 8 | bytes[i];
  return PhonemeCounts::Of(numbers);
}

Result<PhonemeTriple> ComparePhonemes(const Fingerprint& a, const Fingerprint& b) {
  if (!HasValue(a) || !HasValue(b)) return PhonemeTriple();
  const FingerprintBytes* const of_a = PhonemeBytes(a);
  const FingerprintBytes* const of_b = PhonemeBytes(b);
  if (of_a == nullptr || of_b == nullptr || of_a->size() != of_b->size()) {
    return Fail(ErrorCode::kInvalidArgument,
                "cannot compare these values as phonemes: they are not of one scheme phonemes");
  }
  return ComputeCosines(PhonemesOf(a), PhonemesOf(b));
}

}  // namespace zhiwen
