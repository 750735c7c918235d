#ifndef ZHIWEN_PASSAGES_H_
#define ZHIWEN_PASSAGES_H_

// Copied passages: the places where two texts say the same, however that is disguised, and what was
// done to each.
//
// In          two UTF-8 texts, the first of them the copy (a), and the channels on which they are
//             compared, the one that disguises least first
// Out         passages in the order of a, each with the channel that explains most of it and with
//             its edits: what differs, where, and how
// Guarantees  the same for any machine. Pieces of different passages may overlap in b, and by half
//             at most in a; those of one passage do not overlap in a. Every edit lies in a piece;
//             what lies in no edit of it is equal but for blanks, on any channel. A passage is as
//             long as any channel finds it, and may go beyond its pieces: it is `edited` then, as
//             where its pieces are in another order
// Score       equal symbols count 1 where they are Chinese or another character of its own, 0.4 for
//             each letter or digit, at most 2 for a word, and 0 for U+FFFD; gaps, repeats within
//             the passage and shifts are taken off. Unrelated texts share passages of 16 seldom;
//             set phrases, poems and quotations do share them. Texts that are the same on the first
//             channel are one passage, however short. One of words has four in a row somewhere.
//             ExpectedPassages says how many of a score unrelated texts of so many symbols share
// Renaming    a stretch of two characters or more that is replaced by the same other one three
//             times or more, and that the passages seldom have otherwise, is a renaming: the texts
//             are compared once more with it undone
// Repeats     of one text alone: a is what comes again, b what stands before it. Each repeat is
//             found once, as long as it is, against one of the earlier places; what comes again
//             and again without a break is one passage, whose piece overlaps what it repeats
//             (PeriodOf). Names are not undone there
// Cost        some 50 bytes and a microsecond a symbol and channel
// Threads     free functions
// Fails       kUnreadable: a text is not valid UTF-8, naming the text and the byte; kInterrupted,
//             kTerminated

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/environment.h"
#include "zhiwen/exclusion_reason.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/source_places.h"

namespace zhiwen {

// What was done to a stretch of b so that it became one of a. The first ones are disguises: the
// texts still say the same.
enum class EditKind : uint8_t {
  kForm,         // other script, width, case or variant of the same characters
  kSymbols,      // punctuation, spaces or invisible characters between the same characters
  kHomophone,    // other characters that sound alike
  kSpelled,      // sounds written in letters
  kInitial,      // first letters of sounds
  kLookAlike,    // other characters that look alike
  kSplit,        // parts of a character written one after another
  kRenamed,      // a name replaced by the same other one everywhere
  kSubstituted,  // other text
  kInserted,     // text that b has not
  kDeleted,      // text that a has not
};
inline constexpr size_t kEditKinds = 11;

// "homophone".
std::string_view EditKindName(EditKind kind);

// What people call it: "同音", "homophone".
struct EditWords {
  std::string_view zh, en;
};
EditWords WordsOf(EditKind kind);

// Whether a text still says the same after such an edit.
inline bool IsDisguise(EditKind kind) { return kind <= EditKind::kRenamed; }

// Symbols by what was done to them.
using EditCounts = std::array<uint64_t, kEditKinds>;

struct CountedEdit {
  EditKind kind;
  uint64_t symbols = 0;
};
// Returns the kinds that there are.
std::vector<CountedEdit> CountedEdits(const EditCounts& counts);

// Returns how many of the symbols that match are as they are in the other text.
uint64_t CountVerbatim(uint64_t matched, const EditCounts& counts);

// a[a_bytes] stands where b has b[b_bytes]; one of both may be empty.
struct PassageEdit {
  EditKind kind = EditKind::kSubstituted;
  ByteSpan a_bytes, b_bytes;
  uint64_t symbols = 0;  // of the side that has more; of kSymbols, characters

