#ifndef ZHIWEN_PIPELINE_READER_MEMBER_DOCUMENT_H_
#define ZHIWEN_PIPELINE_READER_MEMBER_DOCUMENT_H_

// The document of a member of an archive.

#include <string>
#include <string_view>

#include "pipeline/reader/capture_document.h"
#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Extracts the document of a tar entry (document/archive/tar_entry.h). The member of the document
// is its name in the archive; the part of an office file stands behind it:
// "a.docx/word/document.xml". Fails: kUnreadable: the member is damaged or encrypted, or its
// document; it holds records, or is packed itself · kExhausted: it is larger than is read.
Result<CaptureDocument> ExtractMember(std::string_view bytes, const DocumentHints& hints);

// "news.zip/a/b.txt".
std::string IdOfMember(std::string_view archive, std::string_view member);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_MEMBER_DOCUMENT_H_
