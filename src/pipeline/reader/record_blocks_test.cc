#include "pipeline/reader/record_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

constexpr size_t kBlockSizes[] = {1, 7, 64, 4096, 256 << 10};

InputFile Describe(FileSystem& files, const std::string& path, RecordFormat format) {
  return {.path = path,
          .identity = files.OpenForRead(path).value()->Identity().value(),
          .format = format,
          .compression = Compression::kNone};
}

// What a reader says of one record.
struct Seen {
  uint64_t offset = 0, length = 0;
  std::string bytes, text, id, policy, fault, message;

  friend bool operator==(const Seen&, const Seen&) = default;
};

void PrintTo(const Seen& seen, std::ostream* out) {
  *out << "{" << seen.offset << "+" << seen.length << " text=" << seen.text << " id=" << seen.id
       << " fault=" << seen.fault << ": " << seen.message << " bytes=" << seen.bytes << "}";
}

Seen See(const BlockRecord& record, const ParsedRecord& parsed) {
  Seen seen{.offset = record.offset,
            .length = record.length,
            .bytes = std::string(record.bytes),
            .text = {},
            .id = {},
            .policy = {},
            .fault = {},
            .message = {}};
  if (const auto* fault = std::get_if<RecordFault>(&parsed)) {
    seen.fault = RecordFaultName(fault->reason);
    seen.message = fault->message;
    return seen;
  }
  const Document& document = std::get<Document>(parsed);
  seen.text = document.text;
  seen.id = document.id.value_or("(none)");
  for (const auto& value : document.policy) seen.policy += std::string(value.value_or("-")) + ";";
  return seen;
}

const RecordFields kFields{.text = {"text"}, .id = "id", .policy = {"date"}};

// Reads a file block by block, and checks what every reader promises.
Result<std::vector<Seen>> ReadRecords(FileSystem& files, const InputFile& input,
                                      const BlockOptions& options) {
  std::vector<Seen> all;
  BlockParser parser = BlockParser::Create(kFields).value();
  ZHIWEN_ASSIGN_OR_RETURN(const auto blocks, OpenFileBlocks(files, input, 3, options));
  RecordBlock block;
  uint64_t next = 0;
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks->Next(block));
    if (next == 0) next = blocks->head()->bytes.size();
    if (!more) break;
    EXPECT_EQ(block.file, 3U);
    EXPECT_EQ(block.offset, next);
    EXPECT_EQ(block.bytes.size(), block.oversized ? 0 : block.length);
    next = block.offset + block.length;
    std::vector<BlockRecord> split;
    uint64_t records = 0;
    const uint64_t between = SplitRecords(block, [&](const BlockRecord& record) {
      split.push_back(record);
      records += record.length;
    });
    EXPECT_EQ(between + records, block.length);
    size_t at = 0;
    const uint64_t again =
        parser.ParseAll(block, [&](const BlockRecord& record, ParsedRecord&& parsed) {
          ASSERT_LT(at, split.size());
          EXPECT_EQ(record.offset, split[at].offset);
          EXPECT_EQ(record.bytes, split[at].bytes);
          EXPECT_EQ(record.index, at++);
          all.push_back(See(record, parsed));
        });
    EXPECT_EQ(again, between);
    EXPECT_EQ(at, split.size());
  }
  return all;
}

std::vector<Seen> Read(const std::string& bytes, RecordFormat format,
                       const BlockOptions& options = {}) {
  InMemoryFileSystem files;
  files.Put("a", bytes);
  const auto all = ReadRecords(files, Describe(files, "a", format), options);
  if (!all) {
    ADD_FAILURE() << all.error().message;
    return {};
  }
  return *all;
}

// The records of the blocks before a failure, and what it says.
std::vector<Seen> ReadBeforeDamage(std::unique_ptr<FileBlocks> blocks, std::string* why = nullptr) {
  std::vector<Seen> all;
  BlockParser parser = BlockParser::Create(kFields).value();
  RecordBlock block;
  while (true) {
    const auto more = blocks->Next(block);
    if (!more && why != nullptr) *why = more.error().message;
    if (!more) return all;
    if (!*more) break;
    parser.ParseAll(block, [&](const BlockRecord& record, ParsedRecord&& parsed) {
      all.push_back(See(record, parsed));
    });
  }
  ADD_FAILURE() << "nothing failed";
  return all;
}

std::vector<std::string> TextsOf(const std::vector<Seen>& all) {
  std::vector<std::string> texts;
  for (const Seen& seen : all) texts.push_back(seen.fault.empty() ? seen.text : seen.fault);
  return texts;
}

