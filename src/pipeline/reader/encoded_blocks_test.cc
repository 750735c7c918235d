#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/utf8/transcoder.h"
#include "pipeline/reader/record_blocks.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr TextEncoding kEncodings[] = {
    TextEncoding::kGb18030,  TextEncoding::kBig5,  TextEncoding::kUtf16Le, TextEncoding::kUtf16Be,
    TextEncoding::kShiftJis, TextEncoding::kEucJp, TextEncoding::kEucKr,   TextEncoding::kEucTw};
constexpr size_t kEncodedBlockSizes[] = {1, 2, 5, 16, 64, 256 << 10};

// The byte order mark of UTF-16, for files that have one.
std::string MarkOf(TextEncoding encoding) {
  return IsUtf16(encoding) ? EncodeText("\xEF\xBB\xBF", encoding).value() : "";
}

struct SeenEncoded {
  std::vector<std::string> records;  // their bytes in UTF-8
  std::vector<std::string> texts;    // or the message of the fault
  std::string all;                   // head, blocks and tail
};

SeenEncoded ReadEncoded(const std::string& bytes, RecordFormat format, TextEncoding encoding,
                        const BlockOptions& options) {
  InMemoryFileSystem files;
  files.Put("a", bytes);
  const InputFile input{.path = "a",
                        .identity = files.OpenForRead("a").value()->Identity().value(),
                        .format = format,
                        .encoding = encoding};
  const auto blocks = OpenFileBlocks(files, input, 0, options).value();
  BlockParser parser = BlockParser::Create({}).value();
  TextDecoder decoder = TextDecoder::Create(encoding).value();
  SeenEncoded seen;
  RecordBlock block;
  while (true) {
    const auto more = blocks->Next(block);
    EXPECT_TRUE(more.has_value()) << more.error().message;
    if (seen.all.empty()) seen.all = blocks->head()->bytes;
    if (!more || !*more) break;
    seen.all += block.bytes;
    uint64_t records = 0;
    const uint64_t between = parser.ParseAll(block, [&](const BlockRecord& record,
                                                        ParsedRecord&& parsed) {
      records += record.length;
      EXPECT_EQ(record.bytes, block.bytes.substr(record.offset - block.offset, record.length));
      decoder.Decode(record.bytes, seen.records.emplace_back());
      const auto* fault = std::get_if<RecordFault>(&parsed);
      seen.texts.emplace_back(fault != nullptr ? fault->message : std::get<Document>(parsed).text);
    });
    EXPECT_EQ(between + records, block.length);
  }
  seen.all += blocks->tail();
  return seen;
}

// Characters whose second byte is \ | { } [ ] or an ASCII letter, in GB18030, Big5 and Shift_JIS,
// where katakana of one byte come before quotes; and others of EUC-KR.
std::string HardText(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::kBig5:
    case TextEncoding::kEucTw:
      return "功四叻吥久也功";
    case TextEncoding::kShiftJis:
    case TextEncoding::kEucJp:
      return "表ソポボマーゼﾃｽﾄ";
    case TextEncoding::kEucKr:
      return "갂똠펲가";
    default:
      return "乗亅亄倉乕乚乗";
  }
}

TEST(EncodedBlocks, RecordsOfEveryFormatAreReadFromTheirOwnBytes) {
  for (const TextEncoding encoding : kEncodings) {
    const std::string hard = HardText(encoding);
    const std::string lines = "{\"text\":\"" + hard + "\"}\n\n{\"text\":\"\\u4e00" + hard + "\"}";
    const std::string csv = "id,text\r\n1,\"" + hard + "\n\"\"\"\r\n\r\n2," + hard + "\n";
    const std::string array =
        " [\n{\"text\":\"" + hard + "\"} , {\"text\":\"" + hard + "]\\\"\"}\n]\n";
    const struct {
      RecordFormat format;
      std::string bytes;
      std::vector<std::string> texts;
    } cases[] = {{RecordFormat::kJsonLines, lines, {hard, "一" + hard}},
                 {RecordFormat::kCsv, csv, {hard + "\n\"", hard}},
                 {RecordFormat::kJsonArray, array, {hard, hard + "]\""}},
                 {RecordFormat::kText, hard + "\n", {hard + "\n"}}};
    for (const auto& one : cases) {
      const std::string bytes = MarkOf(encoding) + EncodeText(one.bytes, encoding).value();
      for (const size_t size : kEncodedBlockSizes) {
        const SeenEncoded seen = ReadEncoded(bytes, one.format, encoding, {.block_bytes = size});
        EXPECT_EQ(seen.texts, one.texts) << TextEncodingName(encoding) << size;
        EXPECT_EQ(seen.all, bytes) << TextEncodingName(encoding) << size;
      }
    }
  }
}

