#include "pipeline/library/document_labels.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

// Returns the text file `path`, as a reader of files gives it.
SourceDocument TextAt(const std::string& path) {
  return {.text = "正文",
          .id = path,
          .values = std::vector<std::string>(7),
          .fault = {},
          .fault_detail = {}};
}

SourceDocument RecordOf(const std::string& work, const std::string& owner) {
  return {.text = "正文",
          .id = "r",
          .values = {"", "", "", "", work, "第3章", owner},
          .record = 1,
          .fault = {},
          .fault_detail = {}};
}

class LabelsOfDocuments : public testing::Test {
 protected:
  // Returns the work and the part of a text file, where `input` was given.
  static std::string WorkAndPart(const std::string& input, const std::string& path) {
    AddFilesOptions options;
    options.inputs.paths = {"elsewhere", input};
    const SourceDocument document = TextAt(path);
    const LibraryDocument labelled = DocumentLabeller(options, {}).Label(document);
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
  DocumentLabeller labeller(options, ReadManifest("work,path,title,owner\n"
                                                  "甲书,,甲题,甲社\n"
                                                  "乙书,./in//b/,,乙社\n"
                                                  ",c/x.txt,,丙社\n"
                                                  "无此书,,,\n"));
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

TEST_F(LabelsOfDocuments, RefuseASecondOwnerOfAWork) {
  const AddFilesOptions options;
  DocumentLabeller labeller(options, {});
  for (SourceDocument document : {RecordOf("书", "甲"), RecordOf("书", ""), RecordOf("书", "甲"),
                                  RecordOf("他书", "乙"), RecordOf("", "丙"), RecordOf("", "丁")}) {
    labeller.Check(document);
    EXPECT_EQ(document.fault, "");
  }
  SourceDocument other = RecordOf("书", "乙");
  labeller.Check(other);
  EXPECT_EQ(other.fault, "another_owner");
  SourceDocument nameless = TextAt("");
  labeller.Check(nameless);
  EXPECT_EQ(nameless.fault, "empty_id");
}

}  // namespace
}  // namespace zhiwen