std::string ReadError(const std::string& bytes, RecordFormat format) {
  InMemoryFileSystem files;
  files.Put("dir/一 二.csv", bytes);
  const auto all = ReadRecords(files, Describe(files, "dir/一 二.csv", format), {});
  if (all) return "none";
  EXPECT_EQ(all.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(all.error().message, HasSubstr("\"dir/一 二.csv\""));
  return all.error().message;
}

// --- the slow definition ---------------------------------------------------------------------

struct SlowRecord {
  uint64_t offset = 0;
  std::string bytes;
};

// Lines with something in them.
std::vector<SlowRecord> SlowLines(const std::string& bytes) {
  std::vector<SlowRecord> out;
  SlowRecord record;
  for (size_t i = 0; i < bytes.size(); ++i) {
    record.bytes += bytes[i];
    if (bytes[i] != '\n' && i + 1 < bytes.size()) continue;
    if (record.bytes.find_first_not_of(" \t\r\n") != std::string::npos) out.push_back(record);
    record = {i + 1, ""};
  }
  return out;
}

struct SlowRecords {
  std::vector<SlowRecord> records;
  bool is_torn = false;  // behind them is a quote that is never closed
};

// Character by character: RFC 4180, and outside of it as Python's csv module goes on.
SlowRecords SlowCsv(const std::string& bytes, char separator) {
  enum { kStart, kPlain, kQuoted, kQuoteInQuoted } state = kStart;
  std::vector<SlowRecord> out;
  SlowRecord record;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    record.bytes += c;
    if (state == kQuoted) {
      if (c == '"') state = kQuoteInQuoted;
    } else if (state == kQuoteInQuoted && c == '"') {
      state = kQuoted;
    } else if (state == kStart && c == '"') {
      state = kQuoted;
    } else if (c == separator) {
      state = kStart;
    } else if (c == '\n') {
      state = kStart;
      if (record.bytes != "\n" && record.bytes != "\r\n") out.push_back(record);
      record = {i + 1, ""};
    } else {
      state = kPlain;
    }
  }
  const bool is_torn = state == kQuoted;
  if (!is_torn && !record.bytes.empty() && record.bytes != "\r") out.push_back(record);
  return {out, is_torn};
}

std::string RandomBytes(std::mt19937& random, const std::vector<std::string>& pieces) {
  std::string out;
  for (size_t i = random() % 200; i > 0; --i) out += pieces[random() % pieces.size()];
  return out;
}

void ExpectSame(const std::vector<Seen>& all, const std::vector<SlowRecord>& slow,
                const std::string& bytes) {
  ASSERT_EQ(all.size(), slow.size()) << bytes;
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].offset, slow[i].offset) << bytes;
    EXPECT_EQ(all[i].bytes, slow[i].bytes) << bytes;
  }
}

TEST(RecordBlocks, LinesAreThoseOfTheSlowReaderAtEveryBlockSize) {
  std::mt19937 random(1);
  const std::vector<std::string> pieces = {
      "{", "}", "\n", "\r\n", " ", "x", "一", "\n\n", std::string(40, 'y'), std::string(300, 'z')};
  for (int round = 0; round < 200; ++round) {
    const std::string bytes = RandomBytes(random, pieces);
    for (const size_t size : kBlockSizes) {
      const auto all = Read(bytes, RecordFormat::kJsonLines, {.block_bytes = size});
      ExpectSame(all, SlowLines(bytes), bytes);
    }
  }
}

TEST(RecordBlocks, CsvRecordsAreThoseOfTheSlowReaderAtEveryBlockSize) {
  std::mt19937 random(2);
  const std::vector<std::string> pieces = {
      "\"",   "\"", ",",  "\t",  "\n",  "\r\n", "x",
      "\"\"", "\r", "一", ",\"", "\",", "\"\n", std::string(70, 'y')};
  for (int round = 0; round < 500; ++round) {
    const std::string bytes = RandomBytes(random, pieces);
    for (const auto& [format, separator] :
         {std::pair(RecordFormat::kCsv, ','), {RecordFormat::kTsv, '\t'}}) {
      const std::string head = std::string("id") + separator + "text\n";
      SlowRecords slow = SlowCsv(bytes, separator);
      for (SlowRecord& record : slow.records) record.offset += head.size();
      InMemoryFileSystem files;
      files.Put("a", head + bytes);
      const InputFile input = Describe(files, "a", format);
      std::vector<Seen> first;
      for (const size_t size : kBlockSizes) {
        const BlockOptions options{.block_bytes = size};
        const auto all = slow.is_torn
                             ? ReadBeforeDamage(OpenFileBlocks(files, input, 3, options).value())
                             : Read(head + bytes, format, options);
        ExpectSame(all, slow.records, bytes);
        if (first.empty()) first = all;
        EXPECT_EQ(all, first) << bytes;
      }
    }
  }
}

