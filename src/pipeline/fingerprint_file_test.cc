#include "zhiwen/fingerprint_file.h"

#include <gmock/gmock.h>

#include "support/in_memory_file_system.h"
#include "zhiwen/documents.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

Status WriteFile(FileSystem& files, const std::string& path, bool overwrite = false) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file,
                          FingerprintFile::Create(files, {.path = path, .overwrite = overwrite}));
  ZHIWEN_RETURN_IF_ERROR(file->Add("甲", "made.v1", FingerprintBytes{1}));
  ZHIWEN_RETURN_IF_ERROR(file->Add("乙", "made.v1", NoFingerprint()));
  return file->Publish();
}

TEST(FingerprintFile, OfLinesHasThePrintedLines) {
  const std::string lines = FingerprintToJson("甲", "made.v1", FingerprintBytes{1}) + "\n" +
                            FingerprintToJson("乙", "made.v1", NoFingerprint()) + "\n";
  for (const std::string path : {"a.jsonl", "a.jsonl.gz", "a.jsonl.zst"}) {
    InMemoryFileSystem files;
    ASSERT_TRUE(WriteFile(files, path));
    EXPECT_EQ(*DecompressBytes(files.Files().at(path), path, 1 << 20), lines) << path;
    EXPECT_FALSE(*files.Exists(path + ".partial"));
  }
}

TEST(FingerprintFile, ReplacesNothingButFingerprints) {
  InMemoryFileSystem files;
  for (const std::string path : {"a.jsonl", "a.jsonl.gz"}) {
    ASSERT_TRUE(WriteFile(files, path));
    EXPECT_EQ(WriteFile(files, path).error().code, ErrorCode::kConflict);
    EXPECT_TRUE(WriteFile(files, path, true));
  }
  files.Put("docs.jsonl", "{\"id\":\"a\",\"text\":\"\"}\n{\"id\":\"b\",\"scheme\":\"\"}\n");
  const Status refused = WriteFile(files, "docs.jsonl", true);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("it is no fingerprint file of zhiwen"));
  for (const std::string path : {"a.csv", "a", "a.parquet.gz", ""}) {
    EXPECT_EQ(WriteFile(files, path).error().code, ErrorCode::kInvalidArgument) << path;
  }
}

}  // namespace
}  // namespace zhiwen
