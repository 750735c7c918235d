#include "zhiwen/documents.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <regex>

#include "pipeline/folder_files.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

// Bytes as a file that gives at most what it holds.
class StringFile : public ReadableFile {
 public:
  StringFile(std::string bytes, uint64_t fail_at) : bytes_(std::move(bytes)), fail_at_(fail_at) {}

  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    if (offset + out.size() > fail_at_) return Fail(ErrorCode::kUnreadable, "disk fault");
    if (offset >= bytes_.size()) return size_t{0};
    const size_t count = std::min<size_t>(out.size(), bytes_.size() - offset);
    std::memcpy(out.data(), bytes_.data() + offset, count);
    return count;
  }
  Result<FileIdentity> Identity() const override { return FileIdentity(); }
  const std::string& path() const override { return path_; }

 private:
  std::string path_ = "memory";
  std::string bytes_;
  uint64_t fail_at_;
};

Result<DocumentReader> Open(std::string bytes, DocumentFormat format,
                            const DocumentOptions& options = {}, uint64_t fail_at = UINT64_MAX) {
  return DocumentReader::Create(std::make_unique<StringFile>(std::move(bytes), fail_at), "f",
                                format, options);
}

std::vector<SourceDocument> ReadAll(std::string bytes,
                                    DocumentFormat format = DocumentFormat::kJsonLines,
                                    const DocumentOptions& options = {}) {
  std::vector<SourceDocument> out;
  Result<DocumentReader> reader = Open(std::move(bytes), format, options);
  EXPECT_TRUE(reader.has_value());
  while (reader) {
    Result<std::optional<SourceDocument>> next = reader->Next();
    EXPECT_TRUE(next.has_value());
    if (!next || !*next) break;
    out.push_back(**std::move(next));
  }
  return out;
}

TEST(DocumentReader, ReadsRecordsWithAndWithoutIds) {
  const auto all = ReadAll("{\"id\":\"x\",\"text\":\"一\"}\n\n{\"text\":\"二\"}");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].id, "x");
  EXPECT_EQ(all[0].text, "一");
  EXPECT_EQ(all[0].record, 1u);
  EXPECT_EQ(all[1].id, "f:2");
  EXPECT_EQ(all[1].text, "二");
}

TEST(DocumentReader, BringsTheValuesOfFieldsAlong) {
  DocumentOptions options;
  options.value_fields = {"title", "tags", "none"};
  const auto lines =
      ReadAll("{\"text\":\"一\",\"title\":\"题\",\"tags\":[\"甲\",\"乙\"]}\n{\"text\":\"二\"}",
              DocumentFormat::kJsonLines, options);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].values, (std::vector<std::string>{"题", "甲\n乙", ""}));
  EXPECT_EQ(lines[1].values, (std::vector<std::string>(3)));
  const auto rows = ReadAll("text,tags,title\n一,甲,\n", DocumentFormat::kCsv, options);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].values, (std::vector<std::string>{"", "甲", ""}));
  EXPECT_EQ(ReadAll("一", DocumentFormat::kText, options)[0].values.size(), 3u);
  DocumentReader reader = *Open("text,tags,title\n一,甲,\n", DocumentFormat::kCsv, options);
  ASSERT_TRUE(reader.Next());
  EXPECT_EQ(reader.found_fields().values, (std::vector<uint64_t>{0, 1, 0}));
  EXPECT_EQ(reader.found_fields().fields, (std::vector<uint64_t>{1, 1, 0}));
  EXPECT_EQ(reader.DescribeFields(), "; the header names \"text\", \"tags\", \"title\"");
  reader = *Open("{broken\n{\"text\":\"一\",\"页\":1}\n", DocumentFormat::kJsonLines, {});
  ASSERT_TRUE(reader.Next());
  EXPECT_EQ(reader.DescribeFields(), "; the first record has \"text\", \"页\"");
}

TEST(DocumentReader, ABadRecordIsAnItemAndReadingGoesOn) {
  const auto all = ReadAll("{\"text\":\"一\"}\r\n{broken\n{\"body\":1}\n{\"text\":\"四\"}\n");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].fault, "invalid_json");
  EXPECT_EQ(all[1].record, 2u);
  EXPECT_FALSE(all[1].fault_detail.empty());
  EXPECT_EQ(all[2].fault, "missing_field");
  EXPECT_EQ(all[3].text, "四");
  EXPECT_EQ(all[3].fault, "");
}

TEST(DocumentReader, ARecordAcrossReadsComesBackWhole) {
  const std::string text(5'000'000, 'x');
  const auto all = ReadAll("{\"text\":\"" + text + "\"}\n{\"text\":\"y\"}\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text, text);
  EXPECT_EQ(all[1].text, "y");
}

TEST(DocumentReader, ARecordAboveTheLimitIsAFaultAndItsRestIsPassedOver) {
  DocumentOptions options;
  options.max_record_bytes = 100;
  for (const size_t size : {101u, 1u << 20, (1u << 20) + 1, 5u << 20}) {
    const auto all = ReadAll(std::string(size, ' ') + "x\n{\"text\":\"y\"}\n",
                             DocumentFormat::kJsonLines, options);
    ASSERT_EQ(all.size(), 2u) << size;
    EXPECT_EQ(all[0].fault, "too_large");
    EXPECT_EQ(all[1].text, "y");
    EXPECT_EQ(all[1].record, 2u);
    const auto last = ReadAll(std::string(size, 'x'), DocumentFormat::kJsonLines, options);
    ASSERT_EQ(last.size(), 1u) << size;
    EXPECT_EQ(last[0].fault, "too_large");
  }
}

TEST(DocumentReader, ATextFileIsOneDocumentNamedByItsPath) {
  const auto all = ReadAll("\xEF\xBB\xBF一\n二\n", DocumentFormat::kText);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].id, "f");
  EXPECT_EQ(all[0].text, "一\n二\n");
  EXPECT_EQ(all[0].begin.value, 3u);
  EXPECT_EQ(ReadAll("", DocumentFormat::kText).size(), 1u);
  EXPECT_EQ(ReadAll("ab\xff", DocumentFormat::kText)[0].fault, "invalid_utf8");
}

