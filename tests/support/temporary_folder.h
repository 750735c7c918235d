#ifndef ZHIWEN_TESTS_SUPPORT_TEMPORARY_FOLDER_H_
#define ZHIWEN_TESTS_SUPPORT_TEMPORARY_FOLDER_H_

// An empty folder of the test's own, removed with everything in it at the end.

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace zhiwen {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "zhiwen_test.XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_TEMPORARY_FOLDER_H_
