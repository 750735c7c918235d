// What a library exports makes the same library again.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "support/language.h"
#include "support/temporary_folder.h"
#include "zhiwen/library_files.h"
#include "zhiwen/library_verify.h"

namespace zhiwen {
namespace {

class ExportsOfLibrary : public testing::Test {
 protected:
  const BatchEnvironment& environment() { return surroundings_.environment(PosixFileSystem()); }

  // Makes a library in which documents were changed, removed, added again and purged.
  std::string MakeLibrary() {
    const std::string path = folder_ / "lib";
    EXPECT_TRUE(Library::Create(PosixFileSystem(), path, "news"));
    auto writer = LibraryWriter::Open(path, environment());
    EXPECT_TRUE(writer);
    const auto add = [&](std::string_view id, std::string_view text, const DocumentLabels& labels,
                         const WorkLabels& work = {}, std::string_view places = {},
                         std::string_view member = {}) {
      const LibraryDocument document = {.id = id,
                                        .text = text,
                                        .places = places,
                                        .member = member,
                                        .labels = labels,
                                        .work = work};
      EXPECT_TRUE((*writer)->Add({&document, 1}));
    };
    const auto remove = [&](const std::string& id) {
      EXPECT_TRUE((*writer)->Remove(std::vector<std::string>{id}));
    };
    add("变", "第一版", {.title = "旧题"}, {}, "3 40");
    add("kept", "引号\"、反斜线\\、换行\n和制表\t，还有\x01",
        {.author = "某人", .url = "https://例/?a=\"b\""});
    add("变", "第一版", {.title = "新题", .date = "2026-01-02"});
    add("gone", "已删除", {});
    remove("gone");
    add("again", "先删后加", {});
    remove("again");
    add("again", "先删后加", {});
    remove("again");
    add("again", "先删后加，又改", {});
    add("empty", "", {});
    add("decoy", "诱饵", {.part = "第一章", .kind = DocumentKind::kDecoy},
        {.name = "某书", .owner = "某人"});
    add("same text", "第一版", {});
    add("page", "两行\n文字", {}, {}, "10 20 31 45", "word/\"a\".xml");
    add("other places", "两行\n文字", {}, {}, "10 20", "left out with places that do not fit");
    add("secret", "已清除", {});
    EXPECT_TRUE((*writer)->Purge(std::vector<std::string>{"secret"}));
    EXPECT_TRUE((*writer)->Close());
    return path;
  }

  std::string Export(const std::string& library, LibraryVersions versions) {
    std::string lines;
    ExportOptions options = {.folder = library, .versions = versions};
    options.lines = [&](std::string_view line) -> Status {
      lines += line;
      return {};
    };
    const auto summary = ExportLibrary(options, environment());
    EXPECT_TRUE(summary) << summary.error().message;
    return lines;
  }

  AddFilesSummary Import(const std::string& library, const std::string& file, bool restores) {
    EXPECT_TRUE(Library::Create(PosixFileSystem(), library, "news"));
    AddFilesOptions options = {.folder = library};
    options.inputs.paths = {file};
    options.restores = restores;
    const auto summary = AddFiles(options, environment());
    EXPECT_TRUE(summary) << summary.error().message;
    return summary ? *summary : AddFilesSummary();
  }

  std::vector<std::string> States(const std::string& library) {
    std::vector<std::string> states;
    const auto opened = Library::Open(PosixFileSystem(), library);
    EXPECT_TRUE((*opened)->VisitDocuments(LibraryVersions::kAll, [&](const StoredDocument& one) {
      if (one.text == 0) return Status();
      states.push_back(one.id + " " + std::to_string(one.version) + " " +
                       std::string(DocumentStateName(one.state)));
      return Status();
    }));
    return states;
  }

