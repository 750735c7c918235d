#ifndef ZHIWEN_PICTURE_H_
#define ZHIWEN_PICTURE_H_

// Pictures as pixels, for the schemes that are made of pictures.
//
// In          the bytes of a picture file: JPEG, PNG, GIF, WebP, TIFF or BMP
// Out         pixels: a binary PPM ("P6", width, height, 255, three bytes a pixel: red, green,
//             blue). A picture lies as its EXIF orientation says, transparent parts are white, and
//             of an animation it is the first frame. Colour profiles are not applied
// Guarantees  the file is read by vipsthumbnail of libvips in a process of its own, with the limits
//             of base/process/child_process.h; a picture has at most kMostPicturePixels
// Cost        three bytes a pixel, twice; some tenths of a second for a large photo
// Threads     free functions
// Fails       see DecodePicture

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kMostPicturePixels = 100'000'000;

// The field of a document that has its pixels, where it is asked for: only then files of
// pictures are documents, with an empty text.
inline constexpr std::string_view kPictureField = "picture";

struct Picture {
  size_t width = 0, height = 0;  // at least 1
  std::string_view rgb = {};     // rows from the top, three bytes a pixel

  // Red, green and blue, from 0.
  uint8_t At(size_t x, size_t y, size_t channel) const {
    return static_cast<uint8_t>(rgb[(y * width + x) * 3 + channel]);
  }
};

// Whether bytes begin as a picture file of a kind that is read.
bool BeginsAsPicture(std::string_view head);

// The endings of such files: ".jpg", ".png", …
std::vector<std::string_view> PictureEndings();

// Whether a path has one of these endings, perhaps with .gz or .zst behind.
bool IsPicturePath(std::string_view path);

// Returns the pixels of a picture file. Fails: kUnavailable: the program is not installed ·
// kExhausted: more than kMostPicturePixels, or it took too long · kUnreadable: the file is damaged,
// cut short, or no picture.
Result<std::string> DecodePicture(std::string_view bytes);

// Reads pixels as DecodePicture returns them; a view of `pixels`. Nothing for other bytes.
std::optional<Picture> ParsePicture(std::string_view pixels);

}  // namespace zhiwen

#endif  // ZHIWEN_PICTURE_H_
