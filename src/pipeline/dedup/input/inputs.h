#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_INPUTS_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_INPUTS_H_

// Turns the words of the command line into checked files, each with its place below the output's
// kept/ folder.
//
// In          files, taken as they are; folders, of which every file with records is taken
// Out         the files in the order given, those of a folder sorted by path
// Guarantees  no file is taken twice (by device and inode), nor as an input and a reference; no two
//             inputs have one place below kept/; no input lies inside the output, and no output
//             inside an input folder: a run never reads what it writes
// Fails       kInvalidArgument: one of these, or nothing given; otherwise as ListDocumentFiles

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/dedup/input/added_fields.h"
#include "pipeline/reader/record_blocks.h"
#include "zhiwen/dedup.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class InputSample;

struct DedupInputs {
  std::vector<InputFile> files;         // paths as given, or found below a given folder
  std::vector<std::string> names;       // what outputs and messages call them: their paths
  std::vector<std::string> kept_paths;  // below the common parent of what was given
  std::vector<LeftOutFile> left_out;    // with options.skip_bad_files: no documents of any format
  uint64_t total_bytes = 0;
  // The place of standard input among the files, until it is one of them.
  std::optional<size_t> standard_input;
  uint64_t standard_input_checksum = 0;  // low half of HashBytes128 of its copy, once that is made
  std::shared_ptr<InputSample> sample;   // what is read of the files; none: everything
};

// The options of a run that speak of its inputs.
struct InputOptions {
  std::vector<std::string> words;        // files, folders, or "-": standard input
  std::vector<std::string> references;   // files, folders
  std::string output;                    // the folder that the run writes
  std::optional<DocumentFormat> format;  // of inputs; not given: each file's by its name
  FileSyntax syntax;                     // of inputs; that of references is found out
  std::vector<std::string> text_fields;
  AddedFields added;            // to records of kept/
  bool skip_bad_files = false;  // files that are none are left out
};

// Warns to `log` of the files in folders that are not taken.
Result<DedupInputs> OpenInputs(FileSystem& files, const InputOptions& options, LogSink& log);

// Opens options.references, their formats as their names say, encodings and separators as their
// first bytes do; no place below kept/. Nothing of them lies inside the output, and none is one of
// `inputs`. Fails: as OpenInputs.
Result<DedupInputs> OpenReferences(FileSystem& files, const InputOptions& options,
                                   const DedupInputs& inputs, LogSink& log);

// Copies standard input, where it is given, into `folder`, so that it can be read again, and makes
// it one of `inputs`: "stdin.jsonl". Fails: kInvalidArgument when there is none, or a file among
// `inputs` has its place below kept/; and as reading and writing do.
Status SpoolStandardInput(const InputOptions& options, const std::string& folder,
                          const DedupEnvironment& environment, DedupInputs& inputs);

// The same for a run that is continued: what was copied is still there, and has this checksum.
// Fails also: kConflict when it is not; there is nothing else to read it from.
Status ReopenStandardInput(const InputOptions& options, const std::string& folder,
                           uint64_t checksum, const DedupEnvironment& environment,
                           DedupInputs& inputs);

// The name of the copy in its folder.
inline constexpr std::string_view kStandardInputCopy = "standard_input";

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_INPUTS_H_