TEST(DocumentReader, ATextWithFewBadBytesIsReadAndOneWithManyIsAFault) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "叶";
  const auto with = [&text](const std::string& bytes) {
    return ReadAll(text + bytes + text, DocumentFormat::kText)[0];
  };
  EXPECT_EQ(with("\xff").text, text + "\uFFFD" + text);
  EXPECT_EQ(with("\xe5\x8f").text, text + "\uFFFD" + text) << "a character that is cut";
  EXPECT_EQ(with("\xff\xff").text, text + "\uFFFD\uFFFD" + text);
  EXPECT_EQ(with("\xff\xff\xff").fault, "invalid_utf8");
  EXPECT_EQ(with(std::string("\xff\0", 2)).fault, "invalid_utf8");
  EXPECT_EQ(with("").fault, "");
  DocumentOptions gbk;
  gbk.syntax.encoding = TextEncoding::kGb18030;
  const std::string bytes = EncodeText(text, TextEncoding::kGb18030).value();
  const auto mended = ReadAll(bytes + "\xff" + bytes, DocumentFormat::kText, gbk);
  EXPECT_EQ(mended[0].text, text + "\uFFFD" + text);
  InMemoryFileSystem files;
  files.Put("a.txt", text + "\xff" + text);
  const auto listed = ListDocumentFiles(files, {"a.txt"});
  DocumentReader reader = DocumentReader::Open(files, listed->files[0], {}).value();
  ASSERT_TRUE(reader.Next()->has_value());
  EXPECT_EQ(reader.found_fields().decoding_errors.texts, 1u);
  EXPECT_EQ(
      WarningOfDecodingErrors(reader.found_fields().decoding_errors),
      "1 place of 1 text cannot be decoded; U+FFFD stands for it, and files stay as they are");
}

// Every line begins with a byte order mark, so that pieces do, of which the first alone is none of
// the text.
TEST(DocumentReader, APageIsADocumentWithWhatItSaysOfItself) {
  const std::string page =
      "<html lang=zh><title>叶子</title><nav><a href=1>首页</a></nav>"
      "<p>秋天的叶子落在小路上，走过去沙沙地响，孩子们捡了一片又一片。</p></html>";
  DocumentOptions options;
  options.value_fields = {"title", "language", "author", "colour"};
  const auto is_page = [&](const std::vector<SourceDocument>& all) {
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].text, "秋天的叶子落在小路上，走过去沙沙地响，孩子们捡了一片又一片。");
    EXPECT_EQ(all[0].id, "f");
    EXPECT_EQ(all[0].record, 0u);
    EXPECT_EQ(all[0].values, (std::vector<std::string>{"叶子", "zh", "", ""}));
  };
  is_page(ReadAll(page, DocumentFormat::kDocument, options));
  options.may_be_other = true;
  is_page(ReadAll(page, DocumentFormat::kJsonLines, options));
  is_page(ReadAll(page, DocumentFormat::kText, options));
  options.may_be_other = false;
  EXPECT_EQ(ReadAll(page, DocumentFormat::kText, options)[0].text, page);
}

TEST(DocumentReader, AFileThatIsNoDocumentIsAFault) {
  const auto all = ReadAll("\x89PNG\r\n...", DocumentFormat::kDocument);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].fault, "unreadable_document");
  EXPECT_NE(all[0].fault_detail.find("picture"), std::string::npos);
}

TEST(DocumentReader, LinesOfATextSayWhereTheyStand) {
  std::string bytes;
  while (bytes.size() < 600'000) bytes += "\xEF\xBB\xBF" + std::to_string(bytes.size()) + "一\n";
  const size_t last_line = bytes.size();
  bytes += "二\xFF\n三\n";
  DocumentOptions options;
  options.text_files = TextFiles::kLines;
  const auto all = ReadAll(bytes, DocumentFormat::kText, options);
  ASSERT_GT(all.size(), 2u);
  uint64_t at = 3;
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    EXPECT_EQ(all[i].fault, "");
    ASSERT_EQ(all[i].begin.value, at);
    ASSERT_EQ(all[i].text, bytes.substr(at, all[i].text.size()));
    at += all[i].text.size();
  }
  EXPECT_EQ(at, last_line);
  EXPECT_EQ(all.back().fault, "invalid_utf8");
  EXPECT_EQ(all.back().begin.value, last_line);
  EXPECT_NE(all.back().fault_detail.find("at byte " + std::to_string(last_line + 3)),
            std::string::npos)
      << all.back().fault_detail;
  EXPECT_EQ(ReadAll("\xFF", DocumentFormat::kText, options).size(), 1u);
}

TEST(DocumentReader, AnEmptyFileHasNoRecords) {
  EXPECT_TRUE(ReadAll("").empty());
  EXPECT_TRUE(ReadAll("\n\r\n  \n").empty());
}

TEST(DocumentReader, TextsThatLookLikeHtmlAreCountedForAWarning) {
  Result<DocumentReader> reader =
      Open("{\"text\":\"<p>一</p>\"}\n{\"text\":\"二\"}\n", DocumentFormat::kJsonLines);
  while (reader->Next().value()) continue;
  EXPECT_EQ(reader->found_fields().html, 1U);
  EXPECT_NE(WarningOfHtml(reader->found_fields()).find("1 of the first 2 texts look like HTML"),
            std::string::npos);
  EXPECT_EQ(WarningOfHtml({.documents = 10, .looked_at = 10, .html = 1}), "");
}

