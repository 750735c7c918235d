// Any bytes are cut into tokens that are spans of them, in every mode; accurate mode covers the
// text, search mode puts words of it before the one that they are in, full mode is in the order of
// the text. Chunks of a few characters give the same tokens as the whole, with a
// cutter that has cut other texts with other words. The text is also cut into sentences, and tried
// as a user dictionary.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "require.h"
#include "support/language.h"
#include "support/paths.h"
#include "text/segmenter/segmenter_data.h"
#include "text/segmenter/text_cutter.h"
#include "text/segmenter/user_words.h"
#include "zhiwen/sentences.h"

std::string zhiwen::LanguageFilePath() { return ZHIWEN_LANGUAGE_FILE; }

namespace {

using zhiwen::Lexicon;
using zhiwen::Require;
using zhiwen::TextCutter;
using zhiwen::Token;

// What language data says, and a lexicon of it.
struct Words {
  zhiwen::SegmenterData data = *zhiwen::SegmenterData::Open(zhiwen::TestLanguage()->sections());
  zhiwen::WordModel words{data.word_model, data.word_emissions};
  zhiwen::TagModel tags{data};
  Lexicon lexicon = zhiwen::LexiconOf(data, words, tags);
};

std::vector<Token> Cut(TextCutter& cutter, const Lexicon& lexicon, std::string_view text,
                       const zhiwen::SegmentOptions& options) {
  std::vector<Token> all;
  cutter.Cut(lexicon, text, options, [&](std::span<const Token> tokens) {
    all.insert(all.end(), tokens.begin(), tokens.end());
  });
  return all;
}

// The words of search mode are those of accurate mode, each behind words inside it.
void CheckOrder(std::span<const Token> tokens, std::span<const Token> accurate) {
  size_t at = 0;
  for (const Token& token : tokens) {
    Require(at < accurate.size());
    const zhiwen::ByteSpan word = accurate[at].bytes;
    Require(token.bytes.begin >= word.begin && token.bytes.end <= word.end);
    if (token.bytes == word) ++at;
  }
  Require(at == accurate.size());
}

void CheckTokens(const Lexicon& lexicon, std::string_view text,
                 const zhiwen::SegmentOptions& options) {
  static TextCutter whole;
  static TextCutter chunks(TextCutter::Chunks{.block = 8, .model = 3, .depths = 1});
  const bool covers = options.mode == zhiwen::SegmentMode::kAccurate;
  const bool ascends = options.mode == zhiwen::SegmentMode::kFull;
  const std::vector<Token> tokens = Cut(whole, lexicon, text, options);
  uint64_t begin = 0, end = 0;
  for (const Token& token : tokens) {
    Require(token.bytes.begin <= token.bytes.end && token.bytes.end.value <= text.size());
    Require(token.tag.empty() != options.tags);
    Require(!ascends || token.bytes.begin.value >= std::exchange(begin, token.bytes.begin.value));
    if (!covers) continue;
    Require(token.bytes.begin.value == end && token.bytes.size() > 0);
    end = token.bytes.end.value;
  }
  Require(!covers || end == text.size());
  if (options.mode == zhiwen::SegmentMode::kSearch) {
    CheckOrder(tokens, Cut(whole, lexicon, text, {.hmm = options.hmm}));
  }
  Require(std::ranges::equal(
      Cut(chunks, lexicon, text, options), tokens, [](const Token& a, const Token& b) {
        return a.bytes.begin == b.bytes.begin && a.bytes.end == b.bytes.end && a.tag == b.tag;
      }));
}

void CheckAll(const Lexicon& lexicon, std::string_view text) {
  for (const bool hmm : {true, false}) {
    CheckTokens(lexicon, text, {.hmm = hmm});
    CheckTokens(lexicon, text, {.mode = zhiwen::SegmentMode::kSearch, .hmm = hmm});
    CheckTokens(lexicon, text, {.hmm = hmm, .tags = true});
  }
  CheckTokens(lexicon, text, {.mode = zhiwen::SegmentMode::kFull});
}

void CheckSentences(std::string_view text) {
  using zhiwen::SentenceClass;
  std::vector<uint64_t> ends;  // of clauses
  for (const SentenceClass wanted : {SentenceClass::kClause, SentenceClass::kSentence}) {
    uint64_t end = 0;
    zhiwen::VisitSentences(text, {.sentence_class = wanted}, [&](zhiwen::ByteSpan sentence) {
      Require(sentence.begin.value >= end && sentence.size() > 0);
      end = sentence.end.value;
      if (wanted == SentenceClass::kClause) ends.push_back(end);
      Require(std::ranges::binary_search(ends, end));
    });
    Require(end <= text.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Words base;
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckAll(base.lexicon, text);
  CheckSentences(text);
  if (size == 0 || size > 200 || data[0] % 16 != 0) return 0;  // a copy of all words takes long
  zhiwen::UserWords user_words(base.data);
  if (!user_words.Add({"fuzz", text})) return 0;
  Lexicon lexicon = base.lexicon;
  user_words.FillLexicon(lexicon);
  CheckAll(lexicon, text + text + text);
  return 0;
}
