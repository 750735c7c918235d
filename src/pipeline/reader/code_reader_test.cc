#include "zhiwen/code_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/compress/frame_compressor.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/code_index.h"
#include "zhiwen/fingerprint_file.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rows = std::vector<std::string>;

const std::string kSmall = "simhash64.v1(channel=folded.v2)";
const std::string kLarge = "simhash64.v1(channel=pinyin.v1)";

// "code label" of each row; the error behind them where there is one.
Rows RowsOf(Result<CodeReader> reader) {
  if (!reader) return {reader.error().message};
  Rows rows;
  CodeBatch batch;
  while (true) {
    const Result<bool> more = reader->Next(batch);
    if (!more) rows.push_back(more.error().message);
    if (!more || !*more) return rows;
    for (size_t i = 0; i < batch.labels.size(); ++i) {
      rows.push_back(batch.codes.empty() ? std::string(batch.labels[i])
                                         : fmt::format("{:x} {}", batch.codes[i], batch.labels[i]));
    }
  }
}

Rows Read(const std::string& bytes, const CodeReaderOptions& options = {},
          const std::string& name = "rows") {
  InMemoryFileSystem files;
  files.Put(name, bytes);
  return RowsOf(CodeReader::Open(files, name, options));
}

std::string Compressed(Compression compression, std::string_view bytes) {
  std::string out;
  EXPECT_TRUE(FrameCompressor::Create(compression)->Compress(bytes, out));
  return out;
}

TEST(CodeReader, ReadsLines) {
  const std::string text =
      "\xEF\xBB\xBF"
      "0\n0x1F\tid of it\r\n\n \t\r\nffffffffffffffff\t\nDeadBeef\t知文";
  const auto wanted = ElementsAre("0 ", "1f id of it", "ffffffffffffffff ", "deadbeef 知文");
  EXPECT_THAT(Read(text), wanted);
  EXPECT_THAT(Read(Compressed(Compression::kGzip, text)), wanted);
  EXPECT_THAT(Read(Compressed(Compression::kZstd, text)), wanted);
  EXPECT_THAT(Read(""), ElementsAre());
  EXPECT_THAT(Read("000000001\nffffffff\n", {.code_bits = 32}), ElementsAre("1 ", "ffffffff "));
  EXPECT_THAT(Read("a\n\nb c\n", {.rows = CodeRows::kLabels}), ElementsAre("a", "b c"));
  EXPECT_THAT(Read("a\n{\n", {.format = CodeFormat::kText, .rows = CodeRows::kLabels}),
              ElementsAre("a", "{"));
}

TEST(CodeReader, NamesTheLineThatIsWrong) {
  for (const std::string line :
       {"g", "0x", "1 id", "-1", "\tid", "12345678901234567", "code\tid"}) {
    EXPECT_THAT(Read("1\n" + line + "\n").back(),
                HasSubstr("\"rows\": line 2 is no code of 1 to 16 hex digits"))
        << line;
  }
  EXPECT_THAT(Read("1\ta\tb").back(), HasSubstr("line 1 has more than two columns"));
  EXPECT_THAT(Read("1\t \r\n").back(), HasSubstr("line 1 has an id of blanks alone"));
  EXPECT_THAT(Read("g", {.code_bits = 32}).back(), HasSubstr("1 to 16 hex digits"));
  EXPECT_THAT(Read("100000000", {.code_bits = 32}).back(), HasSubstr("of more than 32 bits"));
  EXPECT_THAT(Read("1\ta", {.rows = CodeRows::kLabels}).back(), HasSubstr("without its code"));
  EXPECT_THAT(Read("1\t" + std::string(kMostLabelBytes + 1, 'x')).back(), HasSubstr("65537 bytes"));
  EXPECT_THAT(Read("\xFF\xFE"
                   "1\n")
                  .back(),
              HasSubstr("line 1 is UTF-16 text"));
  EXPECT_THAT(Read("PAR1").back(), HasSubstr("name it *.parquet"));
}

