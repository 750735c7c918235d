#include "fingerprint/winnowing.h"

namespace zhiwen {
namespace {

__extension__ using Product = unsigned __int128;

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
constexpr uint64_t kBase = 0x12A9B4F7C3D1E865 % kPrime;

// Below 2·kPrime in, below kPrime out.
constexpr uint64_t Reduce(uint64_t value) { return value >= kPrime ? value - kPrime : value; }

constexpr uint64_t ReduceAny(uint64_t value) { return Reduce((value & kPrime) + (value >> 61)); }

constexpr uint64_t Multiply(uint64_t a, uint64_t b) {
  const Product product = Product{a} * b;
  return ReduceAny((static_cast<uint64_t>(product) & kPrime) +
                   static_cast<uint64_t>(product >> 61));
}

}  // namespace

void ComputeBlockHashes(std::span<const uint64_t> units, size_t k, std::vector<uint64_t>& hashes) {
  hashes.clear();
  if (units.size() < k) return;
  hashes.reserve(units.size() - k + 1);
  uint64_t power = 1;  // kBaseᵏ
  uint64_t hash = 0;
  for (size_t i = 0; i < k; ++i) {
    power = Multiply(power, kBase);
    hash = Reduce(Multiply(hash, kBase) + ReduceAny(units[i]));
  }
  hashes.push_back(hash);
  for (size_t i = k; i < units.size(); ++i) {
    const uint64_t leaving = Multiply(ReduceAny(units[i - k]), power);
    hash = Reduce(Multiply(hash, kBase) + ReduceAny(units[i]));
    hash = Reduce(hash + kPrime - leaving);
    hashes.push_back(hash);
  }
}

void SelectMinima(std::span<const uint64_t> hashes, size_t window, std::vector<size_t>& selected) {
  selected.clear();
  if (hashes.size() < window) return;
  // Places of the window whose hashes are below all that follow them: ascending hashes, the first
  // the smallest of the window.
  std::vector<size_t> queue;
  size_t head = 0;
  for (size_t i = 0; i < hashes.size(); ++i) {
    while (queue.size() > head && hashes[queue.back()] >= hashes[i]) queue.pop_back();
    queue.push_back(i);
    if (queue[head] + window <= i) ++head;
    if (i + 1 < window) continue;
    if (selected.empty() || selected.back() != queue[head]) selected.push_back(queue[head]);
  }
}

}  // namespace zhiwen
