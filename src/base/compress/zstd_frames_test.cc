#include "base/compress/zstd_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/compress/frame_compressor.h"
#include "support/flipped_bit.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

std::string Compressed(std::string_view content) {
  std::string frame;
  EXPECT_TRUE(FrameCompressor::Create(Compression::kZstd).value().Compress(content, frame));
  return frame;
}

TEST(ZstdFrames, EveryTruncationIsAnErrorButBetweenFrames) {
  const std::string first = Compressed("first record\n");
  const std::string both = first + Compressed("second record\n");
  for (size_t size = 0; size < both.size(); ++size) {
    const auto content = DecompressZstd(std::string_view(both).substr(0, size), 1000);
    if (size == first.size()) {
      EXPECT_EQ(content.value(), "first record\n");
      continue;
    }
    ASSERT_FALSE(content.has_value()) << size;
    EXPECT_EQ(content.error().code, ErrorCode::kUnreadable);
    const size_t frame = size < first.size() ? 0 : first.size();
    EXPECT_THAT(content.error().message,
                HasSubstr("damaged zstd frame at byte " + std::to_string(frame) + ": "));
  }
}

TEST(ZstdFrames, EveryFlippedBitIsAnErrorOrHarmless) {
  std::string right;
  for (int i = 0; i < 300; ++i) right += std::to_string(i * i * 7919 % 100'003) + '\n';
  const std::string compressed = Compressed(right);
  size_t errors = 0;
  for (size_t bit = 0; bit < 8 * compressed.size(); ++bit) {
    const auto content = DecompressZstd(WithBitFlipped(compressed, bit), 1 << 20);
    if (content) {
      ASSERT_EQ(*content, right) << bit;
      continue;
    }
    ++errors;
    ASSERT_THAT(content.error().message, HasSubstr("damaged zstd frame at byte ")) << bit;
  }
  EXPECT_GT(errors, 8 * compressed.size() * 98 / 100);
}

TEST(ZstdFrames, RubbishBetweenFramesNamesItsPlace) {
  const std::string first = Compressed("first");
  const auto content = DecompressZstd(first + "rubbish that is no frame", 1000);
  ASSERT_FALSE(content.has_value());
  EXPECT_THAT(content.error().message,
              HasSubstr("zstd frame at byte " + std::to_string(first.size())));
}

TEST(ZstdFrames, ABombStopsAtTheLimit) {
  const std::string bomb = Compressed(std::string(50 << 20, '\0'));
  EXPECT_EQ(DecompressZstd(bomb, 1 << 20).error().code, ErrorCode::kExhausted);
  EXPECT_EQ(DecompressZstd(Compressed("12345"), 4).error().code, ErrorCode::kExhausted);
  EXPECT_TRUE(DecompressZstd(Compressed("12345"), 5).has_value());
}

}  // namespace
}  // namespace zhiwen
