// Any bytes are cut into tokens that are spans of them, in every mode; all modes but full and
// search cover the text. So they are into sentences. The text is also tried as a user dictionary.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "support/language.h"
#include "support/paths.h"
#include "zhiwen/segmenter.h"
#include "zhiwen/sentences.h"

std::string zhiwen::LanguageFilePath() { return ZHIWEN_LANGUAGE_FILE; }

namespace {

using zhiwen::Require;

void CheckTokens(const zhiwen::Segmenter& segmenter, std::string_view text,
                 const zhiwen::SegmentOptions& options) {
  const bool covers = options.mode == zhiwen::SegmentMode::kAccurate;
  uint64_t end = 0;
  segmenter.Visit(text, options, [&](std::span<const zhiwen::Token> tokens) {
    for (const zhiwen::Token& token : tokens) {
      Require(token.bytes.begin <= token.bytes.end && token.bytes.end.value <= text.size());
      Require(token.tag.empty() != options.tags);
      if (!covers) continue;
      Require(token.bytes.begin.value == end && token.bytes.size() > 0);
      end = token.bytes.end.value;
    }
  });
  Require(!covers || end == text.size());
}

void CheckAll(const zhiwen::Segmenter& segmenter, std::string_view text) {
  for (const bool hmm : {true, false}) {
    CheckTokens(segmenter, text, {.hmm = hmm});
    CheckTokens(segmenter, text, {.mode = zhiwen::SegmentMode::kSearch, .hmm = hmm});
    CheckTokens(segmenter, text, {.hmm = hmm, .tags = true});
  }
  CheckTokens(segmenter, text, {.mode = zhiwen::SegmentMode::kFull});
}

void CheckSentences(std::string_view text) {
  uint64_t end = 0;
  zhiwen::VisitSentences(text, [&](zhiwen::ByteSpan sentence) {
    Require(sentence.begin.value >= end && sentence.size() > 0);
    end = sentence.end.value;
  });
  Require(end <= text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto segmenter = *zhiwen::Segmenter::Create(zhiwen::TestLanguage());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckAll(*segmenter, text);
  CheckSentences(text);
  if (size == 0 || size > 200 || data[0] % 16 != 0) return 0;  // a copy of all words takes long
  const zhiwen::UserFile dictionary = {"fuzz", std::string(text)};
  const auto with = zhiwen::Segmenter::Create(zhiwen::TestLanguage(), std::span(&dictionary, 1));
  if (with) CheckAll(**with, text);
  return 0;
}
