#ifndef ZHIWEN_TEXT_SEGMENTER_TEXT_CUTTER_H_
#define ZHIWEN_TEXT_SEGMENTER_TEXT_CUTTER_H_

// Cuts texts into tokens with the words of a lexicon. The tokens and their order are those of
// jieba.cut, cut_for_search and posseg.cut for a str.
//
// Threads     one cutter a thread; its buffers are kept for the next text, at the size that the
//             longest run needed

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/segmenter/hidden_words.h"
#include "text/segmenter/tag_model.h"
#include "text/segmenter/word_block.h"
#include "text/segmenter/word_model.h"
#include "zhiwen/segmenter.h"

namespace zhiwen {

// The words and models that texts are cut with. The views must outlive every user of the lexicon.
struct Lexicon {
  // Returns the tag of a word of the dictionary, or "x" for a word without one.
  std::string_view TagOf(const uint8_t* begin, const uint8_t* end) const;
  bool IsForceSplit(const uint8_t* begin, const uint8_t* end) const;

  TrieView trie;
  double log_total = 0;                    // logarithm of the sum of all occurrences
  std::span<const uint8_t> base_tags;      // by cell, without user dictionaries
  std::span<const uint32_t> user_tags;     // by cell, with user dictionaries
  std::span<const std::string_view> tags;  // names of tags
  const WordModel* word_model = nullptr;
  const TagModel* tag_model = nullptr;
  // Words that user dictionaries gave the frequency 0, which the model must not find either.
  const std::set<std::string, std::less<>>* force_split = nullptr;
};

// Returns a lexicon with the words and models of language data, which must outlive it.
Lexicon LexiconOf(const SegmenterData& data, const WordModel& words, const TagModel& tags);

class TextCutter {
 public:
  struct Chunks {
    uint32_t block = 1 << 12, model = 8192;  // in characters
    uint32_t depths = 64;                    // WordBlock::Sizes
  };
  TextCutter() : TextCutter(Chunks()) {}
  explicit TextCutter(const Chunks& chunks)
      : block_({chunks.block, chunks.depths}),
        hidden_words_(chunks.model),
        hidden_tags_(chunks.model) {}

  void Cut(const Lexicon& lexicon, std::string_view utf8, const SegmentOptions& options,
           const TokenVisitor& visit);

 private:
  struct Piece {
    const uint8_t* begin = nullptr;
    const uint8_t* end = nullptr;
  };

  bool IsStopped() const {
    return options_.cancellation != nullptr && options_.cancellation->requested();
  }

  // Functions for the text between runs.
  const uint8_t* FindRun(const uint8_t* at) const;
  void CutOther(Piece piece);
  void CutOtherFull(Piece piece);

  // Functions for the runs that the block holds, and the text between them.
  void CutAccurate();
  void CutWithoutModel();
  void CutFull();
  void CutSingles(Piece singles, uint64_t characters);
  void CutWithWordModel(Piece singles);
  void CutWithTagModel(Piece singles);
  const uint8_t* FindHanEnd(Piece piece) const;

  void EmitWord(Piece word);
  void EmitInnerWords(Piece word);
  void EmitEach(Piece piece);
  void Emit(Piece piece, std::string_view tag) {
    Token& token = tokens_[token_count_++];
    const auto begin = static_cast<uint64_t>(piece.begin - text_);
    token.bytes.begin.value = begin;
    token.bytes.end.value = begin + static_cast<uint64_t>(piece.end - piece.begin);
    token.tag = tag;
    if (token_count_ == kTokens) Flush();
  }
  void Flush();

  static constexpr size_t kTokens = 512;

  // Members for the text that is being cut.
  const Lexicon* lexicon_ = nullptr;
  const TokenVisitor* visit_ = nullptr;
  const AsciiWordTable* ascii_ = nullptr;
  SegmentOptions options_;
  const uint8_t* text_ = nullptr;
  const uint8_t* text_end_ = nullptr;

  WordBlock block_;
  HiddenWords<WordModel> hidden_words_;
  HiddenWords<TagModel> hidden_tags_;
  std::vector<Token> tokens_;
  size_t token_count_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_TEXT_CUTTER_H_
