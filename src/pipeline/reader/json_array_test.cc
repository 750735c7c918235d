#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "pipeline/reader/record_blocks.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr size_t kArrayBlockSizes[] = {1, 2, 3, 7, 64, 256 << 10};

// What was read of an array.
struct SeenArray {
  std::vector<std::string> elements;  // their bytes
  std::vector<std::string> texts;     // or the name of the fault
  std::string all;                    // head, blocks and tail
  std::string error;
};

InputFile DescribeArray(FileSystem& files, const std::string& path) {
  return {.path = path,
          .identity = files.OpenForRead(path).value()->Identity().value(),
          .format = RecordFormat::kJsonArray,
          .compression = Compression::kNone};
}

SeenArray ReadBlocks(FileBlocks& blocks) {
  SeenArray seen;
  BlockParser parser = BlockParser::Create({}).value();
  RecordBlock block;
  uint64_t next = 0;
  while (true) {
    const auto more = blocks.Next(block);
    if (seen.all.empty() && blocks.head() != nullptr) {
      seen.all = blocks.head()->bytes;
      next = seen.all.size();
    }
    if (!more) seen.error = more.error().message;
    if (!more || !*more) break;
    EXPECT_EQ(block.offset, next);
    next = block.offset + block.length;
    seen.all += block.oversized ? std::string(block.length, '?') : std::string(block.bytes);
    uint64_t records = 0;
    const uint64_t between =
        parser.ParseAll(block, [&](const BlockRecord& record, ParsedRecord&& parsed) {
          records += record.length;
          seen.elements.emplace_back(record.bytes);
          if (const auto* fault = std::get_if<RecordFault>(&parsed)) {
            seen.texts.emplace_back(RecordFaultName(fault->reason));
            return;
          }
          EXPECT_EQ(record.bytes, block.bytes.substr(record.offset - block.offset, record.length));
          seen.texts.emplace_back(std::get<Document>(parsed).text);
        });
    EXPECT_EQ(between + records, block.length);
  }
  seen.all += blocks.tail();
  return seen;
}

SeenArray ReadArray(const std::string& bytes, const BlockOptions& options = {}) {
  InMemoryFileSystem files;
  files.Put("a.json", bytes);
  return ReadBlocks(*OpenFileBlocks(files, DescribeArray(files, "a.json"), 0, options).value());
}

TEST(JsonArray, ElementsAreRecordsWhateverTheBlocks) {
  const std::vector<std::string> elements = {
      R"({"text":"春眠不觉晓"})", R"({"text":"a]},{[\"\\","x":[[],{}]})",
      R"({ "text" : "b\\" , "n":1 })", "{\n \"text\":\"[\\u005d\"\n}",
      R"({"text":"","l":["}",{"a":"]"}]})"};
  std::mt19937 random(7);
  const std::vector<std::string> spaces = {"", " ", "\n", "\r\n  ", "\t"};
  const auto space = [&] { return spaces[random() % spaces.size()]; };
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> wanted;
    std::string bytes = (round % 3 == 0 ? "\xef\xbb\xbf" : "") + space() + "[" + space();
    for (size_t i = random() % 9; i > 0; --i) {
      wanted.push_back(elements[random() % elements.size()]);
      bytes += (wanted.size() > 1 ? space() + "," + space() : "") + wanted.back();
    }
    bytes += space() + "]" + space();
    for (const size_t size : kArrayBlockSizes) {
      const SeenArray seen = ReadArray(bytes, {.block_bytes = size});
      EXPECT_EQ(seen.error, "") << bytes;
      EXPECT_EQ(seen.elements, wanted) << bytes << size;
      EXPECT_EQ(seen.all, bytes) << size;
    }
  }
}

TEST(JsonArray, AReaderThatSkipsGivesTheSameBlocks) {
  InMemoryFileSystem files;
  files.Put("a.json", R"([{"text":"a"} , {"text":"b"},{"text":"c"} ])");
  const InputFile input = DescribeArray(files, "a.json");
  for (const size_t size : kArrayBlockSizes) {
    const BlockOptions options{.block_bytes = size};
    const auto all = OpenFileBlocks(files, input, 0, options).value();
    RecordBlock block, again;
    uint64_t end = 1;
    while (all->Next(block).value()) {
      const auto other = OpenFileBlocks(files, input, 0, options).value();
      ASSERT_TRUE(other->SkipTo(block.offset).has_value());
      ASSERT_TRUE(other->Next(again).value());
      EXPECT_EQ(again.bytes, block.bytes);
      EXPECT_EQ(again.spans.size(), block.spans.size());
      end = block.offset + block.length;
    }
    // A run that goes on behind the last element finds the end of the array.
    const auto behind = OpenFileBlocks(files, input, 0, options).value();
    ASSERT_TRUE(behind->SkipTo(end).has_value());
    EXPECT_FALSE(behind->Next(again).value());
    EXPECT_EQ(behind->tail(), "]");
  }
}

