#ifndef ZHIWEN_APPS_ZHIWEN_DOCUMENT_BATCHES_H_
#define ZHIWEN_APPS_ZHIWEN_DOCUMENT_BATCHES_H_

// The documents of what a command was given, a batch at a time, for commands that read each once
// (fingerprint, terms): options, standard input, progress, bad records, fields that nobody has.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.h"
#include "option_values.h"
#include "progress_bar.h"
#include "zhiwen/documents.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Takes the next documents, in order; none of them is a bad record.
using BatchVisitor = std::function<Status(std::span<const SourceDocument> batch)>;

class DocumentBatches {
 public:
  // What a run looks like from outside.
  struct Surroundings {
    const Cancellation& cancellation;
    ProgressBar& progress;
    ConsoleLog& log;
  };

  // `lacking` is what a bad record has not, "fingerprint"; `stage` is the word of the progress bar.
  // Both live as long as the program.
  DocumentBatches(const char* lacking, const char* stage) : lacking_(lacking), stage_(stage) {}

  // The options that decide what is read, for the command's own list: --text-field, --id-field,
  // --format, --text, --max-failed.
  std::vector<OptionSpec> Options();

  // Larger records are bad ones.
  void set_max_record_bytes(uint64_t bytes) { options_.max_record_bytes = bytes; }

  // Looks at all inputs ("-": standard input), then visits their documents. Fails as reading does,
  // with the error of `visit`, and kUnreadable above --max-failed; kNotFound when no record has a
  // field that was named.
  Status Visit(const std::vector<std::string>& inputs, const Surroundings& around,
               const BatchVisitor& visit);

 private:
  Status CheckOptions() const;
  Result<std::vector<DocumentFile>> List(const std::vector<std::string>& inputs,
                                         const Surroundings& around);
  Result<DocumentReader> Open(const DocumentFile& file, const Cancellation& cancellation) const;
  Status VisitFile(const DocumentFile& file, const Surroundings& around, const BatchVisitor& visit);
  void CountFault(const std::string& name, const SourceDocument& document,
                  const Surroundings& around);
  void AddFound(const FoundFields& found);
  Status CheckNamedFields() const;
  Status CheckFailures(const Surroundings& around) const;

  const char* lacking_;
  const char* stage_;
  DocumentOptions options_;
  std::optional<DocumentFormat> format_;
  FailureLimit max_failed_;
  bool text_ = false;

  uint64_t records_ = 0, failed_ = 0;
  std::string first_fault_, first_missing_field_;  // for people
  FoundFields found_;
  uint64_t bytes_before_ = 0;  // of the files that are done
  uint64_t total_bytes_ = 0;   // 0: unknown
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_DOCUMENT_BATCHES_H_
