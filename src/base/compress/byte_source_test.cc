#include "base/compress/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zstd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr Compression kAll[] = {Compression::kNone, Compression::kGzip, Compression::kZstd};
constexpr Compression kCompressed[] = {Compression::kGzip, Compression::kZstd};

std::string_view NounOf(Compression compression) {
  return compression == Compression::kGzip ? "gzip member" : "zstd frame";
}

std::string Frame(Compression compression, std::string_view content) {
  std::string frame;
  EXPECT_TRUE(FrameCompressor::Create(compression).value().Compress(content, frame));
  return frame;
}

// Makes a frame with this compression level; level 0 of gzip stores.
std::string FrameOfLevel(Compression compression, std::string_view content, int level) {
  std::string frame(content.size() * 2 + 1000, '\0');
  if (compression == Compression::kZstd) {
    frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), level));
    return frame;
  }
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(level);
  frame.resize(libdeflate_gzip_compress(compressor, content.data(), content.size(), frame.data(),
                                        frame.size()));
  libdeflate_free_compressor(compressor);
  return frame;
}

// Makes a zstd frame as a stream does, without content size.
std::string StreamedFrame(std::string_view content,
                          const std::vector<std::pair<ZSTD_cParameter, int>>& parameters = {}) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  for (const auto& [parameter, value] : parameters) {
    EXPECT_EQ(ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value)), 0u);
  }
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  ZSTD_inBuffer input = {content.data(), content.size(), 0};
  ZSTD_outBuffer output = {frame.data(), frame.size(), 0};
  while (input.pos < input.size) {
    EXPECT_EQ(ZSTD_isError(ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue)), 0u);
  }
  while (ZSTD_compressStream2(context, &output, &input, ZSTD_e_end) != 0) {
  }
  ZSTD_freeCCtx(context);
  frame.resize(output.pos);
  return frame;
}

std::string LittleEndian32(uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
  return bytes;
}

std::string SkippableFrame(int variant, std::string_view content) {
  return LittleEndian32(0x184D2A50u + static_cast<uint32_t>(variant)) +
         LittleEndian32(static_cast<uint32_t>(content.size())) + std::string(content);
}

// Makes lines that repeat here and there, so that every kind of block occurs.
std::string SomeText(size_t size) {
  const std::string lines[] = {"春眠不觉晓，处处闻啼鸟。\n", "夜来风雨声，花落知多少。\n",
                               "白日依山尽，黄河入海流。\n"};
  std::mt19937 random(static_cast<unsigned>(size));
  std::string text;
  while (text.size() < size) {
    if (random() % 3 != 0) {
      text += lines[random() % 3];
    } else {
      for (auto left = random() % 60; left > 0; --left) text += static_cast<char>(random());
    }
  }
  text.resize(size);
  return text;
}

std::unique_ptr<ByteSource> Open(FileSystem& files, Compression compression,
                                 const ByteSourceOptions& options = {}) {
  return OpenByteSource(files.OpenForRead("a").value(), compression, options).value();
}

std::unique_ptr<ByteSource> Open(const std::string& bytes, Compression compression,
                                 const ByteSourceOptions& options = {}) {
  InMemoryFileSystem files;
  files.Put("a", bytes);
  return Open(files, compression, options);
}

// Reads to the end, `at_once` bytes at a time.
Result<std::string> ReadToEnd(ByteSource& source, size_t at_once = 1 << 16) {
  std::string content;
  std::string out(at_once, '\0');
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, source.Read(out));
    content.append(out, 0, count);
    if (count < at_once) return content;
  }
}

Result<std::string> Decompress(const std::string& bytes, Compression compression,
                               size_t at_once = 1 << 16, const ByteSourceOptions& options = {}) {
  return ReadToEnd(*Open(bytes, compression, options), at_once);
}

std::string MessageOf(const std::string& bytes, Compression compression) {
  const auto content = Decompress(bytes, compression);
  return content ? "no error" : content.error().message;
}

