#include "pipeline/library/document_labels.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

constexpr size_t kValues = 15;  // of DocumentLabeller::ValueFields, where it restores

// Returns the text file `path`, as a reader of files gives it.
SourceDocument TextAt(const std::string& path) {
  return {.text = "正文",
          .id = path,
          .values = std::vector<std::string>(kValues),
          .fault = {},
          .fault_detail = {}};
}

SourceDocument RecordOf(const std::string& work, const std::string& owner) {
  SourceDocument record = {.text = "正文",
                           .id = "r",
                           .values = {"", "", "", "", work, "第3章", owner},
                           .record = 1,
                           .fault = {},
                           .fault_detail = {}};
  record.values.resize(kValues);
  return record;
}

class LabelsOfDocuments : public testing::Test {
 protected:
  // Returns the work and the part of a text file, where `input` was given.
  static std::string WorkAndPart(const std::string& input, const std::string& path) {
    AddFilesOptions options;
    options.inputs.paths = {"elsewhere", input};
    const SourceDocument document = TextAt(path);
    const LibraryDocument labelled = DocumentLabeller(options, {}, {}).Label(document);
    return labelled.work.name + "|" + labelled.labels.part;
  }

  WorkManifest ReadManifest(const std::string& csv) {
    const std::string path = folder_ / "works.csv";
    auto file = *PosixFileSystem().OpenForWrite(path);
    EXPECT_TRUE(file->Append(csv) && file->Close());
    auto manifest = WorkManifest::Read(PosixFileSystem(), path);
    EXPECT_TRUE(manifest) << manifest.error().message;
    return manifest ? *std::move(manifest) : WorkManifest();
  }

  TemporaryFolder folder_;
};

TEST_F(LabelsOfDocuments, TakeWorkAndPartFromFoldersBelowTheInput) {
  EXPECT_EQ(WorkAndPart("novels", "novels/凡人/第012章.txt"), "凡人|第012章");
  EXPECT_EQ(WorkAndPart("novels/", "novels/凡人/卷一/第012章.txt"), "凡人|卷一/第012章");
  EXPECT_EQ(WorkAndPart("novels//", "novels//凡人/第012章.txt.gz"), "凡人|第012章");
  EXPECT_EQ(WorkAndPart(".", "./凡人/第1.5章"), "凡人|第1.5章");
  EXPECT_EQ(WorkAndPart("/a/b", "/a/b/凡人/.第1章"), "凡人|.第1章");
  EXPECT_EQ(WorkAndPart("novels/凡人", "novels/凡人/第012章.txt"), "|");
  EXPECT_EQ(WorkAndPart("novels/凡人/第012章.txt", "novels/凡人/第012章.txt"), "|");
  EXPECT_EQ(WorkAndPart("nov", "novels/凡人/第012章.txt"), "|");
}

TEST_F(LabelsOfDocuments, AreTakenFromTheRecordThenTheManifestThenTheOption) {
  AddFilesOptions options;
  options.owner = "默认";
  options.inputs.paths = {"in"};
  DocumentLabeller labeller(options,
                            ReadManifest("work,path,title,owner\n"
                                         "甲书,,甲题,甲社\n"
                                         "乙书,./in//b/,,乙社\n"
                                         ",c/x.txt,,丙社\n"
                                         "无此书,,,\n"),
                            {});
  const auto label = [&](const SourceDocument& document) {
    const WorkLabels work = labeller.Label(document).work;
    return work.name + "|" + work.title + "|" + work.owner;
  };
  EXPECT_EQ(label(RecordOf("甲书", "自述")), "甲书|甲题|自述");
  EXPECT_EQ(label(RecordOf("甲书", "")), "甲书|甲题|甲社");
  EXPECT_EQ(label(RecordOf("别书", "")), "别书||默认");
  EXPECT_EQ(label(RecordOf("", "")), "||默认");
  EXPECT_EQ(label(TextAt("in/b/c/1.txt")), "乙书||乙社");  // the row names the work
  EXPECT_EQ(label(TextAt("in/c/x.txt")), "c||丙社");       // a path below the input
  EXPECT_EQ(label(TextAt("in/c/y.txt")), "c||默认");
  EXPECT_EQ(labeller.manifest().Unused(), std::vector<std::string>{"无此书"});
}

// Returns what the look-ups of a library find that has the work 旧书 of 甲, with a document "old",
// and a document "owned" of 丁 that belongs to no work.
Result<std::optional<WorkLabels>> FindInLibrary(const std::string& name, const std::string& id) {
  if (name == "旧书" || (name.empty() && id == "old")) {
    return std::optional(WorkLabels{.name = "旧书", .owner = "甲"});
  }
  if (name == "无主书") return std::optional(WorkLabels{.name = "无主书"});
  if (name.empty() && id == "owned") return std::optional(WorkLabels{.owner = "丁"});
  return std::optional<WorkLabels>();
}

// Returns the fault of a record, and what is said of it.
std::string FaultOf(DocumentLabeller& labeller, SourceDocument document) {
  EXPECT_TRUE(labeller.Check(document));
  return document.fault.empty() ? "" : document.fault + ": " + document.fault_detail;
}