TEST(CodeReader, ReadsFingerprints) {
  const std::string a = FingerprintToJson("a", kSmall, FingerprintBytes{0, 0, 0, 0, 0, 0, 1, 2});
  const std::string b = FingerprintToJson("b", kSmall, NoFingerprint());
  const std::string c = FingerprintToJson("c\t\n", kLarge, FingerprintBytes(8, 255));
  EXPECT_THAT(Read(a + "\n\n" + b + "\n"), ElementsAre("102 a"));
  InMemoryFileSystem files;
  files.Put("rows", a + "\n" + b);
  Result<CodeReader> reader = CodeReader::Open(files, "rows", {});
  CodeBatch batch;
  EXPECT_TRUE(*reader->Next(batch));
  EXPECT_EQ(reader->rows_without_code(), 1);
  EXPECT_EQ(reader->scheme(), kSmall);

  const std::string both = a + "\n" + c + "\n" + b;
  EXPECT_THAT(Read(both).back(), HasSubstr("choose one: " + kSmall + ", " + kLarge));
  EXPECT_THAT(Read(both, {.scheme = "simhash64"}).back(), HasSubstr(kLarge));
  EXPECT_THAT(Read(both, {.scheme = kLarge}), ElementsAre("ffffffffffffffff c\t\n"));
  // Rows of another scheme are not meant; those of none may be.
  files.Put("rows", both + "\n{\"value\":\"1\"}\n");
  reader = CodeReader::Open(files, "rows", {.scheme = kLarge});
  EXPECT_TRUE(*reader->Next(batch));
  EXPECT_THAT(batch.codes, ElementsAre(~uint64_t{0}));
  EXPECT_EQ(reader->rows_without_code(), 1);
  EXPECT_THAT(Read(both, {.rows = CodeRows::kLabels}), ElementsAre("a", "c\t\n", "b"));
  EXPECT_THAT(Read("{\"id\":\"x\"}\n{\"id\":\"\"}", {.rows = CodeRows::kLabels}).back(),
              HasSubstr("line 2 is wrong: field \"id\" is empty"));
  EXPECT_THAT(Read("{\"id\":null}", {.rows = CodeRows::kLabels}).back(),
              HasSubstr("field \"id\" is null"));
  EXPECT_THAT(Read(both, {.scheme = "minhash"}).back(),
              HasSubstr("no row of \"rows\" is of the scheme \"minhash\"; there is " + kSmall));
  EXPECT_THAT(Read(a, {.code_bits = 32}).back(), HasSubstr("a value of 8 bytes, and the codes"));
  EXPECT_THAT(Read(FingerprintToJson("s", "shingles.v1", HashSet{{1}})).back(),
              HasSubstr("field \"value\" is no code"));
}

TEST(CodeReader, ReadsFieldsOfAnyName) {
  const std::string lines =
      "{\"scheme\":\"http\",\"h\":{\"p\":\"0xF\"},\"url\":\"甲\"}\n"
      "{\"scheme\":\"https\",\"h\":{\"p\":18446744073709551615},\"url\":1.10}\n"
      "{\"h\":{\"p\":-2},\"url\":null}\n";
  const CodeReaderOptions options = {.code_field = "h.p", .id_field = "url"};
  EXPECT_THAT(Read(lines.substr(0, lines.rfind("{\"h\"")), options),
              ElementsAre("f 甲", "ffffffffffffffff 1.1"));
  EXPECT_THAT(Read(lines, options),
              ElementsAre(HasSubstr("line 3 is wrong: field \"url\" is null")));
  EXPECT_THAT(Read(lines, {.code_field = "h.p"}),
              ElementsAre("f ", "ffffffffffffffff ", "fffffffffffffffe "));
  EXPECT_THAT(Read("{\"value\":-2147483648}\n{\"value\":4294967295}", {.code_bits = 32}),
              ElementsAre("80000000 ", "ffffffff "));
  EXPECT_THAT(Read(lines).back(), HasSubstr("line 1 has no field \"value\""));
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"{\"value\":1.5}", "line 1 is wrong: field \"value\" is no whole number but"},
      {"{\"value\":9007199254740993.0}", "write whole numbers, or strings of hex digits"},
      {"{\"value\":1e3}", "fraction or an exponent"},
      {"{\"value\":18446744073709551616}", "is no whole number of 64 bits"},
      {"{\"value\":true}", "is no code"},
      {"{\"value\":\"xyz\"}", "field \"value\" is no code of 1 to 16 hex digits"},
      {"{\"value\":\"1\",\"id\":[]}", "field \"id\" is no id"},
      {"{\"value\":\"1\"", "line 1 is no JSON: "},
      {"[1]", "line 1 is no"}};
  for (const auto& [line, message] : wrong) {
    EXPECT_THAT(Read(line, {}, "rows.ndjson").back(), HasSubstr(message)) << line;
  }
  EXPECT_THAT(Read("{\"value\":-2147483649}", {.code_bits = 32}).back(), HasSubstr("32 bits"));
  EXPECT_EQ(Read("{}", {.code_field = "a..b"}).size(), 1);
}

