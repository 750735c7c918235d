// Any bytes are the pixels of a picture or nothing, as they are and behind the head of a picture;
// the schemes of pictures have the same value of a picture each time, and grids of its size.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fingerprint/colour_grid.h"
#include "fingerprint/perceptual_hash.h"
#include "require.h"
#include "zhiwen/picture.h"

namespace {

using namespace zhiwen;

void Try(std::string_view pixels) {
  const std::optional<Picture> picture = ParsePicture(pixels);
  if (!picture) return;
  Require(picture->width * picture->height * 3 == picture->rgb.size());
  Require(ComputePerceptualHash(*picture) == ComputePerceptualHash(*picture));
  for (const GridPalette palette : {GridPalette::k8, GridPalette::k16, GridPalette::k256}) {
    for (const GridOrder order : {GridOrder::kModeFirst, GridOrder::kReduceFirst}) {
      const std::string letters = ComputeColourGrid(
          *picture, {.columns = 3, .rows = 5, .palette = palette, .order = order});
      Require(letters.size() == 15 * LettersOfColour(palette));
      Require(IsColourGrid(palette, letters));
      Require(ColourGridSimilarity(palette, letters, letters) == 1);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)BeginsAsPicture(bytes);
  Try(bytes);
  const size_t width = size / 3;
  const std::string head = "P6\n" + std::to_string(width) + " 1\n255\n";
  Try(head + std::string(bytes.substr(0, width * 3)));
  return 0;
}
