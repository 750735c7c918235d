// Documents of files are checked in their order; the lines and the page are whole or not there.

#include "zhiwen/check_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/utf8/utf8.h"
#include "pipeline/batches/batch_test_support.h"
#include "pipeline/word/read_word_test_support.h"
#include "support/faulty_file_system.h"
#include "support/temporary_folder.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

namespace fs = std::filesystem;

// Returns a text of 120 characters; texts of two seeds share nothing.
std::string TextOf(size_t seed) {
  std::string text;
  for (size_t i = 0; i < 120; ++i) {
    AppendUtf8(static_cast<uint32_t>(0x4E00 + (seed * 120 + i) % 0x5000), text);
  }
  return text;
}

std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) continue;
    out += c;
  }
  return out;
}

std::string ContentOf(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

class CheckedFiles : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Library::Create(PosixFileSystem(), library_, "news"));
    options_.folder = library_;
    options_.inputs.paths = {input_};
  }

  void AddToLibrary(const std::string& id, const std::string& text, DocumentLabels labels = {}) {
    const auto writer = LibraryWriter::Open(library_, environment());
    ASSERT_TRUE(writer) << writer.error().message;
    const LibraryDocument document = {.id = id, .text = text, .labels = std::move(labels)};
    ASSERT_TRUE((*writer)->Add(std::span(&document, 1)));
    ASSERT_TRUE((*writer)->Close());
  }

  void WriteInput(const std::vector<std::pair<std::string, std::string>>& records) {
    std::ofstream out(input_);
    for (const auto& [id, text] : records) {
      out << "{\"id\":\"" << Escaped(id) << "\",\"text\":\"" << Escaped(text) << "\"}\n";
    }
  }

  CheckFilesSummary Check() {
    given_.clear();
    const auto summary = CheckFiles(
        options_,
        [&](const CheckedDocument& checked) -> Status {
          given_ += CheckToJson(checked.checked, checked.document.id, library_) + "\n";
          return {};
        },
        environment());
    EXPECT_TRUE(summary) << summary.error().message;
    return summary ? *summary : CheckFilesSummary();
  }

  const BatchEnvironment& environment() { return surroundings_.environment(PosixFileSystem()); }

  TemporaryFolder folder_;
  const std::string library_ = folder_ / "lib", input_ = folder_ / "in.jsonl";
  const std::string lines_ = folder_ / "out.jsonl", page_ = folder_ / "out.html",
                    docx_ = folder_ / "out.docx";
  BatchSurroundings surroundings_{2};
  CheckFilesOptions options_;
  std::string given_;  // to the sink
};

