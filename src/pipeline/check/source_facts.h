#ifndef ZHIWEN_PIPELINE_CHECK_SOURCE_FACTS_H_
#define ZHIWEN_PIPELINE_CHECK_SOURCE_FACTS_H_

// What a document says of its text, and a check of the text does not know.
//
// Threads     free function

#include <string>
#include <string_view>

#include "zhiwen/check.h"

namespace zhiwen {

// Values of the fields of a document with these names, as they are written; empty where the
// document has none.
struct SourceFacts {
  const std::string& sources;  // SourcePlaces::FieldOf
  const std::string& member;
  const std::string& pictures;
  const std::string& obfuscated;
  const std::string& share;
};

// Adds to `checked` where its passages stand in the document, and what of it was not compared.
void AddSourceFacts(std::string_view text, const SourceFacts& facts, CheckedText& checked);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CHECK_SOURCE_FACTS_H_
