// Every instruction set of the processor gives the bits of the scalar kernels, on any values and
// sizes. The first byte chooses the sizes, the rest are the values.
#include "kernels/kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "require.h"
#include "zhiwen/simd.h"

namespace {

using zhiwen::Kernels;
using zhiwen::Require;

template <typename Value>
std::vector<Value> ValuesOf(const uint8_t* data, size_t size) {
  std::vector<Value> values(size / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), data, values.size() * sizeof(Value));
  return values;
}

void CompareShingles(const Kernels& kernels, const std::vector<uint32_t>& symbols) {
  if (symbols.size() < 5) return;
  std::vector<uint64_t> expected(symbols.size() - 4), actual(symbols.size() - 4);
  zhiwen::kScalarKernels.shingle_hashes(symbols.data(), expected.size(), expected.data());
  kernels.shingle_hashes(symbols.data(), actual.size(), actual.data());
  Require(actual == expected);
}

void CompareSketches(const Kernels& kernels, const std::vector<uint64_t>& hashes, size_t choice) {
  const uint32_t bins = choice == 255 ? 65536 : static_cast<uint32_t>(choice + 1);
  std::vector<uint32_t> expected(bins, ~uint32_t{0}), actual(bins, ~uint32_t{0});
  zhiwen::kScalarKernels.one_permutation(hashes.data(), hashes.size(), bins, expected.data());
  kernels.one_permutation(hashes.data(), hashes.size(), bins, actual.data());
  Require(actual == expected);

  const size_t permutations = 16 * (choice % 9 + 1);
  std::vector<uint32_t> multipliers(permutations), keys(permutations);
  for (size_t i = 0; i < permutations; ++i) {
    multipliers[i] = static_cast<uint32_t>(i * 0x9E3779B1) | 1;
    keys[i] = static_cast<uint32_t>(i * choice * 0x85EBCA77);
  }
  expected.assign(permutations, ~uint32_t{0});
  actual = expected;
  zhiwen::kScalarKernels.minhash(hashes.data(), hashes.size(), multipliers.data(), keys.data(),
                                 permutations, expected.data());
  kernels.minhash(hashes.data(), hashes.size(), multipliers.data(), keys.data(), permutations,
                  actual.data());
  Require(actual == expected);
}

void CompareHamming(const Kernels& kernels, const std::vector<uint64_t>& codes, size_t choice) {
  if (codes.empty()) return;
  std::vector<uint32_t> expected(codes.size() + 8), actual(codes.size() + 8);
  const auto radius = static_cast<uint32_t>(choice % 65);
  const auto within = [&](const Kernels& of, std::vector<uint32_t>& out) {
    out.resize(of.codes_within(codes.data(), codes.size(), codes[0], radius, out.data()));
  };
  within(zhiwen::kScalarKernels, expected);
  within(kernels, actual);
  Require(actual == expected);

  const std::vector<uint32_t> keys =
      ValuesOf<uint32_t>(reinterpret_cast<const uint8_t*>(codes.data()), codes.size() * 8);
  expected.resize(keys.size());
  actual.resize(keys.size());
  const uint32_t kept = radius % 9;
  zhiwen::kScalarKernels.mix_keys(keys[0], keys.data(), keys.size(), kept, expected.data());
  kernels.mix_keys(keys[0], keys.data(), keys.size(), kept, actual.data());
  Require(actual == expected);

  // The values as lines, as far as they fill some; a line has at most as many slots as it may.
  const size_t lines = codes.size() * 8 / zhiwen::kLineBytes / 8 * 8;
  if (lines == 0) return;
  std::vector<uint8_t> bytes(lines * zhiwen::kLineBytes);
  std::memcpy(bytes.data(), codes.data(), bytes.size());
  const void* const chunk = bytes.data();
  zhiwen::LineSearch search = {&chunk, uint64_t{1} << 32, lines, 32, 7 + radius % 6, 12};
  for (size_t i = 0; i < lines; ++i) bytes[i * zhiwen::kLineBytes + zhiwen::kLineTail] &= 0x7F;
  const auto select = [&] {
    expected.resize(keys.size());
    actual.resize(keys.size());
    expected.resize(
        zhiwen::kScalarKernels.select_lines(search, keys.data(), keys.size(), expected.data()));
    actual.resize(kernels.select_lines(search, keys.data(), keys.size(), actual.data()));
    Require(actual == expected);
  };
  select();
  const uint32_t bound = radius % 33, loose = keys[0] & ((1U << kept) - 1);
  search.others = keys.data();  // each of them for itself
  search.bounds = &bound;
  search.loose = &loose;
  search.kept_bits = kept;
  select();
}

// The values as blocks, as far as they fill some, asked for and filled with the same values.
void CompareBlooms(const Kernels& kernels, const std::vector<uint64_t>& hashes) {
  const size_t blocks = hashes.size() * 2 / zhiwen::kBlockWords;
  if (blocks == 0) return;
  std::vector<uint32_t> expected(hashes.size()), actual(hashes.size());
  std::vector<uint32_t> words(blocks * zhiwen::kBlockWords);
  std::memcpy(words.data(), hashes.data(), words.size() * sizeof(uint32_t));
  std::vector<uint32_t> filled = words;
  const auto select = [&](const Kernels& of, std::vector<uint32_t>& out) {
    out.resize(of.select_blocks(words.data(), blocks, hashes.data(), hashes.size(), out.data()));
  };
  select(zhiwen::kScalarKernels, expected);
  select(kernels, actual);
  Require(actual == expected);
  Require(zhiwen::kScalarKernels.fill_blocks(words.data(), blocks, hashes.data(), hashes.size()) ==
          kernels.fill_blocks(filled.data(), blocks, hashes.data(), hashes.size()));
  Require(words == filled);
}