TEST_F(CheckedFiles, AreCountedByVerdictAndWrittenAsGiven) {
  AddToLibrary("a", TextOf(1));
  AddToLibrary("b", TextOf(2));
  WriteInput({{"same", TextOf(1)}, {"none", TextOf(9)}, {"near", TextOf(2) + "多几字"}});
  options_.lines.path = lines_;
  const CheckFilesSummary all = Check();
  EXPECT_EQ(all.documents, 3U);
  EXPECT_EQ(all.With(Relation::kSame), 1U);
  EXPECT_EQ(all.With(Relation::kNear), 1U);
  EXPECT_EQ(all.With(Relation::kNone), 1U);
  EXPECT_EQ(all.matched(), 2U);
  EXPECT_EQ(all.searched, 2U);
  EXPECT_EQ(std::ranges::count(given_, '\n'), 3);
  EXPECT_EQ(ContentOf(lines_), given_);
  // A file of the kind is replaced when it is asked for, and nothing else is.
  EXPECT_EQ(CheckFiles(options_, {}, environment()).error().code, ErrorCode::kConflict);
  options_.lines.overwrite = true;
  options_.which = CheckedWhich::kMatching;
  EXPECT_EQ(Check().documents, 3U);
  EXPECT_EQ(std::ranges::count(given_, '\n'), 2);
  EXPECT_EQ(ContentOf(lines_), given_);
  std::ofstream(lines_) << "{\"id\":\"mine\"}\n";
  EXPECT_EQ(CheckFiles(options_, {}, environment()).error().code, ErrorCode::kConflict);
  EXPECT_EQ(ContentOf(lines_), "{\"id\":\"mine\"}\n");
  options_.lines.path = folder_ / "out.txt";
  EXPECT_EQ(CheckFiles(options_, {}, environment()).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(CheckedFiles, OnlyOneTextIsOnlyOne) {
  AddToLibrary("a", TextOf(1));
  const auto ask = [&](const std::vector<std::string>& paths) {
    options_.inputs.paths = paths;
    std::vector<bool> is_only;
    EXPECT_TRUE(CheckFiles(
        options_,
        [&](const CheckedDocument& checked) -> Status {
          is_only.push_back(checked.is_only);
          return {};
        },
        environment()));
    return is_only;
  };
  const std::string text = folder_ / "one.txt", other = folder_ / "two.txt";
  std::ofstream(text) << TextOf(1);
  std::ofstream(other) << TextOf(2);
  WriteInput({{"record", TextOf(1)}});
  EXPECT_EQ(ask({text}), std::vector<bool>({true}));
  EXPECT_EQ(ask({text, other}), std::vector<bool>({false, false}));
  EXPECT_EQ(ask({input_}), std::vector<bool>({false}));
}

// --- the Word file -------------------------------------------------------------------------------

TEST_F(CheckedFiles, AWordFileHasARowForEachChapterAndATotal) {
  AddToLibrary("c1", TextOf(1), {.title = "第一章", .part = "1"});
  AddToLibrary("c2", TextOf(2));
  WriteInput({{"whole", TextOf(1)},
              {"part", TextOf(2).substr(0, 180) + TextOf(7).substr(0, 180)},
              {"none", TextOf(9)}});
  options_.docx.path = docx_;
  Check();
  const ReadWordFile table = WordReader::Read(ContentOf(docx_));
  const auto row = [&](size_t number) {
    std::string out;
    for (const auto& cell : table.rows[number]) {
      for (const ReadWordRun& run : cell) out += run.text;
      out += "|";
    }
    return out;
  };
  EXPECT_EQ(row(1), "whole|120|120|100 %|1 · 第一章 (c1)|");
  EXPECT_EQ(row(2), "part|120|60|50.00 %|c2|");
  EXPECT_EQ(row(3), "none|120|0|0.00 %|–|");
  EXPECT_EQ(row(4), "合计 3 篇 total of 3|360|180|50.00 %||");
  EXPECT_NE(table.text.find("70 % or more is the same: 1\nwhole · 100 % · 1 · 第一章 (c1)\n"),
            std::string::npos)
      << table.text;
  const auto& passage = table.rows[table.rows.size() - 5];  // before four rows of what was searched
  EXPECT_EQ(passage[0], passage[1]);
  EXPECT_EQ(passage[0].front().ink, "red");
  EXPECT_EQ(passage[0].front().text, TextOf(2).substr(0, 180));
  // The total counts all, also where only what matches is asked for.
  options_.docx.overwrite = true;
  options_.which = CheckedWhich::kMatching;
  Check();
  const ReadWordFile matching = WordReader::Read(ContentOf(docx_));
  EXPECT_EQ(matching.rows.size(), table.rows.size() - 1);
}

TEST_F(CheckedFiles, AWordFileOfOneTextHasNoChapters) {
  AddToLibrary("c1", TextOf(1));
  AddToLibrary("c2", TextOf(2));
  options_.inputs.paths = {folder_ / "one.txt"};
  options_.docx.path = docx_;
  std::ofstream(options_.inputs.paths.front()) << TextOf(1) << "&\x01]]>" << TextOf(2);
  Check();
  const ReadWordFile table = WordReader::Read(ContentOf(docx_));
  EXPECT_EQ(table.text.find("合计"), std::string::npos);
  EXPECT_NE(table.text.find("原文章节 original chapter"), std::string::npos);
  std::ofstream(options_.inputs.paths.front()) << TextOf(9);
  options_.docx.overwrite = true;
  Check();
  const ReadWordFile none = WordReader::Read(ContentOf(docx_));
  EXPECT_NE(none.text.find("库中未见"), std::string::npos);
  EXPECT_EQ(none.text.find("原创"), std::string::npos);
}

// --- the page ------------------------------------------------------------------------------------

// Returns what group 1 of `pattern` is wherever the pattern is in `text`.
std::vector<std::string> AllOf(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

TEST_F(CheckedFiles, APageLeadsFromEachPassageToItsCounterpart) {
  AddToLibrary("a", TextOf(1) + TextOf(2));
  AddToLibrary("b", TextOf(3));
  WriteInput({{"one", TextOf(1) + "改" + TextOf(2)}, {"two", TextOf(3) + TextOf(1)}});
  options_.page.path = page_;
  Check();
  const std::string page = ContentOf(page_);
  const std::vector<std::string> ids = AllOf(page, " id=\"([^\"]*)\"");
  const std::set<std::string> distinct(ids.begin(), ids.end());
  EXPECT_EQ(distinct.size(), ids.size());
  const std::vector<std::string> places = AllOf(page, "class=\"place\" href=\"#([^\"]*)\"");
  EXPECT_GE(places.size(), 6U);  // one has a match, two has two: both sides of each
  for (const std::string& place : AllOf(page, " href=\"#([^\"]*)\"")) {
    EXPECT_TRUE(distinct.contains(place)) << place;
  }
  // Side by side, with what differs marked.
  EXPECT_NE(page.find("<mark class=\"only\">改</mark>"), std::string::npos);
  // Nothing is asked for from anywhere.
  EXPECT_EQ(page.find("http:"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
}

TEST_F(CheckedFiles, APageShowsHostileTextAndInterpretsNone) {
  const std::string evil = "<script>alert(1)</script>\"'&\u202E<b onclick=x>";
  AddToLibrary(evil, TextOf(1) + evil, {.title = evil, .author = evil, .date = evil, .url = evil});
  WriteInput({{evil, TextOf(1) + evil}, {evil + "2", evil + TextOf(1)}});
  options_.page.path = page_;
  options_.command = {"zhiwen", "check", evil};
  Check();
  const std::string page = ContentOf(page_);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<b onclick"), std::string::npos);
  EXPECT_EQ(page.find("\u202E"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(AllOf(page, "(<script)").size(), 1U);
}

TEST_F(CheckedFiles, APageShowsTheWorstAndSaysHowManyMoreThereAre) {
  AddToLibrary("a", TextOf(1));
  std::vector<std::pair<std::string, std::string>> records;
  for (size_t i = 0; i < 60; ++i) {  // parts first, and the whole text last
    records.emplace_back("part" + std::to_string(i),
                         TextOf(100 + i) + TextOf(1).substr(0, 3 * (30 + i)));
  }
  records.emplace_back("whole", TextOf(1));
  records.emplace_back("none", TextOf(2));
  WriteInput(records);
  options_.page.path = page_;
  Check();
  const std::string page = ContentOf(page_);
  const std::vector<std::string> shown =
      AllOf(page, "<article class=\"cluster\" id=\"document-([0-9]*)\"");
  ASSERT_EQ(shown.size(), kShownSuspects);
  EXPECT_EQ(shown[0], "61");  // the same text
  EXPECT_EQ(shown[1], "60");  // the longest part
  EXPECT_EQ(shown.back(), "12");
  EXPECT_NE(page.find("11 more that match are not"), std::string::npos);
}

TEST_F(CheckedFiles, APageSaysWhoWasFirstAndWhatIsADecoy) {
  AddToLibrary("a", TextOf(1),
               {.date = "2026-01-02",
                .kind = DocumentKind::kDecoy,
                .exposed_from = "2024-03-01",
                .exposed_until = "2024-03-05"});
  std::ofstream(input_) << "{\"id\":\"x\",\"date\":\"2026-02-03\",\"text\":\"" << TextOf(1)
                        << "\"}\n";
  options_.page.path = page_;
  Check();
  const std::string page = ContentOf(page_);
  EXPECT_NE(page.find("original <bdi>2026-01-02</bdi> · suspect <bdi>2026-02-03</bdi>"),
            std::string::npos);
  EXPECT_NE(page.find(">decoy<"), std::string::npos);
  EXPECT_NE(page.find(", published <bdi>2024-03-01 – 2024-03-05</bdi>"), std::string::npos);
  EXPECT_NE(given_.find("\"lead\":\"decoy\",\"exposed\":{\"from\":\"2024-03-01\",\"until\":"
                        "\"2024-03-05\"},\"precedence\""),
            std::string::npos);
}

TEST_F(CheckedFiles, PassagesSayHowManyAreExpectedInALibraryOfThisSize) {
  AddToLibrary("a", TextOf(1));
  AddToLibrary("b", TextOf(2));
  WriteInput({{"x", TextOf(1).substr(0, 300)}});
  std::optional<CheckedText> checked;
  ASSERT_TRUE(CheckFiles(
      options_,
      [&](const CheckedDocument& one) -> Status {
        checked = one.checked;
        return {};
      },
      environment()));
  // Of 240 symbols, to a third.
  EXPECT_GT(checked->symbols, 160U);
  EXPECT_LT(checked->symbols, 320U);
  ASSERT_EQ(checked->matches.size(), 1U);
  ASSERT_EQ(checked->matches[0].passages.size(), 1U);
  const CopiedPassage& passage = checked->matches[0].passages[0];
  EXPECT_EQ(passage.expected, ExpectedPassages(passage.score, 100, checked->symbols));
  Check();
  EXPECT_NE(given_.find("\"score\":100,\"expected\":"), std::string::npos);
}

TEST_F(CheckedFiles, ATextWithoutCharactersIsTheSameAndHasNoPassage) {
  AddToLibrary("marks", "！！？");
  WriteInput({{"x", "！！？"}});
  EXPECT_EQ(Check().by_verdict[static_cast<size_t>(Relation::kSame)], 1U);
  EXPECT_NE(given_.find("\"passages\":[]"), std::string::npos);
}

TEST_F(CheckedFiles, APageOfTextsThatMatchNothingSaysSo) {
  AddToLibrary("a", TextOf(1));
  const std::string text = folder_ / "one.txt";
  std::ofstream(text) << TextOf(2);
  options_.inputs.paths = {text};
  options_.page.path = page_;
  Check();
  EXPECT_NE(ContentOf(page_).find("is not known to the library"), std::string::npos);
}

TEST_F(CheckedFiles, OfAPageTheShareThatWasComparedIsSaid) {
  AddToLibrary("a", TextOf(1));
  const std::string page = folder_ / "one.html";
  std::ofstream(page) << "<meta charset=utf-8><article><p>" << TextOf(2) << "</p></article><nav><p>"
                      << TextOf(1) << "</p><p>" << TextOf(3) << "</p></nav>";
  options_.inputs.paths = {page};
  options_.page.path = page_;
  options_.docx.path = docx_;
  EXPECT_EQ(Check().little_compared, 1U);
  EXPECT_NE(given_.find("\"not_seen\":{\"pictures\":0,\"obfuscated\":0,\"extracted\":0.333}"),
            std::string::npos)
      << given_;
  EXPECT_NE(ContentOf(page_).find("Read in the format text, all of a file is compared"),
            std::string::npos);
  EXPECT_NE(WordReader::Read(ContentOf(docx_)).text.find("Read in the format text"),
            std::string::npos);
  // Of many, below what was searched; where a text matches, beside the match.
  std::ofstream(folder_ / "two.html") << "<meta charset=utf-8><article><p>" << TextOf(1)
                                      << "</p></article><nav><p>" << TextOf(3) << "</p></nav>";
  options_.inputs.paths.push_back(folder_ / "two.html");
  options_.page.overwrite = options_.docx.overwrite = true;
  EXPECT_EQ(Check().little_compared, 1U);
  EXPECT_NE(ContentOf(page_).find("1 document not known, of each less than half compared"),
            std::string::npos);
  EXPECT_NE(ContentOf(page_).find("extracted 50&nbsp;%"), std::string::npos);
}

TEST_F(CheckedFiles, ARecordMaySayItsShareAndACountIsNone) {
  AddToLibrary("a", TextOf(1));
  std::ofstream out(input_);
  for (const char* share : {"0.25", "0", "1500", "\"many\""}) {
    out << "{\"text\":\"" << TextOf(2) << "\",\"share\":" << share << "}\n";
  }
  out.close();
  EXPECT_EQ(Check().little_compared, 1U);
  EXPECT_EQ(AllOf(given_, "\"extracted\":([0-9.]*)"), std::vector<std::string>({"0.25"}));
}

// --- faults --------------------------------------------------------------------------------------

TEST_F(CheckedFiles, AFaultLeavesTheOldFiles) {
  AddToLibrary("a", TextOf(1));
  WriteInput({{"same", TextOf(1)}});
  options_.lines = {.path = lines_, .overwrite = true};
  options_.page = {.path = page_, .overwrite = true};
  options_.docx = {.path = docx_, .overwrite = true};
  Check();
  const std::string old_lines = ContentOf(lines_), old_page = ContentOf(page_);
  WriteInput({{"other", TextOf(2)}});
  uint64_t faults = 0;
  for (uint64_t n = 1;; ++n) {
    FaultyFileSystem files(PosixFileSystem(), {.at = n, .only = FileOperation::kWrite});
    const auto summary = CheckFiles(options_, {}, surroundings_.environment(files));
    if (!files.fired()) break;
    ++faults;
    EXPECT_FALSE(summary);
    EXPECT_EQ(ContentOf(lines_), old_lines);
    EXPECT_FALSE(fs::exists(lines_ + ".partial"));
    EXPECT_FALSE(fs::exists(page_ + ".partial"));
    EXPECT_FALSE(fs::exists(docx_ + ".partial"));
  }
  EXPECT_GE(faults, 3U);  // the page, the Word file and the lines
  EXPECT_NE(ContentOf(lines_), old_lines);
  EXPECT_NE(ContentOf(page_), old_page);
}

TEST_F(CheckedFiles, ASinkThatFailsEndsTheRunWithoutFiles) {
  AddToLibrary("a", TextOf(1));
  WriteInput({{"same", TextOf(1)}});
  options_.lines.path = lines_;
  options_.page.path = page_;
  options_.docx.path = docx_;
  const auto summary = CheckFiles(
      options_,
      [](const CheckedDocument&) -> Status { return Fail(ErrorCode::kExhausted, "full"); },
      environment());
  EXPECT_EQ(summary.error().code, ErrorCode::kExhausted);
  EXPECT_FALSE(fs::exists(lines_));
  EXPECT_FALSE(fs::exists(page_));
  EXPECT_FALSE(fs::exists(docx_));
}

}  // namespace
}  // namespace zhiwen