TEST(DocumentReader, AReadErrorEndsTheStream) {
  Result<DocumentReader> reader = Open("{\"text\":\"一\"}\n", DocumentFormat::kJsonLines, {}, 8);
  ASSERT_TRUE(reader.has_value());
  const auto next = reader->Next();
  ASSERT_FALSE(next.has_value());
  EXPECT_EQ(next.error().code, ErrorCode::kUnreadable);
}

TEST(DocumentFormats, FollowTheExtension) {
  EXPECT_EQ(FormatOfPath("a/b.jsonl"), DocumentFormat::kJsonLines);
  EXPECT_EQ(FormatOfPath("a.ndjson.gz"), DocumentFormat::kJsonLines);
  EXPECT_EQ(FormatOfPath("a.txt"), DocumentFormat::kText);
  EXPECT_EQ(FormatOfPath("一 二.CSV.ZST"), DocumentFormat::kCsv);
  EXPECT_EQ(FormatOfPath("a.tsv"), DocumentFormat::kTsv);
  EXPECT_EQ(FormatOfPath("a.parquet"), DocumentFormat::kParquet);
  for (const char* other : {"jsonl", "a.parquet.gz", "a.gz", "a.csv.gz.zst", "a.json", ""}) {
    EXPECT_EQ(FormatOfPath(other), std::nullopt) << other;
  }
}

TEST(DocumentFormats, AreNamedAsTheyAreDescribed) {
  for (const FormatDescription& format : DescribeFormats()) {
    if (format.documents.empty() || format.name == "jsonl.zst") continue;
    EXPECT_TRUE(ParseDocumentFormat(format.name).has_value()) << format.name;
  }
  EXPECT_FALSE(ParseDocumentFormat("xml").has_value());
}

TEST(Separators, AreOneCharacterThatIsNoPartOfAValue) {
  EXPECT_EQ(ParseSeparator(";").value(), ';');
  EXPECT_EQ(ParseSeparator("|").value(), '|');
  EXPECT_EQ(ParseSeparator("tab").value(), '\t');
  EXPECT_EQ(ParseSeparator("\\t").value(), '\t');
  EXPECT_EQ(ParseSeparator(SeparatorName('\t')).value(), '\t');
  for (const char* const none : {"", "\"", "\n", "\r", "a", "0", "；", ";;"}) {
    EXPECT_FALSE(ParseSeparator(none).has_value()) << none;
  }
}

const ListOptions kLines{.format = DocumentFormat::kJsonLines};
const ListOptions kTexts{.format = DocumentFormat::kText};

std::vector<std::string> PathsOf(const Result<DocumentFiles>& listed) {
  std::vector<std::string> paths;
  if (!listed) {
    ADD_FAILURE() << listed.error().message;
    return paths;
  }
  for (const DocumentFile& file : listed->files) paths.push_back(file.path);
  return paths;
}

void ExpectRefused(const Result<DocumentFiles>& listed, ErrorCode code, std::string_view part) {
  ASSERT_FALSE(listed.has_value());
  EXPECT_EQ(listed.error().code, code);
  EXPECT_NE(listed.error().message.find(part), std::string::npos) << listed.error().message;
}

TEST(ListDocumentFiles, TakesFilesAsTheyAreAndOfFoldersThoseOfTheFormat) {
  InMemoryFileSystem files;
  for (const char* path :
       {"in/b.jsonl", "in/a/z.ndjson", "in/a/c.txt", "in/report.json", "x.log"}) {
    files.Put(path, "{}\n");
  }
  const auto lines = ListDocumentFiles(files, {"x.log", "in/"}, kLines);
  EXPECT_EQ(PathsOf(lines), (std::vector<std::string>{"x.log", "in/a/z.ndjson", "in/b.jsonl"}));
  EXPECT_EQ(lines->files[0].input, 0u);
  EXPECT_EQ(lines->files[2].input, 1u);
  EXPECT_EQ(lines->files[2].identity.size, 3u);
  ASSERT_EQ(lines->warnings.size(), 1u);
  EXPECT_NE(lines->warnings[0].find("2 other files"), std::string::npos) << lines->warnings[0];
  EXPECT_NE(lines->warnings[0].find("\"in/a/c.txt\""), std::string::npos) << lines->warnings[0];
  const auto texts = ListDocumentFiles(files, {"in"}, kTexts);
  EXPECT_EQ(PathsOf(texts), (std::vector<std::string>{"in/a/c.txt", "in/report.json"}));
}

TEST(ListDocumentFiles, WarnsOfNothingWhenEverythingIsRead) {
  InMemoryFileSystem files;
  files.Put("in/a.jsonl", "");
  EXPECT_TRUE(ListDocumentFiles(files, {"in"}, kLines)->warnings.empty());
}

TEST(ListDocumentFiles, LeavesOutAFileOfAFolderThatIsUsedOtherwise) {
  InMemoryFileSystem files;
  for (const char* path : {"in/works.csv", "in/a/1.txt", "in/a/2.txt"}) files.Put(path, "x");
  for (const std::optional<DocumentFormat> format :
       {std::optional<DocumentFormat>(), std::optional(DocumentFormat::kText)}) {
    const auto texts =
        ListDocumentFiles(files, {"in"}, {.format = format, .leave_out = "in/works.csv"});
    EXPECT_EQ(PathsOf(texts), (std::vector<std::string>{"in/a/1.txt", "in/a/2.txt"}));
    EXPECT_EQ(texts->warnings, std::vector<std::string>());
  }
  // Another file of this name is listed, and so is the file itself where it is named.
  files.Put("in/a/works.csv", "x");
  const auto records = ListDocumentFiles(files, {"in"}, {.leave_out = "in/works.csv"});
  EXPECT_EQ(PathsOf(records), std::vector<std::string>{"in/a/works.csv"});
  EXPECT_EQ(records->warnings.size(), 1u);
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"in/works.csv"}, {.leave_out = "in/works.csv"})),
            std::vector<std::string>{"in/works.csv"});
}

