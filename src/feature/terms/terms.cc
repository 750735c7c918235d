#include "zhiwen/terms.h"

#include <utility>

#include <fmt/format.h>

#include "base/utf8_decode.h"
#include "feature/terms/term_tally.h"
#include "text/fold_tables.h"

namespace zhiwen {
namespace {

// Longer tokens are data, not words: keys, hashes, runs of one letter.
constexpr size_t kMostTermBytes = 256;

// A word that users declared, where no dictionary knows what it is.
constexpr std::string_view kOtherName = "nz";

bool IsLetterOrDigit(uint32_t code_point) {
  FoldRecord record = LookUpFold(code_point);
  if (record.fold_class() == FoldClass::kExpansion) record = LookUpFold(record.expansion()[0]);
  switch (record.fold_class()) {
    case FoldClass::kHan:
    case FoldClass::kKana:
    case FoldClass::kHangul:
    case FoldClass::kSea:
    case FoldClass::kRun:
    case FoldClass::kDigit:
      return true;
    default:
      return false;
  }
}

bool IsTerm(std::string_view token) {
  if (token.size() > kMostTermBytes) return false;
  bool has_letter = false;
  const auto* at = reinterpret_cast<const uint8_t*>(token.data());
  const uint8_t* const end = at + token.size();
  while (at < end) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, end);
    if (!decoded.is_valid() || decoded.code_point == 0) return false;
    has_letter = has_letter || IsLetterOrDigit(decoded.code_point);
    at += decoded.length;
  }
  return has_letter;
}

}  // namespace

TermExtractor::TermExtractor(std::shared_ptr<const Segmenter> segmenter,
                             std::shared_ptr<const Synonyms> synonyms)
    : segmenter_(std::move(segmenter)),
      synonyms_(std::move(synonyms)),
      name_(fmt::format("terms.v1(segmenter={},synonyms={})", segmenter_->name(),
                        synonyms_ == nullptr ? "none" : synonyms_->id())) {}

void TermExtractor::VisitTerms(std::string_view utf8, const TermVisitor& visit) const {
  const ReplacedText replaced =
      synonyms_ == nullptr ? ReplacedText(utf8) : synonyms_->Replace(utf8);
  const std::string_view text = replaced.text();
  const auto take = [&](ByteSpan bytes, std::string_view tag) {
    const std::string_view word = text.substr(bytes.begin.value, bytes.size());
    if (!IsTerm(word)) return;
    const bool is_declared =
        (tag == "x" || tag.empty()) && synonyms_ != nullptr && synonyms_->IsCanonical(word);
    visit(
        {.source = replaced.SourceOf(bytes), .text = word, .tag = is_declared ? kOtherName : tag});
  };
  uint64_t at = 0;
  const auto segment_until = [&](uint64_t end) {
    if (at == end) return;
    segmenter_->Visit(
        text.substr(at, end - at), {.tags = true}, [&](std::span<const Token> tokens) {
          for (const Token& token : tokens) {
            take({{at + token.bytes.begin.value}, {at + token.bytes.end.value}}, token.tag);
          }
        });
  };
  for (const ByteSpan whole : replaced.wholes()) {
    segment_until(whole.begin.value);
    take(whole, {});
    at = whole.end.value;
  }
  segment_until(text.size());
}

std::vector<Term> TermExtractor::Count(std::string_view utf8) const {
  TermTally tally;
  std::vector<Term> terms;
  VisitTerms(utf8, [&](const TermOccurrence& term) {
    const size_t index = tally.Add(term.text, 1);
    if (index == terms.size()) terms.push_back({std::string(term.text), term.tag, 0});
    ++terms[index].count;
  });
  return terms;
}

}  // namespace zhiwen
