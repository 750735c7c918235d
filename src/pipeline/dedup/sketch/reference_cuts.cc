#include "pipeline/dedup/sketch/reference_cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "feature/shingles.h"

namespace zhiwen {
namespace {

// Lines are explained so many bytes at a time, or one line.
constexpr size_t kExplainedBytes = size_t{64} << 10;

// Appends the keys of all runs of `length` symbols.
void AppendRunKeys(std::span<const uint32_t> symbols, size_t length, std::vector<uint64_t>& keys) {
  for (size_t at = 0; at + length <= symbols.size(); ++at) {
    keys.push_back(HashBytes64(BytesOfValues(symbols.subspan(at, length)), length));
  }
}

// Returns the end of the lines from `begin` on that are explained at once.
size_t EndOfLines(std::string_view text, size_t begin) {
  const size_t line_end = text.find('\n', std::min(begin + kExplainedBytes, text.size()));
  return line_end == std::string_view::npos ? text.size() : line_end + 1;
}

void AddAll(const std::vector<uint32_t>& more, std::vector<uint32_t>& references) {
  std::vector<uint32_t> all;
  std::ranges::set_union(references, more, std::back_inserter(all));
  references = std::move(all);
}

}  // namespace

ReferenceCutter::ReferenceCutter(const RunContext& run, const References& references,
                                 std::string name)
    : run_(&run),
      references_(&references),
      name_(std::move(name)),
      matcher_(references, run.rules),
      features_(run.rules.channel),
      pieces_(run.rules.channel, run.reading.range_shingles) {}

Result<bool> ReferenceCutter::Cut(std::string_view text, int64_t date, DocumentCuts& cuts) {
  cuts_.clear();
  cuts = {};
  std::string rest(text);
  for (int round = 0; true; ++round) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool matches, Match(rest, date));
    if (!matches) break;
    if (round == kMostRounds) return false;
    FindPassages(rest);
    ZHIWEN_RETURN_IF_ERROR(FindBytes(rest));
    TakePassages();
    rest = Rest(text);
    size_t symbols = 0;
    pieces_.Walk(rest, [&](const TextPieces::Piece& piece) { symbols += piece.symbols.size(); });
    if (symbols == 0) return false;
  }
  for (Passage& cut : cuts_) {
    cuts.cuts.push_back(
        {cut.begin, cut.end, std::string(text.substr(cut.begin, cut.end - cut.begin))});
    cuts.references.push_back(std::move(cut.references));
  }
  return true;
}

// Returns whether the rest matches any reference; matcher_ then has all that it matches.
Result<bool> ReferenceCutter::Match(std::string_view rest, int64_t date) {
  RemovalRow row;
  FoundShingles found;
  if (rest.size() >= run_->reading.large_text_bytes) {
    LargeText large(rest, pieces_, run_->scratch, fmt::format("{}_{}", name_, files_++));
    if (!references_->waits()) return matcher_.MatchLarge(large, rest.size(), date, row);
    matcher_.FindLarge(large, date, found);
  } else {
    features_.Read(rest);
    std::span<const uint64_t> shingles;
    if (features_.has_shingles()) shingles = features_.Shingles();
    const ReferenceMatcher::Input input{rest, features_.symbols(), shingles, date};
    if (!references_->waits()) return matcher_.Match(input, row);
    matcher_.Find(input, found);
  }
  if (found.empty()) return false;
  return matcher_.MatchFound(found, date, row);
}

void ReferenceCutter::FindPassages(std::string_view rest) {
  found_.clear();
  std::vector<uint32_t> of_shingles, of_few_symbols;
  const bool is_overlap = run_->rules.against.rule == ReferenceRule::kOverlap;
  for (const uint32_t reference : matcher_.matched()) {
    const bool is_short = !is_overlap && references_->index().ShinglesOf(reference).empty();
    (is_short ? of_few_symbols : of_shingles).push_back(reference);
  }
  if (!of_few_symbols.empty()) FindShort(rest, of_few_symbols);
  if (!of_shingles.empty()) FindLong(rest, of_shingles);
}

// Finds every place of references without a shingle.
void ReferenceCutter::FindShort(std::string_view rest, const std::vector<uint32_t>& references) {
  uint64_t seen = 0;  // symbols
  pieces_.Walk(rest, [&](const TextPieces::Piece& piece) {
    const uint64_t before = piece.with_before.size() - piece.symbols.size();
    references_->short_references().Find(piece.with_before,
                                         [&](uint32_t reference, uint64_t begin, uint64_t length) {
                                           if (begin + length <= before)
                                             return;  // of the piece before
                                           if (!std::ranges::binary_search(references, reference))
                                             return;
                                           const uint64_t at = seen - before + begin;
                                           found_.push_back({at, at + length, {reference}});
                                         });
    seen += piece.symbols.size();
  });
}

