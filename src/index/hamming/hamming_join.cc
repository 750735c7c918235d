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

constexpr size_t kSmall = 32;    // ranges of at most this size are compared directly
constexpr size_t kPairs = 4096;  // number of pairs passed on at once

constexpr int kHalf = 32;  // bits

using Codes = std::span<const uint64_t>;

// Counts the work for a code, as visits of its neighbourhood: two ranges that differ in one bit of
// the upper half are visited for each choice of the remaining differences among the bits below. By
// Pascal's rule, the visits of two ranges are those of the four pairs of their halves.
class Visits {
 public:
  // At most `differences` bits of the upper half may differ.
  explicit Visits(uint32_t differences) : differences_(static_cast<int>(differences)) {
    for (int bits = 0; bits <= kHalf; ++bits) {
      for (int left = 0; left <= kHalf; ++left) {
        of_pair_[bits][left] =
            bits == 0 || left == 0 ? 1 : of_pair_[bits - 1][left] + of_pair_[bits - 1][left - 1];
      }
    }
    double visits = 1;
    for (size_t bits = 0; bits < of_range_.size(); ++bits) {
      of_range_[bits] = visits;
      if (bits >= kHalf) visits += OfPair(static_cast<int>(bits), 1);
    }
  }

  // Returns the visits of a code of two ranges whose upper bits from `bits` on differ in
  // `differences`.
  double OfPair(int bits, uint32_t differences) const {
    const int left = differences_ - static_cast<int>(differences);
    return left < 0 ? 0 : of_pair_[std::max(bits - kHalf, 0)][left];
  }

  // Returns the visits of a code of a range whose bits from `bits` on are equal.
  double OfRange(int bits) const { return of_range_[bits]; }

 private:
  int differences_;
  std::array<std::array<double, kHalf + 1>, kHalf + 1> of_pair_;
  std::array<double, 65> of_range_;
};

// Reports how many codes are done. A code counts half when half of its visits are done.
class JoinProgress {
 public:
  JoinProgress(double visits, uint64_t codes, ProgressSink& sink)
      : visits_(visits), codes_(codes), sink_(sink) {}

  void Add(double visits) {
    done_ += visits;
    if (done_ < next_) return;
    const double share = std::min(done_ / visits_, 1.0);
    sink_.Advance(Stage::kJoinCodes, static_cast<uint64_t>(share * static_cast<double>(codes_)),
                  codes_);
    next_ = done_ + visits_ / kSteps;
  }

 private:
  static constexpr double kSteps = 1000;

  const double visits_;
  const uint64_t codes_;
  ProgressSink& sink_;
  double done_ = 0, next_ = 0;
};

// One of the two passes, over codes with few differences in the upper half.
class Pass {
 public:
  struct Radii {
    uint32_t all;    // differences in the whole code
    uint32_t upper;  // in the upper halves
    // A pair with at most this many differences in the lower halves was found in the first pass.
    int beyond_lower;
  };

  Pass(const Radii& radii, int rotation, const PairSink& sink, JoinProgress& progress,
       const Cancellation& cancellation)
      : radii_(radii),
        visits_(radii.upper),
        rotation_(rotation),
        sink_(sink),
        progress_(progress),
        cancellation_(cancellation) {
    pairs_.reserve(kPairs + kSmall);
  }

  void Run(Codes codes) {
    JoinSelf(codes, 64);
    Flush();
  }

 private:
  // Joins codes whose bits from `bits` on are equal.
  void JoinSelf(Codes codes, int bits) {
    if (codes.size() <= kSmall || bits == 0) {
      for (size_t i = 0; i + 1 < codes.size(); ++i) Compare(codes[i], codes.subspan(i + 1));
      progress_.Add(visits_.OfRange(bits) * static_cast<double>(codes.size()));
      return;
    }
    const auto [zeros, ones] = Halve(codes, bits - 1);
    JoinSelf(zeros, bits - 1);
    JoinSelf(ones, bits - 1);
    Join(zeros, ones, bits - 1, 1);
  }

  // Joins a code of each range. The bits of the ranges from `bits` on are equal except for
  // `differences` of them.
  void Join(Codes a, Codes b, int bits, uint32_t differences) {
    if (cancellation_.requested()) return;
    if (differences > radii_.all || (bits >= kHalf && differences > radii_.upper)) return;
    const bool is_small =
        std::min(a.size(), b.size()) <= 1 || a.size() + b.size() <= kSmall || bits == 0;
    if (is_small && !a.empty() && !b.empty()) {
      if (a.size() > b.size()) std::swap(a, b);
      for (const uint64_t code : a) Compare(code, b);
    }
    if (bits == kHalf || (bits > kHalf && is_small)) {
      progress_.Add(visits_.OfPair(bits, differences) * static_cast<double>(a.size() + b.size()));
    }
    if (is_small) return;
    const auto [a0, a1] = Halve(a, bits - 1);
    const auto [b0, b1] = Halve(b, bits - 1);
    // Bit 32 is the last of the upper half.
    Join(a0, b0, bits - 1, differences);
    Join(a1, b1, bits - 1, differences);
    Join(a0, b1, bits - 1, differences + 1);
    Join(a1, b0, bits - 1, differences + 1);
  }

  // Returns the codes without and with the bit.
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
  const Visits visits_;
  const int rotation_;
  const PairSink& sink_;
  JoinProgress& progress_;
  const Cancellation& cancellation_;
  const Kernels& kernels_ = ActiveKernels();
  std::vector<CodePair> pairs_;
};

}  // namespace

Status JoinWithin(std::span<const uint64_t> codes, uint32_t radius, const PairSink& sink,
                  ProgressSink& progress, const Cancellation& cancellation) {
  if (radius == 0 || codes.size() < 2) return {};  // codes are distinct
  const uint32_t upper = radius / 2, lower = (radius - 1) / 2;
  JoinProgress done(
      (Visits(upper).OfRange(64) + Visits(lower).OfRange(64)) * static_cast<double>(codes.size()),
      codes.size(), progress);
  LargeVector<uint64_t> sorted(codes.size()), other;
  std::copy(codes.begin(), codes.end(), sorted.begin());
  RadixSort(sorted, other);
  Pass({.all = radius, .upper = upper, .beyond_lower = -1}, 0, sink, done, cancellation)
      .Run(sorted);
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  for (uint64_t& code : sorted) code = std::rotl(code, kHalf);
  RadixSort(sorted, other);
  const auto found = static_cast<int>(upper);
  Pass({.all = radius, .upper = lower, .beyond_lower = found}, kHalf, sink, done, cancellation)
      .Run(sorted);
  return cancellation.Check();
}

}  // namespace zhiwen
