#ifndef ZHIWEN_EXTRACT_FILES_H_
#define ZHIWEN_EXTRACT_FILES_H_

// Extracts the texts of documents: files of any type, records of files, captures of crawls.
//
// In          files, folders and standard input. Below a folder every file is taken whose name
//             says that it has documents, be they records or whole files
// Out         the texts, or a line of JSON for each document
// Guarantees  a run that writes a file and ends early, also by a crash, leaves "FILE.partial", from
//             which another one goes on; the file is the same then
//             results come in the order of the inputs; the same bytes for any number of threads. A
//             document that cannot be read hides no other one: it is a line with "failed", and a
//             warning
// Cost        the executor extracts; about 32 MiB of inputs are held at a time, or one larger file
// Threads     one; the sink is called on the calling thread
// Fails       as ListDocumentFiles; kInvalidArgument: standard input twice, or with
//             site_templates · kUnreadable: more
//             failed documents than allowed, after all others were given to the sink ·
//             kInterrupted, kTerminated · as the sink · kConflict: an output that may not be
//             replaced, or cannot be gone on with

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/document_batches.h"
#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class ExtractForm : uint8_t {
  kText,      // the text, with an empty line between those of two documents
  kJson,      // ExtractedToJson a line
  kBlocks,    // the same, with the blocks of the text
  kTree,      // the body tree, drawn as lines (zhiwen/body_tree.h)
  kTreeJson,  // as kJson, with the body tree
};

struct ExtractFilesOptions {
  std::vector<std::string> paths = {};
  // How records are read; text_type is that of all documents whose bytes do not tell, files too.
  DocumentOptions documents = {};
  std::optional<DocumentFormat> format = {};  // of every file
  ExtractForm form = ExtractForm::kText;
  FailureLimit max_failed = {};
  DocumentOptionNames names = {};
  // A file for the lines of JSON: *.jsonl, *.jsonl.gz or *.jsonl.zst. Empty: the sink gets them.
  std::string output = {};
  bool overwrite = false;  // a file of extracted texts that is there
  // Go on where an earlier run with the same inputs and options stopped, behind the last input
  // whose texts it wrote.
  bool resume = false;
  // Leave out the paragraphs that many pages of one site have. Inputs are read twice. A site is the
  // host of the addresses, or else a folder.
  bool site_templates = false;
  // A command that reads a picture on standard input and writes its text, such as "tesseract - - -l
  // chi_sim", for pictures and PDF files without a text, each in a process with limits. Empty:
  // none.
  std::string ocr = {};
  size_t columns = 0;  // of kTree: longer lines are cut; 0: none is
};

struct ExtractedFiles {
  uint64_t files = 0, documents = 0;
  uint64_t empty = 0;    // documents without text
  uint64_t failed = 0;   // that could not be read
  uint64_t dropped = 0;  // paragraphs of site templates
};

Result<ExtractedFiles> ExtractFiles(const ExtractFilesOptions& options, const TextSink& sink,
                                    const BatchEnvironment& environment);

// Where a document comes from.
struct ExtractedFrom {
  std::string_view id;
  std::string_view file;
  std::optional<uint64_t> record = {};             // from 1; not given: the document is the file
  std::string_view record_id = {}, captured = {};  // of a capture: its id, when it was fetched
  // What the text was recognized in: "picture", or "pages" of a PDF file. Empty: the document has
  // it.
  std::string_view recognized = {};
};

inline constexpr std::string_view kRecognizedPicture = "picture", kRecognizedPages = "pages";

// A paragraph that was left out, because so many of the pages of its site have it.
struct DroppedLine {
  std::string text;
  ByteSpan source;  // as that of ExtractedBlock
  uint64_t pages = 0, site_pages = 0;
};

enum class ShownBlocks : uint8_t { kLeaveOut, kShow, kTree };

// {"id", "source": {"file", "record", "record_id", "captured", "member"}, "url", "type",
// "encoding": {"name", "declared", "errors"}, "title", "author", "date", "site", "language",
// "next", "kind", "share", "recognized", "text", "pictures", "hidden", "notes", "blocks": [{"kind",
// "level", "text": {"begin", "end"}, "source": {"begin", "end"}}], "dropped": [{"reason", "text",
// "source", "pages", "site_pages"}]}: begin and end are bytes. What the document does not say is
// "". As a tree: "levels", which says the depth of each line of the text (BodyLevels), and "tree"
// (BodyTreeToJson) instead of "blocks".
std::string ExtractedToJson(const ExtractedFrom& from, const ExtractedDocument& document,
                            ShownBlocks blocks, std::span<const DroppedLine> dropped = {});

}  // namespace zhiwen

#endif  // ZHIWEN_EXTRACT_FILES_H_
