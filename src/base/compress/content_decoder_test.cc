#include "base/compress/content_decoder.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/compress/frame_compressor.h"

namespace zhiwen {
namespace {

using enum ContentCoding;

template <size_t size>
std::string Literal(const char (&bytes)[size]) {
  return {bytes, size - 1};
}

// Three times this line, as the programs of the codings' authors compress it.
const std::string kPoem =
    "春眠不觉晓，处处闻啼鸟。春眠不觉晓，处处闻啼鸟。春眠不觉晓，处处闻啼鸟。";
const std::string kPoemBrotli = Literal(
    "\x1b\x6b\x00\xf8\x8d\x94\xa9\xb9\x1e\x6c\x83\xad\x37\x0c\xca\xd5\xdb\x36\xf6\x15\xf1\x08\xba"
    "\x44\x2c\x08\x6a\x18\x8d\x2b\x64\x80\x18\x33\x4c\x70\xdc\x5d\x67\x4a\xef\xb1\xd3\xbe\x85\x24"
    "\x92\x1a\x1f\xef\xd6\x0e\xa0");
const std::string kPoemZlib = Literal(
    "\x78\xda\x7b\x36\x63\xe9\xf3\x39\x0b\x9e\xec\xe8\x7d\xb1\xbc\xf3\xd9\xcc\xc9\xef\xf7\xf4\x3c"
    "\x5d\xd2\x02\x44\x2f\xa7\xef\x7e\x3a\x75\xcf\xcb\x1d\xf3\x1f\x37\x34\x3d\xa3\x92\x1a\x00\x59"
    "\x7e\x4c\x81");
const std::string kPoemDeflate = kPoemZlib.substr(2, kPoemZlib.size() - 6);
// A million times the letter a.
const std::string kLettersBrotli =
    Literal("\x5b\x3f\x42\x8f\x5f\x22\x2c\x1e\x0b\x04\xf2\x73\x1e\x00");

constexpr uint64_t kPlenty = 1 << 20;

std::string CompressContent(std::string_view bytes, Compression compression) {
  std::string frame;
  EXPECT_TRUE(FrameCompressor::Create(compression).value().Compress(bytes, frame));
  return frame;
}

struct Sample {
  ContentCoding coding;
  std::string content;
};

std::vector<Sample> PoemSamples() {
  return {{kGzip, CompressContent(kPoem, Compression::kGzip)},
          {kDeflate, kPoemZlib},
          {kDeflate, kPoemDeflate},
          {kDeflate, CompressContent(kPoem, Compression::kGzip)},
          {kBrotli, kPoemBrotli},
          {kZstd, CompressContent(kPoem, Compression::kZstd)}};
}

TEST(ContentDecoder, DecodesEveryCoding) {
  for (const auto& [coding, content] : PoemSamples()) {
    const DecodedContent decoded = DecodeContent(content, coding, kPlenty);
    EXPECT_EQ(decoded.bytes, kPoem);
    EXPECT_EQ(decoded.end, ContentEnd::kWhole);
    EXPECT_EQ(decoded.used, content.size());
  }
}

TEST(ContentDecoder, SaysWhatIsLeftBehindTheContent) {
  for (const auto& [coding, content] : PoemSamples()) {
    const DecodedContent decoded = DecodeContent(content + "garbage", coding, kPlenty);
    EXPECT_EQ(decoded.bytes, kPoem);
    EXPECT_EQ(decoded.end, ContentEnd::kWhole);
    EXPECT_EQ(decoded.used, content.size());
  }
}

TEST(ContentDecoder, DecodesStreamsOneBehindAnother) {
  const std::string gzip = CompressContent(kPoem, Compression::kGzip);
  EXPECT_EQ(DecodeContent(gzip + gzip + gzip, kGzip, kPlenty).bytes, kPoem + kPoem + kPoem);
  const std::string zstd = CompressContent(kPoem, Compression::kZstd);
  EXPECT_EQ(DecodeContent(zstd + zstd, kZstd, kPlenty).bytes, kPoem + kPoem);
}

TEST(ContentDecoder, EveryCutSaysSo) {
  for (const auto& [coding, content] : PoemSamples()) {
    for (size_t size = 0; size < content.size(); ++size) {
      const DecodedContent decoded =
          DecodeContent(std::string_view(content).substr(0, size), coding, kPlenty);
      EXPECT_NE(decoded.end, ContentEnd::kWhole) << size;
      EXPECT_TRUE(kPoem.starts_with(decoded.bytes)) << size;
    }
  }
}

TEST(ContentDecoder, GivesNoMoreThanAsked) {
  for (const auto& [coding, content] : PoemSamples()) {
    EXPECT_EQ(DecodeContent(content, coding, kPoem.size()).end, ContentEnd::kWhole);
    const DecodedContent decoded = DecodeContent(content, coding, kPoem.size() - 1);
    EXPECT_EQ(decoded.end, ContentEnd::kTooLarge);
    EXPECT_EQ(decoded.bytes, kPoem.substr(0, kPoem.size() - 1));
    EXPECT_EQ(DecodeContent(content, coding, 0).bytes, "");
  }
  EXPECT_EQ(DecodeContent(kLettersBrotli, kBrotli, 1'000'000).bytes, std::string(1'000'000, 'a'));
  EXPECT_EQ(DecodeContent(kLettersBrotli, kBrotli, 999'999).end, ContentEnd::kTooLarge);
}

TEST(ContentDecoder, OutputsOfAnySizeAreWhole) {
  std::mt19937 random(7);
  for (const size_t size : {0, 1, 16383, 16384, 16385, 65536, 300'000}) {
    std::string bytes(size, 'x');
    for (size_t at = 0; at < size; at += 1 + random() % 50) bytes[at] = static_cast<char>(random());
    for (const auto& [compression, coding] :
         {std::pair(Compression::kGzip, kGzip), std::pair(Compression::kZstd, kZstd)}) {
      const DecodedContent decoded =
          DecodeContent(CompressContent(bytes, compression), coding, kPlenty);
      EXPECT_EQ(decoded.end, ContentEnd::kWhole);
      EXPECT_TRUE(decoded.bytes == bytes) << size;
    }
  }
}

TEST(ContentDecoder, DamageIsToldOrDecodedWithinBounds) {
  std::mt19937 random(8);
  for (const auto& [coding, content] : PoemSamples()) {
    for (int round = 0; round < 300; ++round) {
      std::string damaged = content;
      damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
      EXPECT_LE(DecodeContent(damaged, coding, 500).bytes.size(), 500U);
    }
  }
  std::string gzip = CompressContent(kPoem, Compression::kGzip);
  gzip[gzip.size() - 6] ^= 1;  // of the checksum
  EXPECT_EQ(DecodeContent(gzip, kGzip, kPlenty).end, ContentEnd::kDamaged);
  EXPECT_EQ(DecodeContent(gzip, kGzip, kPlenty).bytes, kPoem);
}

}  // namespace
}  // namespace zhiwen
