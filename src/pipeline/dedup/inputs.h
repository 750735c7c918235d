#ifndef ZHIWEN_PIPELINE_DEDUP_INPUTS_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUTS_H_

// From the words of the command line to checked files, each with its place below the output's
// kept/ folder.
//
// In          files, taken as they are; folders, of which every *.jsonl and *.ndjson is taken
// Out         the files in the order given, those of a folder sorted by path
// Guarantees  no file twice (by device and inode); no input inside the output, no output inside an
//             input folder, so that a run never reads what it writes
// Fails       kInvalidArgument: one of these, or nothing given; otherwise as ListDocumentFiles

#include <string>
#include <vector>

#include "pipeline/reader/line_blocks.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct DedupInputs {
  std::vector<InputFile> files;         // paths as given, or found below a given folder
  std::vector<std::string> kept_paths;  // below the common parent of what was given
  uint64_t total_bytes = 0;
};

// Warns to `log` of the files in folders that are not taken.
Result<DedupInputs> OpenInputs(FileSystem& files, const std::vector<std::string>& words,
                               const std::string& output, LogSink& log);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUTS_H_
