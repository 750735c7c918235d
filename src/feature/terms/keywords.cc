#include <algorithm>
#include <array>
#include <utility>

#include "text/utf8.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

constexpr uint64_t kWhole = 65536;  // of an idf
constexpr uint64_t kSixteenths = 16;

bool IsKeyword(const Term& term, const KeywordOptions& options) {
  if (CountCodePoints(term.text) < options.least_code_points) return false;
  return options.stop_words == nullptr || !options.stop_words->Contains(term.text);
}

struct Ranked {
  uint64_t weight = 0;
  size_t term = 0;
};

}  // namespace

uint32_t TagWeights::Of(std::string_view tag) const {
  constexpr std::array<std::string_view, 4> kProper = {"ns", "nr", "nt", "nz"};
  constexpr std::string_view kFunction = "cdefhkmopqruy";  // jieba's first letters
  if (std::ranges::find(kProper, tag.substr(0, 2)) != kProper.end()) return proper;
  if (tag.starts_with('n') || tag.starts_with('j') || tag == "eng") return noun;
  return !tag.empty() && kFunction.find(tag[0]) != std::string_view::npos ? function : other;
}

std::vector<Keyword> RankKeywords(std::vector<Term> terms, const TermSnapshot* snapshot,
                                  const KeywordOptions& options) {
  std::vector<Ranked> ranked;
  uint64_t occurrences = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    if (!IsKeyword(term, options)) continue;
    occurrences += term.count;
    const uint64_t idf = snapshot == nullptr ? kWhole : snapshot->Idf(term.text);
    ranked.push_back({term.count * idf * options.tags.Of(term.tag), i});
  }
  const size_t count = std::min(options.count, ranked.size());
  std::ranges::partial_sort(ranked, ranked.begin() + static_cast<ptrdiff_t>(count),
                            [&](const Ranked& a, const Ranked& b) {
                              if (a.weight != b.weight) return a.weight > b.weight;
                              return terms[a.term].text < terms[b.term].text;
                            });
  std::vector<Keyword> keywords(count);
  for (size_t i = 0; i < count; ++i) {
    Keyword& keyword = keywords[i];
    keyword.term = std::move(terms[ranked[i].term]);
    keyword.documents = snapshot == nullptr ? 0 : snapshot->DocumentsWith(keyword.term.text);
    keyword.score = ranked[i].weight;
    keyword.weight = static_cast<double>(keyword.score) /
                     static_cast<double>(kWhole * kSixteenths * occurrences);
  }
  return keywords;
}

}  // namespace zhiwen
