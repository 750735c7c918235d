#ifndef ZHIWEN_NAMED_TEXT_H_
#define ZHIWEN_NAMED_TEXT_H_

// The text that somebody names on a command line: a whole file, or one record of a file of records.
//
//   a.txt            the file
//   a.jsonl:17       its record 17, as `source.record` of removed.jsonl.zst counts: from 1, without
//                    blank lines; a line of CSV that names the fields is none
//   a.csv.gz:id=X    its first record with the id X
//
// Guarantees  a file that exists under the name as typed is that file, colons or not; otherwise the
//             longest file name in front of a colon counts
// Cost        ReadRecord reads the file from its beginning to the record, a block at a time
// Threads     free functions
// Fails       see the functions

#include <cstdint>
#include <optional>
#include <string>

#include "zhiwen/documents.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct NamedText {
  std::string path;
  uint64_t record = 0;  // from 1; 0: not named by its number
  std::optional<std::string> id = {};

  bool is_record() const { return record > 0 || id.has_value(); }
};

// Takes `typed` apart. `format` is the format of the file; not given: as its name ends. Where no
// such file exists, or it is a folder, whoever opens the path says so. Fails: kInvalidArgument for
// a whole file of records, and for what is behind a file and its colon and names no record.
Result<NamedText> ParseNamedText(FileSystem& files, const std::string& typed,
                                 std::optional<DocumentFormat> format = {});

// Returns the record that `name` names, which may be one with a fault. Fails: kNotFound when there
// is no such file or record; kInvalidArgument for a text, which has no records; otherwise as
// ListDocumentFiles and DocumentReader; what `cancellation` says.
Result<SourceDocument> ReadRecord(FileSystem& files, const NamedText& name,
                                  const DocumentOptions& options,
                                  std::optional<DocumentFormat> format,
                                  const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_NAMED_TEXT_H_