// As many numbers as the bytes have.
void CompareUnpacked(const Kernels& kernels, const uint8_t* data, size_t size, size_t choice) {
  const auto width = static_cast<uint32_t>(choice % 33);
  const size_t count = 1 + (width == 0 ? choice : size * 8 / width);
  std::vector<uint8_t> packed(data, data + size);
  packed.resize(size + zhiwen::kUnpackSlack);
  std::vector<uint32_t> expected(count + 16), actual(count + 16);
  const auto first = static_cast<uint32_t>(choice * 0x9E3779B1);
  zhiwen::kScalarKernels.unpack_ascending(packed.data(), width, first, count, expected.data());
  kernels.unpack_ascending(packed.data(), width, first, count, actual.data());
  expected.resize(count);
  actual.resize(count);
  Require(actual == expected);
}

void CompareBitCounts(const Kernels& kernels, const std::vector<uint64_t>& hashes) {
  std::vector<uint64_t> expected(64), actual(64);
  zhiwen::kScalarKernels.count_bits(hashes.data(), hashes.size(), expected.data());
  kernels.count_bits(hashes.data(), hashes.size(), actual.data());
  Require(actual == expected);
}

void MakeSet(std::vector<uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

void CompareIntersections(const Kernels& kernels, const std::vector<uint64_t>& values,
                          size_t choice) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() * (choice % 64) / 64);
  std::vector<uint64_t> a(values.begin(), middle), b(middle, values.end());
  for (size_t i = 0; i < std::min(a.size(), b.size()); i += choice % 3 + 1) a[i] = b[i];
  MakeSet(a);
  MakeSet(b);
  Require(kernels.intersection_size(a.data(), a.size(), b.data(), b.size()) ==
          zhiwen::kScalarKernels.intersection_size(a.data(), a.size(), b.data(), b.size()));
}

void CompareEqualBytes(const Kernels& kernels, const uint8_t* data, size_t size) {
  Require(kernels.count_equal(data, data + size / 2, size / 2) ==
          zhiwen::kScalarKernels.count_equal(data, data + size / 2, size / 2));
}

// Of the first row with all, and of each with itself.
void ComparePhonemes(const Kernels& kernels, const uint8_t* data, size_t size) {
  if (size <= zhiwen::kPhonemeRow) return;
  const size_t count = std::min(zhiwen::kPhonemeBlock, (size - 1) / zhiwen::kPhonemeRow);
  std::vector<uint32_t> expected(3 * zhiwen::kPhonemeBlock), actual = expected;
  std::vector<float> expected_scales(expected.size()), actual_scales = expected_scales;
  zhiwen::kScalarKernels.phoneme_products(data, data, count, expected.data());
  kernels.phoneme_products(data, data, count, actual.data());
  zhiwen::kScalarKernels.phoneme_scales(data, count, expected_scales.data());
  kernels.phoneme_scales(data, count, actual_scales.data());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (i % zhiwen::kPhonemeBlock >= count) continue;
    Require(actual[i] == expected[i] && actual_scales[i] == expected_scales[i]);
  }
}

// Of the first digits with as many codes as there are digits for.
void CompareDigits(const Kernels& kernels, const uint8_t* data, size_t size, uint32_t bound) {
  const size_t count = size / zhiwen::kDigitRows;
  if (count == 0) return;
  const size_t tables = (count + zhiwen::kDigitColumns - 1) / zhiwen::kDigitColumns;
  std::vector<uint8_t> digits(tables * zhiwen::kDigitColumns * zhiwen::kDigitRows);
  for (size_t i = 0; i < count * zhiwen::kDigitRows; ++i) digits[i] = data[i] % 10;
  std::vector<uint32_t> expected(count), actual(count);
  const auto select = [&](const Kernels& of, std::vector<uint32_t>& out) {
    out.resize(of.digits_near(digits.data(), digits.data(), data, count, bound, out.data()));
  };
  select(zhiwen::kScalarKernels, expected);
  select(kernels, actual);
  Require(actual == expected);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t choice = data[0];
  ++data, --size;
  for (const zhiwen::SimdLevel level : zhiwen::SupportedSimdLevels()) {
    Require(zhiwen::SelectKernels(level).has_value());
    const Kernels& kernels = zhiwen::ActiveKernels();
    CompareShingles(kernels, ValuesOf<uint32_t>(data, size));
    CompareSketches(kernels, ValuesOf<uint64_t>(data, size), choice);
    CompareHamming(kernels, ValuesOf<uint64_t>(data, size), choice);
    CompareBlooms(kernels, ValuesOf<uint64_t>(data, size));
    CompareUnpacked(kernels, data, size, choice);
    CompareBitCounts(kernels, ValuesOf<uint64_t>(data, size));
    CompareIntersections(kernels, ValuesOf<uint64_t>(data, size), choice);
    CompareEqualBytes(kernels, data, size);
    ComparePhonemes(kernels, data, size);
    CompareDigits(kernels, data, size, static_cast<uint32_t>(std::max<size_t>(choice, 1)));
  }
  return 0;
}
