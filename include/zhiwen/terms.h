#ifndef ZHIWEN_TERMS_H_
#define ZHIWEN_TERMS_H_

// The terms of a text and their weights: what a keyword fingerprint is made of. Words that users
// call the same become one word, the text is segmented, and the tokens that carry meaning are
// ranked by TF·IDF, names and places before other nouns before the rest.
//
// In          UTF-8; a broken byte is part of no term
// Out         occurrences with their source bytes, counts, keywords with weights
// Guarantees  weights are compared as integers: the same keywords on every machine; equal weights
//             in order of code points
// Cost        the segmenter's, and a search of the snapshot for every distinct term; no copy of the
//             text
// Threads     const: share freely
// Fails       Parse: kUnreadable naming file and line
// Persisted   the name of an extractor, in snapshots (docs/formats/terms.md)

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/environment.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/segmenter.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/user_file.h"

namespace zhiwen {

// A word of synonyms where it stands in a text, as the term that it is.
struct SynonymMatch {
  ByteSpan source;
  size_t canonical = 0;  // of Synonyms::canonical()
};

// Words that mean the same, as lines of text: the canonical word, then the others, separated by
// tabs. Blank lines and comments do not count (docs/formats/user-files.md).
class Synonyms {
 public:
  // Fails for a line without a second word, an empty word, one of more than 256 bytes, one that is
  // given twice, and one that is to be replaced and replaces others.
  static Result<std::shared_ptr<const Synonyms>> Parse(const UserFile& file);
  ~Synonyms();

  // The first at or behind `from` of the words that are one term each: those that are replaced, and
  // canonical words that no segmenter gives as one token, 哈利·波特. Words are found
  // leftmost-longest: of those that begin first the longest, and the next behind its end; a
  // canonical word is a word that stays. One that begins or ends with an ASCII letter or digit has
  // none beside it: "AI" is not in "AIR".
  std::optional<SynonymMatch> FindNext(std::string_view utf8, uint64_t from) const;

  // The canonical words, sorted.
  const std::vector<std::string>& canonical() const;
  // Those for Segmenter::Create, so that each is one token; without those that have characters of
  // no word.
  UserFile canonical_words() const;
  // Whether the word is canonical.
  bool IsCanonical(std::string_view word) const;

  // 16 hex digits: what is replaced by what, whatever the order of the lines.
  const std::string& id() const { return id_; }

 private:
  struct Words;
  explicit Synonyms(std::unique_ptr<const Words> words);

  std::unique_ptr<const Words> words_;
  std::string id_;
};

// Words that are no keywords: those with grammar instead of meaning.
class StopWords {
 public:
  // A list of our own: function words of Chinese, and of English.
  static const std::shared_ptr<const StopWords>& Usual();
  // A word a line; blank lines and comments do not count (docs/formats/user-files.md). Fails for a
  // line with white space inside.
  static Result<std::shared_ptr<const StopWords>> Parse(const UserFile& file);

  // ASCII letters in any case.
  bool Contains(std::string_view word) const;
  size_t size() const { return words_.size(); }

  // 16 hex digits: which words they are.
  const std::string& id() const { return id_; }

 private:
  void Finish();

  std::vector<std::string> words_;  // sorted
  std::string id_;
};

// One term in a text.
struct TermOccurrence {
  ByteSpan source;        // its bytes in the text
  std::string_view text;  // these, or the canonical word; lives until the visitor returns
  std::string_view tag;   // "ns"; lives as long as the segmenter
};

struct Term {
  std::string text;
  std::string_view tag;  // of its first occurrence
  uint64_t count = 0;    // occurrences
};

using TermVisitor = std::function<void(const TermOccurrence& term)>;

// Texts into terms. A term is a token with a letter, a Han character or a digit: never punctuation,
// symbols or white space. A word that synonyms replace is one term as well: the text ends before it
// and begins again behind it, so that its neighbours make no word with it; its tag is that of the
// canonical word alone. So is a canonical word that is no token, 哈利·波特, with the tag nz. Stop
// words are terms too; only keywords leave them out.
class TermExtractor {
 public:
  // Without `synonyms` none are replaced.
  explicit TermExtractor(std::shared_ptr<const Segmenter> segmenter,
                         std::shared_ptr<const Synonyms> synonyms = nullptr);

  // Every Chinese character of GB 2312 as a term, without a tag; nothing else is one.
  static std::shared_ptr<const TermExtractor> OfCharacters();

  // Visits the terms of `utf8` in order. Once the cancellation is requested, it returns without
  // those that are left, and so does Count.
  void VisitTerms(std::string_view utf8, const TermVisitor& visit,
                  const Cancellation* cancellation = nullptr) const;

  // Counts them, in the order of their first occurrences.
  std::vector<Term> Count(std::string_view utf8, const Cancellation* cancellation = nullptr) const;

  // "terms.v1(segmenter=…,synonyms=…)", "characters.v1(set=gb2312)": what decides the terms of a
  // text.
  const std::string& name() const { return name_; }

 private:
  TermExtractor() : name_("characters.v1(set=gb2312)") {}

  std::shared_ptr<const Segmenter> segmenter_;  // null: characters
  std::shared_ptr<const Synonyms> synonyms_;
  std::vector<std::string_view> canonical_tags_;
  std::string name_;
};

// How heavy the classes of tags are, in sixteenths (docs/decisions/011-weights-of-terms.md).
struct TagWeights {
  uint32_t proper = 32;   // ns nr nt nz: places, persons, organisations, other names
  uint32_t noun = 24;     // other n, j (abbreviations), eng
  uint32_t other = 16;    // verbs, adjectives, whatever has no class of its own
  uint32_t function = 8;  // pronouns, adverbs, particles, numerals, measure words …

  uint32_t Of(std::string_view tag) const;
};

struct KeywordOptions {
  size_t count = 10;                      // at most
  uint64_t least_code_points = 2;         // of a keyword
  TagWeights tags = {};                   // all 16: tags do not count
  const StopWords* stop_words = nullptr;  // none: no word is left out
};

struct Keyword {
  Term term;
  // Of the snapshot that have the term; 0 without a snapshot, and of a term that it left out.
  uint64_t documents = 0;
  double weight = 0;   // share of the candidates' occurrences · idf · weight of the tag
  uint64_t score = 0;  // what it is ranked by: occurrences · 65536 idf · sixteenths of the tag
};

// Returns the heaviest of `terms`, the heaviest first. Without a snapshot every idf is 1.
std::vector<Keyword> RankKeywords(std::vector<Term> terms, const TermSnapshot* snapshot,
                                  const KeywordOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_TERMS_H_
