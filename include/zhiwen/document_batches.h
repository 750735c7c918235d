#ifndef ZHIWEN_DOCUMENT_BATCHES_H_
#define ZHIWEN_DOCUMENT_BATCHES_H_

// Visits the documents of files, folders and standard input, a batch at a time, and counts the
// records that cannot be used.
//
// In          paths, and how their documents are read (zhiwen/documents.h)
// Out         batches of documents; a warning for each of the first ten bad records
// Guarantees  documents come in the order of the paths; all paths are looked at before the first
//             document. Of a text that is read by lines, the lines before a bad one are visited,
//             and the text is one failed record
//             Documents that arrive over time are visited as they come: a batch ends when nothing
//             more came for 5 milliseconds, and 100 milliseconds after its first document
// Cost        a batch of about eight megabytes, or one larger document
// Threads     one; the visitor is called on the calling thread
// Fails       kInvalidArgument: options of fields for texts alone · kNotFound: a path, or a field
//             that a user named and no record has, which is known at the end, or after the first
//             batch (DocumentWork::keeps) · kUnreadable: a file (the documents before the damage
//             are visited), or more failed records than allowed · kInterrupted, kTerminated · as
//             the visitor does
// Not for     deduplication, which reads its inputs itself (zhiwen/dedup.h)

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/documents.h"
#include "zhiwen/environment.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/language.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The surroundings of work that goes through files batch by batch. All of them must outlive the
// work.
struct BatchEnvironment {
  FileSystem& files;
  Executor& executor;
  const Clock& clock;
  ProgressSink& progress;
  LogSink& log;
  const Cancellation& cancellation;
  // Opens standard input as a file that is read once from front to back. Empty: "-" is refused.
  std::function<std::unique_ptr<ReadableFile>()> standard_input = {};
  LanguageSource language = {};
  std::optional<ArrivingInput> arriving = {};  // nothing: standard input is there as a whole
};

// Receives the parts of an output in their order. An error that it returns ends the work.
using TextSink = std::function<Status(std::string_view text)>;

// A field that a user named, and what messages call the option that named it.
struct NamedField {
  std::string name, option;
};

// Names that messages use for the options of DocumentInputs; a command line gives "--text-field".
struct DocumentOptionNames {
  std::string text_field = "text_fields";
  std::string text_format = "text_format";
  std::string id_field = "id_field";
  std::string format = "format";
  std::string max_failed = "max_failed";
};

// The documents to visit.
struct DocumentInputs {
  std::vector<std::string> paths = {};  // files, folders, and kStandardInput
  bool may_name_records = false;        // a path may name a record of a file (zhiwen/named_text.h)
  DocumentOptions documents = {};
  std::optional<DocumentFormat> format = {};                   // of every file
  DocumentFormat standard_input = DocumentFormat::kJsonLines;  // without a format
  DocumentFormat otherwise = DocumentFormat::kText;            // of a file without known ending
  FailureLimit max_failed = {};
  std::vector<NamedField> named_fields = {};  // those of documents.value_fields that a user named
  std::string too_large = {};  // advice about a record above documents.max_record_bytes
  DocumentOptionNames names = {};
  std::string leave_out = {};  // a file that is no document where it stands below a folder
  // Pictures are documents only where the field `picture` (zhiwen/picture.h) is asked for.
  PictureTaking pictures = PictureTaking::kAlone;
};

// What is done with the documents, for messages and progress.
struct DocumentWork {
  Stage stage = Stage::kRead;
  std::string outcome;  // what a record has that did not fail: "fingerprint"
  // What happened to the documents before the damage of a file: "printed"; empty: nothing.
  std::string done = {};
  std::string no_texts = {};  // why a text cannot be a document; empty: it can
  // Looks at each document; a document that it gives a fault is a failed record, and an error that
  // it returns ends the work.
  std::function<Status(SourceDocument& document)> check = {};
  // The visitor keeps what it visits. So a field that a user named and no record of the first batch
  // has fails with kNotFound before anything is visited; that batch spans files. It does not fail
  // where the input waits before the batch is full; a field that no record had is a warning at the
  // end then. An empty batch follows the last one where the input waits, so that a visitor can end
  // what it has begun.
  bool keeps = false;
};

// Returns the texts of a batch; they live as long as the batch.
std::vector<std::string_view> TextsOf(std::span<const SourceDocument> batch);

class DocumentBatches {
 public:
  using Visit = std::function<Status(std::span<const SourceDocument> batch)>;

  // `environment` must outlive the object.
  DocumentBatches(DocumentInputs inputs, DocumentWork work, const BatchEnvironment& environment);
  ~DocumentBatches();
  DocumentBatches(const DocumentBatches&) = delete;
  DocumentBatches& operator=(const DocumentBatches&) = delete;

  // Looks at all paths. ForEach does so first; who creates an output calls this before, so that the
  // output is none of the inputs.
  Status Prepare();

  // Calls `visit` for all documents. Once only.
  Status ForEach(const Visit& visit);

  // Return how many files there are, and whether the inputs are one text, or one record that a path
  // names; known after Prepare.
  size_t files() const;
  bool is_one_document() const;

  // Returns which fields the documents have; known after ForEach.
  const FoundFields& found() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_BATCHES_H_