  TemporaryFolder folder_;
  BatchSurroundings surroundings_{2};
};

TEST_F(ExportsOfLibrary, MakeTheSameBytesAgain) {
  const std::string library = MakeLibrary();
  const std::string live = Export(library, LibraryVersions::kLive);
  EXPECT_EQ(std::ranges::count(live, '\n'), 8);
  EXPECT_NE(live.find("\"kind\":\"original\",\"sources\":\"10 20 31 45\",\"member\":\"word/"
                      "\\\"a\\\".xml\",\"text\":\"两行\\n文字\"}\n"),
            std::string::npos)
      << live;
  EXPECT_EQ(live.find("left out"), std::string::npos);
  EXPECT_NE(
      live.find("{\"id\":\"变\",\"title\":\"新题\",\"author\":\"\",\"date\":\"2026-01-02\","
                "\"url\":\"\",\"work\":\"\",\"part\":\"\",\"owner\":\"\",\"kind\":\"original\","
                "\"text\":\"第一版\"}\n"),
      std::string::npos)
      << live;
  for (const char* name : {"live.jsonl", "live.jsonl.gz", "live.jsonl.zst"}) {
    const std::string file = folder_ / name;
    const auto written = ExportLibrary({.folder = library, .output = file}, environment());
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(written->documents, 8U);
    const std::string copy = folder_ / (std::string("copy of ") + name);
    EXPECT_EQ(Import(copy, file, true).documents.added, 8U);
    EXPECT_EQ(Export(copy, LibraryVersions::kLive), live);
  }
  // Without being told that it restores, it makes originals of the same documents.
  const std::string added = folder_ / "added";
  EXPECT_EQ(Import(added, folder_ / "live.jsonl", false).documents.added, 8U);
  std::string originals = live;
  originals.replace(originals.find("\"decoy\",\"text\""), 7, "\"original\"");
  EXPECT_EQ(Export(added, LibraryVersions::kLive), originals);
}

TEST_F(ExportsOfLibrary, HaveTheHistoryToo) {
  const std::string library = MakeLibrary();
  const std::string file = folder_ / "all.jsonl.zst";
  const auto written = ExportLibrary(
      {.folder = library, .versions = LibraryVersions::kAll, .output = file}, environment());
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->documents, 12U);
  EXPECT_EQ(written->purged, 1U);
  const std::string copy = folder_ / "copy";
  const AddFilesSummary summary = Import(copy, file, true);
  EXPECT_EQ(summary.removed, 3U);
  EXPECT_EQ(States(copy), States(library));
  EXPECT_EQ(Export(copy, LibraryVersions::kAll), Export(library, LibraryVersions::kAll));
  EXPECT_EQ(Export(copy, LibraryVersions::kLive), Export(library, LibraryVersions::kLive));
}

// An interrupted import is no place to begin: its versions would come twice.
TEST_F(ExportsOfLibrary, HaveTheHistoryInANewLibraryAlone) {
  const std::string lines = Export(MakeLibrary(), LibraryVersions::kAll);
  const std::string copy = folder_ / "copy", file = folder_ / "all.jsonl";
  ASSERT_TRUE(Library::Create(PosixFileSystem(), copy, "news"));
  AddFilesOptions options = {.folder = copy, .restores = true};
  options.inputs.paths = {file};
  const auto write = [&](std::string_view written) {
    const auto out = PosixFileSystem().OpenForWrite(file);
    ASSERT_TRUE(out && (*out)->Append(written) && (*out)->Close());
  };
  write(lines.substr(0, lines.find('\n', lines.size() / 2) + 1));
  options.stored = [](uint64_t) -> Status { return Fail(ErrorCode::kInterrupted, "stopped"); };
  const auto stopped = AddFiles(options, environment());
  ASSERT_FALSE(stopped);
  const std::vector<std::string> before = States(copy);
  EXPECT_FALSE(before.empty());
  write(lines);
  options.stored = {};
  const auto again = AddFiles(options, environment());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kConflict);
  EXPECT_NE(again.error().message.find("into a new library"), std::string::npos);
  EXPECT_EQ(States(copy), before);
}

TEST_F(ExportsOfLibrary, ReplaceOnlyExports) {
  const std::string library = MakeLibrary();
  const std::string file = folder_ / "out.jsonl";
  ASSERT_TRUE(ExportLibrary({.folder = library, .output = file}, environment()));
  const auto again = ExportLibrary({.folder = library, .output = file}, environment());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kConflict);
  EXPECT_TRUE(ExportLibrary({.folder = library, .output = file, .overwrite = true}, environment()));
  const std::string foreign = folder_ / "foreign.jsonl";
  {
    auto other = PosixFileSystem().OpenForWrite(foreign);
    ASSERT_TRUE(other && (*other)->Append("{\"id\":\"a\",\"text\":\"b\"}\n") && (*other)->Close());
  }
  const auto refused =
      ExportLibrary({.folder = library, .output = foreign, .overwrite = true}, environment());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  const auto unknown = ExportLibrary({.folder = library, .output = "out.txt"}, environment());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
}