TEST(ListDocumentFiles, WhatIsNotThereIsNotFound) {
  InMemoryFileSystem files;
  files.Put("in/a.json", "{}");
  ASSERT_TRUE(files.CreateDirectories("empty"));
  const auto list = [&](const std::string& path) {
    return ListDocumentFiles(files, {path}, kLines);
  };
  ExpectRefused(list("absent"), ErrorCode::kNotFound, "absent");
  ExpectRefused(list("empty"), ErrorCode::kNotFound,
                "*.jsonl, *.ndjson (also .gz, .zst) file below \"empty\"");
  ExpectRefused(list("in"), ErrorCode::kNotFound, "\"in/a.json\"");
}

TEST(ListDocumentFiles, OneFileByTwoPathsIsRefusedNamingBoth) {
  const TemporaryFolder folder;
  const std::string a = folder / "a.jsonl", b = folder / "b.jsonl";
  ASSERT_TRUE(PosixFileSystem().OpenForWrite(a));
  ASSERT_EQ(::symlink(a.c_str(), b.c_str()), 0);
  const auto list = [&](const std::vector<std::string>& paths) {
    return ListDocumentFiles(PosixFileSystem(), paths, kLines);
  };
  ExpectRefused(list({folder.path()}), ErrorCode::kInvalidArgument, a);
  ExpectRefused(list({folder.path()}), ErrorCode::kInvalidArgument, b);
  ExpectRefused(list({a, a}), ErrorCode::kInvalidArgument, "given twice");
  EXPECT_EQ(PathsOf(list({a})), std::vector<std::string>{a});
}

TEST(ListDocumentFiles, LinksToFoldersAreNotFollowed) {
  const TemporaryFolder folder;
  ASSERT_TRUE(PosixFileSystem().OpenForWrite(folder / "a.jsonl"));
  ASSERT_EQ(::symlink(".", (folder / "again").c_str()), 0);
  const auto listed = ListDocumentFiles(PosixFileSystem(), {folder.path()}, kLines);
  EXPECT_EQ(PathsOf(listed), std::vector<std::string>{folder / "a.jsonl"});
  ASSERT_EQ(listed->warnings.size(), 1u);
  EXPECT_NE(listed->warnings[0].find("again"), std::string::npos) << listed->warnings[0];
}

TEST(ListDocumentFiles, OfAFolderRecordsAreTakenAndTextsWhereThereAreNone) {
  InMemoryFileSystem files;
  for (const char* path : {"in/b.txt", "in/a.txt.gz", "in/c.rst", "in/d.parquet.gz"}) {
    files.Put(path, "x");
  }
  const auto texts = ListDocumentFiles(files, {"in"});
  EXPECT_EQ(PathsOf(texts), (std::vector<std::string>{"in/a.txt.gz", "in/b.txt"}));
  EXPECT_EQ(texts->files[0].format, DocumentFormat::kText);
  ASSERT_EQ(texts->warnings.size(), 1u);
  EXPECT_NE(texts->warnings[0].find("2 other files"), std::string::npos) << texts->warnings[0];
  for (const char* path : {"in/z.csv", "in/子 目录/y.tsv.zst", "in/x.ndjson"}) files.Put(path, "x");
  files.Put("in/w.parquet", "PAR1");
  const auto records = ListDocumentFiles(files, {"in"});
  EXPECT_EQ(PathsOf(records), (std::vector<std::string>{"in/w.parquet", "in/x.ndjson", "in/z.csv",
                                                        "in/子 目录/y.tsv.zst"}));
  const DocumentFormat formats[] = {DocumentFormat::kParquet, DocumentFormat::kJsonLines,
                                    DocumentFormat::kCsv, DocumentFormat::kTsv};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(records->files[i].format, formats[i]);
  ASSERT_EQ(records->warnings.size(), 2u);
  EXPECT_NE(records->warnings[0].find("2 texts below \"in\", such as \"in/a.txt.gz\""),
            std::string::npos)
      << records->warnings[0];
  EXPECT_NE(records->warnings[1].find("2 other files"), std::string::npos);
  const auto csv = ListDocumentFiles(files, {"in"}, {.format = DocumentFormat::kCsv});
  EXPECT_EQ(PathsOf(csv), std::vector<std::string>{"in/z.csv"});
}

TEST(ListDocumentFiles, AFileWithoutAKnownEndingHasTheFormatAskedFor) {
  InMemoryFileSystem files;
  files.Put("a.log", "\n {}");
  files.Put("b.log", "PAR1");
  const auto lines = ListDocumentFiles(files, {"a.log", "b.log"});
  EXPECT_EQ(lines->files[0].format, DocumentFormat::kJsonLines);
  EXPECT_EQ(lines->files[1].format, DocumentFormat::kParquet);
  const ListOptions text{.format = {}, .otherwise = DocumentFormat::kText};
  EXPECT_EQ(ListDocumentFiles(files, {"a.log"}, text)->files[0].format, DocumentFormat::kText);
}

