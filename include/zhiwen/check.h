#ifndef ZHIWEN_CHECK_H_
#define ZHIWEN_CHECK_H_

// The answer to "is this text known?": which documents of a library it equals or resembles, how
// much they share, and where.
//
// Guarantees  every match was compared with the stored text. Equal texts are found; near-duplicates
//             with the recall of the index (0.98 at the threshold). Other matches share a passage
//             of kPassageScore (zhiwen/passages.h) on a channel of the library, which has a block
//             of 8 symbols that at most 64 documents have: of 22 symbols in a row some block is
//             always looked up. For each 2,000 symbols the 32 documents are compared that share the
//             most blocks which at most 4 documents have; then, for the places that none of these
//             shares, 16 at a time that share the most other blocks, until nothing more is found.
//             So of many documents that share one place some are named. On channels that undo
//             disguises the same is done for the places that nothing shares so far. `truncated`
//             says that a bound was met while documents that share a block were left
// Set phrases what n different texts share counts 1/n³ there: of the score of a passage the part
//             that its symbols keep, on average, has to reach the least score, unless the score is
//             200 or more. Texts that have 20 symbols beside a passage in common are one text. A
//             place that at most 4 texts share is listed for one of them at least. Other passages
//             are excluded, and a document that has no others is counted. With profile novel, of
//             copies of 60 to 800 characters in news of 22,409 documents 97 % are found
// Granules    where the library has values of initials_dna with ten digits, scale=fixed and
//             granules of 50 characters or more (zhiwen/library_derive.h), their keys choose which
//             documents are compared as well, for the places that no match covers: 16, and 16 more
//             for each 2,000 symbols of the text, at most 256, that share the most keys, at least
//             3, with 200 characters of it; in rounds, as above. A document matches by a run on the
//             channel of the scheme of 22 symbols, of which one in 20, and at least 3, are other
//             characters, and no other numerals; then its runs of 16 are passages. So 74 characters
//             that sound alike have a whole granule, by which they are found, unless more than 256
//             documents have it, or too many documents share as much: then `truncated` is set. The
//             relation is kPassages. Texts of more than 2^20 symbols are not looked for in this way

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/environment.h"
#include "zhiwen/exclusion_reason.h"
#include "zhiwen/offsets.h"
#include "zhiwen/passages.h"
#include "zhiwen/stored_document.h"

