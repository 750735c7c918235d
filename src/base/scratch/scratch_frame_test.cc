#include "base/scratch/scratch_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace zhiwen {
namespace {

std::string Encode(uint32_t partition, uint64_t offset, std::string_view payload) {
  std::string header(kFrameHeaderBytes, '\0');
  EncodeFrameHeader(partition, offset, payload, header.data());
  return header;
}

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    hex += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    hex += "0123456789abcdef"[static_cast<unsigned char>(byte) & 15];
  }
  return hex;
}

TEST(ScratchFrame, IsTheVectorOfItsFormat) {
  // The values are from docs/formats/scratch.md; the hashes were computed by xxhsum -H3.
  EXPECT_EQ(Hex(Encode(2, 0, "one")), "7a7773310300000002000000a0e11f32a7ab1f9104f58a86");
}

TEST(ScratchFrame, ReadsBackAtItsPlaceOnly) {
  const std::string path = "/scratch/a";
  const std::string header = Encode(7, 100, "payload");
  const FrameHeader decoded = DecodeFrameHeader({path, 100}, header).value();
  EXPECT_EQ(decoded.partition, 7u);
  EXPECT_EQ(decoded.length, 7u);
  EXPECT_TRUE(CheckFramePayload({path, 100}, decoded, "payload"));
  EXPECT_FALSE(CheckFramePayload({path, 100}, decoded, "Payload"));
  EXPECT_FALSE(CheckFramePayload({path, 100}, decoded, "payloa"));
  EXPECT_FALSE(DecodeFrameHeader({path, 101}, header));
  EXPECT_FALSE(DecodeFrameHeader({path, 100}, header.substr(0, 23)));
}

TEST(ScratchFrame, AnotherVersionIsRefusedByName) {
  const std::string path = "/scratch/a";
  std::string header = Encode(0, 0, "x");
  header[3] = '2';
  EXPECT_THAT(DecodeFrameHeader({path, 0}, header).error().message,
              testing::HasSubstr("another version"));
}

}  // namespace
}  // namespace zhiwen
