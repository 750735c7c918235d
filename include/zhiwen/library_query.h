#ifndef ZHIWEN_LIBRARY_QUERY_H_
#define ZHIWEN_LIBRARY_QUERY_H_

// The answers of a library to questions about its documents: which of them resemble a text the
// most, and which have the same value of a scheme.
//
// Guarantees  every document of an answer was compared with the text. Equal texts are found, and
//             near-duplicates with the recall of the index (0.98 at the threshold of the library).
//             Others share a block of 8 symbols with the text: of the 2,000 that share the most,
//             the 200 are compared that should resemble it the most by their sizes. `truncated`
//             says that there were more
// Cost        a stored text is read for every document that is compared, some 0.1 ms for 2 KB
// Schemes     what is asked for are the values that the library has (zhiwen/library_derive.h). Of
//             values of at most 8 bytes, what is listed has the value, or one within `radius` bits;
//             values of other sizes are looked up by a hash, and the value of the stored text is
//             computed before a document is listed
// Granules    a scheme of granules (initials_dna) finds documents that share passages with the
//             text, of some granules in a row that are nearly the same in both. Candidates share
//             keys with the text (docs/formats/catalog.md) that at most 256 documents have; of the
//             200 that share the most with 200 characters of it the stored texts are compared.
//             So a document with a passage is listed where one of its granules differs in two
//             letters at most, by one character that is replaced, missing or put in, unless so
//             many documents have that granule or share more. Where every granule differs more,
//             chance decides
// Not for     where texts agree, and whether a text is known: zhiwen/check.h

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/environment.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/offsets.h"
#include "zhiwen/phoneme_snapshot.h"
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

// A filter in front of the comparison with every document: a text that does not sound like the
// query is excluded. 金哲凡 et al. 2017, 基于音位的网络盗版文本查重方法. Texts with fewer than 100
// Chinese characters are always compared. What counts as lost is a text that reaches the least
// resemblance, or the threshold of the library where there is none.
struct PhonemePrefilter {
  Channel channel;                // of phonemes
  PhonemeModel model;             // for example that of a PhonemeSnapshot
  bool has_one_threshold = true;  // model 2, for the weighted sum; false: model 1, three thresholds
};

// The work of a prefilter, and its cost.
struct PrefilterReport {
  uint64_t texts = 0;             // that it saw
  uint64_t excluded = 0;          // of these
  uint64_t sampled = 0;           // of the excluded, one in a hundred, compared all the same
  uint64_t lost = 0;              // of these, with the least resemblance
  double seconds = 0;             // of processors, for the filter
  double comparison_seconds = 0;  // for what was compared
  double excluded_seconds = 0;    // what comparing the excluded would have taken, by the sample
};

struct SimilarDocuments {
  uint64_t units = 0;  // symbols of the text on the folded channel
  // By resemblance, then by containment of the text, highest first; equal ones by number.
  std::vector<SimilarDocumentOfText> documents;
  uint64_t compared = 0;       // texts
  uint64_t common_blocks = 0;  // of the text, in so many documents that none was looked up
  uint64_t searched = 0;       // documents of the library
  uint64_t sequence = 0;       // of the last change that every index has
  uint64_t lacking = 0;        // changes of the library that an index has not
  bool truncated = false;      // there may be documents that resemble the text as much
  std::optional<PrefilterReport> prefilter = {};
};

// One line of JSON:
// {"id","source","units","documents":[{"rank","document":{"id","version","title","author","date",
// "url","work","part","owner","work_title","work_author","kind","decoy"},"resemblance",
// "containment","containment_of_original"}],"searched":{"documents",
// "channel","sequence","lacking","common_blocks","compared"},"truncated"}; with a prefilter also
// "prefilter":{"texts","excluded","sampled","lost","seconds","comparison_seconds",
// "excluded_seconds"}.
std::string SimilarDocumentsToJson(const SimilarDocuments& similar, std::string_view id,
                                   std::string_view source);

// Defaults for granules, measured in docs/formats/initials_dna.md.
inline constexpr uint32_t kGranuleRadius = 12;
inline constexpr size_t kLeastGranules = 3;

struct SchemeQuery {
  std::string scheme;  // its name as people type it, or its family where that is enough
  // Bits in which values may differ, only of values of at most 8 bytes; 0 where nothing is said. Of
  // granules, the largest L1 distance; kGranuleRadius where nothing is said.
  std::optional<uint32_t> radius = {};
  // Granules that a passage has at least, where both texts are long enough.
  size_t least_granules = kLeastGranules;
  size_t count = 20;                           // of documents that are listed
  uint32_t except = 0;                         // number of a document that is no answer; 0: none
  const Cancellation* cancellation = nullptr;  // of granules, which may take long; null: none
};

// A granule of a text.
struct GranulePlace {
  ByteSpan bytes;
  Span<CodePointOffset> place;
  FingerprintBytes code;
};

// A granule of a document, and the closest stretch of the text of its size.
struct MatchedGranule {
  GranulePlace text, document;
  uint32_t distance = 0;  // L1
  double similarity = 0;  // 1 − distance / largest distance
};

// A passage that a text and a document share. It begins and ends with a granule, and may be some
// characters shorter or longer than what was copied.
struct MatchedPassage {
  ByteSpan text_bytes, document_bytes;
  Span<CodePointOffset> text, document;
  std::vector<MatchedGranule> granules;  // in order of the document
};

struct SchemeMatch {
  StoredDocument document;
  uint32_t distance = 0;  // bits; of granules, L1 of the closest ones
  // The members below are set for granules alone.
  double similarity = 0;          // 1 − mean distance / largest one, of what is matched
  uint64_t granules = 0;          // of the document
  uint64_t granules_matched = 0;  // of these, in passages
  std::vector<MatchedPassage> passages = {};  // in order of the document
};

struct SchemeMatches {
  std::string scheme;      // canonical name
  Fingerprint value = {};  // of the text; without one nothing matches
  // By distance, then by value, then by number; of granules by how many match, the most first, then
  // by similarity, then by number.
  std::vector<SchemeMatch> documents = {};
  bool has_granules = false;  // of the scheme
  uint32_t radius = 0;        // that was used
  uint64_t common_keys = 0;   // of granules, in so many documents that none was looked up
  uint64_t searched = 0;      // documents of the library
  uint64_t sequence = 0;      // of the last change that the index of the scheme has
  // Changes of the library that the index has not: what they added is not found. The next writer
  // makes them, where none does already.
  uint64_t lacking = 0;
  bool truncated = false;  // there are more, or may be
};

// One line of JSON: {"id","source","scheme","value","documents":[{"document":{"id","version",
// "title","author","date","url","work","part","owner","work_title","work_author","kind","decoy"},
// "distance"}],"searched":{"documents","sequence","lacking"},"truncated"}. The value is as `zhiwen
// fingerprint` prints it. Of granules a document also has
// "similarity","granules","granules_matched" and
// "passages":[{"suspect":{"begin","end","bytes":[b,e]},"original":{…},"granules":[{"suspect":
// {"begin","end","bytes","code"},"original":{…},"distance","similarity"}]}], and "searched" has
// "radius" and "common_keys". Codes are hexadecimal; begin and end are code points.
std::string SchemeMatchesToJson(const SchemeMatches& matches, std::string_view id,
                                std::string_view source);

}  // namespace zhiwen

#endif  // ZHIWEN_LIBRARY_QUERY_H_
