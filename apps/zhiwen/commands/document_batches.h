#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_BATCHES_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_BATCHES_H_

// The documents of a command's inputs, some at a time: files, folders and standard input, with what
// people are told of records that cannot be used.
//
// Guarantees  documents come in the order of the inputs; all inputs are looked at before the first;
//             of a text that is read by lines, those before a bad one are visited, and it is one
//             failed record
// Cost        a batch of about eight megabytes, or one document
// Fails       kInvalidArgument, kNotFound: an input or a field that nothing has; kUnreadable: a
//             file (its documents before the damage are visited), or more failed records than
//             allowed; kInvalidArgument: options of records for texts alone; what the visitor
//             returns

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/command.h"
#include "terminal/progress_bar.h"
#include "zhiwen/documents.h"

namespace zhiwen {

// A field that somebody typed, and the option that it was typed with.
struct NamedField {
  std::string name, option;
};

// What a command's options say about its inputs.
struct DocumentBatchOptions {
  std::vector<std::string> inputs;
  DocumentOptions documents;
  std::optional<DocumentFormat> format;
  FailureLimit max_failed;
  DocumentFormat standard_input = DocumentFormat::kJsonLines;  // without a format
  DocumentFormat otherwise = DocumentFormat::kText;            // of a file without known ending
  std::vector<NamedField> named_fields;  // of documents.value_fields, those that somebody typed
  std::string stage;                     // what the progress calls the work: "compute"
  std::string outcome;                   // what a record has that did not fail: "fingerprint"
  std::string too_large;  // what to do about a record above documents.max_record_bytes
  // What of a file that is damaged stays of the documents before that: "printed"; empty: nothing.
  std::string done;
  std::string text_option = "--text-field";  // what names the text field
  std::string no_texts;                      // why a text cannot be a document; empty: it can
  // Looks at each document; one that it gives a fault is a failed record.
  std::function<void(SourceDocument&)> check;
};

// The texts of a batch, which live as long as it does.
std::vector<std::string_view> TextsOf(std::span<const SourceDocument> batch);

// The options --text-field, --id-field, --format, --separator (by the name that
// documents.separator_option has), --encoding and --max-failed.
std::vector<OptionSpec> DocumentBatchSpecs(DocumentBatchOptions& options);

class DocumentBatches {
 public:
  using Visit = std::function<Status(std::span<const SourceDocument> batch)>;

  // `options` and `context` must outlive the object.
  DocumentBatches(const DocumentBatchOptions& options, CommandContext& context);

  // Looks at the inputs, which ForEach does otherwise.
  Status Prepare();

  // Calls `visit` for all documents.
  Status ForEach(const Visit& visit);

  // How many there are; for `visit`.
  size_t files() const { return files_; }

  // Of all records that were read.
  const FoundFields& found() const { return found_; }

 private:
  Result<std::vector<DocumentFile>> ListInputs();
  Result<DocumentReader> OpenReader(const DocumentFile& file) const;
  Status ReadFile(const DocumentFile& file, const Visit& visit);
  void WarnOfRecords(const DocumentFile& file, std::string_view text);
  bool IsByLines(const DocumentFile& file) const;
  void CountFault(const DocumentFile& file, const SourceDocument& document);
  tl::unexpected<Error> FailDamaged(const DocumentFile& file, Error error,
                                    uint64_t documents) const;
  void AddFound(const FoundFields& found);
  Status RefuseIdleOptions(std::span<const DocumentFile> files) const;
  Status CheckNamedFields() const;
  Status CheckFailures();

  const DocumentBatchOptions& options_;
  const Cancellation& cancellation_;
  ProgressBar progress_;
  ConsoleLog log_;
  std::optional<std::vector<DocumentFile>> listed_;
  size_t files_ = 0;
  uint64_t records_ = 0, failed_ = 0;
  std::string first_fault_, first_missing_field_;  // for people
  bool is_no_json_ = false;                        // a record that failed
  FoundFields found_;
  uint64_t bytes_before_ = 0;  // of the files that are done
  uint64_t total_bytes_ = 0;   // 0: unknown
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_BATCHES_H_
