#ifndef ZHIWEN_SOURCE_PLACES_H_
#define ZHIWEN_SOURCE_PLACES_H_

// Leads from places in an extracted text to the bytes of its document.
//
// In          the blocks of a document (zhiwen/extract.h), which may have come along with its text
//             as a field, and a place in the text
// Out         the bytes of the document from the beginning of the first line that the place
//             touches to the end of the last one
// Guarantees  the bytes have all that stands in the place, and what is between its lines
// Cost        two binary searches a place; 16 bytes a line
// Threads     const after Parse; share freely

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/extract.h"
#include "zhiwen/offsets.h"

namespace zhiwen {

class SourcePlaces {
 public:
  // The blocks of a document as the value of a field: the beginning and the end of each, in order,
  // "0 12 13 40".
  static std::string FieldOf(const ExtractedDocument& document);

  // Of the text of a document. Returns nothing where the field has not two numbers for each line.
  static std::optional<SourcePlaces> Parse(std::string_view text, std::string_view field);

  ByteSpan SourceOf(const ByteSpan& text) const;

 private:
  SourcePlaces() = default;
  size_t LineAt(uint64_t offset) const;

  std::vector<uint64_t> begins_;   // of the lines in the text
  std::vector<ByteSpan> sources_;  // of each line
};

}  // namespace zhiwen

#endif  // ZHIWEN_SOURCE_PLACES_H_
