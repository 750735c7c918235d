#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fingerprint/colour_grid.h"
#include "fingerprint/perceptual_hash.h"
#include "fingerprint/scheme_test_support.h"
#include "support/picture_builder.h"
#include "support/published_vectors.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

std::string NoisyPixels(size_t width, size_t height, uint32_t seed, int colours) {
  std::mt19937 random(seed);
  std::string rgb;
  for (size_t i = 0; i < width * height * 3; ++i) {
    rgb += static_cast<char>(random() % static_cast<uint32_t>(colours) * 255 /
                             static_cast<uint32_t>(colours - 1));
  }
  return MakePixels(width, height, rgb);
}

Result<Fingerprint> ComputePicture(std::string_view scheme, std::string_view pixels) {
  return (*Scheme::Create(scheme))->ComputeDocument({.picture = pixels});
}

std::string LettersOf(std::string_view scheme, std::string_view pixels) {
  const auto bytes = std::get<FingerprintBytes>(*ComputePicture(scheme, pixels));
  return {bytes.begin(), bytes.end()};
}

// The letters by their definition: all colours of a block counted in a map.
std::string SlowGrid(const Picture& picture, const ColourGridOptions& options) {
  std::string letters;
  for (size_t row = 0; row < options.rows; ++row) {
    for (size_t column = 0; column < options.columns; ++column) {
      std::map<std::array<int, 3>, int> counts;
      for (size_t y = 0; y < picture.height; ++y) {
        for (size_t x = 0; x < picture.width; ++x) {
          const bool is_inside = x >= column * picture.width / options.columns &&
                                 x < (column + 1) * picture.width / options.columns &&
                                 y >= row * picture.height / options.rows &&
                                 y < (row + 1) * picture.height / options.rows;
          if (!is_inside) continue;
          std::array<int, 3> colour = {picture.At(x, y, 0), picture.At(x, y, 1),
                                       picture.At(x, y, 2)};
          for (int& part : colour) part = part >= 128 ? 1 : 0;
          ++counts[colour];
        }
      }
      const auto most =
          std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
      letters += "B.XoO+@#"[most->first[0] * 4 + most->first[1] * 2 + most->first[2]];
    }
  }
  return letters;
}

TEST(ColourGrid, IsTheModeOfEachBlock) {
  for (const auto& [width, height] : {std::pair{64, 48}, {17, 31}, {8, 8}}) {
    for (uint32_t seed = 0; seed < 5; ++seed) {
      const std::string pixels =
          NoisyPixels(static_cast<size_t>(width), static_cast<size_t>(height), seed, 3);
      const ColourGridOptions options = {
          .columns = 8, .rows = 5, .palette = GridPalette::k8, .order = GridOrder::kReduceFirst};
      EXPECT_EQ(ComputeColourGrid(*ParsePicture(pixels), options),
                SlowGrid(*ParsePicture(pixels), options));
    }
  }
}

TEST(ColourGrid, HasTheLettersOfTheSource) {
  std::string rgb;
  for (int i = 0; i < 8; ++i) {
    rgb += static_cast<char>((i & 4) != 0 ? 255 : 0);
    rgb += static_cast<char>((i & 2) != 0 ? 255 : 0);
    rgb += static_cast<char>((i & 1) != 0 ? 255 : 0);
  }
  const std::string row = MakePixels(8, 1, rgb);
  EXPECT_EQ(LettersOf("colour_grid(8,columns=8,rows=2,order=mode_first)", row), "B.XoO+@#B.XoO+@#");
  EXPECT_EQ(LettersOf("colour_grid(16,columns=8,rows=2)", row), "B.XoO+@#B.XoO+@#");
  EXPECT_EQ(LettersOf("colour_grid(columns=8,rows=2)", MakePixels(8, 1, rgb)).size(), 32U);
}

// Two orders: three pixels of slightly different reds, and two of one blue.
TEST(ColourGrid, TakesTheModeBeforeOrAfterReducing) {
  const std::string rgb = "\xFF\x01\x01\xF0\x01\x01\xE0\x01\x01\x01\x01\xFF\x01\x01\xFF";
  const std::string pixels = MakePixels(10, 1, rgb + std::string(15, '\xFF'));
  EXPECT_EQ(LettersOf("colour_grid(8,columns=2,rows=2,order=mode_first)", pixels), ".#.#");
  EXPECT_EQ(LettersOf("colour_grid(8,columns=2,rows=2,order=reduce_first)", pixels), "O#O#");
}

TEST(ColourGrid, ColoursAndLettersLeadToEachOther) {
  for (const auto& [palette, colours] :
       {std::pair{GridPalette::k8, 8}, {GridPalette::k16, 16}, {GridPalette::k256, 256}}) {
    for (int number = 0; number < colours; ++number) {
      std::string letters;
      AppendLetters(palette, static_cast<uint8_t>(number), letters);
      std::string_view rest = letters;
      EXPECT_EQ(TakeColour(palette, rest), number);
      EXPECT_TRUE(rest.empty());
      EXPECT_EQ(NearestColour(palette, ColourOf(palette, static_cast<uint8_t>(number))), number);
    }
  }
  EXPECT_FALSE(IsColourGrid(GridPalette::k8, "B$"));
  EXPECT_FALSE(IsColourGrid(GridPalette::k256, "B.X"));
  EXPECT_FALSE(IsColourGrid(GridPalette::k16, "B?"));
}

