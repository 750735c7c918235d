#ifndef ZHIWEN_EXTRACT_FILES_H_
#define ZHIWEN_EXTRACT_FILES_H_

// Extracts the bodies of web pages that are files.
//
// In          HTML files, plain, gzip or zstd, and standard input
// Out         the texts, or an object of JSON for each file
// Guarantees  results come in the order of the files; the same bytes for any number of threads. A
//             file that cannot be read hides no other one: it is named, and the work fails at the
//             end
// Cost        the executor extracts; sixteen files a thread are held at a time
// Threads     one; the sink is called on the calling thread
// Fails       kInvalidArgument: standard input twice, a folder · kNotFound: a file, before the
//             first one is read · kUnreadable: files, after all others were given to the sink ·
//             kInterrupted, kTerminated · as the sink

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/document_batches.h"
#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class ExtractForm : uint8_t {
  kText,    // the text, with an empty line between those of two files
  kJson,    // ExtractedToJson a line
  kBlocks,  // the same, with the blocks of the text
};

struct ExtractFilesOptions {
  std::vector<std::string> paths = {};
  ExtractForm form = ExtractForm::kText;
};

struct ExtractedFiles {
  uint64_t files = 0;
  uint64_t empty = 0;  // of them: without text
};

Result<ExtractedFiles> ExtractFiles(const ExtractFilesOptions& options, const TextSink& sink,
                                    const BatchEnvironment& environment);

enum class PageBlocks : uint8_t { kLeaveOut, kShow };

// {"id", "source": {"file"}, "url", "type", "encoding": {"name", "declared", "errors"}, "title",
// "author", "date", "site", "language", "kind", "share", "text", "blocks": [{"kind", "level",
// "text":
// {"begin", "end"}, "source": {"begin", "end"}}]}: begin and end are bytes. What the page does not
// say is "".
std::string ExtractedToJson(std::string_view name, const ExtractedDocument& page,
                            PageBlocks blocks);

}  // namespace zhiwen

#endif  // ZHIWEN_EXTRACT_FILES_H_
