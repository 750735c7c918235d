#ifndef ZHIWEN_TEXT_SEGMENTER_TEXT_CUTTER_H_
#define ZHIWEN_TEXT_SEGMENTER_TEXT_CUTTER_H_

// Cuts texts into tokens with the words of a lexicon: what jieba.cut, cut_for_search and
// posseg.cut do to a str, in their order.
//
// Threads     one cutter a thread; its buffers stay for the next text, and have what the longest
//             run needed

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

// What texts are cut with. The views must outlive whoever uses it.
struct Lexicon {
  // The tag of a word of the dictionary, "x" without one.
  std::string_view TagOf(const uint8_t* begin, const uint8_t* end) const;
  bool IsForceSplit(const uint8_t* begin, const uint8_t* end) const;

  TrieView trie;
  double log_total = 0;                    // of the occurrences of all words
  std::span<const uint8_t> base_tags;      // by cell, where there are no user dictionaries
  std::span<const uint32_t> user_tags;     // by cell, where there are
  std::span<const std::string_view> tags;  // names
  const WordModel* word_model = nullptr;
  const TagModel* tag_model = nullptr;
  // Words that user dictionaries gave the frequency 0: the model must not find them either.
  const std::set<std::string, std::less<>>* force_split = nullptr;
};

// With the words and models of language data, which must outlive it.
Lexicon LexiconOf(const SegmenterData& data, const WordModel& words, const TagModel& tags);

class TextCutter {
 public:
  struct Chunks {
    uint32_t block = 1 << 12, model = 8192;  // characters
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

  // Of the text between runs.
  const uint8_t* FindRun(const uint8_t* at) const;
  void CutOther(Piece piece);
  void CutOtherFull(Piece piece);

  // Of the runs that the block holds, and what is between them.
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

  // Of the text that is cut.
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
