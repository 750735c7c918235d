#include "fingerprint/colour_grid.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

namespace zhiwen {
namespace {

// The source's letters of 8 colours, and those that XPM has next.
constexpr std::string_view kColourLetters = "B.XoO+@#$%&*=-;:";
constexpr uint8_t kNoDigit = 16;
constexpr std::array<uint8_t, 256> kDigitOfLetter = [] {
  std::array<uint8_t, 256> digits = {};
  for (uint8_t& digit : digits) digit = kNoDigit;
  for (size_t i = 0; i < kColourLetters.size(); ++i) {
    digits[static_cast<uint8_t>(kColourLetters[i])] = static_cast<uint8_t>(i);
  }
  return digits;
}();

constexpr uint8_t kHalf = 128, kSilver = 192;

constexpr std::array<Colour, 16> kGridColours = {{
    {0, 0, 0},
    {0, 0, 255},
    {0, 255, 0},
    {0, 255, 255},
    {255, 0, 0},
    {255, 0, 255},
    {255, 255, 0},
    {255, 255, 255},
    {kHalf, kHalf, kHalf},
    {0, 0, kHalf},
    {0, kHalf, 0},
    {0, kHalf, kHalf},
    {kHalf, 0, 0},
    {kHalf, 0, kHalf},
    {kHalf, kHalf, 0},
    {kSilver, kSilver, kSilver},
}};

int SquaredDistance(Colour a, Colour b) {
  const int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
  return red * red + green * green + blue * blue;
}

// A colour of 65,536: five bits of red, six of green, five of blue.
size_t NumberOf16Bits(Colour colour) {
  return static_cast<size_t>(colour.red >> 3 << 11 | colour.green >> 2 << 5 | colour.blue >> 3);
}

Colour ColourOf16Bits(size_t number) {
  const auto red = static_cast<uint8_t>(number >> 11);
  const auto green = static_cast<uint8_t>(number >> 5 & 0x3F);
  const auto blue = static_cast<uint8_t>(number & 0x1F);
  return {.red = static_cast<uint8_t>(red << 3 | red >> 2),
          .green = static_cast<uint8_t>(green << 2 | green >> 4),
          .blue = static_cast<uint8_t>(blue << 3 | blue >> 2)};
}

// The pixels of a block along one side.
struct Stretch {
  size_t begin, end;
};

Stretch StretchOf(size_t block, size_t blocks, size_t pixels) {
  const size_t begin = block * pixels / blocks;
  return {begin, std::max(begin + 1, (block + 1) * pixels / blocks)};
}

// Counts colours, and forgets them in as many steps as there were colours.
class ColourCounts {
 public:
  explicit ColourCounts(size_t colours) : counts_(colours) {}

  void Add(size_t number) {
    if (counts_[number]++ == 0) seen_.push_back(number);
  }

  // Returns the most frequent one, and begins again.
  size_t TakeMostFrequent() {
    size_t most = seen_.front();
    for (const size_t number : seen_) {
      const bool is_more = counts_[number] > counts_[most];
      if (is_more || (counts_[number] == counts_[most] && number < most)) most = number;
    }
    for (const size_t number : seen_) counts_[number] = 0;
    seen_.clear();
    return most;
  }

 private:
  std::vector<uint32_t> counts_;
  std::vector<size_t> seen_;
};

}  // namespace

uint8_t NearestColour(GridPalette palette, Colour colour) {
  if (palette == GridPalette::k256) {
    return static_cast<uint8_t>((colour.red >> 5 << 5) | (colour.green >> 5 << 2) |
                                colour.blue >> 6);
  }
  if (palette == GridPalette::k8) {
    return static_cast<uint8_t>((colour.red >> 7 << 2) | (colour.green >> 7 << 1) |
                                colour.blue >> 7);
  }
  const auto* const nearest = std::ranges::min_element(
      kGridColours, {}, [&](Colour candidate) { return SquaredDistance(candidate, colour); });
  return static_cast<uint8_t>(nearest - kGridColours.begin());
}

Colour ColourOf(GridPalette palette, uint8_t number) {
  if (palette != GridPalette::k256) return kGridColours[number];
  return {.red = static_cast<uint8_t>((number >> 5) * 255 / 7),
          .green = static_cast<uint8_t>((number >> 2 & 7) * 255 / 7),
          .blue = static_cast<uint8_t>((number & 3) * 255 / 3)};
}

void AppendLetters(GridPalette palette, uint8_t number, std::string& letters) {
  if (palette == GridPalette::k256) letters += kColourLetters[number >> 4];
  letters += kColourLetters[number & 15];
}

std::optional<uint8_t> TakeColour(GridPalette palette, std::string_view& letters) {
  size_t number = 0;
  for (size_t left = LettersOfColour(palette); left > 0; --left) {
    if (letters.empty()) return std::nullopt;
    const uint8_t digit = kDigitOfLetter[static_cast<uint8_t>(letters.front())];
    if (digit == kNoDigit) return std::nullopt;
    letters.remove_prefix(1);
    number = number << 4 | digit;
  }
  if (palette == GridPalette::k8 && number >= 8) return std::nullopt;
  return static_cast<uint8_t>(number);
}

std::string ComputeColourGrid(const Picture& picture, const ColourGridOptions& options) {
  const bool is_mode_first = options.order == GridOrder::kModeFirst;
  ColourCounts counts(is_mode_first ? 1 << 16 : 256);
  std::string letters;
  for (size_t row = 0; row < options.rows; ++row) {
    const Stretch down = StretchOf(row, options.rows, picture.height);
    for (size_t column = 0; column < options.columns; ++column) {
      const Stretch across = StretchOf(column, options.columns, picture.width);
      for (size_t y = down.begin; y < down.end; ++y) {
        for (size_t x = across.begin; x < across.end; ++x) {
          const Colour colour = {.red = picture.At(x, y, 0),
                                 .green = picture.At(x, y, 1),
                                 .blue = picture.At(x, y, 2)};
          counts.Add(is_mode_first ? NumberOf16Bits(colour)
                                   : NearestColour(options.palette, colour));
        }
      }
      const size_t most = counts.TakeMostFrequent();
      const uint8_t number = is_mode_first ? NearestColour(options.palette, ColourOf16Bits(most))
                                           : static_cast<uint8_t>(most);
      AppendLetters(options.palette, number, letters);
    }
  }
  return letters;
}

bool IsColourGrid(GridPalette palette, std::string_view letters) {
  while (!letters.empty()) {
    if (!TakeColour(palette, letters)) return false;
  }
  return true;
}

double ColourGridSimilarity(GridPalette palette, std::string_view a, std::string_view b) {
  size_t blocks = 0, distance = 0;
  while (!a.empty() && !b.empty()) {
    const auto of_a = TakeColour(palette, a), of_b = TakeColour(palette, b);
    if (!of_a || !of_b) return 0;
    const Colour x = ColourOf(palette, *of_a), y = ColourOf(palette, *of_b);
    distance += static_cast<size_t>(std::abs(x.red - y.red) + std::abs(x.green - y.green) +
                                    std::abs(x.blue - y.blue));
    ++blocks;
  }
  constexpr double kFarthest = 3 * 255;
  return blocks == 0
             ? 0
             : 1 - static_cast<double>(distance) / (kFarthest * static_cast<double>(blocks));
}

}  // namespace zhiwen
