#ifndef ZHIWEN_PIPELINE_DEDUP_INPUTS_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUTS_H_

// From the words of the command line to open files, checked, each with its place below the output's
// kept/ folder.

#include <string>
#include <vector>

#include "pipeline/reader/line_blocks.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct DedupInputs {
  std::vector<InputFile> files;  // paths as given, or found below a given folder
  std::vector<std::string>
      names;  // as given, or found below a given folder: in messages and outputs
  std::vector<std::string> kept_paths;  // below the inputs' common parent
  uint64_t total_bytes = 0;
};

// Opens every input: a file as it is, a folder as every *.jsonl below it, sorted. Fails:
// kInvalidArgument (nothing given, a file twice, the output inside an input folder), kNotFound (no
// such file, a folder without *.jsonl), kUnreadable (not readable, or compressed or columnar data,
// which the first bytes show).
Result<DedupInputs> OpenInputs(FileSystem& files, const std::vector<std::string>& words,
                               const std::string& output);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUTS_H_