// --- what blocks promise -----------------------------------------------------------------------

TEST(RecordBlocks, AReaderThatSkipsGivesTheSameBlocks) {
  std::mt19937 random(3);
  std::string lines, csv = "\xEF\xBB\xBFid,text\r\n";
  for (int i = 0; i < 300; ++i) {
    lines += "{\"text\":\"" + std::string(random() % 200, 'x') + "\"}\n";
    csv += std::to_string(i) + ",\"" + std::string(random() % 200, 'x') + "\n\"\"\"\n";
  }
  InMemoryFileSystem files;
  files.Put("a", lines);
  files.Put("b", csv);
  for (const InputFile& input :
       {Describe(files, "a", RecordFormat::kJsonLines), Describe(files, "b", RecordFormat::kCsv)}) {
    for (const uint64_t limit : {uint64_t{150}, uint64_t{1} << 30}) {
      const BlockOptions options{.block_bytes = 100, .max_record_bytes = limit};
      const auto reader = OpenFileBlocks(files, input, 0, options).value();
      const auto jumper = OpenFileBlocks(files, input, 0, options).value();
      RecordBlock block, other;
      for (int i = 0; reader->Next(block).value(); ++i) {
        if (i % 3 != 1) continue;
        ASSERT_TRUE(jumper->SkipTo(block.offset));
        ASSERT_TRUE(jumper->Next(other).value());
        EXPECT_EQ(other.offset, block.offset);
        EXPECT_EQ(other.length, block.length);
        EXPECT_EQ(other.oversized, block.oversized);
        EXPECT_EQ(other.bytes, block.bytes);
        EXPECT_EQ(other.head->fields, block.head->fields);
      }
      EXPECT_FALSE(jumper->SkipTo(0));
    }
  }
}

TEST(RecordBlocks, ChosenRecordsAreParsedAlone) {
  InMemoryFileSystem files;
  files.Put("a", "text\na\n\nb\nc\nd\n");
  const InputFile input = Describe(files, "a", RecordFormat::kCsv);
  const auto blocks = OpenFileBlocks(files, input, 0, {}).value();
  RecordBlock block;
  ASSERT_TRUE(blocks->Next(block).value());
  BlockParser parser = BlockParser::Create(kFields).value();
  std::vector<std::string> texts;
  const uint32_t chosen[] = {1, 3};
  parser.ParseChosen(block, chosen, [&](const BlockRecord& record, ParsedRecord&& parsed) {
    texts.push_back(See(record, parsed).text);
    EXPECT_EQ(parser.RecordText(block, record), texts.back());
  });
  EXPECT_EQ(texts, (std::vector<std::string>{"b", "d"}));
}

TEST(RecordBlocks, ARecordAboveTheLimitIsABlockOfItsOwnWithoutBytes) {
  for (const size_t block_bytes : kBlockSizes) {
    for (const size_t size : {99U, 100U, 101U, 150U, 5000U, 600000U}) {
      const BlockOptions options{.block_bytes = block_bytes, .max_record_bytes = 100};
      const std::string big = std::string(size - 11, 'x');
      const std::string small = "{\"text\":\"y\"}\n";
      const auto all =
          Read(small + "{\"text\":\"" + big + "\"}\n" + small, RecordFormat::kJsonLines, options);
      const std::string expected = size <= 100 ? big : "too_large";
      EXPECT_EQ(TextsOf(all), (std::vector<std::string>{"y", expected, "y"})) << size;
      const auto csv = Read("text\ny\n\"" + std::string(size - 3, '\n') + "\"\r\ny\n",
                            RecordFormat::kCsv, options);
      const std::string lines = size <= 100 ? std::string(size - 3, '\n') : "too_large";
      EXPECT_EQ(TextsOf(csv), (std::vector<std::string>{"y", lines, "y"})) << size;
      const auto text = Read(std::string(size, 'x'), RecordFormat::kText, options);
      EXPECT_EQ(TextsOf(text)[0], size <= 100 ? std::string(size, 'x') : "too_large");
    }
  }
}