TEST(ListDocumentFiles, AFileWithoutAKnownEndingMustBeginAsJsonLinesDo) {
  InMemoryFileSystem files;
  files.Put("note.rst", "# a note\n");
  files.Put("blank.log", "\n\n");
  const auto unnamed = ListDocumentFiles(files, {"note.rst"});
  ExpectRefused(unnamed, ErrorCode::kUnreadable, "say what it is: text, jsonl");
  EXPECT_TRUE(unnamed.error().advises(Advice::kNameFormat));
  files.Put("array.jsonl", " [ \n{}]");
  files.Put("line.jsonl", "[1]\n{}\n");
  ExpectRefused(ListDocumentFiles(files, {"array.jsonl"}, kLines), ErrorCode::kUnreadable,
                "say that it is json");
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"line.jsonl"})).size(), 1u);
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"blank.log"})),
            std::vector<std::string>{"blank.log"});
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"note.rst"}, kLines)),
            std::vector<std::string>{"note.rst"});
  const ListOptions text{.format = {}, .otherwise = DocumentFormat::kText};
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"note.rst"}, text)),
            std::vector<std::string>{"note.rst"});
}

TEST(ListDocumentFiles, ArraysAreKnownByTheirFirstBytes) {
  InMemoryFileSystem files;
  const ListOptions text{.format = {}, .otherwise = DocumentFormat::kText};
  const auto format = [&](const std::string& name, const std::string& bytes,
                          const ListOptions& options = {}) {
    files.Put(name, bytes);
    return ListDocumentFiles(files, {name}, options)->files.front().format;
  };
  EXPECT_EQ(format("a.json", "[1]"), DocumentFormat::kJsonArray);
  EXPECT_EQ(format("a.json", "[1]", text), DocumentFormat::kJsonArray);
  EXPECT_EQ(format("a.json", "\xef\xbb\xbf [ ]"), DocumentFormat::kJsonArray);
  EXPECT_EQ(format("a.json", "{}"), DocumentFormat::kJsonLines);
  EXPECT_EQ(format("a.json", "{}", text), DocumentFormat::kText);
  EXPECT_EQ(format("a", "[{\"a\":1}]"), DocumentFormat::kJsonArray);
  EXPECT_EQ(format("a", "[ {\n\"a\":1}]", text), DocumentFormat::kJsonArray);
  EXPECT_EQ(format("a", "[1] a footnote", text), DocumentFormat::kText);
  EXPECT_EQ(format("a.jsonl", "[\n{}]"), DocumentFormat::kJsonArray);
  EXPECT_EQ(format("a.jsonl", "[{},{}]\n"), DocumentFormat::kJsonArray);
  EXPECT_EQ(format("a.jsonl", "[{}]\n{}\n"), DocumentFormat::kJsonLines);
  EXPECT_EQ(format("a.txt", "[{\"a\":1}]"), DocumentFormat::kText);
}

TEST(ListDocumentFiles, OfAFolderTakesTheJsonFilesThatAreArrays) {
  InMemoryFileSystem files;
  files.Put("in/a.json", "[{}]");
  files.Put("in/b.json", "{}");
  files.Put("in/c.jsonl", "{}");
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"in"})),
            (std::vector<std::string>{"in/a.json", "in/c.jsonl"}));
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"in"}, {.format = DocumentFormat::kJsonArray})),
            (std::vector<std::string>{"in/a.json", "in/b.json"}));
}

TEST(ListDocumentFiles, OfAFolderAskedForTextsTakesWhateverSaysNoOtherFormat) {
  InMemoryFileSystem files;
  for (const char* path : {"in/a.txt", "in/b.md", "in/c", "in/d.jsonl", "in/e.log.gz"}) {
    files.Put(path, "x");
  }
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"in"}, kTexts)),
            (std::vector<std::string>{"in/a.txt", "in/b.md", "in/c", "in/e.log.gz"}));
}

TEST(ListDocumentFiles, OfAFolderWithoutRecordsTakesTextsAndDocuments) {
  InMemoryFileSystem files;
  for (const char* path : {"in/a.txt", "in/b.html", "in/c.HTM.gz", "in/d.rst"})
    files.Put(path, "x");
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"in"})),
            (std::vector<std::string>{"in/a.txt", "in/b.html", "in/c.HTM.gz"}));
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"in"}, {.format = DocumentFormat::kDocument})),
            (std::vector<std::string>{"in/b.html", "in/c.HTM.gz"}));
  files.Put("in/e.jsonl", "{}");
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"in"})), (std::vector<std::string>{"in/e.jsonl"}));
}

TEST(ListDocumentFiles, AFileWhoseNameSaysNothingIsADocumentByItsFirstBytes) {
  const auto format = [](const std::string& path, const std::string& bytes) {
    InMemoryFileSystem files;
    files.Put(path, bytes);
    return ListDocumentFiles(files, {path}, {.otherwise = DocumentFormat::kText})
        .value()
        .files.front()
        .format;
  };
  EXPECT_EQ(format("a", "<!DOCTYPE html><p>x"), DocumentFormat::kDocument);
  EXPECT_EQ(format("a", "\xEF\xBB\xBF <!-- x --> <html>"), DocumentFormat::kDocument);
  EXPECT_EQ(format("a", "<?xml version=\"1.0\"?><html xmlns=\"\">"), DocumentFormat::kDocument);
  EXPECT_EQ(format("a", "a < b"), DocumentFormat::kText);
  EXPECT_EQ(format("a.txt", "<!DOCTYPE html><p>x"), DocumentFormat::kText);
  EXPECT_EQ(format("a.html", "{}"), DocumentFormat::kDocument);
}

