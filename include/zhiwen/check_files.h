#ifndef ZHIWEN_CHECK_FILES_H_
#define ZHIWEN_CHECK_FILES_H_

// Checks the documents of files against a library, and shows what came of it: to a sink, as a file
// of JSON Lines, as a page for people, and as a Word file for courts.
//
// In          documents of files, folders and standard input (zhiwen/document_batches.h), and
//             records of files (zhiwen/named_text.h)
// Out         a line of JSON for each document (CheckToJson); one self-contained page, which shows
//             the documents that match most and counts all; one DOCX file, which has a row for
//             each document (chapter): its characters, those that are the same, their share and the
//             original; a total; the chapters of which 70 % or more is the same; and of the
//             documents that match most each passage, whole, in both texts, with the same words in
//             red
// Guarantees  answers come in the order of the inputs. Files that were there stay until the new
//             ones are whole and on the disk; a run that ends early leaves none of them
// Cost        a batch of documents; the executor checks them. The page holds the HTML of at most
//             kShownSuspects documents, some hundred kilobytes of each; the Word file rows of
//             10,000 documents and 8 MiB, or one match, of each of kShownSuspects
// Threads     one; the sink is called on the calling thread
// Fails       as DocumentBatches and Library do, and as the sink does; kConflict where something
//             is there that may not be replaced; kInvalidArgument for an output of another ending,
//             and for a date of `check` that cannot be read

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/check.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kShownSuspects = 50;

// A file that a check leaves behind.
struct CheckOutput {
  std::string path = {};   // empty: none
  bool overwrite = false;  // a file of the same kind, or an empty one, that is there
};

enum class CheckedWhich : uint8_t { kAll, kMatching };

struct CheckFilesOptions {
  std::string folder;
  DocumentInputs inputs = {};
  TextCheckOptions check = {};      // its date is that of documents without one
  std::string date_field = "date";  // of records, for their precedence
  // Reasons that count beside those of the library's profile, and those that do not. Of the
  // exclusions of `check` the reasons follow from these; their author is that of documents without
  // one.
  ExclusionReasons exclude = {}, count = {};
  std::string author_field = "author";      // of records, for own work
  CheckedWhich which = CheckedWhich::kAll;  // are given to the sink and written to `lines`
  CheckOutput lines = {};                   // *.jsonl, *.jsonl.gz, *.jsonl.zst
  CheckOutput page = {};                    // HTML
  CheckOutput docx = {};                    // a Word file
  std::vector<std::string> command = {};    // that the page tells
};

// A document that was checked; it lives until the sink returns.
struct CheckedDocument {
  const SourceDocument& document;
  const CheckedText& checked;
  bool is_only = false;  // the inputs are one text, or one record that a path names
};

struct CheckFilesSummary {
  uint64_t documents = 0;
  std::array<uint64_t, kRelations> by_verdict = {};  // in the order of Relation
  uint64_t empty = 0;                                // of them: CheckedText::is_empty
  uint64_t little_compared = 0;                      // of them: MayHideCopy
  uint64_t unreadable_dates = 0;                     // of them: whose date proves nothing
  std::string unreadable_date = {};                  // the first of these
  uint64_t searched = 0;                             // documents of the library
  uint64_t lacking = 0, granules_lacking = 0;        // as those of CheckedText
  std::string granules_not_searched = {};            // likewise
  std::vector<std::string> channels = {};            // that were searched
  bool is_only = false;                              // as CheckedDocument::is_only

  uint64_t With(Relation verdict) const { return by_verdict[static_cast<size_t>(verdict)]; }
  uint64_t matched() const { return documents - With(Relation::kNone); }
};

// `sink` may be empty.
Result<CheckFilesSummary> CheckFiles(
    const CheckFilesOptions& options,
    const std::function<Status(const CheckedDocument& checked)>& sink,
    const BatchEnvironment& environment);

// The first lines that a check prints for people.
struct CheckGlance {
  uint64_t same = 0;         // units of the text in passages of any match
  uint64_t longest_run = 0;  // units in a row that the text and a document have
};
CheckGlance GlanceAt(const CheckedText& checked);

// A way in which passages were changed, and how many units of the text were.
struct PassageWay {
  std::string_view zh, en;  // "逐字", "verbatim"
  uint64_t matched = 0;
};

// Returns the ways of the passages of a match that there are: what is verbatim first, then
// disguises, then what was replaced, inserted or left out.
std::vector<PassageWay> WaysOf(const CheckMatch& match);

// Returns "exact, folded" for the channels exact.v1 and folded.v3.
std::string ShortChannelNames(std::span<const std::string> channels);

}  // namespace zhiwen

#endif  // ZHIWEN_CHECK_FILES_H_