TEST(RecordBlocks, ALargeRecordTakesNoMoreThanABlockOfWhatFollowsWithIt) {
  std::string lines = "{\"text\":\"" + std::string(5000, 'x') + "\"}\n";
  const size_t size = lines.size();
  for (int i = 0; i < 1000; ++i) lines += "{\"text\":\"y\"}\n";
  InMemoryFileSystem files;
  files.Put("a", lines);
  const InputFile input = Describe(files, "a", RecordFormat::kJsonLines);
  const auto blocks = OpenFileBlocks(files, input, 0, {.block_bytes = 100}).value();
  RecordBlock block;
  ASSERT_TRUE(blocks->Next(block).value());
  EXPECT_GE(block.length, size);
  EXPECT_LT(block.length, size + 100);
  ASSERT_TRUE(blocks->Next(block).value());
  EXPECT_LE(block.length, 100U);
}

TEST(RecordBlocks, AFileThatChangesShrinksOrGrowsEndsTheRun) {
  for (const RecordFormat format :
       {RecordFormat::kJsonLines, RecordFormat::kCsv, RecordFormat::kText}) {
    for (const std::string now : {"one\nTWO\n", "one\n", "one\ntwo\nthree\nfour\n"}) {
      InMemoryFileSystem files;
      files.Put("/a", "one\ntwo\n");
      const InputFile input = Describe(files, "/a", format);
      const auto blocks = OpenFileBlocks(files, input, 0, {.block_bytes = 1}).value();
      // Written in place, as a program that appends or truncates does.
      const auto writer = files.OpenForWrite("/a").value();
      ASSERT_TRUE(writer->Append(now));
      RecordBlock block;
      Result<bool> more = true;
      while (more && *more) more = blocks->Next(block);
      ASSERT_FALSE(more.has_value());
      EXPECT_EQ(more.error().code, ErrorCode::kUnreadable);
      EXPECT_THAT(more.error().message, HasSubstr("\"/a\" changed during the run"));
      EXPECT_FALSE(OpenFileBlocks(files, input, 0, {}).has_value());
    }
  }
}

TEST(RecordBlocks, EveryFailedReadEndsTheRun) {
  InMemoryFileSystem memory;
  memory.Put("a", "text\none\n\"two\n");
  const InputFile input = Describe(memory, "a", RecordFormat::kCsv);
  uint64_t faults = 0;
  for (uint64_t n = 1;; ++n) {
    FaultyFileSystem files(memory, {.at = n});
    const auto all = ReadRecords(files, input, {.block_bytes = 3, .max_record_bytes = 4});
    if (!files.fired()) break;
    ASSERT_FALSE(all.has_value()) << n;
    EXPECT_THAT(all.error().message, HasSubstr("injected fault"));
    ++faults;
  }
  EXPECT_GT(faults, 3U);
}

TEST(RecordBlocks, AStreamIsComparedWithNothing) {
  InMemoryFileSystem files;
  files.Put("a", "{\"text\":\"x\"}\n");
  const InputFile input{.path = "stdin", .identity = {}, .format = RecordFormat::kJsonLines};
  const auto blocks = OpenStreamBlocks(files.OpenForRead("a").value(), input, {}).value();
  RecordBlock block;
  EXPECT_TRUE(blocks->Next(block).value());
  EXPECT_EQ(blocks->file_bytes_read(), 13U);
  EXPECT_FALSE(blocks->Next(block).value());
}

// --- compression -------------------------------------------------------------------------------

// As frames of 100 bytes.
std::string Compressed(const std::string& bytes, Compression compression) {
  FrameCompressor compressor = FrameCompressor::Create(compression).value();
  std::string out;
  for (size_t at = 0; at == 0 || at < bytes.size(); at += 100) {
    EXPECT_TRUE(compressor.Compress(std::string_view(bytes).substr(at, 100), out));
  }
  return out;
}

std::string Sample(RecordFormat format) {
  std::mt19937 random(5);
  std::string out = format == RecordFormat::kCsv ? "\xEF\xBB\xBFid,text\r\n" : "id\ttext\n";
  const bool is_lines = format == RecordFormat::kJsonLines;
  const char separator = format == RecordFormat::kCsv ? ',' : '\t';
  if (is_lines) out.clear();
  for (int i = 0; i < 200; ++i) {
    const std::string text(random() % 300, 'x');
    out += is_lines ? "{\"id\":" + std::to_string(i) + ",\"text\":\"" + text + "\"}\n"
                    : std::to_string(i) + separator + "\"一\n" + text + "\"\n";
    if (i % 50 == 49) out += "broken " + text + "\n";
  }
  return out + "last\"";
}

