#ifndef ZHIWEN_USER_FILE_H_
#define ZHIWEN_USER_FILE_H_

// A text file that a user writes: a dictionary, synonyms, stop words, variants. What reads one says
// what a line of it is; all refuse a line in the same way: kUnreadable, "FILE:LINE: what is wrong;
// what to do". What is common to all is in docs/formats/user-files.md.
//
// Fails       as FileSystem; kExhausted for a file of more than 256 MiB

#include <span>
#include <string>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct UserFile {
  std::string name;     // what errors call it
  std::string content;  // UTF-8
};

// Reads a whole file; its name is the path.
Result<UserFile> ReadUserFile(FileSystem& files, const std::string& path);

// Reads them in order.
Result<std::vector<UserFile>> ReadUserFiles(FileSystem& files, std::span<const std::string> paths);

}  // namespace zhiwen

#endif  // ZHIWEN_USER_FILE_H_
