#ifndef ZHIWEN_FINGERPRINT_COLOUR_GRID_H_
#define ZHIWEN_FINGERPRINT_COLOUR_GRID_H_

// A picture as a grid of blocks, each with the colour that most of it has, written as letters:
// the 色阶图 of 语义指纹: 网络爬虫全解析.
//
// In          pixels, and how many blocks and colours there are
// Out         the letters of the blocks, rows from the top. 8 and 16 colours have one letter each,
//             256 have two
// Cost        once over the pixels
// Persisted   docs/formats/pictures.md

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "zhiwen/picture.h"

namespace zhiwen {

struct Colour {
  uint8_t red = 0, green = 0, blue = 0;
};

// The colours of a grid, and their letters.
enum class GridPalette : uint8_t {
  k8,    // each of red, green and blue is 0 or 255
  k16,   // and the same colours half as bright, with silver for half white and grey for half black
  k256,  // 8 steps of red, 8 of green, 4 of blue
};

// Returns the number of the colour of a palette that is nearest to `colour`; of two the first.
uint8_t NearestColour(GridPalette palette, Colour colour);

// Returns the colour of a number.
Colour ColourOf(GridPalette palette, uint8_t number);

// How many letters a colour has.
inline size_t LettersOfColour(GridPalette palette) { return palette == GridPalette::k256 ? 2 : 1; }

// Appends the letters of the colour of a number.
void AppendLetters(GridPalette palette, uint8_t number, std::string& letters);

// Returns the number of the colour that `letters` begins with, and removes its letters; nothing
// where they are none.
std::optional<uint8_t> TakeColour(GridPalette palette, std::string_view& letters);

// What comes first: choosing the colour that most pixels of a block have, or reducing colours.
enum class GridOrder : uint8_t {
  kModeFirst,    // as the source: of 65,536 colours the most frequent one, then reduced
  kReduceFirst,  // all pixels reduced, then the most frequent one
};

struct ColourGridOptions {
  size_t columns = 16, rows = 16;
  GridPalette palette = GridPalette::k256;
  GridOrder order = GridOrder::kReduceFirst;
};

// Returns the letters of a picture. Of colours that are equally frequent in a block the first
// counts. A picture smaller than the grid has pixels that are in several blocks.
std::string ComputeColourGrid(const Picture& picture, const ColourGridOptions& options);

// Whether letters are those of a grid of the palette.
bool IsColourGrid(GridPalette palette, std::string_view letters);

// Returns how alike two grids of as many blocks are, 0 to 1: of each pair of blocks 1 less the
// distance of its colours, as a share of that of black and white; on average.
double ColourGridSimilarity(GridPalette palette, std::string_view a, std::string_view b);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_COLOUR_GRID_H_
