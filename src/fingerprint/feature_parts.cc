#include "fingerprint/feature_parts.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.h"
#include "base/utf8/utf8.h"
#include "base/value_bytes.h"
#include "feature/shingles_xxh3.h"
#include "feature/terms/term_scores.h"
#include "text/channel_view.h"
#include "text/open_channel.h"
#include "zhiwen/term_snapshot.h"

namespace zhiwen {
namespace {

constexpr ParameterSpec kWordParameters[] = {
    {"terms", ParameterKind::kTerms, "", "what cuts the text into words"},
};
constexpr ParameterSpec kShingleParameters[] = {
    {"k", ParameterKind::kInteger, "5", "units of a shingle", 1, 64},
    kUnitParameter,
};
constexpr ParameterSpec kSentenceParameters[] = {
    {"noise", ParameterKind::kInteger, "4", "words a sentence needs, stop words not counted", 1,
     1000},
    {"stop_words", ParameterKind::kStopWords, "", "words that do not count"},
    {"terms", ParameterKind::kTerms, "", "what cuts the text into words"},
};

constexpr std::string_view kCharacterSets[] = {"gb2312"};
constexpr ParameterSpec kCharacterParameters[] = {
    {"set", ParameterKind::kChoice, "gb2312", "which characters count", 0, 0, kCharacterSets},
};
constexpr ParameterSpec kTermParameters[] = {
    {"least", ParameterKind::kInteger, "2", "code points of a term", 1, 64},
    {"stop_words", ParameterKind::kStopWords, "", "words that are left out"},
    {"terms", ParameterKind::kTerms, "", "what cuts the text into words"},
    {"top", ParameterKind::kInteger, "0", "how many terms, the heaviest; 0: all", 0, 1000000},
};
constexpr ParameterSpec kTfidfParameters[] = {
    {"df", ParameterKind::kSnapshot, "", "the document frequencies of a corpus"},
    {"tags", ParameterKind::kChoice, "yes", "whether names and nouns weigh more", 0, 0, kYesOrNo},
};

}  // namespace

constinit const NameFamily kCharacterPart = {"character", 1, "set", kCharacterParameters};
constinit const NameFamily kShinglePart = {"shingle", 1, "k", kShingleParameters};
constinit const NameFamily kWordPart = {"word", 1, "terms", kWordParameters};
constinit const NameFamily kSentencePart = {"sentence", 1, "noise", kSentenceParameters};
constinit const NameFamily kTermPart = {"term", 1, "top", kTermParameters};
constinit const NameFamily kTfidfPart = {"tfidf", 1, "df", kTfidfParameters};

std::string JoinDistinct(std::vector<std::string> parts) {
  std::erase_if(parts, [](const std::string& part) { return part.empty(); });
  std::ranges::sort(parts);
  parts.erase(std::ranges::unique(parts).begin(), parts.end());
  return fmt::format("{}", fmt::join(parts, std::string_view(&kUnitSeparator, 1)));
}

std::string_view ChannelWord::Of(std::string_view word, Scratch& scratch) const {
  scratch.symbols.clear();
  scratch.utf8.clear();
  channel_.view().ComputeInto(word, scratch.symbols);
  for (const uint32_t symbol : scratch.symbols) {
    const bool is_code_point = symbol < 0x110000 && (symbol & ~0x7FFU) != 0xD800;
    if (is_code_point) {
      AppendUtf8(symbol, scratch.utf8);
    } else {
      fmt::format_to(std::back_inserter(scratch.utf8), "#{:08x}", symbol);
    }
  }
  return scratch.utf8;
}

UnitPart::UnitPart(const ParameterValue& unit, const Channel& channel,
                   const SchemeResources& resources)
    : channel_(channel), word_(channel), words_(unit.nested.empty() ? nullptr : resources.terms) {}

SpannedSymbols UnitPart::Explain(std::string_view utf8) const {
  return channel_.view().Explain(utf8);
}

void UnitPart::VisitWords(std::string_view utf8,
                          const std::function<void(const TextUnit&)>& take) const {
  ChannelWord::Scratch scratch;
  words_->VisitTerms(utf8, [&](const TermOccurrence& term) {
    const std::string_view word = word_.Of(term.text, scratch);
    if (!word.empty()) take({HashBytes64(word), term.source});
  });
}

SentencePart::SentencePart(const ResolvedName& part, const SchemeResources& resources)
    : terms_(resources.terms),
      stop_words_(part["stop_words"].is_none() ? nullptr : resources.stop_words),
      least_words_(part["noise"].integer) {}

bool SentencePart::Keeps(std::string_view utf8, ByteSpan sentence) const {
  uint64_t words = 0;
  terms_->VisitTerms(
      utf8.substr(sentence.begin.value, sentence.size()), [&](const TermOccurrence& term) {
        const bool is_stop_word = stop_words_ != nullptr && stop_words_->Contains(term.text);
        words += is_stop_word ? 0 : 1;
      });
  return words >= least_words_;
}

ShinglePart::ShinglePart(const ResolvedName& part, const Channel& channel,
                         const SchemeResources& resources)
    : channel_(channel),
      word_(channel),
      length_(part["k"].integer),
      words_(part["unit"].nested.empty() ? nullptr : resources.terms) {}

void ShinglePart::ComputeInto(std::string_view utf8, std::vector<uint64_t>& hashes) const {
  if (words_ == nullptr) return ComputeShinglesXxh3(SymbolsOf(utf8), length_, hashes);
  hashes.clear();
  ForEachRun(WordsOf(utf8), [&](std::string_view bytes) { hashes.push_back(HashBytes64(bytes)); });
}

std::vector<uint32_t> ShinglePart::SymbolsOf(std::string_view utf8) const {
  std::vector<uint32_t> symbols;
  channel_.view().ComputeInto(utf8, symbols);
  return symbols;
}

std::vector<uint64_t> ShinglePart::WordsOf(std::string_view utf8) const {
  std::vector<uint64_t> words;
  ChannelWord::Scratch scratch;
  words_->VisitTerms(utf8, [&](const TermOccurrence& term) {
    const std::string_view word = word_.Of(term.text, scratch);
    if (!word.empty()) words.push_back(HashBytes64(word));
  });
  return words;
}

TermParameters TermParametersOf(const ResolvedName& term, const ParameterValue* weight) {
  TermParameters parameters = {.are_characters = true, .has_stop_words = false, .least = 1};
  if (term.family == &kTermPart) {
    parameters = {.has_stop_words = !term["stop_words"].is_none(),
                  .least = term["least"].integer,
                  .top = term["top"].integer};
  }
  if (weight == nullptr || weight->nested.empty()) return parameters;
  parameters.df = &weight->nested[0]["df"];
  parameters.tags = &weight->nested[0]["tags"];
  return parameters;
}

Result<TermPart> TermPart::Create(const TermParameters& parameters, const Channel& channel,
                                  const SchemeResources& resources) {
  constexpr TagWeights kEqualWeights = {.proper = 16, .noun = 16, .other = 16, .function = 16};
  TermPart part(channel);
  part.terms_ = parameters.are_characters ? TermExtractor::OfCharacters() : resources.terms;
  if (parameters.has_stop_words) part.stop_words_ = resources.stop_words;
  const bool has_tags = parameters.tags != nullptr && parameters.tags->text == "yes";
  part.top_ = parameters.top == 0 ? SIZE_MAX : parameters.top;
  part.options_ = {.least_code_points = parameters.least,
                   .tags = has_tags ? TagWeights() : kEqualWeights,
                   .stop_words = part.stop_words_.get()};
  if (parameters.df == nullptr || parameters.df->is_none()) return part;
  part.snapshot_ = resources.snapshot;
  ZHIWEN_RETURN_IF_ERROR(part.snapshot_->CheckMadeWith(*part.terms_));
  return part;
}

std::vector<RankedTerm> TermPart::Rank(std::string_view utf8) const {
  const std::vector<Term> terms = terms_->Count(utf8);
  std::vector<RankedTerm> ranked;
  std::unordered_map<std::string, size_t> places;
  ChannelWord::Scratch scratch;
  for (const TermScore& scored : ScoreTerms(terms, snapshot_.get(), options_)) {
    const Term& term = terms[scored.term];
    const std::string_view word = word_.Of(term.text, scratch);
    if (word.empty()) continue;
    const auto [at, is_new] = places.emplace(word, ranked.size());
    if (is_new) ranked.push_back({.text = at->first, .place = at->second});
    ranked[at->second].count += term.count;
    ranked[at->second].score += scored.score;
  }
  const auto kept = static_cast<ptrdiff_t>(std::min(top_, ranked.size()));
  std::ranges::partial_sort(ranked, ranked.begin() + kept,
                            [](const RankedTerm& a, const RankedTerm& b) {
                              return a.score != b.score ? a.score > b.score : a.text < b.text;
                            });
  ranked.resize(static_cast<size_t>(kept));
  return ranked;
}

std::vector<RankedTerm> TermPart::RankInOrder(std::string_view utf8) const {
  std::vector<RankedTerm> ranked = Rank(utf8);
  std::ranges::sort(ranked, {}, &RankedTerm::place);
  return ranked;
}

}  // namespace zhiwen
