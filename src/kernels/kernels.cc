#include "kernels/kernels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

#include "zhiwen/simd.h"

namespace zhiwen {

constexpr Kernels kScalarKernels = {
    .fold_wide = FoldWideScalar,
    .shingle_hashes = ShingleHashesScalar,
    .minhash = MinhashScalar,
    .one_permutation = OnePermutationScalar,
    .count_bits = CountBitsScalar,
    .orders_below = OrdersBelowScalar,
    .sort_few = SortFewScalar,
    .count_code_points = CountCodePointsScalar,
    .xxh3_stripes = Xxh3StripesScalar,
    .phoneme_products = PhonemeProductsScalar,
    .phoneme_scales = PhonemeScalesScalar,
    .digits_near = DigitsNearScalar,
    .intersection_size = IntersectionSizeScalar,
    .crc32c = Crc32cScalar,
    .mix_keys = MixKeysScalar,
    .select_lines = SelectLinesScalar,
    .codes_within = CodesWithinScalar,
    .values_within = ValuesWithinScalar,
    .select_blocks = SelectBlocksScalar,
    .fill_blocks = FillBlocksScalar,
    .unpack_ascending = UnpackAscendingScalar,
    .count_equal = CountEqualScalar,
};

constexpr Kernels kAvx2Kernels = {
    .fold_wide = FoldWideAvx2,
    .shingle_hashes = ShingleHashesAvx2,
    .minhash = MinhashAvx2,
    .one_permutation = OnePermutationAvx2,
    .count_bits = CountBitsAvx2,
    .orders_below = OrdersBelowAvx2,
    .sort_few = SortFewAvx2,
    .count_code_points = CountCodePointsAvx2,
    .xxh3_stripes = Xxh3StripesAvx2,
    .phoneme_products = PhonemeProductsAvx2,
    .phoneme_scales = PhonemeScalesAvx2,
    .digits_near = DigitsNearAvx2,
    .intersection_size = IntersectionSizeAvx2,
    .crc32c = Crc32cAvx2,
    .mix_keys = MixKeysAvx2,
    .select_lines = SelectLinesAvx2,
    .codes_within = CodesWithinAvx2,
    .values_within = ValuesWithinAvx2,
    .select_blocks = SelectBlocksAvx2,
    .fill_blocks = FillBlocksAvx2,
    .unpack_ascending = UnpackAscendingAvx2,
    .count_equal = CountEqualAvx2,
};

constexpr Kernels kAvx512Kernels = {
    .fold_wide = FoldWideAvx512,
    .shingle_hashes = ShingleHashesAvx512,
    .minhash = MinhashAvx512,
    .one_permutation = OnePermutationAvx512,
    .count_bits = CountBitsAvx512,
    .orders_below = OrdersBelowAvx512,
    .sort_few = SortFewAvx512,
    .count_code_points = CountCodePointsAvx2,
    .xxh3_stripes = Xxh3StripesAvx512,
    .phoneme_products = PhonemeProductsAvx2,
    .phoneme_scales = PhonemeScalesAvx2,
    .digits_near = DigitsNearAvx2,
    .intersection_size = IntersectionSizeAvx512,
    .crc32c = Crc32cAvx2,
    .mix_keys = MixKeysAvx512,
    .select_lines = SelectLinesAvx512,
    .codes_within = CodesWithinAvx512,
    .values_within = ValuesWithinAvx512,
    .select_blocks = SelectBlocksAvx2,
    .fill_blocks = FillBlocksAvx2,
    .unpack_ascending = UnpackAscendingAvx512,
    .count_equal = CountEqualAvx2,
};

namespace {

struct Level {
  SimdLevel level;
  std::string_view name;
  const Kernels* kernels;
};

constexpr std::array<Level, 3> kLevels = {{{SimdLevel::kScalar, "scalar", &kScalarKernels},
                                           {SimdLevel::kAvx2, "avx2", &kAvx2Kernels},
                                           {SimdLevel::kAvx512, "avx512", &kAvx512Kernels}}};

const Level& Find(SimdLevel level) { return kLevels[static_cast<size_t>(level)]; }

std::string Names(const std::vector<SimdLevel>& levels) {
  std::string names;
  for (const SimdLevel level : levels) {
    if (!names.empty()) names += ", ";
    names += SimdLevelName(level);
  }
  return names;
}

// __builtin_cpu_supports also asks whether the system saves the registers of the level.
bool ProcessorRuns(SimdLevel level) {
  __builtin_cpu_init();
  switch (level) {
    case SimdLevel::kScalar:
      return true;
    case SimdLevel::kAvx2:  // every processor with BMI2 has LZCNT
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    case SimdLevel::kAvx512:
      return ProcessorRuns(SimdLevel::kAvx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") &&
             __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
             __builtin_cpu_supports("avx512vpopcntdq");
  }
  return false;
}

std::atomic<const Level*>& Selected() {
  static std::atomic<const Level*> selected = &Find(SupportedSimdLevels().back());
  return selected;
}

}  // namespace

std::string_view SimdLevelName(SimdLevel level) { return Find(level).name; }

Result<SimdLevel> ParseSimdLevel(std::string_view name) {
  for (const Level& level : kLevels) {
    if (level.name == name) return level.level;
  }
  return Fail(ErrorCode::kInvalidArgument, "unknown instruction set \"" + std::string(name) +
                                               "\": it is one of scalar, avx2, avx512");
}

std::vector<SimdLevel> SupportedSimdLevels() {
  std::vector<SimdLevel> levels;
  for (const Level& level : kLevels) {
    if (ProcessorRuns(level.level)) levels.push_back(level.level);
  }
  return levels;
}

Status SelectKernels(SimdLevel level) {
  const std::vector<SimdLevel> supported = SupportedSimdLevels();
  if (std::find(supported.begin(), supported.end(), level) == supported.end()) {
    return Fail(ErrorCode::kInvalidArgument, "cannot use the instruction set " +
                                                 std::string(SimdLevelName(level)) +
                                                 ": this processor runs " + Names(supported));
  }
  Selected().store(&Find(level), std::memory_order_release);
  return {};
}

SimdLevel SelectedSimdLevel() { return Selected().load(std::memory_order_acquire)->level; }

const Kernels& ActiveKernels() { return *Selected().load(std::memory_order_acquire)->kernels; }

}  // namespace zhiwen
