#include "pipeline/dedup/slow_dedup_test_support.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "base/hash.h"

namespace zhiwen {
namespace {

std::vector<uint32_t> SymbolsOn(const Channel& channel, const std::string& text) {
  return ComputeSymbols(channel, text).value().symbols;
}

size_t CodePoints(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<size_t> RankByLength(const std::vector<SlowDocument>& documents) {
  std::vector<size_t> ranked(documents.size());
  std::iota(ranked.begin(), ranked.end(), 0);
  const auto key = [&](size_t d) {
    return std::tuple(-static_cast<int64_t>(CodePoints(documents[d].text)),
                      HashBytes128(documents[d].text), documents[d].id, d);
  };
  std::sort(ranked.begin(), ranked.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  return ranked;
}

// One document as the rules see it.
struct Views {
  std::vector<uint32_t> exact;
  std::vector<uint32_t> symbols;
  SlowSet shingles;
};

bool Collapse(const Views& a, const Views& b, const std::string& a_text,
              const std::string& b_text) {
  if (a_text.empty() || b_text.empty()) return false;
  if (a.symbols.size() < 5 || b.symbols.size() < 5) {
    return a.symbols.size() < 5 && b.symbols.size() < 5 && a.exact == b.exact;
  }
  return a.symbols == b.symbols;
}

std::vector<Views> ViewsOf(const std::vector<SlowDocument>& documents, const Channel& channel) {
  std::vector<Views> views;
  for (const SlowDocument& document : documents) {
    views.push_back({SymbolsOn(ExactChannel(), document.text), SymbolsOn(channel, document.text),
                     SlowShingles(channel, document.text).value()});
  }
  return views;
}

bool AreNear(const SlowDocument& a, const SlowDocument& b, int64_t days) {
  return !a.date || !b.date || std::abs(*a.date - *b.date) <= days;
}

std::vector<SlowDecision> Decide(const std::vector<SlowDocument>& documents,
                                 const std::vector<Views>& views, const std::vector<size_t>& ranked,
                                 std::optional<int64_t> within_days,
                                 const std::function<bool(size_t d, size_t kept)>& matches) {
  std::vector<SlowDecision> decisions(documents.size());
  std::vector<size_t> representatives;  // by rank
  std::map<std::string, size_t> first_with_key;
  std::vector<std::pair<size_t, size_t>> key_copies;  // document, first with its key
  for (const size_t d : ranked) {
    if (!documents[d].key.empty()) {
      const auto [first, is_new] = first_with_key.try_emplace(documents[d].key, d);
      if (!is_new) {
        key_copies.emplace_back(d, first->second);
        continue;
      }
    }
    if (within_days) {
      // Texts that are equal match as others do: the first kept one by rank that is near in time.
      const auto near = std::find_if(representatives.begin(), representatives.end(), [&](size_t r) {
        return !decisions[r].removed() && AreNear(documents[d], documents[r], *within_days) &&
               (Collapse(views[d], views[r], documents[d].text, documents[r].text) ||
                matches(d, r));
      });
      if (near != representatives.end()) {
        decisions[d] = {.keeper = *near, .exact = views[d].exact == views[*near].exact};
        decisions[d].resemblance = SlowResemblance(views[d].shingles, views[*near].shingles);
        if (Collapse(views[d], views[*near], documents[d].text, documents[*near].text)) {
          decisions[d].resemblance = 1;
        }
      }
      representatives.push_back(d);
      continue;
    }
    const auto same = std::find_if(representatives.begin(), representatives.end(), [&](size_t r) {
      return Collapse(views[d], views[r], documents[d].text, documents[r].text);
    });
    if (same != representatives.end()) {
      decisions[d] = decisions[*same];
      if (!decisions[d].removed()) {
        decisions[d].keeper = *same;
        decisions[d].exact = views[d].exact == views[*same].exact;
      }
      continue;
    }
    const auto match = std::find_if(representatives.begin(), representatives.end(), [&](size_t r) {
      return !decisions[r].removed() && matches(d, r);
    });
    if (match != representatives.end()) {
      const auto& kept = views[*match].shingles;
      const auto shared = static_cast<double>(views[d].shingles.CountShared(kept));
      decisions[d] = {*match,
                      false,
                      false,
                      SlowResemblance(views[d].shingles, kept),
                      shared / static_cast<double>(views[d].shingles.size()),
                      shared / static_cast<double>(kept.size())};
    }
    representatives.push_back(d);
  }
  for (const auto& [d, first] : key_copies) {
    decisions[d] = {.keeper = decisions[first].removed() ? decisions[first].keeper : first,
                    .by_key = true};
  }
  return decisions;
}

bool HoldsInARow(const std::vector<uint32_t>& text, std::span<const uint32_t> part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end()) != text.end();
}

bool HaveARun(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, size_t run) {
  for (size_t i = 0; i + run <= a.size(); ++i) {
    if (HoldsInARow(b, std::span(a).subspan(i, run))) return true;
  }
  return false;
}

}  // namespace

std::vector<SlowDecision> SlowDedup(const std::vector<SlowDocument>& documents,
                                    const Channel& channel, double threshold,
                                    std::optional<int64_t> within_days) {
  const std::vector<Views> views = ViewsOf(documents, channel);
  return Decide(documents, views, RankByLength(documents), within_days, [&](size_t d, size_t kept) {
    return SlowResemblance(views[d].shingles, views[kept].shingles) >= threshold;
  });
}

std::vector<SlowDecision> SlowExactDedup(const std::vector<SlowDocument>& documents,
                                         std::optional<int64_t> within_days) {
  std::vector<Views> views;
  for (const SlowDocument& document : documents) {
    views.push_back({SymbolsOn(ExactChannel(), document.text), {}, {}});
  }
  return Decide(documents, views, RankByLength(documents), within_days,
                [](size_t, size_t) { return false; });
}

std::vector<SlowDecision> SlowContainedDedup(const std::vector<SlowDocument>& documents,
                                             const Channel& channel, double threshold,
                                             std::optional<int64_t> within_days) {
  const std::vector<Views> views = ViewsOf(documents, channel);
  std::vector<size_t> ranked = RankByLength(documents);
  std::ranges::stable_sort(ranked, std::greater<>(),
                           [&](size_t d) { return views[d].shingles.size(); });
  return Decide(documents, views, ranked, within_days, [&](size_t d, size_t kept) {
    const size_t size = views[d].shingles.size();
    const auto shared = static_cast<double>(views[d].shingles.CountShared(views[kept].shingles));
    return size >= 20 && shared / static_cast<double>(size) >= threshold;
  });
}

SlowReferences::SlowReferences(const std::vector<SlowDocument>& inputs,
                               const std::vector<SlowDocument>& references, const Channel& channel,
                               const DedupOptions& options)
    : channel_(channel), options_(options) {
  std::map<Shingle, size_t> inputs_with;
  for (const SlowDocument& input : inputs) {
    inputs_.push_back(Read(input.text));
    for (const Shingle& shingle : inputs_.back().shingles) ++inputs_with[shingle];
  }
  const bool is_contains = options.against_rule == ReferenceRule::kContains;
  for (const SlowDocument& reference : references) {
    Text text = Read(reference.text);
    std::vector<Shingle> counted;
    for (const Shingle& shingle : text.shingles) {
      const size_t with = inputs_with.contains(shingle) ? inputs_with.at(shingle) : 0;
      const bool is_common =
          is_contains && options.common_share && with > 20 &&
          static_cast<double>(with) > *options.common_share * static_cast<double>(inputs.size());
      if (!is_common) {
        counted.push_back(shingle);
      } else if (text.symbols.size() >= Least()) {
        common_[shingle] = with;
      }
    }
    text.lost = counted.size() < text.shingles.size();
    text.shingles = counted;
    references_.push_back(text);
  }
}

SlowReferences::Text SlowReferences::Read(const std::string& text) const {
  Text read{.is_empty = text.empty(),
            .exact = SymbolsOn(ExactChannel(), text),
            .symbols = SymbolsOn(channel_, text),
            .shingles = {}};
  for (size_t i = 0; i + 5 <= read.symbols.size(); ++i) {
    Shingle& shingle = read.shingles.emplace_back();
    std::copy_n(read.symbols.begin() + static_cast<std::ptrdiff_t>(i), 5, shingle.begin());
  }
  std::ranges::sort(read.shingles);
  read.shingles.erase(std::unique(read.shingles.begin(), read.shingles.end()), read.shingles.end());
  return read;
}

size_t SlowReferences::Least() const {
  if (options_.against_rule == ReferenceRule::kOverlap) return options_.against_run;
  return options_.against_rule == ReferenceRule::kContains ? options_.min_reference : 0;
}

bool SlowReferences::HasEnough(const Text& reference) const {
  const size_t least = options_.min_reference < 5 ? 1 : options_.min_reference - 4;
  return !reference.lost || reference.shingles.size() >= least;
}

bool SlowReferences::Matches(size_t input, size_t reference) const {
  const Text& a = inputs_[input];
  const Text& r = references_[reference];
  if (a.is_empty || r.is_empty || r.symbols.size() < Least()) return false;
  std::vector<Shingle> both;
  std::ranges::set_intersection(a.shingles, r.shingles, std::back_inserter(both));
  const auto shared = static_cast<double>(both.size());
  const double threshold = options_.against_threshold.value_or(options_.threshold);
  const auto reaches = [&](size_t whole) {
    return whole > 0 && shared / static_cast<double>(whole) >= threshold;
  };
  const bool equal_short = a.symbols.size() < 5 && r.symbols.size() < 5 && a.exact == r.exact;
  switch (options_.against_rule) {
    case ReferenceRule::kNear:
      return equal_short || reaches(a.shingles.size() + r.shingles.size() - both.size());
    case ReferenceRule::kContainedIn:
      return equal_short || reaches(a.shingles.size());
    case ReferenceRule::kContains:
      if (r.symbols.size() < 5) return !r.symbols.empty() && HoldsInARow(a.symbols, r.symbols);
      return HasEnough(r) && reaches(r.shingles.size());
    case ReferenceRule::kOverlap:
      return HaveARun(a.symbols, r.symbols, options_.against_run);
  }
  return false;
}

std::vector<size_t> SlowReferences::TooShort() const {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < references_.size(); ++i) {
    const Text& one = references_[i];
    if (!one.is_empty && one.symbols.size() < Least()) numbers.push_back(i);
  }
  return numbers;
}

std::vector<size_t> SlowReferences::TooCommon() const {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < references_.size(); ++i) {
    if (references_[i].symbols.size() >= Least() && !HasEnough(references_[i])) {
      numbers.push_back(i);
    }
  }
  return numbers;
}

}  // namespace zhiwen