TEST(RecordBlocks, ACompressedFileHasTheRecordsOfThePlainOne) {
  for (const RecordFormat format :
       {RecordFormat::kJsonLines, RecordFormat::kCsv, RecordFormat::kTsv, RecordFormat::kText}) {
    const std::string bytes = Sample(format);
    for (const uint64_t limit : {uint64_t{200}, uint64_t{1} << 30}) {
      const std::vector<Seen> plain = Read(bytes, format, {.max_record_bytes = limit});
      ASSERT_GE(plain.size(), format == RecordFormat::kText ? 1U : 200U);
      for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
        InMemoryFileSystem files;
        files.Put("一 二.gz", Compressed(bytes, compression));
        InputFile input = Describe(files, "一 二.gz", format);
        input.compression = compression;
        for (const size_t size : kBlockSizes) {
          const BlockOptions options{.block_bytes = size, .max_record_bytes = limit};
          EXPECT_EQ(ReadRecords(files, input, options).value(), plain);
        }
      }
    }
  }
}

TEST(RecordBlocks, DamagedCompressedDataEndTheRunNamingTheFile) {
  const std::string bytes = Sample(RecordFormat::kCsv);
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const std::string packed = Compressed(bytes, compression);
    std::string damaged = packed;
    damaged[packed.size() / 2] ^= 0x10;
    for (const std::string& now : {damaged, packed.substr(0, packed.size() - 3)}) {
      InMemoryFileSystem files;
      files.Put("一 二.gz", now);
      InputFile input = Describe(files, "一 二.gz", RecordFormat::kCsv);
      input.compression = compression;
      const auto all = ReadRecords(files, input, {.block_bytes = 64});
      ASSERT_FALSE(all.has_value());
      EXPECT_EQ(all.error().code, ErrorCode::kUnreadable);
      EXPECT_THAT(all.error().message, HasSubstr("\"一 二.gz\""));
    }
  }
}

TEST(RecordBlocks, EveryWholeRecordBeforeADamageIsReadAtEveryBlockSize) {
  for (const RecordFormat format :
       {RecordFormat::kJsonLines, RecordFormat::kCsv, RecordFormat::kTsv}) {
    const std::string bytes = Sample(format);
    const std::vector<Seen> whole = Read(bytes, format);
    for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
      // Two frames; the second is torn inside a record.
      const size_t cut = whole[whole.size() / 2].offset + 3;
      const std::string first = Compressed(bytes.substr(0, cut), compression);
      const std::string rest = Compressed(bytes.substr(cut), compression);
      InMemoryFileSystem files;
      files.Put("a", first + rest.substr(0, 20));
      InputFile input = Describe(files, "a", format);
      input.compression = compression;
      for (const size_t size : kBlockSizes) {
        const std::vector<Seen> read =
            ReadBeforeDamage(OpenFileBlocks(files, input, 3, {.block_bytes = size}).value());
        ASSERT_EQ(read.size(), whole.size() / 2) << size;
        EXPECT_TRUE(std::equal(read.begin(), read.end(), whole.begin())) << size;
      }
    }
  }
}

TEST(RecordBlocks, GarbageBehindTheLastFrameCostsNoRecord) {
  for (const RecordFormat format :
       {RecordFormat::kJsonLines, RecordFormat::kCsv, RecordFormat::kTsv, RecordFormat::kText}) {
    const std::string bytes = Sample(format);
    const std::vector<Seen> whole = Read(bytes, format);
    for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
      InMemoryFileSystem files;
      files.Put("a", Compressed(bytes, compression) + "garbage");
      InputFile input = Describe(files, "a", format);
      input.compression = compression;
      for (const size_t size : kBlockSizes) {
        auto blocks = OpenFileBlocks(files, input, 3, {.block_bytes = size}).value();
        EXPECT_EQ(ReadBeforeDamage(std::move(blocks)), whole) << size;
      }
    }
  }
}

// A file on a disk that cannot read one page.
class BadPageFile final : public ReadableFile {
 public:
  static constexpr uint64_t kBadPage = 8192;

