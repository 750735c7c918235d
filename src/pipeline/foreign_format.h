#ifndef ZHIWEN_PIPELINE_FOREIGN_FORMAT_H_
#define ZHIWEN_PIPELINE_FOREIGN_FORMAT_H_

// Why the first bytes of a file cannot be those of documents, or of another format than its name
// says. The answers end a sentence, "it is …", and say what to do: "a zip archive; unpack it
// first".

#include <string_view>

#include "zhiwen/documents.h"

namespace zhiwen {

// Of an archive, a compression, a character encoding that nothing here reads, by bytes that are
// UTF-8 now. Empty when it may be read.
std::string_view ForeignFormat(std::string_view head, DocumentFormat format);

bool BeginsAsXz(std::string_view head);
bool BeginsAsBzip2(std::string_view head);

// Of a file that was said to be JSON Lines.
inline constexpr std::string_view kArrayNoLines =
    "a JSON array, and not JSON Lines: say that it is json, or say nothing of formats";

inline constexpr std::string_view kUnknownEncoding =
    "no UTF-8, and which encoding it has is not clear: name it, such as gb18030 or big5, or "
    "convert it to UTF-8 first (iconv)";

// kUnknownEncoding, of a file read as UTF-8 most of whose lines seem to be GB18030 or Big5: a
// guess, for refusing the file, never for doing without it.
std::string_view ForeignEncoding(std::string_view head);

// Whether a file that calls itself JSON Lines, without a byte order mark, is an array over several
// lines, or one of objects in the only line. An array in the first of several lines is a bad
// record.
bool IsArrayNoLines(std::string_view head);

// Of a file whose name says no format and which would be taken as JSON Lines. Empty when it begins
// as they do, or holds nothing yet.
std::string_view NotJsonLines(std::string_view head);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_FOREIGN_FORMAT_H_
