#ifndef ZHIWEN_JSON_FORMS_H_
#define ZHIWEN_JSON_FORMS_H_

// What machines read: one JSON form for every table that people read. The command line prints them
// with --json; other surfaces use the same forms. (Those of a comparison and of a deduplication are
// beside them: zhiwen/compare.h, zhiwen/dedup.h.)
//
// Out         JSON without a final line end; indented, apart from those of one line
// Guarantees  names of fields are only added to, never changed
// Threads     free functions

#include <span>
#include <string>
#include <string_view>

#include "zhiwen/documents.h"
#include "zhiwen/language.h"
#include "zhiwen/scheme.h"
#include "zhiwen/segmenter.h"

namespace zhiwen {

// One line {"id", "scheme", "value"}: value is hex for a fixed-size value, an array of 16-digit hex
// strings for a set, null where the text has no feature.
std::string FingerprintToJson(std::string_view id, std::string_view canonical_name,
                              const Fingerprint& value);

// One line {"id", "tokens": [{"text", "begin", "end", "tag"}]}: begin and end are bytes of `text`;
// "tag" where tokens have one.
std::string TokensToJson(std::string_view id, std::string_view text, std::span<const Token> tokens);

// An array of {"family", "default_name", "value", "distance", "use_for", "not_for", "source",
// "parameters"}.
std::string SchemesToJson(std::span<const SchemeDescription> schemes);

// An array of {"name", "extensions", "documents", "read_by", "written_by"}.
std::string FormatsToJson(std::span<const FormatDescription> formats);

// {"file", "id", "bytes", "packages": [{"name", "version", "licence", "use"}]}.
std::string LanguageToJson(const Language& language);

// {"version", "unicode", "opencc", "compiler", "simd": {"selected", "supported"}}.
std::string VersionToJson();

// The compiler that built the program: "g++ 12.2.0".
std::string_view CompilerName();

}  // namespace zhiwen

#endif  // ZHIWEN_JSON_FORMS_H_