  explicit BadPageFile(std::unique_ptr<ReadableFile> file) : file_(std::move(file)) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    if (offset + out.size() > kBadPage && offset < kBadPage + 4096) {
      return Fail(ErrorCode::kUnreadable, "cannot read \"a\": input/output error");
    }
    return file_->ReadAt(offset, out);
  }
  Result<FileIdentity> Identity() const override { return file_->Identity(); }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<ReadableFile> file_;
};

TEST(RecordBlocks, RecordsBeforeAPlaceThatCannotBeReadAreRead) {
  const std::string bytes = Sample(RecordFormat::kJsonLines);
  const std::vector<Seen> whole = Read(bytes, RecordFormat::kJsonLines);
  size_t sound = 0;
  while (whole.at(sound).offset + whole.at(sound).length <= BadPageFile::kBadPage) ++sound;
  InMemoryFileSystem files;
  files.Put("a", bytes);
  const InputFile input = Describe(files, "a", RecordFormat::kJsonLines);
  for (const size_t size : kBlockSizes) {
    auto file = std::make_unique<BadPageFile>(files.OpenForRead("a").value());
    auto blocks = OpenStreamBlocks(std::move(file), input, {.block_bytes = size}).value();
    EXPECT_EQ(ReadBeforeDamage(std::move(blocks)).size(), sound) << size;
  }
}

TEST(RecordBlocks, ACompressedFileThatIsCutDuringTheRunChanged) {
  InMemoryFileSystem files;
  const std::string packed = Compressed(Sample(RecordFormat::kCsv), Compression::kZstd);
  files.Put("a", packed);
  InputFile input = Describe(files, "a", RecordFormat::kCsv);
  input.compression = Compression::kZstd;
  const auto blocks = OpenFileBlocks(files, input, 0, {}).value();
  ASSERT_TRUE(files.OpenForWrite("a").value()->Append(packed.substr(0, packed.size() / 2)));
  RecordBlock block;
  const auto next = blocks->Next(block);
  ASSERT_FALSE(next.has_value());
  EXPECT_THAT(next.error().message, HasSubstr("\"a\" changed during the run"));
}

// --- formats -----------------------------------------------------------------------------------

TEST(RecordBlocks, AByteOrderMarkStandsBeforeTheFirstRecord) {
  const auto lines = Read("\xEF\xBB\xBF{\"text\":\"x\"}\n", RecordFormat::kJsonLines);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].offset, 3U);
  EXPECT_TRUE(Read("\xEF\xBB\xBF", RecordFormat::kJsonLines).empty());
  EXPECT_EQ(TextsOf(Read("\xEF\xBB\xBFtext\nx\n", RecordFormat::kCsv))[0], "x");
  EXPECT_EQ(TextsOf(Read("\xEF\xBB\xBFx\n", RecordFormat::kText))[0], "x\n");
}

TEST(RecordBlocks, AFileWithoutAnythingHasNoRecordsButIsAText) {
  for (const std::string bytes : {"", "\n", "\r\n\n"}) {
    EXPECT_TRUE(Read(bytes, RecordFormat::kJsonLines).empty());
    EXPECT_TRUE(Read(bytes, RecordFormat::kCsv).empty());
  }
  EXPECT_TRUE(Read("text", RecordFormat::kCsv).empty());
  const auto text = Read("", RecordFormat::kText);
  ASSERT_EQ(text.size(), 1U);
  EXPECT_EQ(text[0].text, "");
  EXPECT_EQ(text[0].id, "(none)");
  EXPECT_EQ(text[0].policy, "-;");
}

TEST(RecordBlocks, CsvFieldsAreNamedByTheHeader) {
  const auto all = Read(
      "\n\"da\"\"te\",text,\"id\",date\r\n"
      "1,\"一,\n\"\"二\"\"\",x,2024\r\n"
      "2,,,\n",
      RecordFormat::kCsv);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].text, "一,\n\"二\"");
  EXPECT_EQ(all[0].id, "x");
  EXPECT_EQ(all[0].policy, "2024;");
  EXPECT_EQ(all[1].text, "");
  EXPECT_EQ(all[1].id, "(none)");
  EXPECT_EQ(all[1].policy, "-;");
  EXPECT_EQ(TextsOf(Read("id\ttext\n1\t\"a\tb\"\n2\tc,d\n", RecordFormat::kTsv)),
            (std::vector<std::string>{"a\tb", "c,d"}));
}

