// A library finds what it has, and only that, whatever happened to its index.

#include "zhiwen/library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "pipeline/library/library_test_support.h"
#include "support/temporary_folder.h"
#include "zhiwen/channel.h"
#include "zhiwen/library_files.h"

namespace zhiwen {
namespace {

namespace fs = std::filesystem;

class Libraries : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Library::Create(PosixFileSystem(), path_, "news")); }

  std::unique_ptr<LibraryWriter> OpenWriter() {
    auto writer = LibraryWriter::Open(path_, environment());
    EXPECT_TRUE(writer) << writer.error().message;
    return writer ? *std::move(writer) : nullptr;
  }

  const BatchEnvironment& environment() { return surroundings_.environment(PosixFileSystem()); }

  void Add(const std::map<std::string, std::string>& texts) {
    const auto writer = OpenWriter();
    AddTo(*writer, texts);
    ASSERT_TRUE(writer->Close());
  }

  static void AddTo(LibraryWriter& writer, const std::map<std::string, std::string>& texts) {
    std::vector<LibraryDocument> documents;
    for (const auto& [id, text] : texts) documents.push_back({.id = id, .text = text});
    const auto added = writer.Add(documents);
    ASSERT_TRUE(added) << added.error().message;
  }

  CheckedText Check(const std::string& text, const TextCheckOptions& options = {}) {
    const auto library = Library::Open(PosixFileSystem(), path_);
    EXPECT_TRUE(library) << library.error().message;
    if (!library) return {};
    auto checked = (*library)->Check(text, options);
    EXPECT_TRUE(checked) << checked.error().message;
    return checked ? *std::move(checked) : CheckedText();
  }

  // Returns the ids of the matches of a text, with their relations.
  std::map<std::string, Relation> Find(const std::string& text) {
    std::map<std::string, Relation> found;
    for (const CheckMatch& match : Check(text).matches) {
      found[match.document.id] = match.relation;
    }
    return found;
  }

  std::vector<std::string> Problems() {
    const auto check = CheckLibrary(path_, environment());
    EXPECT_TRUE(check) << check.error().message;
    return check ? check->problems : std::vector<std::string>{"not checked"};
  }

  // Returns the folder of the index called `name`.
  std::string IndexFolder(const std::string& name) const {
    for (const auto& entry : fs::directory_iterator(path_ + "/index")) {
      if (entry.path().filename().string().starts_with(name)) return entry.path();
    }
    return "";
  }

  using Found = std::map<std::string, Relation>;

  TemporaryFolder folder_;
  std::string path_ = folder_ / "lib";
  BatchSurroundings surroundings_{2};
};

TEST_F(Libraries, FindEqualTextsAndNearDuplicates) {
  const std::string text = SentencesOf(1);
  Add({{"a", text}, {"b", SentencesOf(2)}});
  EXPECT_EQ(Find(text), (Found{{"a", Relation::kSame}}));
  EXPECT_EQ(Find(text + "多了几个字。"), (Found{{"a", Relation::kNear}}));
  EXPECT_EQ(Find(SentencesOf(3)), Found());
  // Punctuation is none of the folded channel's business.
  std::string without;
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, 3, "。") == 0) {
      i += 3;
    } else {
      without += text[i++];
    }
  }
  const CheckedText checked = Check(without);
  ASSERT_EQ(checked.matches.size(), 1U);
  EXPECT_EQ(checked.verdict, Relation::kSame);
  EXPECT_EQ(checked.matches[0].channel, FoldedChannel().name());
  EXPECT_EQ(checked.matches[0].containment, 1);
  EXPECT_EQ(checked.union_matched, checked.units);
}

TEST_F(Libraries, SayWhereTextsAgree) {
  const std::string text = SentencesOf(1, 20);
  Add({{"a", text}});
  const std::string suspect = "前面的话" + text;
  const CheckedText checked = Check(suspect);
  ASSERT_EQ(checked.matches.size(), 1U);
  const CheckMatch& match = checked.matches[0];
  ASSERT_EQ(match.passages.size(), 1U);
  const CopiedPassage& passage = match.passages[0];
  EXPECT_EQ(passage.a_points.begin.value, 4U);
  EXPECT_EQ(passage.a_bytes.begin.value, 12U);
  EXPECT_EQ(passage.b_points.begin.value, 0U);
  EXPECT_EQ(passage.matched, 180U);
  EXPECT_EQ(match.longest_run, 180U);
  EXPECT_EQ(passage.kind, PassageKind::kVerbatim);
  EXPECT_EQ(checked.union_matched, 180U);
  EXPECT_EQ(checked.units, 184U);
}