namespace zhiwen {

// A run of so many symbols that two texts share is a passage that is found.
inline constexpr size_t kPassageRun = 22;

// How a text is related to a document, the strongest first.
enum class Relation : uint8_t {
  kSame,       // equal on the exact or on the folded channel
  kNear,       // their resemblance reaches the threshold of the library
  kContains,   // most of the document is in the text
  kContained,  // most of the text is in the document
  kPassages,   // they share passages, on some channel
  kNone,
};
inline constexpr size_t kRelations = 6;

// "same", "near", "contains", "contained", "passages", "none".
std::string_view RelationName(Relation relation);

// Says who was first, as far as dates prove it. The day on which a document was added to a library
// proves nothing.
enum class Precedence : uint8_t { kUnknown, kOurs, kTheirs };

// "unknown", "ours", "theirs".
std::string_view PrecedenceName(Precedence precedence);

// The event that an original's date dates.
enum class DateOrigin : uint8_t { kNone, kDocument, kWork };

// Says what becomes of passages that many texts of the library share.
enum class SetPhrases : uint8_t {
  kLeaveOut,  // from matches, where they are excluded; documents that have no others are counted
  kKeepInMatches,  // these documents are counted
  kKeep,
};

// Passages do not count, and are shown with their reason, by where they stand in the text
// (zhiwen/exclusions.h), and documents by what the library says of them. Set phrases are apart.
struct Exclusions {
  ExclusionReasons reasons = {};
  std::span<const std::string> boilerplate = {};  // form texts; must outlive the check
  // The author of the text. Documents are own work if they are by this author, or by several with
  // this one among them, between whom 、 or ; stands.
  std::string author = {};
  // Documents that were added as licensed copies are licensed, and those of works under one of
  // these terms.
  std::span<const std::string> licences = {};
};

struct TextCheckOptions {
  double least_containment = 0;  // of the text in a document; matches below it are only counted
  double containment = 0.8;      // least share of a text that is "contained"
  size_t most_matches = 100;     // that are listed
  size_t most_verified = 1000;   // documents that are compared
  std::string date = {};         // of the text, as its record says; for its precedence
  // The owner of the text: only documents of other owners match. Empty: all do.
  std::string owner = {};
  SetPhrases set_phrases = SetPhrases::kLeaveOut;
  Exclusions exclusions = {};
  bool has_granules = true;                    // whether passages of granules are looked for
  const Cancellation* cancellation = nullptr;  // is looked at before each comparison; null: none
};

// How alike two pictures are by a scheme.
struct PictureSimilarity {
  std::string scheme, measure;  // canonical name; zhiwen/fingerprint_similarity.h
  double similarity = 0;
};

struct CheckMatch {
  StoredDocument document;
  std::string member = {};  // DocumentSource::member of the document
  Relation relation = Relation::kNone;
  // That found it: "exact.v1", or a scheme of granules; of several, the one with the strongest
  // relation, then the one that found most of the text. The next four figures are those of this
  // channel; of granules the containments are those of the symbols in runs, and the resemblance is
  // that of the folded channel.
  std::string channel;
  double resemblance = 0;
  double containment = 0;              // of the text in the document
  double containment_of_original = 0;  // of the document in the text
  uint64_t longest_run = 0;            // symbols in a row that both have
  uint64_t matched = 0;                // symbols of the text on the folded channel, in passages
  // Those of the text (a) and the document (b) on all channels, by place in the text; `matched`
  // counts symbols of the text on the folded channel.
  std::vector<CopiedPassage> passages;
  // Passages that do not count, and why. `matched` and `edits` are without them, the other figures
  // are those of the texts as a whole.
  std::vector<ExcludedPassage> excluded = {};
  // Why nothing of it counts; none: something does. It is listed behind those that count, and is
  // neither in the verdict nor in the union.
  std::optional<ExclusionReason> excluded_as = {};
  // Symbols of the text by what was done to them, as those of PassageComparison.
  EditCounts edits = {};
  std::vector<Renaming> renamed = {};
  // Pictures are compared by each scheme of which both have a value. Their relation is kNear, their
  // channel the first scheme by which they are as alike as copies are, the resemblance that
  // similarity.
  std::vector<PictureSimilarity> pictures = {};
  Precedence precedence = Precedence::kUnknown;
  std::string date = {};  // of the document, or else the first publication of its work
  DateOrigin date_origin = DateOrigin::kNone;
};

struct CheckedText {
  bool is_picture = false;  // it has no text, and is compared with pictures alone
  uint64_t units = 0;       // symbols of the text on the folded channel
  Relation verdict = Relation::kNone;
  Precedence precedence = Precedence::kUnknown;  // of StrongestMatch
  std::string date = {};                         // TextCheckOptions::date
  // ExtractedDocument::member of the document that the text was extracted from.
  std::string member = {};
  // ExtractedDocument::pictures and obfuscated: what was not compared.
  uint64_t pictures = 0, obfuscated = 0;
  // ExtractedDocument::share: the part of the document that the text is; the rest was not compared.
  // Nothing where the text was not extracted, or nobody says.
  std::optional<double> extracted = {};
  // The same texts first, then near ones, then all others: each by matched symbols and by
  // resemblance, most first, then by date, the earliest first, then by number.
  std::vector<CheckMatch> matches;
  uint64_t below_least = 0;     // matches that are only counted
  uint64_t of_set_phrases = 0;  // documents that share nothing else with the text
  uint64_t union_matched = 0;   // symbols of the text in a passage of a listed match
  uint64_t union_before = 0;    // of these and in excluded passages of listed matches
  // The symbols that union_before has more, each once, by the first reason that they have.
  std::vector<CountedReason> excluded = {};
  uint64_t common_blocks = 0;  // of the text, in so many documents that none was looked up
  uint64_t common_keys = 0;    // likewise of its granules
  // That were searched; of a picture the schemes of which it has a value.
  std::vector<std::string> channels;
  uint64_t documents = 0;  // that were searched
  uint64_t symbols = 0;    // about so many are in them, on the folded channel; 0: it is not known
  uint64_t sequence = 0;   // of the last change that the indexes have
  // Changes of the library that an index has not: what they added is found only where it is the
  // same. The next writer makes them, where none does already.
  uint64_t lacking = 0;
  uint64_t granules_lacking = 0;  // likewise of the indexes of granules
  // Why passages of granules were not looked for, though the library has values; empty: they were,
  // or it has none.
  std::string granules_not_searched = {};
  bool truncated = false;  // a bound was met: there may be more matches

