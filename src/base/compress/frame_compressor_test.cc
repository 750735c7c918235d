#include "base/compress/frame_compressor.h"

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zstd.h>

#include <string>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

std::string Frame(FrameCompressor& compressor, std::string_view bytes) {
  std::string frame;
  EXPECT_TRUE(compressor.Compress(bytes, frame));
  return frame;
}

FrameCompressor Compressor(Compression compression) {
  return FrameCompressor::Create(compression).value();
}

std::string Text(size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines; ++i)
    text += "海上生明月，天涯共此时。" + std::to_string(i * i) + '\n';
  return text;
}

TEST(FrameCompressor, NoneGivesTheBytesThemselves) {
  FrameCompressor compressor = Compressor(Compression::kNone);
  EXPECT_EQ(compressor.compression(), Compression::kNone);
  EXPECT_EQ(Frame(compressor, "bytes"), "bytes");
  EXPECT_EQ(Frame(compressor, ""), "");
}

TEST(FrameCompressor, ZstdFramesTellTheirSizeAndHaveAChecksum) {
  FrameCompressor compressor = Compressor(Compression::kZstd);
  for (const std::string& text : {std::string(), Text(1), Text(50'000)}) {
    std::string frame = Frame(compressor, text);
    EXPECT_EQ(ZSTD_findFrameCompressedSize(frame.data(), frame.size()), frame.size());
    EXPECT_EQ(ZSTD_getFrameContentSize(frame.data(), frame.size()), text.size());
    std::string content(text.size() + 1, '\0');
    EXPECT_EQ(ZSTD_decompress(content.data(), content.size(), frame.data(), frame.size()),
              text.size());
    EXPECT_TRUE(content.substr(0, text.size()) == text);
    frame.back() = static_cast<char>(frame.back() ^ 1);
    EXPECT_NE(
        ZSTD_isError(ZSTD_decompress(content.data(), content.size(), frame.data(), frame.size())),
        0u);
  }
}

TEST(FrameCompressor, GzipMembersHaveNeitherNameNorTime) {
  FrameCompressor compressor = Compressor(Compression::kGzip);
  libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
  for (const std::string& text : {std::string(), Text(1), Text(50'000)}) {
    const std::string member = Frame(compressor, text);
    EXPECT_EQ(member.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
    std::string content(text.size() + 1, '\0');
    size_t taken = 0, given = 0;
    EXPECT_EQ(libdeflate_gzip_decompress_ex(decompressor, member.data(), member.size(),
                                            content.data(), content.size(), &taken, &given),
              LIBDEFLATE_SUCCESS);
    EXPECT_EQ(taken, member.size());
    EXPECT_TRUE(content.substr(0, given) == text);
  }
  libdeflate_free_decompressor(decompressor);
}

TEST(FrameCompressor, EqualBytesGiveEqualFramesWhateverCameBefore) {
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    FrameCompressor fresh = Compressor(compression);
    const std::string frame = Frame(fresh, Text(20'000));
    FrameCompressor used = Compressor(compression);
    Frame(used, Text(70'000) + std::string(1 << 20, 'x'));
    Frame(used, "");
    EXPECT_TRUE(Frame(used, Text(20'000)) == frame);
    FrameCompressor moved = std::move(used);
    EXPECT_TRUE(Frame(moved, Text(20'000)) == frame);
    EXPECT_LT(frame.size(), Text(20'000).size() / 2);
  }
}

TEST(FrameCompressor, FramesAreAppended) {
  for (const Compression compression :
       {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
    FrameCompressor compressor = Compressor(compression);
    std::string out = "before";
    ASSERT_TRUE(compressor.Compress("one", out));
    ASSERT_TRUE(compressor.Compress("two", out));
    EXPECT_EQ(out, "before" + Frame(compressor, "one") + Frame(compressor, "two"));
  }
}

}  // namespace
}  // namespace zhiwen