// --- parts
// -----------------------------------------------------------------------------------------

TEST_F(Libraries, FindPartsInBothDirections) {
  Add({{"a", SentencesOf(1, 40)}, {"b", SentencesOf(2, 5)}});
  EXPECT_EQ(Find(SentencesOf(1, 6)), (Found{{"a", Relation::kContained}}));
  EXPECT_EQ(Find(SentencesOf(3, 30) + SentencesOf(2, 5)), (Found{{"b", Relation::kContains}}));
  EXPECT_EQ(Find(SentencesOf(3, 30) + SentencesOf(1, 4) + SentencesOf(4, 30)),
            (Found{{"a", Relation::kPassages}}));
}

TEST_F(Libraries, NameEverySourceOfACompilation) {
  std::map<std::string, std::string> texts;
  std::string compilation;
  Found wanted;
  for (unsigned i = 0; i < 30; ++i) {
    const std::string id = "s" + std::to_string(i);
    texts[id] = SentencesOf(100 + i, 30);
    compilation += texts[id].substr(i % 7 * 84, 4 * 84);  // four sentences
    wanted[id] = Relation::kPassages;
  }
  for (unsigned i = 0; i < 100; ++i) texts["x" + std::to_string(i)] = SentencesOf(500 + i, 30);
  Add(texts);
  EXPECT_EQ(Find(compilation), wanted);
  const CheckedText checked = Check(compilation);
  EXPECT_EQ(checked.union_matched, checked.units);
  EXPECT_FALSE(checked.truncated);
}

// The theorem of winnowing: wherever a run of 22 symbols stands, both texts have a block of it.
TEST_F(Libraries, FindEveryRunOfTwentyTwoSymbols) {
  const std::string original = SentencesOf(1, 30);
  Add({{"a", original}});
  std::string symbols;  // of the original, without marks: three bytes each
  for (size_t i = 0; i < original.size(); i += 3) {
    if (original.compare(i, 3, "。") != 0) symbols += original.substr(i, 3);
  }
  const auto library = *Library::Open(PosixFileSystem(), path_);
  for (size_t at = 0; at + 22 <= symbols.size() / 3; at += 5) {
    const std::string run = symbols.substr(3 * at, 3 * 22);
    const std::string suspect = SentencesOf(900, 20) + run + SentencesOf(901, 20);
    const auto checked = library->Check(suspect, {});
    ASSERT_TRUE(checked);
    ASSERT_EQ(checked->matches.size(), 1U) << at;
    ASSERT_EQ(checked->matches[0].relation, Relation::kPassages);
    ASSERT_GE(checked->matches[0].longest_run, 22U);
  }
}

// Twenty documents share more blocks with the text than the one that has a run of it.
// The same text is named before a near one, whichever came first, and the earlier of two.
TEST_F(Libraries, NameTheOriginalFirst) {
  const std::string text = SentencesOf(1), near = text + "甲。";
  {
    const auto writer = OpenWriter();
    std::vector<LibraryDocument> documents = {{.id = "near", .text = near},
                                              {.id = "undated", .text = text},
                                              {.id = "late", .text = text},
                                              {.id = "early", .text = text}};
    documents[0].labels.date = "2001";
    documents[2].labels.date = "2024-05-06";
    documents[3].labels.date = "2003-01-01";
    const auto added = writer->Add(documents);
    ASSERT_TRUE(added) << added.error().message;
    ASSERT_TRUE(writer->Close());
  }
  const CheckedText checked = Check(text, {.date = "2010"});
  std::string ids;
  for (const CheckMatch& match : checked.matches) ids += match.document.id + " ";
  EXPECT_EQ(ids, "early late undated near ");
  EXPECT_EQ(StrongestMatch(checked), &checked.matches.front());
  EXPECT_EQ(checked.precedence, Precedence::kOurs);
}

