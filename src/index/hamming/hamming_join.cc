#include "index/hamming/hamming_join.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/large_memory.h"
#include "base/radix_sort.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kSmall = 32;    // codes that are compared with one at once
constexpr size_t kPairs = 4096;  // that are handed over at once

using Codes = std::span<const uint64_t>;

// One of the two passes: over codes whose upper half has few differences.
class Pass {
 public:
  struct Radii {
    uint32_t all;      // differences in all
    uint32_t upper;    // in the upper halves
    int beyond_lower;  // a pair with at most so many in the lower halves was found before
  };

  Pass(const Radii& radii, int rotation, const PairSink& sink, const Cancellation& cancellation)
      : radii_(radii), rotation_(rotation), sink_(sink), cancellation_(cancellation) {
    pairs_.reserve(kPairs + kSmall);
  }

  void Run(Codes codes) {
    JoinSelf(codes, 64);
    Flush();
  }

 private:
  // Pairs within codes whose bits from `bits` on are equal.
  void JoinSelf(Codes codes, int bits) {
    if (codes.size() < 2) return;
    if (codes.size() <= kSmall || bits == 0) {
      for (size_t i = 0; i + 1 < codes.size(); ++i) Compare(codes[i], codes.subspan(i + 1));
      return;
    }
    const auto [zeros, ones] = Halve(codes, bits - 1);
    JoinSelf(zeros, bits - 1);
    JoinSelf(ones, bits - 1);
    Join(zeros, ones, bits - 1, 1);
  }

  // Pairs of a code of each range. The bits of ranges are equal from `bits` on but for
  // `differences` of them.
  void Join(Codes a, Codes b, int bits, uint32_t differences) {
    if (a.empty() || b.empty() || cancellation_.requested()) return;
    if (differences > radii_.all || (bits >= 32 && differences > radii_.upper)) return;
    if (std::min(a.size(), b.size()) == 1 || a.size() + b.size() <= kSmall || bits == 0) {
      if (a.size() > b.size()) std::swap(a, b);
      for (const uint64_t code : a) Compare(code, b);
      return;
    }
    const auto [a0, a1] = Halve(a, bits - 1);
    const auto [b0, b1] = Halve(b, bits - 1);
    // The bit at 32 is the last of the upper half.
    Join(a0, b0, bits - 1, differences);
    Join(a1, b1, bits - 1, differences);
    Join(a0, b1, bits - 1, differences + 1);
    Join(a1, b0, bits - 1, differences + 1);
  }

  // The codes without and with the bit.
  static std::pair<Codes, Codes> Halve(Codes codes, int bit) {
    const auto middle = static_cast<size_t>(
        std::partition_point(codes.begin(), codes.end(),
                             [bit](uint64_t code) { return (code >> bit & 1) == 0; }) -
        codes.begin());
    return {codes.first(middle), codes.subspan(middle)};
  }

  void Compare(uint64_t code, Codes others) {
    std::array<uint32_t, kBlock + 8> found;
    for (size_t begin = 0; begin < others.size(); begin += kBlock) {
      const Codes block = others.subspan(begin, std::min(kBlock, others.size() - begin));
      const size_t hits =
          kernels_.codes_within(block.data(), block.size(), code, radii_.all, found.data());
      for (size_t i = 0; i < hits; ++i) Report(code, block[found[i]]);
    }
  }

  void Report(uint64_t a, uint64_t b) {
    const uint64_t differences = a ^ b;
    if (static_cast<uint32_t>(std::popcount(differences >> 32)) > radii_.upper) return;
    if (std::popcount(differences & 0xFFFFFFFF) <= radii_.beyond_lower) return;
    a = std::rotl(a, rotation_);
    b = std::rotl(b, rotation_);
    pairs_.push_back({std::min(a, b), std::max(a, b)});
    if (pairs_.size() == kPairs) Flush();
  }

  void Flush() {
    if (!pairs_.empty()) sink_(pairs_);
    pairs_.clear();
  }

  static constexpr size_t kBlock = 256;

  const Radii radii_;
  const int rotation_;
  const PairSink& sink_;
  const Cancellation& cancellation_;
  const Kernels& kernels_ = ActiveKernels();
  std::vector<CodePair> pairs_;
};

}  // namespace

Status JoinWithin(std::span<const uint64_t> codes, uint32_t radius, const PairSink& sink,
                  const Cancellation& cancellation) {
  if (radius == 0) return {};  // codes are distinct
  LargeVector<uint64_t> sorted(codes.size()), other;
  std::copy(codes.begin(), codes.end(), sorted.begin());
  RadixSort(sorted, other);
  Pass({.all = radius, .upper = radius / 2, .beyond_lower = -1}, 0, sink, cancellation).Run(sorted);
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  for (uint64_t& code : sorted) code = std::rotl(code, 32);
  RadixSort(sorted, other);
  const auto found = static_cast<int>(radius / 2);
  Pass({.all = radius, .upper = (radius - 1) / 2, .beyond_lower = found}, 32, sink, cancellation)
      .Run(sorted);
  return cancellation.Check();
}

}  // namespace zhiwen