TEST_F(LabelsOfDocuments, NameTheFieldsOfTheManifestThatAreNotRead) {
  const WorkManifest read = ReadManifest("work,owner,parts,units\n甲书,甲社,1,2\n");
  EXPECT_EQ(read.ignored_fields(), std::vector<std::string>());
  EXPECT_EQ(read.CountWithoutOwner(), 0U);
  const WorkManifest table = ReadManifest("work,publisher,date\n甲书,甲社,2026\n乙书,乙社,2026\n");
  EXPECT_EQ(table.ignored_fields(), (std::vector<std::string>{"publisher", "date"}));
  EXPECT_EQ(table.CountWithoutOwner(), 2U);
  EXPECT_EQ(table.CountRows(), 2U);
  for (const std::string ending : {".jsonl", ".json"}) {
    const bool is_array = ending == ".json";
    const std::string bytes = std::string(is_array ? "[" : "") + "{\"work\":\"甲\",\"date\":1}" +
                              (is_array ? "," : "\n") +
                              "{\"owner\":\"乙\",\"work\":\"乙\",\"社\":{\"名\":1}}" +
                              (is_array ? "]" : "\n");
    const std::string written = folder_ / ("works" + ending);
    auto file = *PosixFileSystem().OpenForWrite(written);
    ASSERT_TRUE(file->Append(bytes) && file->Close());
    const auto records = WorkManifest::Read(PosixFileSystem(), written);
    ASSERT_TRUE(records) << records.error().message;
    EXPECT_EQ(records->ignored_fields(), (std::vector<std::string>{"date", "社"})) << ending;
    EXPECT_EQ(records->CountWithoutOwner(), 1U);
  }
}

TEST_F(LabelsOfDocuments, RefuseASecondOwnerOfAWork) {
  const AddFilesOptions options;
  DocumentLabeller labeller(options, {}, FindInLibrary);
  size_t number = 0;
  for (SourceDocument document :
       {RecordOf("书", "甲"), RecordOf("书", ""), RecordOf("书", "甲"), RecordOf("他书", "乙"),
        RecordOf("", "丙"), RecordOf("", "丁"), RecordOf("无主书", "丙")}) {
    document.id = std::to_string(number++);
    EXPECT_EQ(FaultOf(labeller, document), "");
  }
  EXPECT_EQ(
      FaultOf(labeller, RecordOf("书", "乙")),
      "another_owner: its work \"书\" belongs to \"甲\", as an earlier document says, and not "
      "to \"乙\"");
  EXPECT_NE(FaultOf(labeller, RecordOf("无主书", "甲")), "");
  // Without a work it keeps that of the last document of its id, which is not stored yet.
  SourceDocument later = RecordOf("", "乙");
  later.id = "1";
  EXPECT_EQ(
      FaultOf(labeller, later),
      "another_owner: its work \"书\" belongs to \"甲\", as an earlier document says, and not "
      "to \"乙\"");
  EXPECT_EQ(FaultOf(labeller, TextAt("")), "empty_id: the id is empty");
}

TEST_F(LabelsOfDocuments, RefuseAnotherOwnerOfAWorkThatTheLibraryHas) {
  AddFilesOptions options;
  DocumentLabeller labeller(options, {}, FindInLibrary);
  const std::string another =
      "another_owner: its work \"旧书\" belongs to \"甲\" in the library, and not to \"乙\"; a "
      "manifest changes the owner of a work";
  EXPECT_EQ(FaultOf(labeller, RecordOf("旧书", "乙")), another);
  EXPECT_EQ(FaultOf(labeller, RecordOf("旧书", "")), "");
  EXPECT_EQ(FaultOf(labeller, RecordOf("旧书", "甲")), "");
  EXPECT_EQ(FaultOf(labeller, RecordOf("旧书", "乙")), another);  // also behind one that is right
  // A document that says nothing of its work keeps the one it has.
  SourceDocument old = RecordOf("", "乙");
  old.id = "old";
  EXPECT_EQ(FaultOf(labeller, old), another);
  old.id = "owned";
  EXPECT_EQ(FaultOf(labeller, old), "");
  options.owner = "乙";  // of all documents that do not say it
  DocumentLabeller of_option(options, {}, FindInLibrary);
  EXPECT_EQ(FaultOf(of_option, RecordOf("旧书", "")), another);
  options.restores = true;  // then it leaves its work
  DocumentLabeller restoring(options, {}, FindInLibrary);
  old = RecordOf("", "乙");
  old.id = "old";
  EXPECT_EQ(FaultOf(restoring, old), "");
}

TEST_F(LabelsOfDocuments, LetTheManifestAloneChangeTheOwnerOfAWork) {
  const AddFilesOptions options;
  DocumentLabeller labeller(options, ReadManifest("work,owner\n旧书,乙\n"), FindInLibrary);
  EXPECT_NE(FaultOf(labeller, RecordOf("旧书", "丙")), "");
  EXPECT_EQ(FaultOf(labeller, RecordOf("旧书", "")), "");
  EXPECT_EQ(FaultOf(labeller, RecordOf("旧书", "乙")), "");
  EXPECT_NE(FaultOf(labeller, RecordOf("旧书", "甲")), "");  // it was 甲's until now
}

TEST_F(LabelsOfDocuments, AreNotTakenFromAManifestWithoutARow) {
  for (const std::string bytes : {"", "work,owner\n", "\n"}) {
    const std::string path = folder_ / "none.csv";
    auto file = *PosixFileSystem().OpenForWrite(path);
    ASSERT_TRUE(file->Append(bytes) && file->Close());
    const auto manifest = WorkManifest::Read(PosixFileSystem(), path);
    ASSERT_FALSE(manifest) << bytes;
    EXPECT_EQ(manifest.error().code, ErrorCode::kUnreadable);
    EXPECT_NE(manifest.error().message.find(path), std::string::npos) << manifest.error().message;
  }
}

}  // namespace
}  // namespace zhiwen