// What the indexes lack yet is said: an answer without a match may be wrong then.
TEST_F(Libraries, SayHowManyChangesTheirIndexesLack) {
  const std::string text = SentencesOf(1);
  Add({{"a", SentencesOf(2)}});
  EXPECT_EQ(Check(text).lacking, 0U);
  const auto writer = OpenWriter();
  AddTo(*writer, {{"b", text}, {"c", SentencesOf(3)}});  // in the catalog
  const CheckedText behind = Check(text + "多了几个字。");
  EXPECT_EQ(behind.verdict, Relation::kNone);
  EXPECT_EQ(behind.lacking, 2U);
  EXPECT_EQ(Check(text).verdict, Relation::kSame);
  const auto library = Library::Open(PosixFileSystem(), path_);
  EXPECT_EQ((*library)->FindSimilar(text, {})->lacking, 2U);
  ASSERT_TRUE(writer->Close());
  EXPECT_EQ(Check(text + "多了几个字。").verdict, Relation::kNear);
  EXPECT_EQ(Check(text).lacking, 0U);
}

TEST_F(Libraries, FindARunBehindDocumentsThatShareMoreAndMatchNot) {
  const std::string page = SentencesOf(1, 120);  // three bytes a character
  std::map<std::string, std::string> texts = {
      {"a", SentencesOf(700, 5) + page.substr(0, 3 * 30) + SentencesOf(701, 5)}};
  for (unsigned i = 0; i < 20; ++i) {
    std::string decoy;
    for (unsigned at = 60; at + 30 < 1200; at += 30) {  // twelve characters, alone
      decoy += page.substr(3 * at, 3 * 12) + SentencesOf(800 + 1200 * i + at, 1);
    }
    texts["decoy" + std::to_string(i)] = decoy;
  }
  Add(texts);
  const Found found = Find(page);
  EXPECT_TRUE(found.contains("a"));
}

TEST_F(Libraries, CountBlocksThatAreTooCommonToLookUp) {
  std::map<std::string, std::string> texts;
  for (unsigned i = 0; i < 70; ++i) {
    texts["d" + std::to_string(i)] = SentencesOf(1, 3) + SentencesOf(100 + i, 20);
  }
  Add(texts);
  const CheckedText checked = Check(SentencesOf(2, 20) + SentencesOf(1, 3));
  EXPECT_TRUE(checked.matches.empty());
  EXPECT_GT(checked.common_blocks, 0U);
  EXPECT_EQ(Check(SentencesOf(2, 20)).common_blocks, 0U);
}

TEST_F(Libraries, FindShortTextsWhenTheyAreEqual) {
  Add({{"a", "好"}, {"b", "！！"}, {"c", ""}});
  EXPECT_EQ(Find("好"), (Found{{"a", Relation::kSame}}));
  EXPECT_EQ(Find("好。"), (Found{{"a", Relation::kSame}}));
  EXPECT_EQ(Find("？？"), Found());
  EXPECT_EQ(Find("！！"), (Found{{"b", Relation::kSame}}));
  EXPECT_EQ(Find(""), Found());
}

TEST_F(Libraries, NoLongerFindWhatIsRemovedOrSuperseded) {
  const std::string text = SentencesOf(1);
  Add({{"a", text}, {"b", SentencesOf(2)}});
  auto writer = OpenWriter();
  EXPECT_EQ(*writer->Remove(std::vector<std::string>{"a", "x"}), (std::vector<bool>{true, false}));
  AddTo(*writer, {{"b", SentencesOf(4)}});
  ASSERT_TRUE(writer->Close());
  writer.reset();
  EXPECT_EQ(Find(text + "尾"), Found());
  EXPECT_EQ(Find(SentencesOf(2) + "尾"), Found());
  EXPECT_EQ(Find(SentencesOf(4) + "尾"), (Found{{"b", Relation::kNear}}));
  EXPECT_TRUE(Problems().empty());
}

