#include "zhiwen/terms.h"

#include <utility>

#include <fmt/format.h>

#include "base/utf8/utf8.h"
#include "feature/terms/term_tally.h"
#include "text/gb2312.h"
#include "text/letter.h"

namespace zhiwen {
namespace {

// Longer tokens are data rather than words: keys, hashes, runs of one letter.
constexpr size_t kMostTermBytes = 256;

// The tag of a word that users declared and that no dictionary knows.
constexpr std::string_view kOtherName = "nz";

bool IsKnown(std::string_view tag) { return !tag.empty() && tag != "x"; }

bool IsTerm(std::string_view token) {
  if (token.size() > kMostTermBytes) return false;
  bool has_letter = false;
  const bool is_text = VisitCodePoints(token, [&](DecodedCodePoint decoded, size_t) {
    has_letter = has_letter || IsLetterOrDigit(decoded.code_point);
    return decoded.is_valid() && decoded.code_point != 0;
  });
  return is_text && has_letter;
}

void VisitCharacters(std::string_view utf8, const TermVisitor& visit,
                     const Cancellation* cancellation) {
  constexpr size_t kBytesAtOnce = size_t{1} << 20;
  size_t next_check = 0;
  VisitCodePoints(utf8, [&](DecodedCodePoint decoded, size_t at) {
    if (decoded.is_valid() && Gb2312Number(decoded.code_point)) {
      visit({.source = {ByteOffset{at}, ByteOffset{at + decoded.length}},
             .text = utf8.substr(at, decoded.length),
             .tag = {}});
    }
    if (at < next_check) return true;
    next_check = at + kBytesAtOnce;
    return cancellation == nullptr || !cancellation->requested();
  });
}

}  // namespace

std::shared_ptr<const TermExtractor> TermExtractor::OfCharacters() {
  static const std::shared_ptr<const TermExtractor> kCharacters(new TermExtractor());
  return kCharacters;
}

TermExtractor::TermExtractor(std::shared_ptr<const Segmenter> segmenter,
                             std::shared_ptr<const Synonyms> synonyms)
    : segmenter_(std::move(segmenter)),
      synonyms_(std::move(synonyms)),
      name_(fmt::format("terms.v1(segmenter={},synonyms={})", segmenter_->name(),
                        synonyms_ == nullptr ? "none" : synonyms_->id())) {
  if (synonyms_ == nullptr) return;
  std::vector<Token> tokens;
  for (const std::string& word : synonyms_->canonical()) {
    tokens.clear();
    segmenter_->Segment(word, {.tags = true}, tokens);
    const bool has_tag = tokens.size() == 1 && IsKnown(tokens[0].tag);
    canonical_tags_.push_back(has_tag ? tokens[0].tag : kOtherName);
  }
}

void TermExtractor::VisitTerms(std::string_view utf8, const TermVisitor& visit,
                               const Cancellation* cancellation) const {
  if (segmenter_ == nullptr) return VisitCharacters(utf8, visit, cancellation);
  const auto take = [&](const TermOccurrence& term) {
    if (IsTerm(term.text)) visit(term);
  };
  const auto segment = [&](uint64_t begin, uint64_t end) {
    const std::string_view text = utf8.substr(begin, end - begin);
    const SegmentOptions options{.tags = true, .cancellation = cancellation};
    segmenter_->Visit(text, options, [&](std::span<const Token> tokens) {
      for (const auto& [bytes, tag] : tokens) {
        const std::string_view word = text.substr(bytes.begin.value, bytes.size());
        const bool is_declared =
            !IsKnown(tag) && synonyms_ != nullptr && synonyms_->IsCanonical(word);
        take({.source = {bytes.begin + begin, bytes.end + begin},
              .text = word,
              .tag = is_declared ? kOtherName : tag});
      }
    });
  };
  uint64_t at = 0;
  while (synonyms_ != nullptr && (cancellation == nullptr || !cancellation->requested())) {
    const std::optional<SynonymMatch> match = synonyms_->FindNext(utf8, at);
    if (!match) break;
    segment(at, match->source.begin.value);
    take({.source = match->source,
          .text = synonyms_->canonical()[match->canonical],
          .tag = canonical_tags_[match->canonical]});
    at = match->source.end.value;
  }
  segment(at, utf8.size());
}

std::vector<Term> TermExtractor::Count(std::string_view utf8,
                                       const Cancellation* cancellation) const {
  TermTally tally;
  std::vector<Term> terms;
  const auto count = [&](const TermOccurrence& term) {
    const size_t index = tally.Add(term.text, 1);
    if (index == terms.size()) terms.push_back({std::string(term.text), term.tag, 0});
    ++terms[index].count;
  };
  VisitTerms(utf8, count, cancellation);
  return terms;
}

}  // namespace zhiwen
