#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_CODE_FILES_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_CODE_FILES_H_

// The rows of the files of codes that a command is given, standard input among them.
//
// Guarantees  rows come in the order of the files, which are all there before the first is read. Of
//             what other programs send, each batch has what is there: nothing waits for more
// Fails       kInvalidArgument, kNotFound, kUnreadable (zhiwen/code_reader.h), and where files have
//             codes of several schemes; what the visitor returns

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "command_line/command.h"
#include "terminal/progress_bar.h"
#include "zhiwen/code_reader.h"

namespace zhiwen {

struct CodeFileOptions {
  std::vector<std::string> inputs;
  CodeReaderOptions reader;
};

// The options --format, --scheme, --code-field and --id-field.
std::vector<OptionSpec> CodeFileSpecs(CodeFileOptions& options);

// Says how many rows of a batch are done, where it takes long.
using RowsDone = std::function<void(size_t rows)>;

// What is done with the rows.
struct CodeVisitor {
  std::function<Status(const CodeBatch& batch, const RowsDone& done)> take;
  // Called when standard input has sent nothing for so long; may be empty.
  std::function<Status()> idle = {};
  std::chrono::milliseconds patience{0};
};

class CodeFiles {
 public:
  // `stage` is what is done with the rows. All else must outlive the object.
  CodeFiles(const CodeFileOptions& options, Stage stage, CommandContext& context,
            ProgressBar& progress);

  // Looks at what there is before any work. `action` is "index add", for messages.
  Status Check(std::string_view action) const;

  // Reads all. `code_bits` are those of the index.
  Status ForEach(uint32_t code_bits, const CodeVisitor& visitor);

 private:
  Result<CodeReader> OpenReader(const std::string& path, uint32_t code_bits) const;
  Status ReadFile(const std::string& path, uint32_t code_bits, const CodeVisitor& visitor);
  // Until standard input has something.
  Status Await(const CodeVisitor& visitor) const;
  Status CheckScheme(const std::string& name, const CodeReader& reader);

  const CodeFileOptions& options_;
  Stage stage_;
  CommandContext& context_;
  ProgressBar& progress_;
  std::string scheme_;  // of the rows so far
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_CODE_FILES_H_