TEST(ColourGrid, NearColoursAreNearlyAlike) {
  EXPECT_EQ(ColourGridSimilarity(GridPalette::k8, "B#B#", "B#B#"), 1);
  EXPECT_EQ(ColourGridSimilarity(GridPalette::k8, "B#", "#B"), 0);
  EXPECT_NEAR(ColourGridSimilarity(GridPalette::k8, "BB", "B."), 5.0 / 6, 1e-9);
  EXPECT_NEAR(ColourGridSimilarity(GridPalette::k16, "B", "$"), 1 - 128.0 / 255, 1e-9);
}

// The transform by its definition, in floating point, of cells that divide the picture.
std::vector<double> SlowCoefficients(const Picture& picture) {
  const size_t across = picture.width / 32, down = picture.height / 32;
  std::array<std::array<double, 32>, 32> cells = {};
  for (size_t y = 0; y < picture.height; ++y) {
    for (size_t x = 0; x < picture.width; ++x) {
      cells[y / down][x / across] +=
          0.299 * picture.At(x, y, 0) + 0.587 * picture.At(x, y, 1) + 0.114 * picture.At(x, y, 2);
    }
  }
  std::vector<double> coefficients;
  for (int v = 1; v <= 8; ++v) {
    for (int u = 1; u <= 8; ++u) {
      double sum = 0;
      for (int y = 0; y < 32; ++y) {
        for (int x = 0; x < 32; ++x) {
          sum += cells[y][x] * std::cos((2 * x + 1) * u * std::numbers::pi / 64) *
                 std::cos((2 * y + 1) * v * std::numbers::pi / 64);
        }
      }
      coefficients.push_back(sum / static_cast<double>(across * down));
    }
  }
  return coefficients;
}

TEST(PerceptualHash, SaysWhichCoefficientsAreAboveTheirMedian) {
  for (const auto& [width, height] : {std::pair{64, 96}, {32, 32}, {320, 64}}) {
    for (uint32_t seed = 0; seed < 5; ++seed) {
      const std::string pixels =
          NoisyPixels(static_cast<size_t>(width), static_cast<size_t>(height), seed, 200);
      const uint64_t hash = ComputePerceptualHash(*ParsePicture(pixels)).value();
      const std::vector<double> coefficients = SlowCoefficients(*ParsePicture(pixels));
      std::vector<double> sorted = coefficients;
      std::ranges::sort(sorted);
      const double median = (sorted[31] + sorted[32]) / 2;
      for (size_t i = 0; i < 64; ++i) {
        if (std::abs(coefficients[i] - median) < 0.5) continue;  // the noise of rounding decides
        EXPECT_EQ(hash >> (63 - i) & 1, coefficients[i] > median ? 1U : 0U) << i;
      }
    }
  }
}

TEST(PerceptualHash, OfAPictureOfAnySizeIsNearlyTheSame) {
  const uint64_t large = ComputePerceptualHash(*ParsePicture(DrawnPixels(640, 480))).value();
  for (const auto& [width, height] : {std::pair{320, 240}, {97, 61}, {33, 31}, {40, 200}}) {
    const std::string pixels = DrawnPixels(static_cast<size_t>(width), static_cast<size_t>(height));
    const uint64_t hash = ComputePerceptualHash(*ParsePicture(pixels)).value();
    EXPECT_LE(std::popcount(hash ^ large), 6) << width;
  }
  EXPECT_EQ(ComputePerceptualHash(*ParsePicture(MakePixels(3, 5, std::string(45, 'x')))),
            std::nullopt);
}

TEST(PictureSchemes, GiveThePublishedValues) {
  const auto vectors = PublishedVectors("pictures.md");
  ASSERT_EQ(vectors.size(), 6U);
  for (const auto& [input, output] : vectors) {
    const size_t at = input.find(" : ");
    const size_t by = input.find('x', at);
    const std::string pixels =
        DrawnPixels(std::stoul(input.substr(at + 3)), std::stoul(input.substr(by + 1)));
    const std::string scheme = input.substr(0, at);
    EXPECT_EQ(scheme.starts_with("colour_grid")
                  ? LettersOf(scheme, pixels)
                  : PrintFingerprint(ComputePicture(scheme, pixels).value()),
              output)
        << input;
  }
}

TEST(PictureSchemes, HaveNoValueOfWhatSaysNothing) {
  for (const std::string_view name : {"colour_grid", "colour_grid(8)", "phash64"}) {
    EXPECT_FALSE(HasValue(*ComputePicture(name, ""))) << name;
    EXPECT_FALSE(HasValue(*ComputePicture(name, "a value of another field"))) << name;
    EXPECT_FALSE(HasValue(*ComputePicture(name, MakePixels(4, 4, std::string(48, 'x'))))) << name;
    const Result<Fingerprint> of_text = (*Scheme::Create(name))->Compute("一段文本");
    ASSERT_FALSE(of_text);
    EXPECT_EQ(of_text.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(of_text.error().message, HasSubstr("is made of pictures"));
  }
}

}  // namespace
}  // namespace zhiwen