TEST_F(Libraries, NameTheDocumentsOfAWork) {
  const auto writer = OpenWriter();
  const auto add = [&](std::string_view id, const std::string& text, std::string_view work) {
    LibraryDocument document = {.id = id, .text = text};
    document.work.name = work;
    ASSERT_TRUE(writer->Add(std::span(&document, 1)));
  };
  add("b", "第二章的正文", "书");
  add("removed", "删去的一章", "书");
  add("moved", "先在此书", "书");
  add("a", "另一部的正文", "另一部");
  add("moved", "后在彼书", "另一部");
  add("came", "先在彼书", "另一部");
  add("came", "后在此书", "书");
  add("none", "不属于任何书", "");
  ASSERT_TRUE(writer->Remove(std::vector<std::string>{"removed"}));
  const auto library = *Library::Open(PosixFileSystem(), path_);
  const WorkDocuments live = *FindDocumentsOfWork(*library, "书", LibraryVersions::kLive);
  EXPECT_EQ(live.ids, (std::vector<std::string>{"b", "came"}));
  const WorkDocuments all = *FindDocumentsOfWork(*library, "书", LibraryVersions::kAll);
  EXPECT_EQ(all.ids, (std::vector<std::string>{"b", "came", "removed"}));
  EXPECT_EQ(all.moved, std::vector<std::string>{"moved"});
  EXPECT_TRUE(FindDocumentsOfWork(*library, "", LibraryVersions::kAll)->ids.empty());
}

TEST_F(Libraries, RefuseASecondWriterWhileOthersRead) {
  const auto writer = OpenWriter();
  AddTo(*writer, {{"a", SentencesOf(1)}});
  const auto second = LibraryWriter::Open(path_, environment());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_EQ(Find(SentencesOf(1)), (Found{{"a", Relation::kSame}}));
}

TEST_F(Libraries, AreNotMadeWhereSomethingIs) {
  const Status again = Library::Create(PosixFileSystem(), path_, "news");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kConflict);
  EXPECT_NE(again.error().message.find("there is one already"), std::string::npos);
  const auto unknown = Library::Create(PosixFileSystem(), folder_ / "other", "films");
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  fs::create_directory(folder_ / "full");
  fs::create_directory(folder_ / "full/things");
  EXPECT_EQ(Library::Create(PosixFileSystem(), folder_ / "full", "news").error().code,
            ErrorCode::kConflict);
  EXPECT_EQ(Library::Open(PosixFileSystem(), folder_ / "none").error().code, ErrorCode::kNotFound);
}

TEST_F(Libraries, RefuseDocumentsWithoutIdsAndBrokenTexts) {
  const auto writer = OpenWriter();
  for (const LibraryDocument& document :
       {LibraryDocument{.id = "", .text = "文"}, LibraryDocument{.id = "a", .text = "\xff"}}) {
    const auto added = writer->Add({&document, 1});
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(Check("文").documents, 0U);
}

// --- the index follows the catalog ---------------------------------------------------------------

TEST_F(Libraries, ApplyToTheIndexWhatAWriterThatWasKilledLeft) {
  Add({{"a", SentencesOf(1)}, {"b", SentencesOf(2)}});
  {
    const auto writer = OpenWriter();
    AddTo(*writer, {{"c", SentencesOf(3)}, {"a", SentencesOf(4)}});
    EXPECT_TRUE(writer->Remove(std::vector<std::string>{"b"}));
  }                                                 // without Close, as a crash ends it
  EXPECT_EQ(Find(SentencesOf(3) + "尾"), Found());  // the index has it only after the next writer
  EXPECT_TRUE(Problems().empty());
  EXPECT_EQ(CheckLibrary(path_, environment())->behind, 4U);
  ASSERT_TRUE(OpenWriter()->Close());
  EXPECT_EQ(CheckLibrary(path_, environment())->behind, 0U);
  EXPECT_EQ(Find(SentencesOf(3) + "尾"), (Found{{"c", Relation::kNear}}));
  EXPECT_EQ(Find(SentencesOf(4) + "尾"), (Found{{"a", Relation::kNear}}));
  EXPECT_EQ(Find(SentencesOf(1) + "尾"), Found());
  EXPECT_EQ(Find(SentencesOf(2) + "尾"), Found());
  EXPECT_TRUE(Problems().empty());
}

TEST_F(Libraries, MakeAMissingIndexAnew) {
  const std::string part = SentencesOf(1).substr(0, 240);
  Add({{"a", SentencesOf(1)}});
  for (const std::string name : {"near", "passages"}) {
    fs::remove_all(IndexFolder(name));
    EXPECT_FALSE(Problems().empty());
    EXPECT_FALSE(Library::Open(PosixFileSystem(), path_));
    ASSERT_TRUE(OpenWriter()->Close());
    EXPECT_TRUE(surroundings_.warned_of("made anew"));
    EXPECT_EQ(Find(SentencesOf(1) + "尾"), (Found{{"a", Relation::kNear}}));
    EXPECT_EQ(Find(part), (Found{{"a", Relation::kContained}}));
    EXPECT_TRUE(Problems().empty());
  }
}

TEST_F(Libraries, MakeADamagedIndexAnew) {
  Add({{"a", SentencesOf(1)}});
  for (const std::string name : {"near", "passages"}) {
    for (const auto& entry : fs::directory_iterator(IndexFolder(name))) {
      if (!entry.path().filename().string().starts_with("segment")) continue;
      fs::resize_file(entry.path(), fs::file_size(entry.path()) - 1);
    }
    EXPECT_FALSE(Problems().empty());
    ASSERT_TRUE(OpenWriter()->Close());
    EXPECT_EQ(Find(SentencesOf(1) + "尾"), (Found{{"a", Relation::kNear}}));
    EXPECT_TRUE(Problems().empty());
  }
}

TEST_F(Libraries, MakeAnIndexAnewWhoseDamageOpeningDoesNotNotice) {
  std::map<std::string, std::string> texts;
  for (unsigned i = 0; i < 200; ++i) texts["d" + std::to_string(i)] = SentencesOf(i);
  Add(texts);
  for (const std::string name : {"near", "passages"}) {
    const std::string segment = IndexFolder(name) + "/segment-000001";
    std::fstream file(segment, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(fs::file_size(segment) / 2));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(fs::file_size(segment) / 2));
    file.put(static_cast<char>(byte ^ 0x10));
    file.close();
    EXPECT_FALSE(Problems().empty());
    const auto writer = OpenWriter();
    ASSERT_TRUE(writer->Compact());
    ASSERT_TRUE(writer->Close());
    EXPECT_TRUE(surroundings_.warned_of("made anew"));
  }
  EXPECT_TRUE(Problems().empty());
  EXPECT_EQ(Find(SentencesOf(7) + "尾"), (Found{{"d7", Relation::kNear}}));
}