  // Whether there was nothing to compare: no character, or a picture of one colour.
  bool is_empty() const { return is_picture ? channels.empty() : units == 0; }
};

// Returns the share of units that `part` of `whole` is; 0 of none.
double ShareOf(uint64_t part, uint64_t whole);

// Whether nothing was found, and the text is less than half of its document: the rest, which was
// not compared, may hold a copy.
bool MayHideCopy(const CheckedText& checked);

// Returns how many of the matches count.
size_t CountedMatches(const CheckedText& checked);

// Returns the first match that counts with a decoy; null: none. Who has text of a decoy copied it
// while it was published: a strong lead, whatever else is the same.
const CheckMatch* DecoyMatch(const CheckedText& checked);

// Returns the first match with the relation that is the verdict; null without matches.
const CheckMatch* StrongestMatch(const CheckedText& checked);

// One line of JSON:
// {"id","source","units","verdict","lead","precedence","matches":[{"document":{"id","version",
// "title","author","date","url","work","part","owner","work_title","work_author","kind","decoy"},
// "relation","excluded_as","channel","resemblance",
// "containment","containment_of_original","matched","longest_run","share",
// "before":{"matched","share"},"precedence",
// "dates":{"ours":{"date","from"},"theirs":{"date","from"}},
// "excluded":[{"reason","passage"}],"how":{kind:symbols},
// "renamed":[[original,suspect,count]],"passages":[{"suspect":{"begin","end",
// "bytes":[b,e]},"original":{…},"channel","kind","matched","rare","similarity","score","expected",
// "pieces":[{"suspect":[b,e],"original":[b,e]}],
// "edits":[{"kind","suspect":[b,e],"original":[b,e],"symbols"}]}]}],"below_least",
// "of_set_phrases","union":{"matched","share","before":{"matched","share"}},
// "excluded":{reason:symbols},"not_seen":{"pictures","obfuscated","extracted"},
// "searched":{"documents","symbols","channels","sequence","lacking","common_blocks","common_keys",
// "granules_lacking","granules_not_searched"},"truncated"}.
// "extracted" is CheckedText::extracted, left out where there is none.
// A passage that was not weighed, as those of texts that are near, has no "rare". "expected" is
// ExpectedPassages of the score, for the text and "symbols" of the library.
// The object of a picture has "picture":true, and each match of it has
// "pictures":[{"scheme","measure","similarity"}]. begin and end are code points of the texts, bytes
// their UTF-8; the kinds are those of zhiwen/passages.h. Each side of a passage has also
// "source":[b,e], bytes of what the text was extracted from, where it was; "member" beside "id", of
// the suspect and of a document, is then the member of an archive such as DOCX that they count in.
// "lead" is "decoy" where a match that counts is with a decoy, and null otherwise. Where it is
// known when the decoy was published, "exposed":{"from","until"} stands behind it, and in
// "document". A date is from a "document", a "work" or a "record"; null and "" where there is none.
std::string CheckToJson(const CheckedText& checked, std::string_view id, std::string_view source);

// The object of "union" in it, and that of "excluded".
std::string UnionToJson(const CheckedText& checked);
std::string ExcludedToJson(const CheckedText& checked);

// The object of one of its matches.
std::string MatchToJson(const CheckMatch& match, const CheckedText& checked);

// Returns the fields of such an object behind the document: "relation":… to "before":{…}, for a
// text of so many units. They follow from both texts, the channel, the thresholds of the library
// and what is excluded alone.
std::string MatchFiguresToJson(const CheckMatch& match, uint64_t units);

// Returns the end of such an object, with its brace: "excluded":[…],"how":{…},"renamed":[…],
// "passages":[…]}. It follows from both texts, their source places, the relation, the channels and
// the options alone.
std::string MatchEndToJson(const CheckMatch& match);

}  // namespace zhiwen

#endif  // ZHIWEN_CHECK_H_