TEST(ListDocumentFiles, HiddenNamesBelowAFolderArePassedOverAndCounted) {
  InMemoryFileSystem files;
  for (const char* path : {"in/.cache/a.jsonl", "in/b/._c.jsonl", "in/b/c.jsonl", "in/.d.jsonl"}) {
    files.Put(path, "{}\n");
  }
  const auto listed = ListDocumentFiles(files, {"in", "in/.d.jsonl"});
  EXPECT_EQ(PathsOf(listed), (std::vector<std::string>{"in/b/c.jsonl", "in/.d.jsonl"}));
  ASSERT_EQ(listed->warnings.size(), 1u);
  EXPECT_NE(listed->warnings[0].find("2 hidden names below \"in\", such as \"in/.cache\""),
            std::string::npos)
      << listed->warnings[0];
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"in/.cache"})),
            std::vector<std::string>{"in/.cache/a.jsonl"});
}

TEST(ListDocumentFiles, WhatIsNamedIsNotSaidToBePassedOver) {
  InMemoryFileSystem files;
  for (const char* path : {"in/a.jsonl", "in/b.txt", "in/c.rst"}) files.Put(path, "{}\n");
  const auto listed = ListDocumentFiles(files, {"in/", "in/b.txt", "in/c.rst"});
  ASSERT_TRUE(listed.has_value()) << listed.error().message;
  EXPECT_TRUE(listed->warnings.empty());
  files.Put("in/texts/deep/d.txt", "x");
  EXPECT_EQ(ListDocumentFiles(files, {"in", "in/b.txt", "in/c.rst"})->warnings.size(), 1u);
  EXPECT_TRUE(
      ListDocumentFiles(files, {"in", "in/b.txt", "in/c.rst", "in/texts"})->warnings.empty());
  for (const char* path : {"a/b", "./a/b", "a//b", "a/c/../b", "a/b/"}) {
    EXPECT_EQ(NormalPath(path), "a/b") << path;
  }
}

TEST(ListDocumentFiles, LinesOfGb18030AreNotReadAsUtf8UnlessSomeAreUtf8) {
  const std::string gbk = "{\"text\":\"\xB4\xBA\xC3\xDF\xB2\xBB\xBE\xF5\xCF\xFE\"}\n";
  InMemoryFileSystem files;
  files.Put("all.jsonl", gbk + "{}\n" + gbk);
  files.Put("one.jsonl", gbk + "{}\n");
  files.Put("some.jsonl", gbk + gbk + "{\"text\":\"春眠\"}\n");
  files.Put("text.txt", gbk + gbk);
  files.Put("few.jsonl", gbk + gbk + "{}\n{}\n{}\n");  // two bad records of five
  ListOptions utf8{.syntax = {.encoding = TextEncoding::kUtf8}};
  ExpectRefused(ListDocumentFiles(files, {"all.jsonl"}, utf8), ErrorCode::kUnreadable,
                "it is not UTF-8, as was said, but looks like gb18030");
  EXPECT_EQ(
      PathsOf(ListDocumentFiles(files, {"one.jsonl", "some.jsonl", "text.txt", "few.jsonl"}, utf8))
          .size(),
      4u);
  // It is a guess: where damage is allowed the records fail one by one.
  utf8.damaged = DamagedBeginning::kList;
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"all.jsonl"}, utf8)).size(), 1u);
}