TEST(RecordBlocks, AHeaderThatNamesNoFieldsIsRefusedNamingTheFile) {
  const auto csv = [](const std::string& bytes) { return ReadError(bytes, RecordFormat::kCsv); };
  EXPECT_THAT(csv("id,text,id\n"), HasSubstr("the name \"id\" is there twice"));
  EXPECT_THAT(csv(",text\n"), HasSubstr("name 1 of 2 is empty"));
  EXPECT_THAT(csv("id,\"text\n1,2\n"), HasSubstr("never closed"));
  EXPECT_THAT(csv("i\"d,text\n1,2\n"), HasSubstr("a quote at byte 1"));
  EXPECT_THAT(csv("id,\xff\n"), HasSubstr("UTF-8 at byte 3"));
  EXPECT_THAT(csv(std::string(3 << 20, 'x')), HasSubstr("longer than 1048576 bytes"));
}

// What reading `bytes` with this separator fails with; empty where it does not.
std::string SeparatorError(const std::string& bytes, char separator,
                           RecordFormat format = RecordFormat::kCsv) {
  InMemoryFileSystem files;
  files.Put("a", bytes);
  InputFile input = Describe(files, "a", format);
  input.separator = separator;
  const auto all = ReadRecords(files, input, {.fields = kFields});
  return all ? "" : all.error().message;
}

TEST(RecordBlocks, AnotherSeparatorThanTheOneInUseIsNamedWithTheOptionThatTakesIt) {
  EXPECT_EQ(SeparatorError("id;text;date\n1;a;b\n", ','),
            "cannot read \"a\": its first line, which names the fields, has no comma but 2 "
            "semicolons, so that it names no field \"text\"; name the field with the text, or say "
            "what separates the fields");
  EXPECT_THAT(SeparatorError("id\ttext\n", ','), HasSubstr("1 tab, so that"));
  EXPECT_THAT(SeparatorError("id|text|date\n", ';'), HasSubstr("2 bars (|),"));
  EXPECT_THAT(SeparatorError("id,text\n", ';'), HasSubstr("no semicolon but 1 comma"));
  EXPECT_THAT(SeparatorError("id;title, sub;text\n1;a;b\n", ','),
              HasSubstr("has 1 comma and also 2 semicolons, so that it names no field \"text\""));
  EXPECT_THAT(SeparatorError("id^title^text\n", ','), HasSubstr("no comma but 2 ^, so that"));
  EXPECT_THAT(SeparatorError("id;title;text\n", '^'), HasSubstr("has no ^ but 2 semicolons"));
  EXPECT_EQ(SeparatorError("id;title, sub;body\n1;a;b\n", ','), "");
  // Quotes around names are no reason to speak of quotes.
  EXPECT_THAT(SeparatorError("\"id\";\"text\"\n", ','), HasSubstr("1 semicolon,"));
  EXPECT_THAT(SeparatorError("id,text\n", '\t', RecordFormat::kTsv), HasSubstr("read it as CSV"));
  // A file of one field has none, and may be called as it likes.
  EXPECT_EQ(SeparatorError("text\na;b\n", ','), "");
  EXPECT_EQ(SeparatorError("id;x,text\na,b\n", ','), "");
}

TEST(RecordBlocks, AStreamFindsTheSeparatorThatItsFirstLineShows) {
  for (const auto& [bytes, texts] :
       std::vector<std::pair<std::string, std::string>>{{"id;text\n1;\"a;b\"\n", "a;b"},
                                                        {"\xef\xbb\xbftext\tid\na,b\t1\n", "a,b"},
                                                        {"text,id\na;b,1\n", "a;b"},
                                                        {"text\na;b\n", "a;b"}}) {
    const InputFile input{.path = "stdin",
                          .identity = {},
                          .format = RecordFormat::kCsv,
                          .finds_separator = true,
                          .encoding = {}};
    BlockOptions options{.fields = kFields};
    auto blocks = OpenStreamBlocks(OpenBytes(bytes, "stdin"), input, options);
    ASSERT_TRUE(blocks.has_value());
    RecordBlock block;
    ASSERT_TRUE((*blocks)->Next(block).value());
    auto parser = BlockParser::Create(options.fields);
    ASSERT_TRUE(parser.has_value());
    parser->ParseAll(block, [&](const BlockRecord&, ParsedRecord&& parsed) {
      ASSERT_TRUE(std::holds_alternative<Document>(parsed)) << bytes;
      EXPECT_EQ(std::get<Document>(parsed).text, texts);
    });
  }
}