TEST(EncodedBlocks, TheNamesOfFieldsAreDecoded) {
  for (const TextEncoding encoding : kEncodings) {
    const std::string csv = EncodeText("題目,text\n一,a\n", encoding).value();
    InMemoryFileSystem files;
    files.Put("a", csv);
    const InputFile input{.path = "a",
                          .identity = files.OpenForRead("a").value()->Identity().value(),
                          .format = RecordFormat::kCsv,
                          .encoding = encoding};
    const auto blocks = OpenFileBlocks(files, input, 0, {}).value();
    RecordBlock block;
    ASSERT_TRUE(blocks->Next(block).value());
    EXPECT_THAT(blocks->head()->fields, ElementsAre("題目", "text"));
  }
}

TEST(EncodedBlocks, ARecordThatCannotBeDecodedFailsAlone) {
  for (const TextEncoding encoding : kEncodings) {
    const bool is_wide = IsUtf16(encoding);
    const auto encode = [&](std::string_view text) { return EncodeText(text, encoding).value(); };
    const std::string broken = encoding == TextEncoding::kUtf16Le   ? std::string("\0\xDC", 2)
                               : encoding == TextEncoding::kUtf16Be ? std::string("\xDC\0", 2)
                                                                    : std::string("\xFF");
    const std::string bytes = encode("{\"text\":\"一\"}\n{\"text\":\"") + broken + encode("\"}\n") +
                              encode("{\"text\":\"二\"}\n");
    for (const size_t size : kEncodedBlockSizes) {
      const SeenEncoded seen =
          ReadEncoded(bytes, RecordFormat::kJsonLines, encoding, {.block_bytes = size});
      EXPECT_THAT(seen.texts, ElementsAre("一",
                                          "not valid " + std::string(TextEncodingName(encoding)) +
                                              " at byte " + (is_wide ? "18" : "9"),
                                          "二"));
    }
  }
}

TEST(EncodedBlocks, AStreamIsReadAsItsFirstBytesSay) {
  InMemoryFileSystem files;
  for (const TextEncoding encoding : kEncodings) {
    const bool is_japanese =
        encoding == TextEncoding::kShiftJis || encoding == TextEncoding::kEucJp;
    const std::string text = is_japanese ? "これは日本語の文章です。"
                             : encoding == TextEncoding::kEucKr ? "이것은 한국어로 쓴 글입니다."
                             : encoding == TextEncoding::kEucTw ? "我們在這裡說話，你們聽見了。"
                                                                : "我們的";
    files.Put("a",
              MarkOf(encoding) + EncodeText("{\"text\":\"" + text + "\"}\n", encoding).value());
    const InputFile input{.path = "a", .identity = {}, .encoding = std::nullopt};
    const auto blocks = OpenStreamBlocks(files.OpenForRead("a").value(), input, {}).value();
    RecordBlock block;
    ASSERT_TRUE(blocks->Next(block).value());
    EXPECT_EQ(blocks->head()->encoding, encoding);
    BlockParser parser = BlockParser::Create({}).value();
    parser.ParseAll(block, [&](const BlockRecord&, ParsedRecord&& parsed) {
      EXPECT_EQ(std::get<Document>(parsed).text, text);
    });
  }
}

}  // namespace
}  // namespace zhiwen