TEST(ListDocumentFiles, FindsTheEncodingOfEachFile) {
  InMemoryFileSystem files;
  const std::string gbk = "{\"text\":\"\xB4\xBA\xC3\xDF\xB2\xBB\xBE\xF5\xCF\xFE\"}\n";
  std::string ascii;
  while (ascii.size() < 100'000) ascii += "{\"text\":\"spring\"}\n";
  files.Put("gbk.jsonl", gbk);
  files.Put("late.jsonl", ascii + gbk);
  files.Put("utf8.jsonl", "{\"text\":\"春眠\"}\n");
  files.Put("bad.jsonl", "{\"text\":\"春眠\"}\n\xFF\xFE\n");
  files.Put("array.json", std::string("\xFF\xFE[\0{\0\"\0a\0", 10));
  files.Put("marked.txt", "\xEF\xBB\xBF春");
  const auto encoding = [&](const std::string& path, std::optional<TextEncoding> asked = {}) {
    return ListDocumentFiles(files, {path}, {.syntax = {.encoding = asked}})
        ->files.front()
        .syntax.encoding;
  };
  EXPECT_EQ(encoding("gbk.jsonl"), TextEncoding::kGb18030);
  EXPECT_EQ(encoding("late.jsonl"), TextEncoding::kGb18030);
  EXPECT_EQ(encoding("utf8.jsonl"), TextEncoding::kUtf8);
  EXPECT_EQ(encoding("bad.jsonl"), TextEncoding::kUtf8);
  EXPECT_EQ(encoding("array.json"), TextEncoding::kUtf16Le);
  EXPECT_EQ(ListDocumentFiles(files, {"array.json"})->files.front().format,
            DocumentFormat::kJsonArray);
  EXPECT_EQ(encoding("gbk.jsonl", TextEncoding::kBig5), TextEncoding::kBig5);
  EXPECT_EQ(encoding("marked.txt", TextEncoding::kBig5), TextEncoding::kUtf8) << "the mark";
  EXPECT_EQ(encoding("array.json", TextEncoding::kUtf16), TextEncoding::kUtf16Le);
  EXPECT_EQ(encoding("gbk.jsonl", TextEncoding::kUtf16), TextEncoding::kUtf16Le) << "no mark";
}

TEST(ListDocumentFiles, AMarkOfAnotherEncodingThanTheOneAskedForIsToldOnce) {
  InMemoryFileSystem files;
  files.Put("a.txt", "\xEF\xBB\xBF春");
  files.Put("b.txt", "\xEF\xBB\xBF眠");
  files.Put("c.txt", "\xB4\xBA");
  const auto warnings = [&](TextEncoding asked) {
    return ListDocumentFiles(files, {"a.txt", "b.txt", "c.txt"}, {.syntax = {.encoding = asked}})
        ->warnings;
  };
  EXPECT_EQ(warnings(TextEncoding::kGb18030),
            std::vector<std::string>{"\"a.txt\" is read as utf-8, as its byte order mark says, not "
                                     "as gb18030; 1 other file has such a mark, too"});
  EXPECT_TRUE(warnings(TextEncoding::kUtf8).empty());
}

TEST(ListDocumentFiles, FindsTheSeparatorThatTheFirstLineShows) {
  InMemoryFileSystem files;
  const auto separator = [&](const std::string& bytes, const ListOptions& options = {}) {
    files.Put("a.csv", bytes);
    return ListDocumentFiles(files, {"a.csv"}, options)->files.front().syntax.separator;
  };
  EXPECT_EQ(separator("id,text\n"), ',');
  EXPECT_EQ(separator("id;text\n"), ';');
  EXPECT_EQ(separator("\xEF\xBB\xBF\r\n\"text\"|\"id\"\r\n"), '|');
  EXPECT_EQ(separator("text\tid"), '\t');
  EXPECT_EQ(separator(std::string("\xFF\xFEt\0e\0x\0t\0;\0i\0\n\0", 16)), ';');
  EXPECT_EQ(separator("id;body\n"), ',') << "no text field";
  EXPECT_EQ(separator("id;body\n", {.text_fields = {"title", "body"}}), ';');
  EXPECT_EQ(separator("id;text|x\n"), ',') << "two of them";
  EXPECT_EQ(separator("id;text,x\n"), ',') << "a comma";
  EXPECT_EQ(separator("text\n1;2\n"), ',') << "not the first line";
  EXPECT_EQ(separator("id;text\n", {.syntax = {.separator = ','}}), ',') << "asked for";
}

TEST(CheckSyntaxIsUsed, RefusesWhatNoFormatHasAUseFor) {
  using enum DocumentFormat;
  const FileSyntax semicolon{.separator = ';'}, gbk{.encoding = TextEncoding::kGb18030};
  const auto check = [](const FileSyntax& asked, std::vector<DocumentFormat> formats) {
    return CheckSyntaxIsUsed(asked, formats).has_value();
  };
  EXPECT_TRUE(check(semicolon, {kTsv, kCsv}));
  EXPECT_FALSE(check(semicolon, {kTsv, kParquet}));
  EXPECT_TRUE(check(gbk, {kParquet, kText}));
  EXPECT_FALSE(check(gbk, {kParquet}));
  EXPECT_TRUE(check({}, {kParquet}));
}

TEST(DecodeText, GivesUtf8OfAnyEncoding) {
  EXPECT_EQ(DecodeText("\xEF\xBB\xBF春", "a", {}).value(), "\xEF\xBB\xBF春");
  EXPECT_EQ(DecodeText("\xCE\xD2\xC3\xC7\xB5\xC4", "a", {}).value(), "我们的");
  EXPECT_EQ(DecodeText("\x25\x66", "a", TextEncoding::kUtf16).value(), "春");
  EXPECT_EQ(DecodeText("a\xFF\xFF", "a", TextEncoding::kGb18030).error().message,
            "cannot read \"a\": not valid gb18030 at byte 1");
}

TEST(ListDocumentFiles, WhatHoldsNoDocumentsIsLeftOutWhereDamageIsAllowed) {
  InMemoryFileSystem files;
  files.Put("a.jsonl", "{}\n");
  files.Put("b.jsonl", std::string("\xFF\xFE\0\0{\0\0\0", 8));
  files.Put("c.txt", "PK\x03\x04");
  files.Put("d.txt", "BZhongguo is a country");
  const ListOptions options{.damaged = DamagedBeginning::kList};
  const auto listed = ListDocumentFiles(files, {"a.jsonl", "b.jsonl", "c.txt"}, options);
  EXPECT_EQ(PathsOf(listed), std::vector<std::string>{"a.jsonl"});
  EXPECT_EQ(PathsOf(ListDocumentFiles(files, {"d.txt"})).size(), 1u);
  ASSERT_EQ(listed->left_out.size(), 2u);
  EXPECT_EQ(listed->left_out[0].path, "b.jsonl");
  EXPECT_NE(listed->left_out[1].why.find("\"c.txt\": it is a zip"), std::string::npos);
  EXPECT_TRUE(ListDocumentFiles(files, {"b.jsonl"}, options)->files.empty());
}

TEST(ListDocumentFiles, ATarArchiveIsNoFileOfLines) {
  InMemoryFileSystem files;
  files.Put("a.jsonl", std::string(257, 'a') + "ustar\0" + std::string(200, '\0'));
  ExpectRefused(ListDocumentFiles(files, {"a.jsonl"}, kLines), ErrorCode::kUnreadable,
                "call it *.tar");
  files.Put("b.zip", "no archive");
  ExpectRefused(ListDocumentFiles(files, {"b.zip"}), ErrorCode::kUnreadable, "zip, tar and 7z");
}

TEST(DocumentReader, ATextInUtf16IsReadBehindItsMark) {
  const auto all = ReadAll(std::string("\xFF\xFE\x25\x66", 4), DocumentFormat::kText);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].text, "春");
  EXPECT_EQ(all[0].begin.value, 2u);
  const auto broken = ReadAll(std::string("\xFF\xFE\x25\x66\0\xDC", 6), DocumentFormat::kText);
  EXPECT_EQ(broken[0].fault, "invalid_encoding");
  EXPECT_EQ(broken[0].fault_detail, "not valid utf-16le at byte 4");
}

