#ifndef ZHIWEN_TEXT_LANGUAGE_LANGUAGE_PARTS_H_
#define ZHIWEN_TEXT_LANGUAGE_LANGUAGE_PARTS_H_

// The parts that language data is compiled of. Each reads its tables and adds its sections; what
// the sections hold, and how they are read, is in the folder of the part.

#include "base/files/section_file.h"
#include "text/language/language_tables.h"

namespace zhiwen {

inline constexpr SectionFileKind kLanguageFile = {.name = "language", .version = 3};

Status CompileReadings(const LanguageTables& tables, SectionWriter& writer);
Status CompileRegional(const LanguageTables& tables, SectionWriter& writer);
Status CompileShape(const LanguageTables& tables, SectionWriter& writer);
Status CompileSegmenter(const LanguageTables& tables, SectionWriter& writer);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_LANGUAGE_LANGUAGE_PARTS_H_