TEST(JsonArray, WhatIsNoObjectIsAFailedRecord) {
  for (const size_t size : kArrayBlockSizes) {
    const SeenArray seen = ReadArray(
        R"([1, "a,]" , null,[{"text":"x"}], {"text":"ok"}, {"id":1}, {"text":1},{"text":"a"},, {]},
           {"text":"b"} {"text":"c"}, {"text":"d"}])",
        {.block_bytes = size});
    EXPECT_THAT(seen.texts, ElementsAre("not_an_object", "not_an_object", "not_an_object",
                                        "not_an_object", "ok", "missing_field", "not_a_string", "a",
                                        "invalid_json", "invalid_json", "invalid_json", "d"))
        << size;
    EXPECT_EQ(seen.error, "");
  }
  const SeenArray commas = ReadArray(R"([,{"text":"a"},,{"text":"b"},])");
  EXPECT_THAT(commas.texts, ElementsAre("invalid_json", "a", "invalid_json", "b", "invalid_json"));
  EXPECT_EQ(commas.error, "");
}

TEST(JsonArray, EmptyArraysHaveNoRecords) {
  for (const char* const bytes : {"[]", " [ ] \n", "\xef\xbb\xbf[\n\n]"}) {
    const SeenArray seen = ReadArray(bytes);
    EXPECT_THAT(seen.elements, IsEmpty());
    EXPECT_EQ(seen.error, "");
    EXPECT_EQ(seen.all, bytes);
  }
}

TEST(JsonArray, ACutArrayGivesItsWholeElementsAndThenTheDamage) {
  const std::string whole = R"([{"text":"a"},{"text":"b"}, {"text":"c"}])";
  for (size_t length = 1; length < whole.size(); ++length) {
    for (const size_t size : kArrayBlockSizes) {
      const SeenArray seen = ReadArray(whole.substr(0, length), {.block_bytes = size});
      const size_t elements = length < 13 ? 0 : length < 26 ? 1 : length < 40 ? 2 : 3;
      EXPECT_EQ(seen.texts.size(), elements) << length << " " << size;
      EXPECT_THAT(seen.error, HasSubstr("the array is never closed")) << length;
    }
  }
  EXPECT_THAT(ReadArray(R"([{"text":"a"},{"te)").error,
              HasSubstr("inside the element that begins at byte 14"));
}

TEST(JsonArray, WhatFollowsAnArrayIsADamageBehindItsElements) {
  for (const size_t size : kArrayBlockSizes) {
    for (const char* const behind : {"[]", "]", "x", " \n{}"}) {
      const SeenArray seen =
          ReadArray(std::string(R"([{"text":"a"}] )") + behind, {.block_bytes = size});
      EXPECT_THAT(seen.texts, ElementsAre("a"));
      EXPECT_THAT(seen.error, HasSubstr("the array ends before byte 1")) << behind;
    }
  }
  EXPECT_THAT(ReadArray("").error, HasSubstr("it holds nothing"));
  EXPECT_THAT(ReadArray("{}").error, HasSubstr("no JSON array"));
}

TEST(JsonArray, AnElementAboveTheLimitIsOneRecordWithoutBytes) {
  const std::string large = R"({"text":")" + std::string(5000, ']') + R"("})";
  const std::string bytes = R"([{"text":"a"}, )" + large + R"( ,{"text":"b"}])";
  for (const size_t size : kArrayBlockSizes) {
    const SeenArray seen = ReadArray(bytes, {.block_bytes = size, .max_record_bytes = 100});
    EXPECT_THAT(seen.texts, ElementsAre("a", "too_large", "b")) << size;
    EXPECT_THAT(seen.elements, ElementsAre(R"({"text":"a"})", "", R"({"text":"b"})"));
    EXPECT_EQ(seen.all.size(), bytes.size());
    EXPECT_EQ(seen.error, "");
  }
  const SeenArray last = ReadArray("[" + large, {.max_record_bytes = 100});
  EXPECT_THAT(last.texts, ElementsAre("too_large"));
  EXPECT_THAT(last.error, HasSubstr("never closed"));
}

TEST(JsonArray, AStreamTakenAsJsonLinesMayBeAnArray) {
  InMemoryFileSystem files;
  for (const std::string bytes :
       {"[{\"text\":\"a\"}]", "\xef\xbb\xbf\n[\n {\"text\":\"a\"}\n]\n"}) {
    files.Put("a", bytes);
    InputFile input = DescribeArray(files, "a");
    input.format = RecordFormat::kJsonLines;
    input.may_be_other = true;
    const SeenArray seen =
        ReadBlocks(*OpenStreamBlocks(files.OpenForRead("a").value(), input, {}).value());
    EXPECT_THAT(seen.texts, ElementsAre("a"));
    EXPECT_EQ(seen.all, bytes);
  }
}

TEST(JsonArray, IsReadFromCompressedFilesToTheDamage) {
  const std::string bytes = R"([{"text":"a"},{"text":"b"}])";
  FrameCompressor compressor = FrameCompressor::Create(Compression::kGzip).value();
  std::string packed;
  ASSERT_TRUE(compressor.Compress(bytes, packed).has_value());
  InMemoryFileSystem files;
  for (const bool is_torn : {false, true}) {
    files.Put("a", is_torn ? packed.substr(0, packed.size() - 4) : packed);
    InputFile input = DescribeArray(files, "a");
    input.compression = Compression::kGzip;
    const SeenArray seen = ReadBlocks(*OpenFileBlocks(files, input, 0, {}).value());
    EXPECT_THAT(seen.texts, ElementsAre("a", "b"));
    EXPECT_EQ(seen.error.empty(), !is_torn);
  }
}

}  // namespace
}  // namespace zhiwen
