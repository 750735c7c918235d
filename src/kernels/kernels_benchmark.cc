// Every kernel at every level that the processor runs, side by side; processor time of the thread.
// items/s are shingles, values of one set, vectors, or bytes. fold_wide:
// src/text/channel_benchmark.cc.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "zhiwen/simd.h"

namespace zhiwen {
namespace {

constexpr size_t kSizes[] = {40, 400, 2000, 20000};
constexpr size_t kSetsInCache = 100000;  // values of all sets that a benchmark walks through

std::vector<uint64_t> RandomHashes(size_t count) {
  std::mt19937_64 random(count);
  std::vector<uint64_t> hashes(count);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

void HashShingles(benchmark::State& state, const Kernels& kernels, size_t count) {
  std::mt19937_64 random(1);
  std::vector<uint32_t> symbols(count + 4);
  for (uint32_t& symbol : symbols) symbol = 0x4E00 + static_cast<uint32_t>(random() % 20992);
  std::vector<uint64_t> hashes(count);
  for (auto _ : state) {
    kernels.shingle_hashes(symbols.data(), count, hashes.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

// Different sets in turn, so that branches cannot be learnt.
void OnePermutation(benchmark::State& state, const Kernels& kernels, size_t count) {
  const size_t sets = kSetsInCache / count;
  const std::vector<uint64_t> hashes = RandomHashes(sets * count);
  std::vector<uint32_t> minima(125);
  size_t set = 0;
  for (auto _ : state) {
    std::fill(minima.begin(), minima.end(), ~uint32_t{0});
    kernels.one_permutation(hashes.data() + set * count, count, 125, minima.data());
    benchmark::ClobberMemory();
    set = (set + 1) % sets;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

void CountBits(benchmark::State& state, const Kernels& kernels, size_t count) {
  const std::vector<uint64_t> hashes = RandomHashes(count);
  std::vector<uint64_t> counts(64);
  for (auto _ : state) {
    kernels.count_bits(hashes.data(), count, counts.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

void Minhash(benchmark::State& state, const Kernels& kernels, size_t count) {
  const std::vector<uint64_t> hashes = RandomHashes(count);
  std::vector<uint32_t> multipliers(128, 0x9E3779B1), keys(128, 0x85EBCA77), minima(128);
  for (auto _ : state) {
    std::fill(minima.begin(), minima.end(), ~uint32_t{0});
    kernels.minhash(hashes.data(), count, multipliers.data(), keys.data(), 128, minima.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

// As for the 16 smallest: a bound that 24 hashes are expected below.
void OrdersBelow(benchmark::State& state, const Kernels& kernels, size_t count) {
  const size_t sets = kSetsInCache / count;
  const std::vector<uint64_t> hashes = RandomHashes(sets * count);
  const uint64_t bound = ~uint64_t{0} / count * 24;
  std::vector<uint64_t> orders(count + 8);
  size_t set = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        kernels.orders_below(hashes.data() + set * count, count, bound, orders.data()));
    benchmark::ClobberMemory();
    set = (set + 1) % sets;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

// As for the 16 smallest, in turn.
void SortFew(benchmark::State& state, const Kernels& kernels, size_t count) {
  const size_t sets = kSetsInCache / count;
  const std::vector<uint64_t> all = RandomHashes(sets * count);
  std::vector<uint64_t> values(count + 7);
  size_t set = 0;
  for (auto _ : state) {
    std::copy_n(all.begin() + static_cast<ptrdiff_t>(set * count), count, values.begin());
    benchmark::DoNotOptimize(kernels.sort_few(values.data(), count, ~uint64_t{0}));
    benchmark::ClobberMemory();
    set = (set + 1) % sets;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

// Sets of resemblance 0.8.
void Intersect(benchmark::State& state, const Kernels& kernels, size_t count) {
  const size_t sets = kSetsInCache / count;
  std::vector<uint64_t> a = RandomHashes(sets * count), b = RandomHashes(sets * count + 1);
  for (size_t set = 0; set < sets; ++set) {
    const auto begin = static_cast<ptrdiff_t>(set * count);
    const auto end = begin + static_cast<ptrdiff_t>(count);
    std::copy_n(a.begin() + begin, count * 8 / 9, b.begin() + begin);
    std::sort(a.begin() + begin, a.begin() + end);
    std::sort(b.begin() + begin, b.begin() + end);
  }
  size_t set = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        kernels.intersection_size(a.data() + set * count, count, b.data() + set * count, count));
    set = (set + 1) % sets;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

void CountEqual(benchmark::State& state, const Kernels& kernels, size_t count) {
  std::vector<uint8_t> a(count, 1), b(count, 1);
  for (size_t i = 0; i < count; i += 3) b[i] = 2;
  for (auto _ : state) benchmark::DoNotOptimize(kernels.count_equal(a.data(), b.data(), count));
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

void Xxh3Stripes(benchmark::State& state, const Kernels& kernels, size_t count) {
  const std::vector<uint8_t> bytes(count, 7), secret(kXxh3Secret, 9);
  uint64_t sums[kXxh3Sums] = {};
  for (auto _ : state) {
    kernels.xxh3_stripes(bytes.data(), count, secret.data(), sums);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

void CountCodePoints(benchmark::State& state, const Kernels& kernels, size_t count) {
  const std::vector<uint8_t> bytes(count, 0xB0);
  for (auto _ : state) benchmark::DoNotOptimize(kernels.count_code_points(bytes.data(), count));
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

// Rows in the first cache, with a query and with themselves.
void PhonemeProducts(benchmark::State& state, const Kernels& kernels, size_t count) {
  std::mt19937_64 random(1);
  std::vector<uint8_t> query(kPhonemeRow + 1), rows(count * kPhonemeRow + 1);
  for (uint8_t& byte : query) byte = static_cast<uint8_t>(random());
  for (uint8_t& byte : rows) byte = static_cast<uint8_t>(random());
  std::vector<uint32_t> products(3 * kPhonemeBlock);
  std::vector<float> scales(3 * kPhonemeBlock);
  for (auto _ : state) {
    kernels.phoneme_products(query.data(), rows.data(), count, products.data());
    kernels.phoneme_scales(rows.data(), count, scales.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

// Codes that stand in the second cache, few of which are near.
void DigitsNear(benchmark::State& state, const Kernels& kernels, size_t count) {
  std::mt19937_64 random(1);
  std::vector<uint8_t> digits(kDigitRows), tables(count * kDigitRows), radii(count, 10);
  for (uint8_t& digit : digits) digit = static_cast<uint8_t>(random() % 10);
  for (uint8_t& digit : tables) digit = static_cast<uint8_t>(random() % 10);
  std::vector<uint32_t> near(count);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        kernels.digits_near(digits.data(), tables.data(), radii.data(), count, 25, near.data()));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

// Of a filter in the second cache, at 1 % false positives; half of the hashes are in.
void SelectBlocks(benchmark::State& state, const Kernels& kernels, size_t count) {
  const uint64_t blocks = count / 24;
  std::vector<uint32_t> words(blocks * kBlockWords), selected(count);
  std::vector<uint64_t> hashes = RandomHashes(count);
  kernels.fill_blocks(words.data(), blocks, hashes.data(), count);
  for (size_t i = 0; i < count; i += 2) hashes[i] = ~hashes[i];
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        kernels.select_blocks(words.data(), blocks, hashes.data(), count, selected.data()));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

void FillBlocks(benchmark::State& state, const Kernels& kernels, size_t count) {
  const uint64_t blocks = count / 24;
  std::vector<uint32_t> words(blocks * kBlockWords);
  const std::vector<uint64_t> hashes = RandomHashes(count);
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernels.fill_blocks(words.data(), blocks, hashes.data(), count));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

// Blocks of 128 documents, seven bits each.
void UnpackAscending(benchmark::State& state, const Kernels& kernels, size_t count) {
  const std::vector<uint64_t> packed = RandomHashes(256);
  std::vector<uint32_t> out(count + 16);
  const auto* const bytes = reinterpret_cast<const uint8_t*>(packed.data());
  size_t block = 0;
  for (auto _ : state) {
    kernels.unpack_ascending(bytes + block * 112, 7, 5, count, out.data());
    benchmark::ClobberMemory();
    block = (block + 1) % 16;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * count));
}

using Benchmark = void (*)(benchmark::State&, const Kernels&, size_t);

// The levels of one benchmark and size stand below each other.
void Register(const std::string& name, Benchmark body, size_t count) {
  const SimdLevel before = SelectedSimdLevel();
  for (const SimdLevel level : SupportedSimdLevels()) {
    if (!SelectKernels(level)) continue;
    const Kernels& kernels = ActiveKernels();
    const std::string row =
        name + "/" + std::to_string(count) + "/" + std::string(SimdLevelName(level));
    benchmark::RegisterBenchmark(row.c_str(), [body, &kernels, count](benchmark::State& state) {
      body(state, kernels, count);
    });
  }
  (void)SelectKernels(before);
}

const bool kRegistered = [] {
  for (const size_t count : kSizes) Register("shingle_hashes", HashShingles, count);
  for (const size_t count : kSizes) Register("one_permutation", OnePermutation, count);
  for (const size_t count : kSizes) Register("orders_below", OrdersBelow, count);
  for (const size_t count : {size_t{24}, size_t{48}}) Register("sort_few", SortFew, count);
  for (const size_t count : kSizes) Register("minhash128", Minhash, count);
  for (const size_t count : kSizes) Register("count_bits", CountBits, count);
  for (const size_t count : kSizes) Register("intersection_size", Intersect, count);
  for (const size_t count : {size_t{125}, size_t{1000}}) Register("count_equal", CountEqual, count);
  for (const size_t count : {size_t{5}, size_t{128}}) {
    Register("unpack_ascending", UnpackAscending, count);
  }
  Register("phoneme_products", PhonemeProducts, kPhonemeBlock);
  Register("digits_near", DigitsNear, 8192);
  Register("fill_blocks", FillBlocks, 100'000);
  Register("select_blocks", SelectBlocks, 100'000);
  for (const size_t count : {size_t{400}, size_t{4000}}) {
    Register("xxh3_stripes", Xxh3Stripes, count);
    Register("count_code_points", CountCodePoints, count);
  }
  return true;
}();

}  // namespace
}  // namespace zhiwen