  friend bool operator==(const PassageEdit&, const PassageEdit&) = default;
};

enum class PassageKind : uint8_t {
  kVerbatim,   // nothing differs but blanks and punctuation
  kDisguised,  // all edits are disguises
  kRenamed,    // the same, and names are replaced
  kEdited,     // text was replaced, inserted, left out or put in another order
};
inline constexpr size_t kPassageKinds = 4;

// "verbatim".
std::string_view PassageKindName(PassageKind kind);

// "逐字", "verbatim".
EditWords WordsOf(PassageKind kind);

// A stretch of a passage in which both texts are in the same order.
struct PassagePiece {
  ByteSpan a_bytes, b_bytes;
};

struct CopiedPassage {
  ByteSpan a_bytes, b_bytes;
  Span<CodePointOffset> a_points = {}, b_points = {};
  // In the bytes of the documents that the texts were extracted from (zhiwen/source_places.h).
  std::optional<ByteSpan> a_source = {}, b_source = {};
  std::string channel = {};  // that explains most of it
  PassageKind kind = PassageKind::kVerbatim;
  uint64_t matched = 0;               // symbols of a, on the channel, that are equal or disguised
  std::optional<uint64_t> rare = {};  // of these, those that are in no set phrase (zhiwen/check.h)
  double similarity = 0;  // of these, of all symbols that the longer side has in the pieces
  double score = 0;
  // ExpectedPassages of the score, for the texts that were searched; nothing where their size is
  // not known.
  std::optional<double> expected = {};
  std::vector<PassagePiece> pieces = {};  // ascending in a; of b in any order
  std::vector<PassageEdit> edits = {};    // ascending in a
};

// A passage that does not count, and why.
struct ExcludedPassage {
  ExclusionReason reason = ExclusionReason::kSetPhrase;
  CopiedPassage passage;
};

struct CountedReason {
  ExclusionReason reason = ExclusionReason::kSetPhrase;
  uint64_t symbols = 0;
};

// Returns the symbols of excluded passages by the reasons that there are.
std::vector<CountedReason> CountByReason(std::span<const ExcludedPassage> excluded);

// Returns the reason with the most symbols, of all that are counted under it. There is one at
// least.
ExclusionReason MainReason(std::span<const CountedReason> counted);

// Returns how many passages of this score or more are to be expected between texts of one language
// and kind that have nothing to do with each other, one of so many symbols and the others together
// of so many: they share phrases. It falls with the score, and grows with the symbols. The rate was
// counted between news and papers (docs/copied-passages.md); texts of different kinds share fewer.
double ExpectedPassages(double score, uint64_t a_symbols, uint64_t b_symbols);

// Says of passages how many such are expected.
void SetExpected(uint64_t a_symbols, uint64_t b_symbols, std::span<CopiedPassage> passages,
                 std::span<ExcludedPassage> excluded);

// The copy, or what it was copied from.
enum class PassageSide : uint8_t { kA, kB };

// Says where passages stand in the bytes of the document that a text was extracted from.
void LocatePassages(const SourcePlaces& places, PassageSide side, std::span<CopiedPassage> passages,
                    std::span<ExcludedPassage> excluded);

// A name of b that is another one in a.
struct Renaming {
  std::string in_b, in_a;
  uint64_t count = 0;  // places in passages
};

// Returns after how many characters the text of a repeat comes again, where it overlaps what it
// repeats. Passages of two texts have no period.
std::optional<uint64_t> PeriodOf(const CopiedPassage& repeat);

struct PassageComparison {
  std::vector<CopiedPassage> passages;
  std::vector<Renaming> renamed;  // the most frequent first
  // Over all passages; symbols that are equal count in none.
  EditCounts edits = {};
  uint64_t a_symbols = 0, b_symbols = 0;  // of the texts on the first channel
  uint64_t a_matched = 0, b_matched = 0;  // of these, within passages
  size_t channels = 0;  // that were looked at, of the options: where the first has all, no more are
  // Passages that do not count (zhiwen/exclusions.h); figures and edits are those of the others.
  std::vector<ExcludedPassage> excluded = {};
  uint64_t a_matched_before = 0, b_matched_before = 0;  // the symbols with those of the excluded
};

// Unrelated texts seldom share a passage of this score.
inline constexpr uint32_t kPassageScore = 16;
// No passage has less, whatever score is asked for: its blocks have so much.
inline constexpr uint32_t kScoreOfBlock = 6;

struct PassageOptions {
  std::vector<Channel> channels = {FoldedChannel()};
  double least_score = kPassageScore;  // of a passage
  std::string a_name = "the first";    // in messages of errors
  std::string b_name = "the second";
};

// A text whose passages are looked for in several others: what is computed of it is kept.
//
// Threads     one at a time; others may name a prepared object as the `b` of theirs meanwhile
class PassageSearch {
 public:
  // `text` must outlive the object. Fails: kUnreadable.
  static Result<PassageSearch> Create(std::string_view text, const PassageOptions& options);
  ~PassageSearch();
  PassageSearch(PassageSearch&&) noexcept;

  // Finds the passages of the text that come from `b`.
  Result<PassageComparison> Find(std::string_view b, const Cancellation& cancellation);

  // Finds those that lie in parts of the text, which ascend, or beside them. The cost is that of
  // the parts, and of `b`.
  Result<PassageComparison> Find(std::string_view b, std::span<const ByteSpan> parts,
                                 const Cancellation& cancellation);

  // Reads the text on all channels, which otherwise is done when one is needed: some 25 bytes a
  // symbol and channel.
  Status Prepare();

  // Finds the passages that come from a text that was prepared on the same channels.
  Result<PassageComparison> Find(const PassageSearch& b, const Cancellation& cancellation);

  // Returns whether all of the text, once prepared, says enough for a passage: a shorter one has
  // none, unless a text is the same.
  bool can_have_passage() const;

  // Finds the passages of the text that stand in it before, too.
  Result<PassageComparison> FindRepeats(const Cancellation& cancellation);

  // Returns the symbols of the text, once prepared, on a channel of the options, by its place.
  std::span<const uint32_t> symbols(size_t channel) const;

  struct Suspect;  // what is kept

 private:
  explicit PassageSearch(std::unique_ptr<Suspect> suspect);

  std::unique_ptr<Suspect> suspect_;
};

Result<PassageComparison> FindPassages(std::string_view a, std::string_view b,
                                       const PassageOptions& options,
                                       const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_PASSAGES_H_