TEST(CodeReader, ReadsNumbers) {
  const std::string bytes("\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", 16);
  EXPECT_THAT(Read(bytes, {}, "a.bin"), ElementsAre("1 ", "8000000000000000 "));
  EXPECT_THAT(Read(Compressed(Compression::kZstd, bytes), {}, "a.BIN.zst"),
              ElementsAre("1 ", "8000000000000000 "));
  EXPECT_THAT(Read(bytes, {.format = CodeFormat::kBinary, .code_bits = 32}),
              ElementsAre("1 ", "0 ", "0 ", "80000000 "));
  EXPECT_THAT(Read(bytes.substr(0, 11), {}, "a.bin").back(), HasSubstr("its last 3 bytes"));
  EXPECT_THAT(Read(bytes, {.rows = CodeRows::kLabels}, "a.bin").back(), HasSubstr("no ids"));
  // More than a batch.
  EXPECT_EQ(Read(std::string(size_t{8} * 65537, '\0'), {}, "a.bin").size(), 65537);
}

TEST(CodeReader, ReadsParquet) {
  InMemoryFileSystem files;
  Result<std::unique_ptr<FingerprintFile>> file =
      FingerprintFile::Create(files, {.path = "a.parquet"});
  if (!file) {
    EXPECT_EQ(file.error().code, ErrorCode::kUnavailable);
    GTEST_SKIP();
  }
  EXPECT_TRUE((*file)->Add("甲", kSmall, FingerprintBytes{1, 0, 0, 0, 0, 0, 0, 2}));
  EXPECT_TRUE((*file)->Add("甲", kLarge, FingerprintBytes(8, 255)));
  EXPECT_TRUE((*file)->Add("乙", kLarge, NoFingerprint()));
  EXPECT_TRUE((*file)->Publish());
  const auto read = [&](const CodeReaderOptions& options) {
    return RowsOf(CodeReader::Open(files, "a.parquet", options));
  };
  EXPECT_THAT(read({.scheme = kLarge}), ElementsAre("ffffffffffffffff 甲"));
  EXPECT_THAT(read({}).back(), HasSubstr("choose one: " + kSmall + ", " + kLarge));
  EXPECT_THAT(read({.scheme = "exact"}).back(), HasSubstr("is of the scheme \"exact\""));
  EXPECT_THAT(read({.rows = CodeRows::kLabels}), ElementsAre("甲", "甲", "乙"));
  file = FingerprintFile::Create(files, {.path = "c.parquet"});
  ASSERT_TRUE(file);
  EXPECT_TRUE((*file)->Add("", kSmall, FingerprintBytes{1, 0, 0, 0, 0, 0, 0, 2}));
  EXPECT_TRUE((*file)->Publish());
  EXPECT_THAT(RowsOf(CodeReader::Open(files, "c.parquet", {.rows = CodeRows::kLabels})).back(),
              HasSubstr("field \"id\" is empty"));
  EXPECT_THAT(read({.code_bits = 32, .scheme = kLarge}).back(), HasSubstr("a value of 8 bytes"));
  EXPECT_THAT(read({.code_field = "phash"}).back(), HasSubstr("no column of single values"));
  EXPECT_THAT(read({.id_field = "path"}).back(), HasSubstr("\"path\"; name another one"));
  EXPECT_EQ(RowsOf(CodeReader::Open(files, "b.parquet", {})).size(), 1);
}

// --- what comes bit by bit -----------------------------------------------------------------------

// What has come so far: who asks for more than that, or one byte, would wait for it.
struct Feed {
  std::string bytes;
  size_t arrived = 4, read = 0;
};

class ArrivingFile final : public ReadableFile {
 public:
  explicit ArrivingFile(Feed& feed) : feed_(feed) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    EXPECT_LE(offset + out.size(), std::max(feed_.arrived, feed_.read + 1));
    const size_t count = feed_.bytes.copy(out.data(), out.size(), offset);
    feed_.read = offset + count;
    return count;
  }
  Result<FileIdentity> Identity() const override { return FileIdentity(); }
  const std::string& path() const override { return name_; }

 private:
  std::string name_ = "pipe";
  Feed& feed_;
};

TEST(CodeReader, WaitsForNothingThatItNeedNotHave) {
  const std::vector<std::pair<std::optional<CodeFormat>, std::string>> cases = {
      {std::nullopt, "a\n1b\tx\r\n\nc"},
      {std::nullopt, "{\"value\":\"a\"}\n{\"value\":\"1b\",\"id\":\"x\"}\n{\"value\":\"c\"}"},
      {CodeFormat::kBinary, std::string("a\0\0\0\0\0\0\0b\0\0\0\0\0\0\0", 16)}};
  for (const auto& [format, bytes] : cases) {
    Feed feed = {.bytes = bytes};
    const auto available = [&] {
      feed.arrived = std::min(std::max(feed.arrived, feed.read) + feed.read % 4, bytes.size());
      return feed.arrived - std::min(feed.read, feed.arrived);
    };
    EXPECT_EQ(RowsOf(CodeReader::Create(std::make_unique<ArrivingFile>(feed), "pipe",
                                        {.format = format, .available = available})),
              Read(bytes, {.format = format}));
  }
}

}  // namespace
}  // namespace zhiwen
