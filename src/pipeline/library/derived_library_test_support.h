#ifndef ZHIWEN_PIPELINE_LIBRARY_DERIVED_LIBRARY_TEST_SUPPORT_H_
#define ZHIWEN_PIPELINE_LIBRARY_DERIVED_LIBRARY_TEST_SUPPORT_H_

// A library for tests of the schemes by whose values documents are found.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "support/language.h"
#include "support/temporary_folder.h"
#include "zhiwen/library.h"
#include "zhiwen/library_derive.h"

namespace zhiwen {

class DerivedLibrary : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Library::Create(PosixFileSystem(), path_, "news")); }

  const BatchEnvironment& environment() {
    environment_.emplace(surroundings_.environment(PosixFileSystem()));
    environment_->language = language_;
    return *environment_;
  }

  void Add(const std::map<std::string, std::string>& texts) {
    const auto writer = LibraryWriter::Open(path_, environment());
    ASSERT_TRUE(writer) << writer.error().message;
    std::vector<LibraryDocument> documents;
    for (const auto& [id, text] : texts) {
      documents.push_back({.id = id, .text = text});
      texts_[id] = text;
    }
    ASSERT_TRUE((*writer)->Add(documents));
    ASSERT_TRUE((*writer)->Close());
  }

  void Remove(const std::string& id) {
    const auto writer = LibraryWriter::Open(path_, environment());
    ASSERT_TRUE(writer && (*writer)->Remove(std::vector<std::string>{id}) && (*writer)->Close());
    texts_.erase(id);
  }

  std::string Derive(const std::string& name) {
    const auto derived = DeriveScheme(path_, name, environment());
    EXPECT_TRUE(derived) << derived.error().message;
    return derived ? derived->scheme : "";
  }

  std::vector<std::string> Problems() {
    const auto check = CheckLibrary(path_, environment());
    EXPECT_TRUE(check) << check.error().message;
    return check ? check->problems : std::vector<std::string>{"not checked"};
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "lib";
  BatchSurroundings surroundings_{2};
  std::optional<BatchEnvironment> environment_;
  LanguageSource language_ = [] { return Result<std::shared_ptr<const Language>>(TestLanguage()); };
  std::map<std::string, std::string> texts_;  // live
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_DERIVED_LIBRARY_TEST_SUPPORT_H_
