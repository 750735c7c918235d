#ifndef ZHIWEN_TEXT_LANGUAGE_LANGUAGE_PARTS_H_
#define ZHIWEN_TEXT_LANGUAGE_LANGUAGE_PARTS_H_

// The parts that make up language data. Each part reads its tables and adds its sections. The
// folder of a part says what its sections hold and how they are read.

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