// --- verification --------------------------------------------------------------------------------

using Findings = std::map<std::string_view, PartFinding>;

Findings FindingsOf(const VerifiedDocument& verified) {
  Findings findings;
  for (size_t i = 0; i < kMetadataParts.size(); ++i) {
    if (verified.parts[i] == PartFinding::kMissing) continue;
    findings[kMetadataParts[i]] = verified.parts[i];
  }
  return findings;
}

TEST_F(ExportsOfLibrary, VerifyADocumentPartByPart) {
  const std::string path = folder_ / "lib";
  ASSERT_TRUE(Library::Create(PosixFileSystem(), path, "news"));
  const std::string text =
      "春眠不觉晓。\n处处闻啼鸟。\n夜来风雨声。\n花落知多少。\n春眠又是一春。完。";
  {
    const auto writer = LibraryWriter::Open(path, environment());
    const LibraryDocument document = {
        .id = "p", .text = text, .labels = {.title = "春晓", .author = "孟浩然"}};
    ASSERT_TRUE((*writer)->Add({&document, 1}));
    ASSERT_TRUE((*writer)->Close());
  }
  const auto library = Library::Open(PosixFileSystem(), path);
  const auto versions = (*library)->FindVersions("p");
  ASSERT_EQ(versions->size(), 1U);
  const auto verify = [&](const DocumentFields& given, const std::string& key) {
    const auto scheme = Scheme::Create("metadata", {.language = TestLanguage(), .key = key});
    EXPECT_TRUE(scheme) << scheme.error().message;
    auto verified = VerifyDocument(**library, versions->front(), given, **scheme);
    EXPECT_TRUE(verified) << verified.error().message;
    return *std::move(verified);
  };
  using enum PartFinding;
  std::string changed = text;
  changed.replace(changed.find("处处"), 6, "到处");
  for (const std::string key : {"", "a key of some bytes"}) {
    // The title in other script, another author, a date that the library has not; one word differs.
    const VerifiedDocument verified = verify(
        {.text = changed, .title = "春曉", .author = "佚名", .published = "2026-01-01"}, key);
    EXPECT_EQ(FindingsOf(verified), (Findings{{"title", kEqual},
                                              {"author", kDifferent},
                                              {"dates", kOnlyGiven},
                                              {"frequent_words", kDifferent},
                                              {"edge", kEqual},
                                              {"fixed", kEqual}}));
    EXPECT_EQ(verified.stored.size(), kMetadataBytes);
    // Values are those of the scheme, which a fingerprint that was given away can be held against.
    const auto scheme = Scheme::Create("metadata", {.language = TestLanguage(), .key = key});
    EXPECT_EQ(std::get<FingerprintBytes>(
                  *(*scheme)->ComputeDocument({.text = text, .title = "春晓", .author = "孟浩然"})),
              verified.stored);
    EXPECT_EQ(verified.scheme, (*scheme)->canonical_name());
  }
  EXPECT_EQ(FindingsOf(verify({.text = text}, "")), (Findings{{"title", kOnlyStored},
                                                              {"author", kOnlyStored},
                                                              {"frequent_words", kEqual},
                                                              {"edge", kEqual},
                                                              {"fixed", kEqual}}));
  const VerifiedDocument nothing = verify({}, "");
  EXPECT_FALSE(nothing.Has(kEqual));
  EXPECT_TRUE(nothing.Has(kOnlyStored));
  EXPECT_NE(verify({.text = text}, "a key of some bytes").stored,
            verify({.text = text}, "").stored);
  const auto other = Scheme::Create("exact");
  EXPECT_EQ(VerifyDocument(**library, versions->front(), {}, **other).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(
      VerifiedDocumentToJson(nothing, "f").find("{\"id\":\"p\",\"version\":1,\"file\":\"f\","), 0U);
}

}  // namespace
}  // namespace zhiwen
