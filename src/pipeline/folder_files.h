#ifndef ZHIWEN_PIPELINE_FOLDER_FILES_H_
#define ZHIWEN_PIPELINE_FOLDER_FILES_H_

// The files of a folder that are read, and why others are not.
//
// In          a folder; the format that is asked for, if one is
// Out         paths below it, sorted; what was passed over, by reason, with an example of each
// Guarantees  files and folders whose names begin with a dot are passed over; links to folders are
//             not followed
// Cost        opens the files called *.json, for their first bytes
// Fails       kNotFound, naming a folder without a file that is read; as listing a folder does

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/documents.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct PassedOver {
  uint64_t count = 0;
  std::string example;  // the path of one of them

  void Add(std::string_view path) {
    if (count++ == 0) example = path;
  }
};

struct FolderFiles {
  std::vector<std::string> taken;
  PassedOver texts;         // the folder has records, and no format was asked for
  PassedOver others;        // their endings say nothing that is asked for
  PassedOver folder_links;  // links to folders
  PassedOver hidden;        // files and folders
};

// `named`: normal forms (NormalPath) of the paths that are read anyway, with what is below them: it
// counts as nothing.
Result<FolderFiles> ListFolderFiles(FileSystem& files, const std::string& path,
                                    const ListOptions& options, const std::set<std::string>& named);

// For people, one line a reason.
std::vector<std::string> DescribePassedOver(const FolderFiles& found, const std::string& path,
                                            const ListOptions& options);

// Whether a path ends with .json, with .gz or .zst behind it perhaps.
bool IsJsonPath(std::string_view path);

// "a/b" of "./a//c/../b".
std::string NormalPath(const std::string& path);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_FOLDER_FILES_H_
