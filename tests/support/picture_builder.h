#ifndef ZHIWEN_TESTS_SUPPORT_PICTURE_BUILDER_H_
#define ZHIWEN_TESTS_SUPPORT_PICTURE_BUILDER_H_

// Pictures that a test draws: as pixels (zhiwen/picture.h), and as PNG files whose data are not
// compressed.

#include <cstdint>
#include <string>
#include <string_view>

#include "support/stored_zip.h"

namespace zhiwen {

inline std::string MakePixels(size_t width, size_t height, std::string_view rgb) {
  return "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" +
         std::string(rgb);
}

// The picture of docs/formats/pictures.md: red grows to the right, green grows downwards, and blue
// is in an ellipse to the left of the middle.
inline std::string DrawnRgb(size_t width, size_t height) {
  std::string rgb;
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      const double across = 3.0 * static_cast<double>(2 * x + 1) / static_cast<double>(width) - 2;
      const double down = 3.0 * static_cast<double>(2 * y + 1) / static_cast<double>(height) - 2.5;
      rgb += static_cast<char>(255 * x / (width - 1));
      rgb += static_cast<char>(255 * y / (height - 1));
      rgb += static_cast<char>(across * across + down * down < 1.44 ? 255 : 0);
    }
  }
  return rgb;
}

inline std::string DrawnPixels(size_t width, size_t height) {
  return MakePixels(width, height, DrawnRgb(width, height));
}

inline void AppendBig(std::string& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFF);
}

inline void AppendPngChunk(std::string& out, std::string_view kind, std::string_view content) {
  AppendBig(out, static_cast<uint32_t>(content.size()));
  const std::string checked = std::string(kind) + std::string(content);
  out += checked;
  AppendBig(out, ZipChecksum(checked));
}

// What PNG calls the kinds of pixels.
enum class PngColour : uint8_t { kGrey = 0, kRgb = 2, kGreyAlpha = 4, kRgba = 6 };

// `rows` are the bytes of all rows; below 64 KiB, with a byte for each row.
inline std::string MakePng(uint32_t width, uint32_t height, PngColour colour, uint8_t bits,
                           std::string_view rows) {
  std::string head, raw, data = "\x78\x01\x01";
  AppendBig(head, width);
  AppendBig(head, height);
  head += {static_cast<char>(bits), static_cast<char>(colour), 0, 0, 0};
  const size_t row = rows.size() / height;
  for (size_t y = 0; y < height; ++y) raw += '\0' + std::string(rows.substr(y * row, row));
  AppendLittle(data, static_cast<uint32_t>(raw.size()), 2);
  AppendLittle(data, ~static_cast<uint32_t>(raw.size()), 2);
  data += raw;
  uint32_t a = 1, b = 0;  // Adler-32
  for (const char c : raw) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  AppendBig(data, b << 16 | a);
  std::string png = "\x89PNG\r\n\x1A\n";
  AppendPngChunk(png, "IHDR", head);
  AppendPngChunk(png, "IDAT", data);
  AppendPngChunk(png, "IEND", "");
  return png;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_PICTURE_BUILDER_H_
