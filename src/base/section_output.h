#ifndef ZHIWEN_BASE_SECTION_OUTPUT_H_
#define ZHIWEN_BASE_SECTION_OUTPUT_H_

// A file of sections that a command leaves behind: what it may replace, and how it gets to its
// place.
//
// Guarantees  what was there stays until the new file is whole and on the disk
// Threads     free functions

#include <string>

#include "base/section_file.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct SectionOutput {
  std::string path;
  bool overwrite = false;
};

// Whether it may be written: nothing is there, or a file of `kind`, whole or damaged, that is to be
// replaced. Fails: kConflict, saying what to do.
Status CheckSectionOutput(FileSystem& files, const SectionFileKind& kind,
                          const SectionOutput& output);

// Syncs and closes `file`, which is all of the output, and gives it the name `path`. On failure it
// keeps its own name.
Status PublishFile(FileSystem& files, WritableFile& file, const std::string& path);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SECTION_OUTPUT_H_