TEST(DetectCompression, GoesByTheFirstBytes) {
  using enum Compression;
  EXPECT_EQ(DetectCompression("\x1f\x8b"), kGzip);
  EXPECT_EQ(DetectCompression("\x1f\x8b\x08 and more"), kGzip);
  EXPECT_EQ(DetectCompression("\x28\xb5\x2f\xfd"), kZstd);
  EXPECT_EQ(DetectCompression("\x28\xb5\x2f\xfd and more"), kZstd);
  for (int variant = 0; variant < 16; ++variant) {
    EXPECT_EQ(DetectCompression(SkippableFrame(variant, "x")), kZstd) << variant;
  }
  for (const std::string_view plain :
       {"", "\x1f", "\x28", "\x28\xb5", "\x28\xb5\x2f", "\x50\x2a\x4d", "{\"text\":\"\"}",
        "\x60\x2a\x4d\x18", "\x4f\x2a\x4d\x18", "\x1e\x8b\x08\x00", "\x28\xb5\x2f\xfe"}) {
    EXPECT_EQ(DetectCompression(plain), kNone) << plain;
  }
}

TEST(ByteSource, ContentIsTheSameWhateverIsReadAtOnce) {
  const std::string text = SomeText(700'000);
  for (const Compression compression : kAll) {
    const std::string file = Frame(compression, text.substr(0, 400'001)) + Frame(compression, "") +
                             Frame(compression, text.substr(400'001));
    for (const size_t piece : {1, 33, 1000, 1 << 18}) {
      for (const size_t at_once : {1, 7, 1 << 16, 400'001, 1 << 20}) {
        const auto content = Decompress(file, compression, at_once, {.piece_bytes = piece});
        ASSERT_TRUE(content.has_value()) << content.error().message;
        ASSERT_TRUE(*content == text) << piece << ' ' << at_once;
      }
    }
  }
}

TEST(ByteSource, EverySizeOfContentReadsBackAndEnds) {
  const std::string text = SomeText(3000);
  for (const Compression compression : kAll) {
    for (size_t size = 0; size <= text.size(); size = size < 300 ? size + 1 : size * 9 / 8) {
      const std::string file = Frame(compression, text.substr(0, size));
      for (const size_t at_once : {size_t{1}, size, size + 1}) {
        if (at_once == 0) continue;
        const auto content = Decompress(file, compression, at_once);
        ASSERT_TRUE(content.has_value()) << content.error().message;
        ASSERT_TRUE(*content == text.substr(0, size)) << size << ' ' << at_once;
      }
    }
  }
}

TEST(ByteSource, FramesOfAllLevelsFollowOneAnother) {
  for (const Compression compression : kCompressed) {
    std::string file, text;
    for (int level = 0; level <= 12; ++level) {
      const std::string part = SomeText(1000 * (level + 1) + 66'000 * (level % 3));
      file += FrameOfLevel(compression, part, level);
      text += part;
    }
    EXPECT_TRUE(Decompress(file, compression).value() == text);
    EXPECT_TRUE(Decompress(file, compression, 1000, {.piece_bytes = 100}).value() == text);
  }
}

TEST(ByteSource, AnEmptyPlainFileIsAnEmptyStream) {
  const auto source = Open("", Compression::kNone);
  EXPECT_EQ(ReadToEnd(*source).value(), "");
  EXPECT_TRUE(source->Skip(0));
  EXPECT_FALSE(source->Skip(1));
}

TEST(ByteSource, FileBytesReadGrowsToTheFileSize) {
  const std::string text = SomeText(500'000);
  for (const Compression compression : kAll) {
    const std::string file = Frame(compression, text);
    const auto source = Open(file, compression, {.piece_bytes = 1000});
    std::string out(10'000, '\0');
    uint64_t before = 0;
    EXPECT_EQ(source->file_bytes_read(), 0u);
    while (source->Read(out).value() == out.size()) {
      EXPECT_LE(before, source->file_bytes_read());
      before = source->file_bytes_read();
    }
    EXPECT_EQ(source->file_bytes_read(), file.size());
  }
}

TEST(ByteSource, SkipEqualsRead) {
  const std::string text = SomeText(300'000);
  for (const Compression compression : kAll) {
    const std::string file =
        Frame(compression, text.substr(0, 100'000)) + Frame(compression, text.substr(100'000));
    for (const size_t skipped : {0, 1, 65'536, 99'999, 100'000, 100'001, 299'999, 300'000}) {
      for (const size_t read : {0, 1, 50'000}) {
        const auto source = Open(file, compression);
        const size_t start = std::min(read, text.size() - skipped);
        std::string out(start, '\0');
        ASSERT_EQ(source->Read(out).value(), start);
        ASSERT_TRUE(source->Skip(skipped).has_value());
        ASSERT_TRUE(ReadToEnd(*source).value() == text.substr(start + skipped));
      }
    }
  }
}

TEST(ByteSource, SkippingBehindTheEndSaysHowMuchThereWas) {
  for (const Compression compression : kAll) {
    const auto source = Open(Frame(compression, SomeText(100'000)), compression);
    ASSERT_TRUE(source->Skip(99'000).has_value());
    const Status skipped = source->Skip(uint64_t{1} << 60);
    ASSERT_FALSE(skipped.has_value());
    EXPECT_EQ(skipped.error().code, ErrorCode::kUnreadable);
    EXPECT_THAT(skipped.error().message,
                StartsWith("cannot read \"a\": its content ends 1000 bytes into the "));
  }
}

TEST(ByteSource, EveryTruncationIsAnErrorButBetweenFrames) {
  const std::string first_text = SomeText(900), second_text = SomeText(700);
  for (const Compression compression : kCompressed) {
    const std::string first = Frame(compression, first_text);
    const std::string both = first + Frame(compression, second_text);
    for (size_t size = 0; size < both.size(); ++size) {
      for (const size_t at_once : {1, 900, 1 << 16}) {
        const auto content = Decompress(both.substr(0, size), compression, at_once);
        if (size == first.size()) {
          EXPECT_TRUE(content.value() == first_text);
          continue;
        }
        ASSERT_FALSE(content.has_value()) << size;
        EXPECT_EQ(content.error().code, ErrorCode::kUnreadable);
        ASSERT_EQ(content.error().message,
                  "cannot read \"a\": truncated " + std::string(NounOf(compression)) + " at byte " +
                      std::to_string(size < first.size() ? 0 : first.size()));
      }
    }
  }
}

TEST(ByteSource, EveryFlippedBitIsAnErrorOrHarmless) {
  const std::string text = SomeText(1200);
  for (const Compression compression : kCompressed) {
    const std::string first = Frame(compression, text.substr(0, 500));
    const std::string file = first + Frame(compression, text.substr(500));
    size_t errors = 0;
    for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
      const auto content = Decompress(WithBitFlipped(file, bit), compression);
      if (content) {
        ASSERT_TRUE(*content == text) << bit;
        continue;
      }
      ++errors;
      EXPECT_EQ(content.error().code, ErrorCode::kUnreadable);
      // The message names the frame itself, or the bytes after it as garbage when it seems to end
      // early.
      ASSERT_THAT(content.error().message, HasSubstr(std::string(NounOf(compression)))) << bit;
      ASSERT_THAT(content.error().message, HasSubstr(" at byte ")) << bit;
      if (bit / 8 >= first.size()) {
        ASSERT_THAT(content.error().message, testing::Not(HasSubstr(" at byte 0"))) << bit;
      }
    }
    EXPECT_GT(errors, 8 * file.size() * 85 / 100);
  }
}

TEST(ByteSource, DamageNamesTheFrameItIsIn) {
  for (const Compression compression : kCompressed) {
    const std::string first = Frame(compression, SomeText(300'000));
    std::string second = Frame(compression, SomeText(200'000));
    second[second.size() - 5] = static_cast<char>(second[second.size() - 5] ^ 1);
    for (const size_t piece : {100, 1 << 18}) {
      const auto content = Decompress(first + second, compression, 1000, {.piece_bytes = piece});
      ASSERT_FALSE(content.has_value());
      EXPECT_THAT(content.error().message,
                  StartsWith("cannot read \"a\": corrupt " + std::string(NounOf(compression)) +
                             " at byte " + std::to_string(first.size()) + ": "));
    }
  }
}

TEST(ByteSource, GarbageBehindTheLastFrameNamesItsByte) {
  for (const Compression compression : kCompressed) {
    const std::string noun(NounOf(compression));
    EXPECT_EQ(MessageOf("{\"text\":\"\"}", compression),
              "cannot read \"a\": no " + noun + " at byte 0");
    const std::string frame = Frame(compression, "text");
    for (const std::string garbage : {"x", "xy", "garbage that is no frame", "\x1f\x8a", "\x28x"}) {
      const std::string message = MessageOf(frame + garbage, compression);
      EXPECT_THAT(message, StartsWith("cannot read \"a\": no " + noun + " at byte " +
                                      std::to_string(frame.size()) + ", where garbage follows"));
    }
  }
}

// The bytes that a stream gives before it fails.
struct Prefix {
  std::string content;
  bool fails = false;
  bool ends_whole = false;

  friend bool operator==(const Prefix&, const Prefix&) = default;
};

Prefix ReadToDamage(const std::string& bytes, Compression compression, size_t at_once,
                    size_t piece_bytes) {
  const auto source = Open(bytes, compression, {.piece_bytes = piece_bytes});
  Prefix prefix;
  std::string out(at_once, '\0');
  while (true) {
    const auto count = source->Read(out);
    const size_t got = count ? *count : source->before_failure().bytes;
    prefix.content.append(out, 0, got);
    if (count && *count == at_once) continue;
    prefix.fails = !count.has_value();
    prefix.ends_whole = prefix.fails && source->before_failure().ends_whole;
    return prefix;
  }
}

void ExpectOnePrefix(const std::string& bytes, Compression compression, const Prefix& expected) {
  for (const size_t at_once : {size_t{61}, size_t{777}, size_t{1} << 16, size_t{1} << 20}) {
    for (const size_t piece : {size_t{100}, size_t{256} << 10}) {
      const Prefix prefix = ReadToDamage(bytes, compression, at_once, piece);
      ASSERT_TRUE(prefix == expected)
          << NounOf(compression) << ": " << prefix.content.size() << " bytes instead of "
          << expected.content.size() << ", " << at_once << " at once, pieces of " << piece;
    }
  }
}

TEST(ByteSource, WhatIsBeforeATearDoesNotDependOnHowItIsAskedFor) {
  const std::string text = SomeText(400'000);
  for (const Compression compression : kCompressed) {
    const std::string file =
        Frame(compression, text.substr(0, 90'000)) + Frame(compression, text.substr(90'000));
    for (size_t part = 1; part < 9; ++part) {
      const std::string torn = file.substr(0, file.size() * part / 9);
      const Prefix whole = ReadToDamage(torn, compression, 4096, 4096);
      EXPECT_TRUE(whole.fails);
      ASSERT_TRUE(text.starts_with(whole.content));
      // A torn block of zstd loses 128 KiB, gzip loses nothing.
      const size_t least = compression == Compression::kGzip ? 1000 : 132'000;
      EXPECT_GT(whole.content.size() + least, text.size() * part / 10);
      ExpectOnePrefix(torn, compression, whole);
    }
  }
}

TEST(ByteSource, WhatIsBeforeADamageDoesNotDependOnHowItIsAskedFor) {
  const std::string text = SomeText(300'000);
  std::mt19937 random(5);
  for (const Compression compression : kCompressed) {
    const std::string file = Frame(compression, text);
    size_t in_part = 0;
    for (int round = 0; round < 60; ++round) {
      const std::string damaged = WithBitFlipped(file, random() % (8 * file.size()));
      const Prefix prefix = ReadToDamage(damaged, compression, 4096, 4096);
      in_part += prefix.fails && !prefix.content.empty() ? 1 : 0;
      ExpectOnePrefix(damaged, compression, prefix);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(in_part, 30U);
  }
}

TEST(ByteSource, EverythingIsReadBeforeGarbageBehindTheLastFrame) {
  const std::string text = SomeText(300'000);
  for (const Compression compression : kCompressed) {
    const std::string file = Frame(compression, text) + "garbage";
    ExpectOnePrefix(file, compression, {.content = text, .fails = true, .ends_whole = true});
    ExpectOnePrefix("garbage", compression, {.content = "", .fails = true, .ends_whole = false});
  }
}

TEST(ByteSource, AFailureComesBackAgain) {
  for (const Compression compression : kCompressed) {
    const std::string frame = Frame(compression, SomeText(1000));
    const auto source = Open(frame.substr(0, frame.size() - 1), compression);
    std::string out(2000, '\0');
    const auto first = source->Read(out);
    ASSERT_FALSE(first.has_value());
    EXPECT_EQ(source->Read(out).error().message, first.error().message);
    EXPECT_EQ(source->Skip(1).error().message, first.error().message);
  }
}

TEST(ByteSource, AFaultAtAnyFileOperationComesBack) {
  const std::string text = SomeText(50'000);
  for (const Compression compression : kAll) {
    InMemoryFileSystem memory;
    memory.Put("a", Frame(compression, text) + Frame(compression, text));
    uint64_t fired = 0;
    for (uint64_t n = 2;; ++n) {
      FaultyFileSystem faulty(memory, {.at = n, .error = {ErrorCode::kUnreadable, "bad disk"}});
      const auto source = Open(faulty, compression, {.piece_bytes = 1000});
      const Status skipped = source->Skip(20'000);
      const auto content = ReadToEnd(*source, 1000);
      if (!faulty.fired()) {
        EXPECT_TRUE(content.value() == text.substr(20'000) + text);
        break;
      }
      ++fired;
      ASSERT_FALSE(content.has_value()) << n;
      EXPECT_EQ(content.error().message, "bad disk");
      std::string out(10, '\0');
      EXPECT_EQ(source->Read(out).error().message, "bad disk");
    }
    EXPECT_GE(fired, 20u);
  }
}

TEST(GzipSource, ZerosBehindTheLastMemberArePadding) {
  const std::string member = Frame(Compression::kGzip, "text");
  for (const size_t zeros : {1, 2, 511, 300'000}) {
    const std::string padded = member + std::string(zeros, '\0');
    EXPECT_EQ(Decompress(padded, Compression::kGzip).value(), "text");
    EXPECT_THAT(MessageOf(padded + member, Compression::kGzip),
                HasSubstr("no gzip member at byte " + std::to_string(padded.size()) + ", where"));
  }
  EXPECT_THAT(MessageOf(std::string(10, '\0') + member, Compression::kGzip),
              HasSubstr("no gzip member at byte 0"));
}

// Makes a member with the header fields of `flags` (RFC 1952, 2.3) and a name longer than a piece.
std::string MemberWithFields(int flags, std::string_view content) {
  const std::string member = Frame(Compression::kGzip, content);
  std::string header = member.substr(0, 10);
  header[3] = static_cast<char>(flags);
  if ((flags & 4) != 0) header += std::string("\x05\x00", 2) + "extra";
  if ((flags & 8) != 0) header += std::string(500, 'n') + '\0';
  if ((flags & 16) != 0) header += std::string("comment") + '\0';
  const uint32_t crc = libdeflate_crc32(0, header.data(), header.size());
  if ((flags & 2) != 0) header += LittleEndian32(crc).substr(0, 2);
  return header + member.substr(10);
}

TEST(GzipSource, HeaderFieldsArePassedOverWhereverPiecesEnd) {
  const std::string text = SomeText(2000);
  for (int flags = 0; flags < 32; ++flags) {
    const std::string file = MemberWithFields(flags, text) + MemberWithFields(31 - flags, text);
    for (size_t piece = 32; piece < 700; piece += 1 + piece / 16) {
      const auto content = Decompress(file, Compression::kGzip, 500, {.piece_bytes = piece});
      ASSERT_TRUE(content.has_value()) << flags << ' ' << content.error().message;
      EXPECT_TRUE(*content == text + text);
    }
  }
}

TEST(GzipSource, DamagedHeadersAreErrors) {
  const std::string file = MemberWithFields(31, SomeText(2000));
  for (size_t size = 1; size < file.size(); ++size) {
    EXPECT_EQ(MessageOf(file.substr(0, size), Compression::kGzip),
              "cannot read \"a\": truncated gzip member at byte 0");
  }
  std::string damaged = file;
  damaged[20] = 'm';
  EXPECT_THAT(MessageOf(damaged, Compression::kGzip),
              HasSubstr("corrupt gzip member at byte 0: the checksum of the header is wrong"));
  damaged = file;
  damaged[3] = 0x3f;
  EXPECT_THAT(MessageOf(damaged, Compression::kGzip), HasSubstr("at byte 0: unknown header flags"));
  damaged[2] = 7;
  EXPECT_THAT(MessageOf(file + damaged, Compression::kGzip),
              HasSubstr("corrupt gzip member at byte " + std::to_string(file.size()) +
                        ": unknown compression method"));
}

TEST(GzipSource, TrailerIsVerified) {
  const std::string member = Frame(Compression::kGzip, SomeText(1000));
  for (size_t behind = 1; behind <= 8; ++behind) {
    std::string damaged = member;
    damaged[damaged.size() - behind] = static_cast<char>(damaged[damaged.size() - behind] ^ 4);
    EXPECT_EQ(MessageOf(damaged, Compression::kGzip),
              "cannot read \"a\": corrupt gzip member at byte 0: checksum or length is wrong");
  }
}

TEST(ZstdSource, SkippableFramesArePassedOverWhereverTheyAre) {
  const std::string empty = SkippableFrame(0, ""), large = SkippableFrame(15, SomeText(5000));
  const std::string frame = Frame(Compression::kZstd, "text\n");
  const std::string file = empty + large + frame + empty + frame + large + empty;
  for (const size_t piece : {32, 1 << 18}) {
    EXPECT_EQ(Decompress(file, Compression::kZstd, 3, {.piece_bytes = piece}).value(),
              "text\ntext\n");
  }
  EXPECT_EQ(Decompress(large, Compression::kZstd).value(), "");
  for (size_t size = 1; size < large.size(); ++size) {
    EXPECT_EQ(MessageOf(frame + large.substr(0, size), Compression::kZstd),
              "cannot read \"a\": truncated zstd frame at byte " + std::to_string(frame.size()));
  }
}

TEST(ZstdSource, FramesWithoutSizeAndChecksumAreRead) {
  const std::string text = SomeText(400'000);
  const std::string frame = StreamedFrame(text, {{ZSTD_c_checksumFlag, 0}});
  EXPECT_EQ(ZSTD_getFrameContentSize(frame.data(), frame.size()), ZSTD_CONTENTSIZE_UNKNOWN);
  EXPECT_TRUE(Decompress(frame + frame, Compression::kZstd, 999).value() == text + text);
}

TEST(ZstdSource, MatchesAcrossALongWindowAreRead) {
  std::string block(1 << 20, '\0');
  std::mt19937 random(5);
  for (char& byte : block) byte = static_cast<char>(random());
  const std::string text = block + std::string(size_t{70} << 20, 'x') + block;
  const std::string frame = StreamedFrame(text, {{ZSTD_c_compressionLevel, 1},
                                                 {ZSTD_c_windowLog, 28},
                                                 {ZSTD_c_enableLongDistanceMatching, 1}});
  ASSERT_LT(frame.size(), block.size() * 3 / 2) << "the second block is no match";
  EXPECT_TRUE(Decompress(frame, Compression::kZstd, 1 << 20).value() == text);
  const auto refused = Decompress(frame, Compression::kZstd, 1000, {.max_window_bytes = 1 << 27});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kExhausted);
}

// Byte 5 is the window of a frame without content size; here it is 2 GiB.
TEST(ZstdSource, AWindowOfTwoGibibytesIsAcceptedUnlessRefused) {
  const std::string small = StreamedFrame("text", {{ZSTD_c_windowLog, 10}});
  std::string frame = small;
  frame[5] = static_cast<char>((31 - 10) << 3);
  EXPECT_EQ(Decompress(frame, Compression::kZstd).value(), "text");
  const auto refused =
      Decompress(small + frame, Compression::kZstd, 1000, {.max_window_bytes = 8 << 20});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kExhausted);
  EXPECT_EQ(refused.error().message,
            "cannot read \"a\": the zstd frame at byte " + std::to_string(small.size()) +
                " needs 2147483648 bytes of memory for its window, and 8388608 are allowed; allow "
                "more memory");
  frame[5] = static_cast<char>((32 - 10) << 3);
  EXPECT_EQ(Decompress(frame, Compression::kZstd).error().code, ErrorCode::kUnreadable);
}

TEST(ZstdSource, ContentSmallerThanItsWindowNeedsItsOwnSizeOnly) {
  const std::string text = SomeText(100'000);
  for (const int window_log : {10, 17, 23}) {
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), text.data(), text.size()));
    ZSTD_freeCCtx(context);
    const uint64_t need = std::min<uint64_t>(text.size(), uint64_t{1} << window_log);
    EXPECT_TRUE(Decompress(frame, Compression::kZstd, 1000, {.max_window_bytes = need}));
    EXPECT_FALSE(Decompress(frame, Compression::kZstd, 1000, {.max_window_bytes = need - 1}));
  }
}

TEST(ByteSource, SlowFilesOfTheUsualProgramsAreRead) {
  const TemporaryFolder folder;
  const std::string text = SomeText(200'000);
  {
    const auto file = PosixFileSystem().OpenForWrite(folder / "a").value();
    ASSERT_TRUE(file->Append(text) && file->Close());
  }
  const std::pair<std::string, Compression> programs[] = {
      {"gzip -c", Compression::kGzip},         {"gzip -1c", Compression::kGzip},
      {"zstd -qc", Compression::kZstd},        {"zstd -qc -19 --long=31", Compression::kZstd},
      {"zstd -qc --fast", Compression::kZstd},
  };
  for (const auto& [program, compression] : programs) {
    const std::string name = folder / "b";
    if (std::system((program + " <" + (folder / "a") + " >" + name + " 2>/dev/null").c_str()) !=
        0) {
      continue;  // not here
    }
    ASSERT_EQ(std::system((program + " <" + (folder / "a") + " >>" + name).c_str()), 0);
    const auto source =
        OpenByteSource(PosixFileSystem().OpenForRead(name).value(), compression).value();
    EXPECT_TRUE(ReadToEnd(*source).value() == text + text) << program;
  }
}

}  // namespace
}  // namespace zhiwen