TEST(RecordBlocks, TheFieldsOfCsvMayHaveAnySeparatorBetweenThem) {
  InMemoryFileSystem files;
  for (const char separator : {';', '|', '\t'}) {
    std::string bytes = "id;text\n1;\"a;\"\"b\n\"\n2;c,d\n";
    std::ranges::replace(bytes, ';', separator);
    files.Put("a", bytes);
    InputFile input = Describe(files, "a", RecordFormat::kCsv);
    input.separator = separator;
    for (const size_t size : kBlockSizes) {
      const auto all = ReadRecords(files, input, {.block_bytes = size});
      ASSERT_TRUE(all.has_value());
      const std::string first = std::string("a") + separator + "\"b\n";
      EXPECT_EQ(TextsOf(*all), (std::vector<std::string>{first, "c,d"})) << size;
    }
  }
}

TEST(RecordBlocks, ABrokenCsvRecordIsAFaultAndTheNextOneIsRead) {
  const std::pair<std::string, std::string> cases[] = {
      {"1,a,b", "wrong_field_count"}, {"1", "wrong_field_count"}, {"1,5\" tube", "invalid_csv"},
      {"1,\"a\"b", "invalid_csv"},    {"1,\xff", "invalid_utf8"}, {"\"1\" ,a", "invalid_csv"},
  };
  for (const auto& [record, fault] : cases) {
    const auto all = Read("id,text\n" + record + "\n2,next\n", RecordFormat::kCsv);
    EXPECT_EQ(TextsOf(all), (std::vector<std::string>{fault, "next"})) << record;
    EXPECT_FALSE(all[0].message.empty());
  }
  EXPECT_THAT(Read("id,body\n1,x\n", RecordFormat::kCsv)[0].message,
              HasSubstr("field \"text\" is missing; the header names \"id\", \"body\""));
}

TEST(RecordBlocks, AQuoteThatIsNeverClosedIsADamageThatNamesItsLine) {
  InMemoryFileSystem files;
  files.Put("a", "id,text\n1,a\n\n2,\"b\nc\"\n3,\"d\n4,e\n5,\"\"\n");
  const InputFile input = Describe(files, "a", RecordFormat::kCsv);
  for (const size_t size : kBlockSizes) {
    for (const uint64_t limit : {uint64_t{8}, uint64_t{12}, uint64_t{1} << 30}) {
      const BlockOptions options{.block_bytes = size, .max_record_bytes = limit};
      auto file = OpenFileBlocks(files, input, 0, options).value();
      auto stream = OpenStreamBlocks(files.OpenForRead("a").value(), input, options).value();
      for (auto* const blocks : {&file, &stream}) {
        std::string why;
        EXPECT_EQ(TextsOf(ReadBeforeDamage(std::move(*blocks), &why)),
                  (std::vector<std::string>{"a", "b\nc"}));
        EXPECT_THAT(why, HasSubstr("\"a\": the quote on line 6 is never closed"));
      }
    }
  }
}

TEST(RecordBlocks, TheLineOfAnUnclosedQuoteIsKnownAfterSkipping) {
  InMemoryFileSystem files;
  files.Put("a", "text\na\n\"b\n\"\nc\n\"d");
  const InputFile input = Describe(files, "a", RecordFormat::kCsv);
  for (const uint64_t limit : {uint64_t{1}, uint64_t{4}}) {
    const BlockOptions options{.block_bytes = 1, .max_record_bytes = limit};
    const auto blocks = OpenFileBlocks(files, input, 0, options).value();
    ASSERT_TRUE(blocks->SkipTo(14));
    RecordBlock block;
    EXPECT_THAT(blocks->Next(block).error().message, HasSubstr("the quote on line 6"));
  }
}

TEST(RecordBlocks, SeveralCsvFieldsAreJoined) {
  const RecordFields fields{.text = {"title", "absent", "body"}, .id = "no", .policy = {}};
  BlockParser parser = BlockParser::Create(fields).value();
  InMemoryFileSystem files;
  files.Put("a", "title,body\na,b\n,\n\"a\"\"\",\"b\"\"\"\n");
  const InputFile input = Describe(files, "a", RecordFormat::kCsv);
  const auto blocks = OpenFileBlocks(files, input, 0, {}).value();
  RecordBlock block;
  ASSERT_TRUE(blocks->Next(block).value());
  std::vector<std::string> texts;
  parser.ParseAll(block, [&](const BlockRecord& record, ParsedRecord&& parsed) {
    texts.push_back(See(record, parsed).text);
  });
  EXPECT_EQ(texts, (std::vector<std::string>{"a\n\nb", "", "a\"\n\nb\""}));
}

}  // namespace
}  // namespace zhiwen