void ReferenceCutter::FindLong(std::string_view rest, const std::vector<uint32_t>& references) {
  const ReferenceIndex& index = references_->index();
  const ReferenceIndexOptions& rule = run_->rules.against;
  const bool is_overlap = rule.rule == ReferenceRule::kOverlap;
  const size_t length = is_overlap ? rule.run : kShingleLength;
  StretchFinder finder(length);
  std::vector<uint64_t> keys;
  for (const uint32_t reference : references) {
    if (!is_overlap) {
      finder.Add(index.ShinglesOf(reference));
      continue;
    }
    keys.clear();
    AppendRunKeys(index.SymbolsOf(reference), length, keys);
    finder.Add(keys);
  }
  finder.Finish();
  uint64_t seen = 0;              // symbols
  std::vector<uint32_t> symbols;  // overlap: the last ones, and a piece
  pieces_.Walk(rest, [&](const TextPieces::Piece& piece) {
    if (!is_overlap) {
      finder.Look(seen + piece.symbols.size() - piece.with_before.size(), piece.shingles);
    } else {
      const uint64_t begin = seen - symbols.size();
      symbols.insert(symbols.end(), piece.symbols.begin(), piece.symbols.end());
      keys.clear();
      AppendRunKeys(symbols, length, keys);
      finder.Look(begin, keys);
      const size_t kept = std::min(symbols.size(), length - 1);
      symbols.erase(symbols.begin(), symbols.end() - static_cast<std::ptrdiff_t>(kept));
    }
    seen += piece.symbols.size();
  });
  for (size_t i = 0; i < references.size(); ++i) {
    AddPassages(references[i], JoinStretches(finder.stretches()[i], kMostPassageGap));
  }
}

// Leaves out short passages under kContains: they are phrases that the reference happens to have,
// unless the text has nothing else of it.
void ReferenceCutter::AddPassages(uint32_t reference, std::span<const SymbolRange> passages) {
  const RemovalRules& rules = run_->rules;
  const bool is_overlap = rules.against.rule == ReferenceRule::kOverlap;
  const uint64_t least = is_overlap ? 0 : std::min<uint64_t>(kLeastPassage, rules.min_reference);
  const auto is_long = [&](const SymbolRange& passage) { return passage.size() >= least; };
  const bool has_long = std::ranges::any_of(passages, is_long);
  for (const SymbolRange& passage : passages) {
    if (!has_long || is_long(passage)) {
      found_.push_back({passage.begin, passage.end, {reference}});
    }
  }
}

// Replaces the symbols of found_ by bytes of the rest.
Status ReferenceCutter::FindBytes(std::string_view rest) {
  std::vector<uint64_t> wanted;
  for (const Passage& passage : found_) {
    wanted.push_back(passage.begin);
    wanted.push_back(passage.end - 1);
  }
  std::ranges::sort(wanted);
  std::vector<ByteSpan> bytes(wanted.size());
  uint64_t seen = 0;
  size_t next = 0;
  for (size_t begin = 0; begin < rest.size() && next < wanted.size();) {
    const size_t end = EndOfLines(rest, begin);
    const std::string_view lines = rest.substr(begin, end - begin);
    uint64_t symbols = 0;
    pieces_.Walk(lines, [&](const TextPieces::Piece& piece) { symbols += piece.symbols.size(); });
    if (wanted[next] < seen + symbols) {
      ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols explained,
                              ComputeSymbols(run_->rules.channel, lines));
      for (; next < wanted.size() && wanted[next] < seen + symbols; ++next) {
        const ByteSpan& span = explained.spans[wanted[next] - seen];
        bytes[next] = {span.begin + begin, span.end + begin};
      }
    }
    seen += symbols;
    begin = end;
  }
  const auto bytes_of = [&](uint64_t symbol) -> const ByteSpan& {
    return bytes[static_cast<size_t>(std::ranges::lower_bound(wanted, symbol) - wanted.begin())];
  };
  for (Passage& passage : found_) {
    const uint64_t end = bytes_of(passage.end - 1).end.value;
    passage.begin = bytes_of(passage.begin).begin.value;
    passage.end = end;
  }
  return {};
}

// Adds found_ to cuts_, at its places in the text, and joins what overlaps.
void ReferenceCutter::TakePassages() {
  std::vector<uint64_t> places, lost{0};  // cuts by their place in the rest; bytes lost before it
  for (const Passage& cut : cuts_) {
    places.push_back(cut.begin - lost.back());
    lost.push_back(lost.back() + cut.end - cut.begin);
  }
  const auto in_text = [&](uint64_t place) {
    const auto before = std::ranges::upper_bound(places, place) - places.begin();
    return place + lost[static_cast<size_t>(before)];
  };
  for (Passage& passage : found_) {
    cuts_.push_back(
        {in_text(passage.begin), in_text(passage.end - 1) + 1, std::move(passage.references)});
  }
  std::ranges::sort(cuts_, {}, [](const Passage& cut) {
    return std::tuple(cut.begin, cut.end, cut.references.front());
  });
  std::vector<Passage> apart;
  for (Passage& cut : cuts_) {
    if (apart.empty() || cut.begin >= apart.back().end) {
      apart.push_back(std::move(cut));
      continue;
    }
    apart.back().end = std::max(apart.back().end, cut.end);
    AddAll(cut.references, apart.back().references);
  }
  cuts_ = std::move(apart);
}

std::string ReferenceCutter::Rest(std::string_view text) const {
  std::string rest;
  uint64_t at = 0;
  for (const Passage& cut : cuts_) {
    rest += text.substr(at, cut.begin - at);
    at = cut.end;
  }
  return rest += text.substr(at);
}

void ReferenceCutter::Shrink() {
  matcher_.Shrink();
  features_.Shrink(run_->reading.large_text_bytes);
  pieces_.Shrink();
  std::vector<Passage>().swap(found_);
  std::vector<Passage>().swap(cuts_);
}

}  // namespace zhiwen
