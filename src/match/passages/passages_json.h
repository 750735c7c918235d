#ifndef ZHIWEN_MATCH_PASSAGES_PASSAGES_JSON_H_
#define ZHIWEN_MATCH_PASSAGES_PASSAGES_JSON_H_

// JSON of copied passages, as members of an object that is open.
//
// Threads     free function

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/json/json_writer.h"
#include "zhiwen/compare.h"
#include "zhiwen/passages.h"

namespace zhiwen {

// Both texts have these names in the JSON.
struct SideNames {
  std::string_view a = "a", b = "b";
  bool are_one_text = false;  // which repeats itself
};

// "matched":{"a","b"},"how":{kind:symbols},"renamed":[[b,a,count]],"passages":[{"a":{"begin","end",
// "bytes":[b,e],"source":[b,e]},"b":{…},"channel","kind","matched","rare","similarity","score",
// "expected","pieces":[{"a":[b,e],"b":[b,e]}],"edits":[{"kind","a":[b,e],"b":[b,e],"symbols"}]}].
// Of texts with other names "a" and "b" are these. Of one text a passage also has its "period",
// where it has one; "source", "rare" and "expected" are there where they are known.
void WritePassages(JsonWriter& json, const PassageComparison& comparison, const SideNames& names);

// "key":[b,e].
void WriteBytes(JsonWriter& json, std::string_view key, const ByteSpan& bytes);

// "key":{"begin","end","bytes":[b,e],"source":[b,e]}, without source where there is none.
void WritePlace(JsonWriter& json, std::string_view key, const ByteSpan& bytes,
                const Span<CodePointOffset>& points, const std::optional<ByteSpan>& source);

// One of these passages.
void WritePassage(JsonWriter& json, const CopiedPassage& passage, const SideNames& names);

// "excluded":[{"reason","passage"}], passages as above.
void WriteExcluded(JsonWriter& json, std::span<const ExcludedPassage> excluded,
                   const SideNames& names);

// "before":{"matched":{"a","b"}},"excluded":[{"reason","passage"}], passages as above.
void WriteExcludedPassages(JsonWriter& json, const PassageComparison& comparison);

// "searched":{"channels":[name],"not_searched":[{"channel","reason"}]}.
void WriteSearched(JsonWriter& json, const SearchedChannels& searched);
// "not_searched":[{"channel","reason"}].
void WriteNotSearched(JsonWriter& json, std::span<const UnsearchedChannel> channels);

// "how":{kind:symbols},"renamed":[[b,a,count]].
void WriteHow(JsonWriter& json, const EditCounts& edits, std::span<const Renaming> renamed);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_PASSAGES_JSON_H_
