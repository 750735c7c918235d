#ifndef ZHIWEN_LIBRARY_QUERY_H_
#define ZHIWEN_LIBRARY_QUERY_H_

// The answers of a library to questions about its documents: which of them resemble a text the
// most.
//
// Guarantees  every document of an answer was compared with the text. Equal texts are found, and
//             near-duplicates with the recall of the index (0.98 at the threshold of the library).
//             Others share a block of 8 symbols with the text: those that share the most are
//             compared. `truncated` says that there were more than could be compared
// Cost        a stored text is read for every document that is compared, some 0.1 ms for 2 KB
// Not for     where texts agree, and whether a text is known: zhiwen/check.h

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/stored_document.h"

namespace zhiwen {

struct SimilarityOptions {
  size_t count = 20;             // of documents that are listed
  double least_resemblance = 0;  // of these; those that share no shingle are never listed
  size_t most_compared = 1000;   // texts
  uint32_t except = 0;           // number of a document that is no answer; 0: none
};

struct SimilarDocumentOfText {
  StoredDocument document;
  double resemblance = 0;              // of their 5-shingles on the folded channel
  double containment = 0;              // of the text in the document
  double containment_of_original = 0;  // of the document in the text
};

struct SimilarDocuments {
  uint64_t units = 0;  // symbols of the text on the folded channel
  // By resemblance, then by containment of the text, highest first; equal ones by number.
  std::vector<SimilarDocumentOfText> documents;
  uint64_t compared = 0;       // texts
  uint64_t common_blocks = 0;  // of the text, in so many documents that none was looked up
  uint64_t searched = 0;       // documents of the library
  uint64_t sequence = 0;       // of the last change that every index has
  bool truncated = false;      // there may be documents that resemble the text as much
};

// One line of JSON:
// {"id","source","units","documents":[{"rank","document":{"id","version","title","author","date",
// "url"},"resemblance","containment","containment_of_original"}],"searched":{"documents",
// "channel","sequence","common_blocks","compared"},"truncated"}.
std::string SimilarDocumentsToJson(const SimilarDocuments& similar, std::string_view id,
                                   std::string_view source);

}  // namespace zhiwen

#endif  // ZHIWEN_LIBRARY_QUERY_H_
