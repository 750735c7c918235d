#ifndef ZHIWEN_JSON_FORMS_H_
#define ZHIWEN_JSON_FORMS_H_

// What machines read: one JSON form for every table that people read. The command line prints them
// with --json; other surfaces use the same forms. (Those of a comparison and of a deduplication are
// beside them: zhiwen/compare.h, zhiwen/dedup.h.)
//
// Out         JSON without a final line end; indented, apart from those of one line
// Guarantees  names of fields are only added to, never changed
// Threads     free functions

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/code_index.h"
#include "zhiwen/documents.h"
#include "zhiwen/filter.h"
#include "zhiwen/inspect.h"
#include "zhiwen/language.h"
#include "zhiwen/metadata.h"
#include "zhiwen/offsets.h"
#include "zhiwen/phoneme_snapshot.h"
#include "zhiwen/scheme.h"
#include "zhiwen/shared_places.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {

class JsonWriter;

// One line {"id", "scheme", "value"}: value is hex for a value of fixed size; an array of hex
// strings for a set or a sequence of codes; of [{"hash", "position", "begin", "end"}] for selected
// shingles, begin and end in bytes of the text; of [{"term", "weight"}] for terms; null where the
// text has no feature.
std::string FingerprintToJson(std::string_view id, std::string_view canonical_name,
                              const Fingerprint& value);
// The value alone.
std::string FingerprintValueToJson(const Fingerprint& value);

// How alike two texts are by a scheme.
struct SchemeSimilarity {
  std::string scheme, measure;  // canonical name; zhiwen/fingerprint_similarity.h
  double similarity = 0;
  std::vector<PartAgreement> parts = {};  // of metadata (zhiwen/metadata.h); of others none
  std::optional<std::vector<SharedShingle>> shared = {};     // of winnowing
  std::optional<std::vector<ClosestGranule>> granules = {};  // of initials_dna
};

// {"a", "b", "similarities": [{"scheme", "measure", "similarity"}]}; of metadata also "parts", by
// name "equal", "different" or "missing"; of winnowing "shared": [{"hash", "a": [{"position",
// "begin", "end"}], "b"}]; of initials_dna "granules": [{"a": {"begin", "end"}, "b", "distance"}].
// begin and end are bytes of the texts.
std::string SimilaritiesToJson(std::string_view a_name, std::string_view b_name,
                               std::span<const SchemeSimilarity> similarities);

// One line {"id", NAME: [{"text", "begin", "end", "tag"}]}, for "tokens", "sentences" or "clauses":
// begin and end are bytes of the whole, "text" is what stands there, "tag" is there where it is not
// empty. Made piece by piece, and what is in `out` may be taken away between two calls.
class SpansToJson {
 public:
  SpansToJson(std::string_view id, std::string_view name, std::string& out);
  ~SpansToJson();
  void Add(std::string_view text_of_span, ByteSpan bytes, std::string_view tag);
  void Finish();

 private:
  std::unique_ptr<JsonWriter> json_;
};

// {"id","keywords":[{"term","tag","count","documents","weight"}]}: one line; without a snapshot
// "documents" is left out.
std::string KeywordsToJson(std::string_view id, std::span<const Keyword> keywords,
                           const TermSnapshot* snapshot);

// {"file","id","terms_name","documents","terms","least_documents","most_frequent":
// [{"term","documents"}]}, with the `top` terms of most documents.
std::string SnapshotToJson(const TermSnapshot& snapshot, size_t top);

// {"file","id","channel","texts","characters","phonemes":[{"kind","name","count","share"}],
// "entropies":{"initials","finals","tones"},"weights","training"}: training is null where there was
// none, else {"reference","distance","seed","texts","pairs","characters","replacements","least",
// "percentile","mean","deviation"}, each of these {"initials","finals","tones","sum"}.
std::string PhonemesToJson(const PhonemeSnapshot& snapshot);

// {"file","id","kind","keys_are","keys","made_for","bytes","false_positives",
// "made_for_false_positives","can_add","can_remove"}: keys_are "lines" or "codes"; false_positives
// is what is expected now.
std::string FilterToJson(const KeyFilter& filter, std::string_view path);

// One line {"file","line","text"}: a line that was looked up, and its number.
std::string KeyLineToJson(std::string_view file, uint64_t line, std::string_view text);

// {"lines","maybe","absent"}: how many were looked up, and may be in the filter, or are surely not.
std::string KeyCountsToJson(uint64_t lines, uint64_t maybe);

// "hamming64", "hamming32".
std::string CodeIndexKind(const CodeIndexOptions& options);
// As many hex digits as the codes of an index have.
std::string CodeToHex(uint64_t code, const CodeIndexOptions& options);

// {"index","kind","rows","bytes","generation","sequence","log_rows","log_bytes",
// "segments":[{"file","codes","rows","deleted_rows","bytes"}]}. The outer rows are those of the log
// and of all segments, less the deleted ones: a row that is in two of them counts twice.
std::string CodeIndexToJson(const CodeIndexOptions& options, const CodeIndexStats& stats,
                            std::string_view path);

// What a change of an index came to.
struct CodeChangeReport {
  std::string_view action;               // "add", "remove"
  uint64_t read = 0;                     // rows that were asked for
  std::optional<uint64_t> removed = {};  // so many fewer rows; nothing where that cannot be told
};

// {"action","read","removed", and what CodeIndexToJson has, of the index as it is now}; removed is
// of remove alone, null where it cannot be told.
std::string CodeChangesToJson(const CodeChangeReport& change, const CodeIndexOptions& options,
                              const CodeIndexStats& stats, std::string_view path);

// {"index","problems":[text],"leftovers":[file],"rows","bytes","segments"}, the last as above.
std::string CodeIndexCheckToJson(const CodeIndexCheck& check, std::string_view path);

// One line {"query","query_id","truncated","matches":[{"code","distance","id"}]}: codes in hex; ids
// are null where there are none. It is appended to `out`, with its line end.
void AppendCodeQuery(std::string& out, const CodeQueryResult& query, const CodeAnswer& answer,
                     const CodeIndexOptions& options);

// One line {"distance","a":{"code","id"},"b":{"code","id"}}, appended as above.
void AppendCodePair(std::string& out, const CodeRowPair& pair, const CodeIndexOptions& options);

// {"name","bytes","lines","part","first_line","has_chinese","channels":[{"name","symbols","names",
// "spans","disguise"}],"tokens"}: has_chinese is of the part, spans are [begin, end] in the whole
// text; bytes and lines are of it, null where it was not read to its end; tokens are null without a
// segmenter.
std::string InspectionToJson(const Inspection& inspection, const InspectOptions& options);

// An array of {"family", "default_name", "input", "value", "distance", "use_for", "not_for",
// "source", "parameters"}.
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
