#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8/utf8.h"
#include "feature/terms/term_scores.h"

namespace zhiwen {
namespace {

constexpr uint64_t kWhole = 65536;  // an idf of 1
constexpr uint64_t kSixteenths = 16;

bool IsKeyword(const Term& term, const KeywordOptions& options) {
  if (CountCodePoints(term.text) < options.least_code_points) return false;
  return options.stop_words == nullptr || !options.stop_words->Contains(term.text);
}

}  // namespace

uint32_t TagWeights::Of(std::string_view tag) const {
  constexpr std::array<std::string_view, 4> kProper = {"ns", "nr", "nt", "nz"};
  constexpr std::string_view kFunction = "cdefhkmopqruy";  // first letters of jieba's tags
  if (std::ranges::find(kProper, tag.substr(0, 2)) != kProper.end()) return proper;
  if (tag.starts_with('n') || tag.starts_with('j') || tag == "eng") return noun;
  return !tag.empty() && kFunction.find(tag[0]) != std::string_view::npos ? function : other;
}

std::vector<TermScore> ScoreTerms(std::span<const Term> terms, const TermSnapshot* snapshot,
                                  const KeywordOptions& options) {
  std::vector<TermScore> scores;
  for (size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    if (!IsKeyword(term, options)) continue;
    const uint64_t idf = snapshot == nullptr ? kWhole : snapshot->Idf(term.text);
    scores.push_back({term.count * idf * options.tags.Of(term.tag), i});
  }
  return scores;
}

std::vector<Keyword> RankKeywords(std::vector<Term> terms, const TermSnapshot* snapshot,
                                  const KeywordOptions& options) {
  std::vector<TermScore> ranked = ScoreTerms(terms, snapshot, options);
  uint64_t occurrences = 0;
  for (const TermScore& scored : ranked) occurrences += terms[scored.term].count;
  const size_t count = std::min(options.count, ranked.size());
  std::ranges::partial_sort(ranked, ranked.begin() + static_cast<ptrdiff_t>(count),
                            [&](const TermScore& a, const TermScore& b) {
                              if (a.score != b.score) return a.score > b.score;
                              return terms[a.term].text < terms[b.term].text;
                            });
  std::vector<Keyword> keywords(count);
  for (size_t i = 0; i < count; ++i) {
    Keyword& keyword = keywords[i];
    keyword.term = std::move(terms[ranked[i].term]);
    keyword.documents = snapshot == nullptr ? 0 : snapshot->DocumentsWith(keyword.term.text);
    keyword.score = ranked[i].score;
    keyword.weight = static_cast<double>(keyword.score) /
                     static_cast<double>(kWhole * kSixteenths * occurrences);
  }
  return keywords;
}

}  // namespace zhiwen