TEST_F(Libraries, DoNotTakeTheIndexOfAnotherLibrary) {
  Add({{"a", SentencesOf(1)}});
  const std::string mine = path_;
  path_ = folder_ / "other";
  ASSERT_TRUE(Library::Create(PosixFileSystem(), path_, "news"));
  Add({{"b", SentencesOf(2)}});
  fs::remove_all(mine + "/index");
  fs::copy(path_ + "/index", mine + "/index", fs::copy_options::recursive);
  path_ = mine;
  EXPECT_FALSE(Problems().empty());
  ASSERT_TRUE(OpenWriter()->Close());
  EXPECT_EQ(Find(SentencesOf(1) + "尾"), (Found{{"a", Relation::kNear}}));
  EXPECT_TRUE(Problems().empty());
}

TEST_F(Libraries, MakeTheIndexAnewThatIsAheadOfARestoredCatalog) {
  Add({{"a", SentencesOf(1)}});
  fs::copy(path_ + "/catalog.sqlite", folder_ / "copy");
  Add({{"b", SentencesOf(2)}});
  fs::remove(path_ + "/catalog.sqlite");
  fs::copy(folder_ / "copy", path_ + "/catalog.sqlite");
  EXPECT_FALSE(Problems().empty());
  Add({{"c", SentencesOf(3)}});
  EXPECT_TRUE(surroundings_.warned_of("restored from a copy"));
  EXPECT_EQ(Find(SentencesOf(2) + "尾"), Found());
  EXPECT_EQ(Find(SentencesOf(3) + "尾"), (Found{{"c", Relation::kNear}}));
  EXPECT_TRUE(Problems().empty());
}

TEST_F(Libraries, AreWhatTheirChangesMakeOfThemAcrossCrashes) {
  std::mt19937 random(11);
  std::map<std::string, unsigned> live;  // id to the seed of its text
  auto writer = OpenWriter();
  for (int step = 0; step < 60; ++step) {
    const std::string id = "d" + std::to_string(random() % 12);
    const auto kind = random() % 8;
    if (kind < 4) {
      live[id] = static_cast<unsigned>(random() % 9);
      AddTo(*writer, {{id, SentencesOf(live[id])}});
    } else if (kind < 6) {
      ASSERT_TRUE(writer->Remove(std::vector<std::string>{id}));
      live.erase(id);
    } else {
      if (kind == 6) {
        ASSERT_TRUE(writer->Close());
      }
      writer.reset();
      writer = OpenWriter();
    }
  }
  ASSERT_TRUE(writer->Compact());
  ASSERT_TRUE(writer->Close());
  writer.reset();
  for (unsigned seed = 0; seed < 9; ++seed) {
    Found wanted;
    for (const auto& [name, of] : live) {
      if (of == seed) wanted[name] = Relation::kNear;
    }
    EXPECT_EQ(Find("头一句" + SentencesOf(seed)), wanted) << seed;
  }
  EXPECT_TRUE(Problems().empty());
}

