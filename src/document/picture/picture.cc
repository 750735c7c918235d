#include "zhiwen/picture.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/compress/compression_ending.h"
#include "base/utf8/ascii.h"
#include "document/foreign/foreign_program.h"

namespace zhiwen {
namespace {

constexpr size_t kBytesPerPixel = 3;
constexpr size_t kMostHeadBytes = 64;  // of a PPM, without comments

constexpr std::array<std::string_view, 10> kPictureEndings = {
    ".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".gif", ".webp", ".tif", ".tiff", ".bmp"};

// A text may begin with the letters BM, too: four bytes that are zeros, and the size of a header.
bool BeginsAsBmp(std::string_view head) {
  constexpr std::string_view kZeros("\0\0\0\0", 4);
  constexpr std::string_view kHeaderSizes = "\x0C\x28\x34\x38\x6C\x7C";
  constexpr std::string_view kRestOfSize("\0\0\0", 3);
  return head.size() >= 18 && head.starts_with("BM") && head.substr(6, 4) == kZeros &&
         kHeaderSizes.find(head[14]) != std::string_view::npos && head.substr(15, 3) == kRestOfSize;
}

// What vipsthumbnail says of a file whose end is missing, while it makes a picture of the rest.
bool IsCutShort(std::string_view errors) {
  constexpr std::array<std::string_view, 3> kMessages = {"Premature end", "not enough data",
                                                         "Unexpected end"};
  return std::ranges::any_of(kMessages, [&](std::string_view message) {
    return errors.find(message) != std::string_view::npos;
  });
}

// Takes a number and the white space behind it from the front of `rest`.
std::optional<size_t> TakeNumber(std::string_view& rest) {
  size_t number = 0;
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data(), end, number);
  if (error != std::errc() || stop == end || (*stop != ' ' && *stop != '\n')) return std::nullopt;
  rest.remove_prefix(static_cast<size_t>(stop - rest.data()) + 1);
  return number;
}

}  // namespace

bool BeginsAsPicture(std::string_view head) {
  constexpr std::string_view kLittleTiff("II*\0", 4), kBigTiff("MM\0*", 4);
  const bool is_webp = head.starts_with("RIFF") && head.substr(0, 12).ends_with("WEBP");
  return head.starts_with("\x89PNG\r\n") || head.starts_with("\xFF\xD8\xFF") ||
         head.starts_with("GIF87a") || head.starts_with("GIF89a") || is_webp ||
         head.starts_with(kLittleTiff) || head.starts_with(kBigTiff) || BeginsAsBmp(head);
}

std::vector<std::string_view> PictureEndings() {
  return {kPictureEndings.begin(), kPictureEndings.end()};
}

bool IsPicturePath(std::string_view path) {
  RemoveCompressionEnding(path);
  return std::ranges::any_of(kPictureEndings, [&](std::string_view ending) {
    return path.size() > ending.size() && EndsInAnyCase(path, ending);
  });
}

Result<std::string> DecodePicture(std::string_view bytes) {
  if (!BeginsAsPicture(bytes)) {
    return Fail(ErrorCode::kUnreadable, "it is no picture (JPEG, PNG, GIF, WebP, TIFF, BMP)");
  }
  // A size that no picture exceeds keeps the pixels as they are. One thread is enough, and several
  // need more memory than a child may have.
  const ForeignProgram program = {
      .name = "vipsthumbnail",
      .package = "libvips-tools",
      .files = "pictures",
      .arguments = {kChildInput, "--vips-concurrency=1", "-s", "1000000x1000000>", "-o",
                    ".ppm[strip,background=255,format=ppm]"},
      .limits = {.output_bytes = kMostPicturePixels * kBytesPerPixel + kMostHeadBytes},
      .too_large = "a picture of more than 100 million pixels"};
  ZHIWEN_ASSIGN_OR_RETURN(ChildOutput made, RunForeignProgram(program, bytes));
  if (IsCutShort(made.errors)) {
    return Fail(ErrorCode::kUnreadable, "the picture is cut short: the end of the file is missing");
  }
  if (!ParsePicture(made.output)) {
    return Fail(ErrorCode::kUnreadable, "the picture is damaged: vipsthumbnail writes no pixels");
  }
  return std::move(made.output);
}

std::optional<Picture> ParsePicture(std::string_view pixels) {
  constexpr std::string_view kMagic = "P6\n";
  constexpr size_t kMostValue = 255;
  if (!pixels.starts_with(kMagic)) return std::nullopt;
  std::string_view rest = pixels.substr(kMagic.size());
  const std::optional<size_t> width = TakeNumber(rest);
  const std::optional<size_t> height = width ? TakeNumber(rest) : std::nullopt;
  const std::optional<size_t> most = height ? TakeNumber(rest) : std::nullopt;
  if (!most || *most != kMostValue || *width == 0 || *height == 0) return std::nullopt;
  if (*width > kMostPicturePixels / *height) return std::nullopt;
  if (rest.size() != *width * *height * kBytesPerPixel) return std::nullopt;
  return Picture{.width = *width, .height = *height, .rgb = rest};
}

}  // namespace zhiwen
