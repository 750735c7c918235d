#include "text/segmenter/text_cutter.h"

#include <algorithm>
#include <cmath>

#include "base/utf8/white_space.h"

namespace zhiwen {
namespace {

constexpr std::string_view kOtherTag = "x", kNumberTag = "m", kLatinTag = "eng";

std::string_view ViewOf(const uint8_t* begin, const uint8_t* end) {
  return {reinterpret_cast<const char*>(begin), static_cast<size_t>(end - begin)};
}

template <typename Predicate>
const uint8_t* SkipWhile(const uint8_t* at, const uint8_t* end, const Predicate& holds) {
  while (at < end && holds(*at)) ++at;
  return at;
}

// Returns the end of the match of `[a-zA-Z0-9]+(?:\.\d+)?%?` at a letter or digit.
const uint8_t* FindLatinEnd(const uint8_t* at, const uint8_t* end) {
  at = SkipWhile(at, end, IsAsciiLetterOrDigit);
  if (end - at >= 2 && *at == '.' && IsAsciiDigit(at[1])) at = SkipWhile(at + 1, end, IsAsciiDigit);
  return at < end && *at == '%' ? at + 1 : at;
}

constexpr bool IsNumberSign(uint8_t byte) { return IsAsciiDigit(byte) || byte == '.'; }

uint32_t WordCharacterLength(uint8_t lead) { return lead < 0x80 ? 1 : kHanBytes; }

// Returns the length of the first character of the text between runs; CR LF is one.
uint32_t LengthOfOther(const uint8_t* at, const uint8_t* end) {
  if (*at == '\r' && end - at >= 2 && at[1] == '\n') return 2;
  return DecodeCodePoint(at, end).length;
}

}  // namespace

std::string_view Lexicon::TagOf(const uint8_t* begin, const uint8_t* end) const {
  const uint32_t cell = trie.Find(begin, end);
  const uint32_t tag = user_tags.empty() ? base_tags[cell] : user_tags[cell];
  return tag == 0 ? kOtherTag : tags[tag];
}

bool Lexicon::IsForceSplit(const uint8_t* begin, const uint8_t* end) const {
  return force_split != nullptr && force_split->contains(ViewOf(begin, end));
}

Lexicon LexiconOf(const SegmenterData& data, const WordModel& words, const TagModel& tags) {
  Lexicon lexicon;
  lexicon.trie = data.trie;
  lexicon.base_tags = data.word_tags;
  lexicon.tags = data.tags;
  lexicon.log_total = std::log(static_cast<double>(data.head.occurrences));
  lexicon.word_model = &words;
  lexicon.tag_model = &tags;
  return lexicon;
}

void TextCutter::Flush() {
  if (token_count_ > 0) (*visit_)(std::span(tokens_).first(token_count_));
  token_count_ = 0;
}

void TextCutter::Cut(const Lexicon& lexicon, std::string_view utf8, const SegmentOptions& options,
                     const TokenVisitor& visit) {
  lexicon_ = &lexicon;
  visit_ = &visit;
  options_ = options;
  const bool tagged = options.tags && options.mode == SegmentMode::kAccurate;
  options_.tags = tagged;
  ascii_ = tagged ? &kTaggedWordAscii : &kWordAscii;
  text_ = reinterpret_cast<const uint8_t*>(utf8.data());
  text_end_ = text_ + utf8.size();
  tokens_.resize(kTokens);
  token_count_ = 0;
  const bool full = options.mode == SegmentMode::kFull;
  for (const uint8_t* at = text_; at < text_end_ && !IsStopped();) {
    if (const uint8_t* const run = FindRun(at); run > at) {
      CutOther({at, run});
      at = run;
      continue;
    }
    at = block_.Open(lexicon.trie, *ascii_, at, text_end_);
    if (full) {
      CutFull();
    } else if (options.hmm) {
      CutAccurate();
    } else {
      CutWithoutModel();
    }
  }
  if (!IsStopped()) Flush();
}

// Returns the next character that words consist of, or the end.
const uint8_t* TextCutter::FindRun(const uint8_t* at) const {
  while (at < text_end_ && ReadWordCharacter(at, text_end_, *ascii_).code == 0) {
    at += DecodeCodePoint(at, text_end_).length;
  }
  return at;
}

// Emits one token for each character; CR LF is one.
void TextCutter::CutOther(Piece piece) {
  if (options_.mode == SegmentMode::kFull) return CutOtherFull(piece);
  const std::string_view tag = options_.tags ? kOtherTag : std::string_view();
  for (const uint8_t* at = piece.begin; at < piece.end;) {
    const uint8_t* const end = at + LengthOfOther(at, piece.end);
    Emit({at, end}, tag);
    at = end;
  }
}

// Emits one token for every space, and one for the text before, between and after spaces, even if
// empty.
void TextCutter::CutOtherFull(Piece piece) {
  for (const uint8_t* at = piece.begin; at < piece.end;) {
    const DecodedCodePoint next = DecodeCodePoint(at, piece.end);
    if (!IsPythonSpace(next.code_point)) {
      at += next.length;
      continue;
    }
    const uint8_t* const end = at + LengthOfOther(at, piece.end);
    Emit({piece.begin, at}, {});
    Emit({at, end}, {});
    piece.begin = at = end;
  }
  Emit(piece, {});
}

// Gathers characters that are words of their own, for the model to find words in.
void TextCutter::CutAccurate() {
  Piece singles;
  uint64_t characters = 0;
  const auto cut_singles = [&] {
    if (characters > 0) CutSingles(singles, characters);
    characters = 0;
  };
  block_.ForEachWord(
      lexicon_->log_total, [this] { return IsStopped(); },
      [&](const uint8_t* begin, const uint8_t* end, uint32_t length) {
        if (length != 1) {
          cut_singles();
          length == 0 ? CutOther({begin, end}) : EmitWord({begin, end});
          return;
        }
        if (characters++ == 0) singles.begin = begin;
        singles.end = end;
      });
  cut_singles();
}

// Joins consecutive letters and digits that are words of their own.
void TextCutter::CutWithoutModel() {
  Piece latin;
  const auto emit_latin = [&] {
    if (latin.begin == latin.end) return;
    if (options_.tags) {
      Emit(latin, kLatinTag);
    } else {
      EmitWord(latin);
    }
    latin = {};
  };
  block_.ForEachWord(
      lexicon_->log_total, [this] { return IsStopped(); },
      [&](const uint8_t* begin, const uint8_t* end, uint32_t length) {
        if (length != 1 || !IsAsciiLetterOrDigit(*begin)) {
          emit_latin();
          length == 0 ? CutOther({begin, end}) : EmitWord({begin, end});
          return;
        }
        if (latin.begin == latin.end) latin.begin = begin;
        latin.end = end;
      });
  emit_latin();
}

void TextCutter::CutSingles(Piece singles, uint64_t characters) {
  const TrieView& trie = lexicon_->trie;
  if (characters == 1) {
    EmitWord(singles);
  } else if (trie.IsWord(trie.Find(singles.begin, singles.end))) {
    EmitEach(singles);
  } else if (options_.tags) {
    CutWithTagModel(singles);
  } else {
    CutWithWordModel(singles);
  }
}

const uint8_t* TextCutter::FindHanEnd(Piece piece) const {
  return SkipWhile(piece.begin, piece.end, [](uint8_t byte) { return byte >= 0x80; });
}

void TextCutter::CutWithWordModel(Piece singles) {
  for (auto [at, end] = singles; at < end;) {
    const uint8_t* next = FindHanEnd({at, end});
    if (next > at) {
      hidden_words_.ForEach(*lexicon_->word_model, at, next,
                            [&](const uint8_t* begin, const uint8_t* word_end, uint8_t) {
                              const Piece word{begin, word_end};
                              if (lexicon_->IsForceSplit(begin, word_end)) {
                                EmitEach(word);
                              } else {
                                EmitWord(word);
                              }
                            });
    } else if (IsAsciiLetterOrDigit(*at)) {
      next = FindLatinEnd(at, end);
      EmitWord({at, next});
    } else {
      next = SkipWhile(at, end,
                       [](uint8_t byte) { return byte < 0x80 && !IsAsciiLetterOrDigit(byte); });
      EmitWord({at, next});
    }
    at = next;
  }
}

void TextCutter::CutWithTagModel(Piece singles) {
  const TagModel& model = *lexicon_->tag_model;
  for (auto [at, end] = singles; at < end;) {
    const uint8_t* next = FindHanEnd({at, end});
    if (next > at) {
      hidden_tags_.ForEach(model, at, next,
                           [&](const uint8_t* begin, const uint8_t* word_end, uint8_t state) {
                             Emit({begin, word_end}, lexicon_->tags[model.tag(state)]);
                           });
    } else if (IsNumberSign(*at)) {
      next = SkipWhile(at, end, IsNumberSign);
      Emit({at, next}, kNumberTag);
    } else if (IsAsciiLetterOrDigit(*at)) {
      next = SkipWhile(at, end, IsAsciiLetterOrDigit);
      Emit({at, next}, kLatinTag);
    } else {
      next = SkipWhile(at, end, [](uint8_t byte) {
        return byte < 0x80 && byte != '.' && !IsAsciiLetterOrDigit(byte);
      });
      Emit({at, next}, kOtherTag);
    }
    at = next;
  }
}

// Emits words of several characters in the order in which they begin; letters and digits between
// them are gathered.
void TextCutter::CutFull() {
  const uint8_t* reached = nullptr;  // the end of the last word
  Piece latin;
  const auto emit_latin = [&] {
    if (latin.begin != latin.end) Emit(latin, {});
    latin = {};
  };
  block_.ForEachCharacter([this] { return IsStopped(); },
                          [&](const WordBlock::Character& character) {
                            const auto& [begin, own_end, word_ends] = character;
                            if (!IsAsciiLetterOrDigit(*begin)) emit_latin();
                            if (word_ends.empty()) return CutOther({begin, own_end});
                            if (word_ends.size() > 1 || begin < reached) {
                              for (const uint8_t* const end : word_ends) {
                                if (end == own_end) continue;
                                emit_latin();  // jieba continues with it after the word
                                Emit({begin, end}, {});
                                reached = end;
                              }
                              return;
                            }
                            const Piece word{begin, word_ends.front()};
                            reached = word.end;
                            if (!IsAsciiLetterOrDigit(*begin)) {
                              Emit(word, {});
                              return;
                            }
                            if (latin.begin == latin.end) latin.begin = begin;
                            latin.end = word.end;
                          });
  emit_latin();
}

void TextCutter::EmitEach(Piece piece) {
  for (const uint8_t* at = piece.begin; at < piece.end;) {
    const uint8_t* const next = at + WordCharacterLength(*at);
    EmitWord({at, next});
    at = next;
  }
}

void TextCutter::EmitWord(Piece word) {
  if (options_.tags) {
    Emit(word, lexicon_->TagOf(word.begin, word.end));
    return;
  }
  if (options_.mode == SegmentMode::kSearch) EmitInnerWords(word);
  Emit(word, {});
}

// Emits the words of two, then of three characters inside a longer word.
void TextCutter::EmitInnerWords(Piece word) {
  const TrieView& trie = lexicon_->trie;
  for (int length = 2; length <= 3; ++length) {
    const uint8_t* end = word.begin;
    int characters = 0;
    for (; characters < length && end < word.end; ++characters) end += WordCharacterLength(*end);
    if (end == word.end) return;
    for (const uint8_t* begin = word.begin;;) {
      if (trie.IsWord(trie.Find(begin, end))) Emit({begin, end}, {});
      if (end == word.end) break;
      begin += WordCharacterLength(*begin);
      end += WordCharacterLength(*end);
    }
  }
}

}  // namespace zhiwen