// --- bounds, files, JSON -------------------------------------------------------------------------

TEST_F(Libraries, SayWhenABoundIsMet) {
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 30; ++i) texts["d" + std::to_string(i)] = SentencesOf(1);
  Add(texts);
  EXPECT_EQ(Check(SentencesOf(1)).matches.size(), 30U);
  EXPECT_FALSE(Check(SentencesOf(1)).truncated);
  const CheckedText listed = Check(SentencesOf(1), {.most_matches = 5});
  EXPECT_EQ(listed.matches.size(), 5U);
  EXPECT_TRUE(listed.truncated);
  const CheckedText verified = Check(SentencesOf(1) + "尾", {.most_verified = 7});
  EXPECT_EQ(verified.matches.size(), 7U);
  EXPECT_TRUE(verified.truncated);
}

TEST_F(Libraries, CountMatchesBelowTheLeastShare) {
  Add({{"a", SentencesOf(1)}});
  const CheckedText checked =
      Check(SentencesOf(1) + SentencesOf(2, 2), {.least_containment = 0.95});
  EXPECT_TRUE(checked.matches.empty());
  EXPECT_EQ(checked.below_least, 1U);
  EXPECT_EQ(checked.union_matched, 0U);
  EXPECT_EQ(checked.verdict, Relation::kNone);
}

TEST_F(Libraries, AddNothingOfABatchThatCannotBePrepared) {
  auto writer = OpenWriter();
  const std::vector<LibraryDocument> good = {{.id = "a", .text = "好文一篇"}};
  const std::vector<LibraryDocument> bad = {{.id = "b", .text = "又一篇"}, {.id = "", .text = "x"}};
  ASSERT_TRUE(writer->AddNext(good));
  EXPECT_FALSE(writer->AddNext(bad));  // stores the good one
  const auto rest = writer->AddNext({});
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->added, 0U);
  ASSERT_TRUE(writer->Close());
  writer.reset();
  EXPECT_TRUE(Problems().empty());
  EXPECT_EQ(Find("好文一篇"), (Found{{"a", Relation::kSame}}));
  EXPECT_EQ(Find("又一篇"), Found());
}

TEST_F(Libraries, AddTheRecordsOfFilesWithTheirLabels) {
  const std::string input = folder_ / "in.jsonl";
  {
    auto file = *PosixFileSystem().OpenForWrite(input);
    ASSERT_TRUE(file->Append("{\"id\":\"a\",\"text\":\"" + SentencesOf(1) +
                             "\",\"title\":\"题\",\"date\":\"2026-01-02\"}\n" +
                             "{\"id\":\"b\",\"text\":\"" + SentencesOf(2) + "\"}\n"));
    ASSERT_TRUE(file->Close());
  }
  AddFilesOptions options = {.folder = path_};
  options.inputs.paths = {input};
  uint64_t stored = 0;
  options.stored = [&](uint64_t documents) -> Status {
    stored = documents;
    return {};
  };
  auto summary = AddFiles(options, environment());
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->documents.added, 2U);
  EXPECT_EQ(stored, 2U);
  summary = AddFiles(options, environment());
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->documents.unchanged, 2U);
  const std::string line = CheckToJson(Check(SentencesOf(1)), "in", "lib");
  EXPECT_EQ(line.find("{\"id\":\"in\",\"source\":\"lib\",\"units\":108,\"verdict\":\"same\""), 0U)
      << line;
  EXPECT_NE(line.find("\"title\":\"题\""), std::string::npos);
  EXPECT_NE(line.find("\"suspect\":{\"begin\":0,\"end\":119,\"bytes\":[0,357]}"), std::string::npos)
      << line;
}

}  // namespace
}  // namespace zhiwen
