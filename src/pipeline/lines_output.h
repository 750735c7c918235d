#ifndef ZHIWEN_PIPELINE_LINES_OUTPUT_H_
#define ZHIWEN_PIPELINE_LINES_OUTPUT_H_

// A file of JSON Lines that a command leaves behind: plain, gzip or zstd, as its name ends.
//
// Guarantees  what was there stays until the new file is whole and on the disk; without Publish
//             nothing is left. Equal lines give equal bytes
// Cost        memory of two frames of 8 MiB
// Threads     one at a time
// Fails       as base/files/output_file.h; Create: kInvalidArgument for another ending

#include <memory>
#include <string>
#include <string_view>

#include "base/compress/byte_source.h"
#include "base/compress/frame_writer.h"
#include "base/files/output_file.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The name that messages give to lines of a kind, and what the first of them holds.
struct LinesKind {
  std::string_view name;   // "fingerprint": singular
  std::string_view field;  // as JSON has it, quotes and colon included: "\",\"scheme\":\""
};

// Fails: kInvalidArgument where the ending of a path is none of lines.
Status CheckLinesPath(const std::string& path);

// A kind of output file whose first line is of `kind`, which must outlive it.
OutputFileKind ToOutputFileKind(const LinesKind& kind);

Compression CompressionOfPath(std::string_view path);

// Returns whether the first line of a file, which may be compressed, is of the kind: it begins with
// an id and has the field. False for what cannot be decompressed.
Result<bool> BeginsWithLineOf(const LinesKind& kind, std::unique_ptr<ReadableFile> file);

class LinesOutput {
 public:
  // Only a file of the kind is replaced. The strings of `kind` and `files` must outlive the object.
  static Result<std::unique_ptr<LinesOutput>> Create(FileSystem& files, const LinesKind& kind,
                                                     const OutputFileOptions& options);

  // Adds a line, which ends in a line end.
  Status Add(std::string_view line) { return lines_->Append(line); }

  // Writes the rest and gives the file its name.
  Status Publish();

 private:
  LinesOutput() = default;

  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<FrameWriter> lines_;  // goes first: it writes to the output
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LINES_OUTPUT_H_
