#include "zhiwen/picture.h"

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/picture_builder.h"
#include "zhiwen/extract.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

TEST(Pictures, AreKnownByTheirFirstBytes) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view head :
       {"\x89PNG\r\n\x1A\n"sv, "\xFF\xD8\xFF\xE0"sv, "GIF89a"sv, "RIFF\1\2\3\4WEBPVP8 "sv,
        "II*\0\1"sv, "MM\0*\1"sv, "BM\1\2\3\4\0\0\0\0\x36\0\0\0\x28\0\0\0"sv}) {
    EXPECT_TRUE(BeginsAsPicture(head)) << head;
  }
  for (const std::string_view head :
       {""sv, "BM"sv, "BM 是一个词, and a text follows it"sv, "RIFF\1\2\3\4WAVEfmt "sv, "GIF"sv,
        "P6\n1 1\n255\n"sv, "<svg>"sv, "II*"sv, "%PDF-1.7"sv}) {
    EXPECT_FALSE(BeginsAsPicture(head)) << head;
  }
  EXPECT_TRUE(IsPicturePath("a/b.JPG"));
  EXPECT_TRUE(IsPicturePath("b.webp.zst"));
  EXPECT_FALSE(IsPicturePath("jpg"));
  EXPECT_FALSE(IsPicturePath("a.jpg.txt"));
  EXPECT_EQ(ExtractDocument("\xFF\xD8\xFF\xE0").error().message, "it is a picture");
}

TEST(Pictures, ArePixelsOrNothing) {
  const std::string pixels = MakePixels(2, 1, "abcdef");
  const Picture picture = ParsePicture(pixels).value();
  EXPECT_EQ(picture.width, 2U);
  EXPECT_EQ(picture.height, 1U);
  EXPECT_EQ(picture.At(1, 0, 0), 'd');
  for (const std::string& broken :
       {std::string(), pixels.substr(0, pixels.size() - 1), pixels + "g", MakePixels(0, 1, ""),
        MakePixels(1, 0, ""), std::string("P5\n2 1\n255\nabcdef"),
        std::string("P6\n2 1\n65535\nabcdef"), std::string("P6\n2\n255\nabcdef"),
        std::string("P6\n-2 1\n255\nabcdef"), std::string("P6\n2 1\n255"),
        // A product that wraps around to 6.
        std::string("P6\n6148914691236517206 2\n255\nabcdef")}) {
    EXPECT_FALSE(ParsePicture(broken)) << broken;
  }
}

TEST(Pictures, HaveThePixelsOfTheirFile) {
  const std::string rgb = DrawnRgb(20, 12);
  EXPECT_EQ(DecodePicture(MakePng(20, 12, PngColour::kRgb, 8, rgb)).value(),
            MakePixels(20, 12, rgb));
}

TEST(Pictures, OfOtherKindsOfPixelsAreRgb) {
  using std::string_literals::operator""s;
  EXPECT_EQ(DecodePicture(MakePng(3, 1, PngColour::kGrey, 8, "\x00\x80\xFF"s)).value(),
            MakePixels(3, 1, "\x00\x00\x00\x80\x80\x80\xFF\xFF\xFF"s));
  EXPECT_EQ(DecodePicture(MakePng(8, 1, PngColour::kGrey, 1, "\xF0"s)).value(),
            MakePixels(8, 1, std::string(12, '\xFF') + std::string(12, '\0')));
  EXPECT_EQ(DecodePicture(MakePng(1, 1, PngColour::kRgb, 16, "\x80\x00\x00\x00\xFF\xFF"s)).value(),
            MakePixels(1, 1, "\x80\x00\xFF"s));
  // What is transparent is white.
  EXPECT_EQ(
      DecodePicture(MakePng(2, 1, PngColour::kRgba, 8, "\x10\x20\x30\xFF\x10\x20\x30\0"s)).value(),
      MakePixels(2, 1, "\x10\x20\x30\xFF\xFF\xFF"s));
}

// Two pixels side by side, and which side is up.
std::string MakeTiff(std::string_view rgb, uint32_t orientation) {
  using std::string_literals::operator""s;
  constexpr uint32_t kEntries = 10, kDirectory = 8, kBits = kDirectory + 2 + kEntries * 12 + 4;
  constexpr uint32_t kPixels = kBits + 6;
  std::string file = "II*\0"s;
  AppendLittle(file, kDirectory, 4);
  AppendLittle(file, kEntries, 2);
  const auto add = [&](uint32_t tag, uint32_t count, uint32_t value) {
    AppendLittle(file, tag, 2);
    AppendLittle(file, 3, 2);  // numbers of 16 bits
    AppendLittle(file, count, 4);
    AppendLittle(file, value, 4);
  };
  add(256, 1, 2);      // width
  add(257, 1, 1);      // height
  add(258, 3, kBits);  // where the bits of the samples are
  add(259, 1, 1);      // not compressed
  add(262, 1, 2);      // RGB
  add(273, 1, kPixels);
  add(274, 1, orientation);
  add(277, 1, 3);            // samples
  add(278, 1, 1);            // rows of a strip
  add(279, 1, 6);            // bytes of a strip
  AppendLittle(file, 0, 4);  // no other directory
  for (int i = 0; i < 3; ++i) AppendLittle(file, 8, 2);
  return file + std::string(rgb);
}

TEST(Pictures, LieAsTheirFileSays) {
  EXPECT_EQ(DecodePicture(MakeTiff("abcdef", 1)).value(), MakePixels(2, 1, "abcdef"));
  EXPECT_EQ(DecodePicture(MakeTiff("abcdef", 3)).value(), MakePixels(2, 1, "defabc"));
  EXPECT_EQ(DecodePicture(MakeTiff("abcdef", 6)).value(), MakePixels(1, 2, "abcdef"));
}

void ExpectFailure(const std::string& file, ErrorCode code, const std::string& message) {
  const Result<std::string> decoded = DecodePicture(file);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, code) << decoded.error().message;
  EXPECT_THAT(decoded.error().message, HasSubstr(message));
}

TEST(Pictures, ThatAreBrokenAreRefused) {
  const std::string file = MakePng(20, 12, PngColour::kRgb, 8, DrawnRgb(20, 12));
  ExpectFailure("a text", ErrorCode::kUnreadable, "it is no picture");
  ExpectFailure(file.substr(0, 20), ErrorCode::kUnreadable, "");
  ExpectFailure(file.substr(0, 400), ErrorCode::kUnreadable, "cut short");
  // The head says what the data do not have.
  ExpectFailure(MakePng(20, 13, PngColour::kRgb, 8, DrawnRgb(20, 13)).replace(23, 1, "\x14"),
                ErrorCode::kUnreadable, "");
}

TEST(Pictures, NeedTheirProgram) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  ExpectFailure(MakePng(1, 1, PngColour::kGrey, 8, "a"), ErrorCode::kUnavailable,
                "cannot read pictures: the program vipsthumbnail is not installed (Debian: "
                "libvips-tools)");
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace zhiwen
