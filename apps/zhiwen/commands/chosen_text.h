#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_CHOSEN_TEXT_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_CHOSEN_TEXT_H_

// Opens the text that a command works on: a file, one record of a file (zhiwen/named_text.h), or
// standard input as one text.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/command.h"
#include "zhiwen/documents.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The options that say how a record is read.
struct ChosenFields {
  DocumentOptions documents;
  std::optional<DocumentFormat> format;
  bool takes_pictures = false;  // a whole file may be a picture
};

// Help text that says what can be named besides files.
inline constexpr std::string_view kNamedTexts =
    "plain, gzip or zstd, in any encoding; a record of a file: FILE:NUMBER or FILE:id=ID; - for "
    "standard input";

// Returns the options --text-field, --id-field, --format, --separator and --encoding.
std::vector<OptionSpec> ChosenFieldSpecs(ChosenFields& chosen);

struct ChosenFile {
  std::unique_ptr<ReadableFile> file;
  std::optional<TextEncoding> encoding;  // the one that was named; a record is in UTF-8
};

// Opens the text called `typed`. Fails as ParseNamedText and ReadRecord do; also kUnreadable for a
// record that is not a document, and kNotFound when the record lacks the text field.
Result<ChosenFile> OpenChosenText(const std::string& typed, const ChosenFields& chosen,
                                  const Cancellation& cancellation);

struct ChosenDocument {
  std::string text;
  std::string levels;        // DocumentFields::levels; empty of plain texts
  std::string sources = {};  // SourcePlaces::FieldOf; likewise
  std::string picture = {};  // the pixels of a picture, which has no text (zhiwen/picture.h)
};

// Reads and decompresses the text, and returns it in UTF-8. Fails also with kExhausted when it is
// longer than `limit` bytes.
Result<ChosenDocument> ReadChosenDocument(const std::string& typed, const ChosenFields& chosen,
                                          uint64_t limit, const Cancellation& cancellation);
Result<std::string> ReadChosenText(const std::string& typed, const ChosenFields& chosen,
                                   uint64_t limit, const Cancellation& cancellation);

// Returns the warning about a whole text that looks like records, though nobody said that it is a
// text; empty for others. `text` is its beginning.
std::string WarningOfRecords(const std::string& typed, std::string_view text,
                             const ChosenFields& chosen);

// Refuses field options when all of `typed` are whole texts. Fails: kInvalidArgument.
Status RefuseIdleFields(std::span<const std::string> typed, const ChosenFields& chosen);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_CHOSEN_TEXT_H_
