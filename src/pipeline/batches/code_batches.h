#ifndef ZHIWEN_PIPELINE_BATCHES_CODE_BATCHES_H_
#define ZHIWEN_PIPELINE_BATCHES_CODE_BATCHES_H_

// Visits the rows of files of codes, some at a time; zhiwen/code_files.h has the guarantees.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "zhiwen/code_files.h"

namespace zhiwen {

// Says how many rows of a batch are done, when a batch takes long.
using RowsDone = std::function<void(size_t rows)>;

struct CodeVisitor {
  std::function<Status(const CodeBatch& batch, const RowsDone& done)> take;
  // Called when standard input has sent nothing for `patience`; may be empty.
  std::function<Status()> idle = {};
  std::chrono::milliseconds patience{0};
};

class CodeBatches {
 public:
  // `stage` is what is done with the rows. All other arguments must outlive the object.
  CodeBatches(const CodeFileOptions& options, Stage stage, const BatchEnvironment& environment);

  // Checks that all files are there, before any work.
  Status Check() const;

  // Visits all rows. `code_bits` are those of the index.
  Status ForEach(uint32_t code_bits, const CodeVisitor& visitor);

 private:
  Result<CodeReader> OpenReader(const std::string& path, uint32_t code_bits) const;
  Status ReadFile(const std::string& path, uint32_t code_bits, const CodeVisitor& visitor);
  // Waits until standard input has bytes, or its end.
  Status Await(const CodeVisitor& visitor) const;
  Status CheckScheme(const std::string& name, const CodeReader& reader);

  const CodeFileOptions& options_;
  const Stage stage_;
  const BatchEnvironment& environment_;
  std::string scheme_;  // of the rows so far
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_BATCHES_CODE_BATCHES_H_
