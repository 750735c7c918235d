#include "text/segmenter/text_cutter.h"

#include <algorithm>

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

// The end of what `[a-zA-Z0-9]+(?:\.\d+)?%?` matches at a letter or digit.
const uint8_t* FindLatinEnd(const uint8_t* at, const uint8_t* end) {
  at = SkipWhile(at, end, IsAsciiLetterOrDigit);
  if (end - at >= 2 && *at == '.' && IsAsciiDigit(at[1])) at = SkipWhile(at + 1, end, IsAsciiDigit);
  return at < end && *at == '%' ? at + 1 : at;
}

constexpr bool IsNumberSign(uint8_t byte) { return IsAsciiDigit(byte) || byte == '.'; }

uint32_t WordCharacterLength(uint8_t lead) { return lead < 0x80 ? 1 : kHanBytes; }

}  // namespace

std::string_view Lexicon::TagOf(const uint8_t* begin, const uint8_t* end) const {
  const uint32_t cell = trie.Find(begin, end);
  const uint32_t tag = user_tags.empty() ? base_tags[cell] : user_tags[cell];
  return tag == 0 ? kOtherTag : tags[tag];
}

bool Lexicon::IsForceSplit(const uint8_t* begin, const uint8_t* end) const {
  return force_split != nullptr && force_split->contains(ViewOf(begin, end));
}

void TextCutter::Flush() {
  if (!tokens_.empty()) (*visit_)(tokens_);
  tokens_.clear();
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
  tokens_.reserve(kTokens);
  const bool full = options.mode == SegmentMode::kFull;
  for (const uint8_t* at = text_; at < text_end_;) {
    if (!IsWordCharacter(at)) {
      at = full ? CutOtherFull(at) : CutOther(at);
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
  Flush();
}

// A token a character; CR LF is one.
const uint8_t* TextCutter::CutOther(const uint8_t* at) {
  const std::string_view tag = options_.tags ? kOtherTag : std::string_view();
  do {
    const bool is_line_end = *at == '\r' && text_end_ - at >= 2 && at[1] == '\n';
    const uint8_t* const end = at + (is_line_end ? 2 : DecodeCodePoint(at, text_end_).length);
    Emit({at, end}, tag);
    at = end;
  } while (at < text_end_ && !IsWordCharacter(at));
  return at;
}

// A token for every space, and one for what is before, between and behind these, empty or not.
const uint8_t* TextCutter::CutOtherFull(const uint8_t* at) {
  const uint8_t* piece = at;
  while (at < text_end_ && !IsWordCharacter(at)) {
    const DecodedCodePoint next = DecodeCodePoint(at, text_end_);
    if (!IsPythonSpace(next.code_point)) {
      at += next.length;
      continue;
    }
    Emit({piece, at}, {});
    const bool is_line_end = *at == '\r' && text_end_ - at >= 2 && at[1] == '\n';
    const uint8_t* const end = at + (is_line_end ? 2 : next.length);
    Emit({at, end}, {});
    piece = at = end;
  }
  Emit({piece, at}, {});
  return at;
}

// Characters that are words of their own are gathered, for the model to make words of.
void TextCutter::CutAccurate() {
  Piece singles;
  uint64_t characters = 0;
  const auto cut_singles = [&] {
    if (characters > 0) CutSingles(singles, characters);
    characters = 0;
  };
  block_.ForEachWord(lexicon_->log_total,
                     [&](const uint8_t* begin, const uint8_t* end, uint32_t length) {
                       if (length > 1) {
                         cut_singles();
                         EmitWord({begin, end});
                         return;
                       }
                       if (characters++ == 0) singles.begin = begin;
                       singles.end = end;
                     });
  cut_singles();
}

// Letters and digits that are words of their own become one.
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
  block_.ForEachWord(lexicon_->log_total,
                     [&](const uint8_t* begin, const uint8_t* end, uint32_t length) {
                       if (length > 1 || !IsAsciiLetterOrDigit(*begin)) {
                         emit_latin();
                         EmitWord({begin, end});
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

// Words of several characters as they begin; between them letters and digits are gathered.
void TextCutter::CutFull() {
  const uint8_t* reached = nullptr;  // the end of the last word
  Piece latin;
  const auto emit_latin = [&] {
    if (latin.begin != latin.end) Emit(latin, {});
    latin = {};
  };
  block_.ForEachCharacter([&](const WordBlock::Character& character) {
    const auto& [begin, word_ends] = character;
    if (!IsAsciiLetterOrDigit(*begin)) emit_latin();
    if (word_ends.size() > 1 || begin < reached) {
      const uint8_t* const own_end = begin + WordCharacterLength(*begin);
      for (const uint8_t* const end : word_ends) {
        if (end == own_end) continue;
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
    if (latin.end != begin) emit_latin();
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

// The words of two, then of three characters inside a longer one.
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