TEST(DocumentReader, LinesOfATextInAnotherEncodingAreReadToTheOneThatCannotBeDecoded) {
  DocumentOptions options{.text_files = TextFiles::kLines};
  const std::string line = "\xCE\xD2\xC3\xC7\xB5\xC4\n";  // 我们的, in GB18030
  options.syntax.encoding = TextEncoding::kGb18030;
  const auto all = ReadAll(line + line + "\xFF\xFF\n" + line, DocumentFormat::kText, options);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text, "我们的\n我们的\n");
  EXPECT_EQ(all[1].begin.value, 14u);
  EXPECT_EQ(all[1].fault_detail, "not valid gb18030 at byte 14");
}

TEST(DocumentReader, CountsWhichNamedFieldsDocumentsHave) {
  const DocumentOptions options{.text_fields = {"title", "body", "gone"}, .id_field = "url"};
  const auto found = [&](const std::string& bytes, DocumentFormat format) {
    Result<DocumentReader> reader = Open(bytes, format, options);
    while (reader && *reader->Next()) {
    }
    return reader->found_fields();
  };
  const FoundFields json =
      found("{\"title\":\"a\",\"body\":null,\"url\":\"u\"}\n{\"title\":\"b\"}\n{\"x\":1}\n",
            DocumentFormat::kJsonLines);
  EXPECT_EQ(json.documents, 2u);
  EXPECT_EQ(json.ids, 1u);
  EXPECT_EQ(json.texts, (std::vector<uint64_t>{2, 1, 0}));
  const FoundFields csv = found("body,url\nx,\n,u\n", DocumentFormat::kCsv);
  EXPECT_EQ(csv.texts, (std::vector<uint64_t>{0, 2, 0}));
  EXPECT_EQ(csv.ids, 1u);
  EXPECT_EQ(found("a text", DocumentFormat::kText).documents, 0u);
}

TEST(ListDocumentFiles, TheFirstBytesTellCompressionAndForeignFormats) {
  InMemoryFileSystem files;
  files.Put("gz.jsonl", "\x1f\x8b\x08");
  files.Put("plain.csv.gz", "text\n");
  const auto listed = ListDocumentFiles(files, {"gz.jsonl", "plain.csv.gz"});
  ASSERT_TRUE(listed.has_value());
  EXPECT_EQ(listed->files[0].compression, DocumentCompression::kGzip);
  EXPECT_EQ(listed->files[1].compression, DocumentCompression::kNone);
  files.Put("b.jsonl", std::string("\xFF\xFE\0\0{\0\0\0", 8));
  files.Put("c.jsonl", "PAR1");
  files.Put("d.parquet", "{}");
  files.Put("e.parquet", "\x1f\x8b\x08");
  files.Put("f.txt", "PK\x03\x04");
  files.Put("g.txt", "zhiwen\x1a\nterms");
  for (const auto& [path, what] : {std::pair("b.jsonl", "UTF-32"),
                                   {"c.jsonl", "Parquet"},
                                   {"d.parquet", "no Parquet"},
                                   {"e.parquet", "decompress it first"},
                                   {"f.txt", "zip"},
                                   {"g.txt", "zhiwen made"}}) {
    ExpectRefused(ListDocumentFiles(files, {path}), ErrorCode::kUnreadable, what);
  }
}

TEST(DocumentReader, ReadsListedFilesOfEveryFormat) {
  InMemoryFileSystem files;
  files.Put("a.csv", "id,text\nx,\"一\n\"\n,二\n");
  files.Put("b.tsv", "text\tn\n三\t1\n四\n");
  files.Put("c.txt", "五\n");
  std::vector<std::string> seen;
  const auto listed = ListDocumentFiles(files, {"a.csv", "b.tsv", "c.txt"});
  for (const DocumentFile& file : listed->files) {
    DocumentReader reader = DocumentReader::Open(files, file, {}).value();
    while (const auto next = reader.Next().value()) {
      seen.push_back(next->id + " " + next->text + next->fault);
    }
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"x 一\n", "a.csv:2 二", "b.tsv:1 三",
                                            "b.tsv:2 wrong_field_count", "c.txt 五\n"}));
  files.Put("a.csv", "id,text\n");
  EXPECT_FALSE(DocumentReader::Open(files, listed->files[0], {}).has_value());
}

// The table of testdata/README.md.
TEST(DocumentReader, TheSmallCsvFilesGiveWhatTheirTableSays) {
  std::ifstream table(SourceFolder() + "/testdata/README.md");
  size_t rows = 0;
  for (std::string line; std::getline(table, line);) {
    std::smatch row;
    const std::regex pattern(R"(\| `(\w+\.[ct]sv)` \| (\w+) \| ?(\d*) \| ?(\w*) ?\|)");
    if (!std::regex_match(line, row, pattern)) continue;
    ++rows;
    const std::string path = SourceFolder() + "/testdata/dedup/" + row[1].str();
    const auto listed = ListDocumentFiles(PosixFileSystem(), {path});
    DocumentReader reader =
        DocumentReader::Open(PosixFileSystem(), listed->files.at(0), {}).value();
    Result<std::optional<SourceDocument>> next = reader.Next();
    size_t documents = 0, failed = 0;
    for (; next && *next; next = reader.Next()) {
      ++((*next)->fault.empty() ? documents : failed);
      if ((*next)->fault.empty()) continue;
      EXPECT_EQ((*next)->fault, row[4].str()) << line;
    }
    EXPECT_EQ(next.has_value() ? std::to_string(documents) : "refused", row[2].str()) << line;
    EXPECT_EQ(next.has_value() ? std::to_string(failed) : "", row[3].str()) << line;
  }
  EXPECT_EQ(rows, 8u);
}

}  // namespace
}  // namespace zhiwen
