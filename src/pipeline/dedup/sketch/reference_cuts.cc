#include "pipeline/dedup/sketch/reference_cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "feature/shingles.h"
#include "pipeline/dedup/rows/record_limits.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// Lines are explained so many bytes at a time, or one line.
constexpr size_t kExplainedBytes = size_t{64} << 10;
// What a symbol takes with its bytes at most, while vectors of them grow.
constexpr uint64_t kBytesPerExplained = 3 * (sizeof(uint32_t) + sizeof(ByteSpan));

// Returns the end of the lines from `begin` on that are explained at once.
size_t EndOfLines(std::string_view text, size_t begin) {
  const size_t line_end = text.find('\n', std::min(begin + kExplainedBytes, text.size()));
  return line_end == std::string_view::npos ? text.size() : line_end + 1;
}

Status CheckExplained(uint64_t symbols, uint64_t most_bytes) {
  const uint64_t need = symbols * kBytesPerExplained;
  if (need <= most_bytes) return {};
  return Fail(
      ErrorCode::kExhausted,
      fmt::format("a passage is to be cut out of a line of {} characters or words, which "
                  "takes {} MiB of memory, and {} MiB are left for it; give the run {} MiB, "
                  "break the line up, or remove inputs that match a reference",
                  FormatCount(symbols), need / kMebibyte + 1, most_bytes / kMebibyte,
                  (need / kMebibyte + 1) * kCutsInMemory),
      {Advice::kGiveMemory});
}

}  // namespace

Status FailCut(const RunContext& run, uint32_t file, uint64_t record, Error error) {
  error.message =
      fmt::format("\"{}\" record {}: {}", run.inputs.names[file], record, error.message);
  return tl::unexpected(std::move(error));
}

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
    std::optional<LargeText> large;  // the rest, if it is
    if (rest.size() >= run_->reading.large_text_bytes) {
      large.emplace(rest, pieces_, run_->scratch, fmt::format("{}_{}", name_, files_++));
    }
    ZHIWEN_ASSIGN_OR_RETURN(const bool matches, Match(rest, large, date));
    if (!matches) break;
    if (round == kMostRounds) return false;
    ZHIWEN_RETURN_IF_ERROR(FindPassages(rest, large));
    ZHIWEN_RETURN_IF_ERROR(FindBytes(rest));
    TakePassages();
    large.reset();
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

// Returns whether the rest matches any reference; matcher_ then has all that it matches, and
// features_ the symbols of a rest that is not large.
Result<bool> ReferenceCutter::Match(std::string_view rest, std::optional<LargeText>& large,
                                    int64_t date) {
  RemovalRow row;
  FoundShingles found;
  if (large) {
    if (!references_->waits()) return matcher_.MatchLarge(*large, rest.size(), date, row);
    matcher_.FindLarge(*large, date, found);
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

Status ReferenceCutter::FindPassages(std::string_view rest, std::optional<LargeText>& large) {
  found_.clear();
  if (run_->rules.against.rule == ReferenceRule::kOverlap) return FindRuns(large);
  std::vector<uint32_t> of_shingles, of_few_symbols;
  for (const uint32_t reference : matcher_.matched()) {
    const bool is_short = references_->index().ShinglesOf(reference).empty();
    (is_short ? of_few_symbols : of_shingles).push_back(reference);
  }
  if (!of_few_symbols.empty()) FindShort(rest, of_few_symbols);
  if (!of_shingles.empty()) FindLong(rest, of_shingles);
  return {};
}

// Finds the runs that the rest shares with the references that it matches.
Status ReferenceCutter::FindRuns(std::optional<LargeText>& large) {
  std::span<const uint32_t> symbols = features_.symbols();
  if (large) {
    ZHIWEN_ASSIGN_OR_RETURN(symbols, large->Symbols());
  }
  const auto references = matcher_.matched();
  std::vector<std::vector<SymbolRange>> runs(references.size());
  references_->index().VisitSharedRuns(
      symbols, references, scratch_, [&](size_t place, uint64_t begin, uint64_t end) {
        std::vector<SymbolRange>& all = runs[place];
        if (!all.empty() && begin >= all.back().begin && begin <= all.back().end) {
          all.back().end = std::max(all.back().end, end);
        } else {
          all.push_back({begin, end});
        }
      });
  for (size_t i = 0; i < references.size(); ++i) {
    std::ranges::sort(runs[i], {}, &SymbolRange::begin);
    AddPassages(references[i], JoinStretches(runs[i], kMostPassageGap));
  }
  return {};
}

// Finds every place of references without a shingle.
void ReferenceCutter::FindShort(std::string_view rest, const std::vector<uint32_t>& references) {
  uint64_t seen = 0;  // symbols
  pieces_.Walk(rest, [&](const TextPieces::Piece& piece) {
    const uint64_t before = piece.with_before.size() - piece.symbols.size();
    const auto take = [&](uint32_t reference, uint64_t begin, uint64_t length) {
      if (begin + length <= before) return;  // of the piece before
      if (!std::ranges::binary_search(references, reference)) return;
      const uint64_t at = seen - before + begin;
      if (!found_.empty() && found_.back().begin == at && found_.back().end == at + length) {
        found_.back().references.push_back(reference);
      } else {
        found_.push_back({at, at + length, {reference}});
      }
    };
    references_->short_references().Find(piece.with_before, take);
    seen += piece.symbols.size();
  });
}

void ReferenceCutter::FindLong(std::string_view rest, const std::vector<uint32_t>& references) {
  StretchFinder finder(kShingleLength, references.size(),
                       [&](size_t i) { return references_->index().ShinglesOf(references[i]); });
  uint64_t seen = 0;  // symbols
  pieces_.Walk(rest, [&](const TextPieces::Piece& piece) {
    finder.Add(seen + piece.symbols.size() - piece.with_before.size(), piece.shingles);
    seen += piece.symbols.size();
  });
  finder.Finish();
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
      ZHIWEN_RETURN_IF_ERROR(CheckExplained(symbols, run_->reading.cut_bytes));
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
    Passage& last = apart.back();
    last.end = std::max(last.end, cut.end);
    last.references.insert(last.references.end(), cut.references.begin(), cut.references.end());
  }
  for (Passage& cut : apart) {
    std::vector<uint32_t>& all = cut.references;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
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
  scratch_ = {};
  features_.Shrink(run_->reading.large_text_bytes);
  pieces_.Shrink();
  std::vector<Passage>().swap(found_);
  std::vector<Passage>().swap(cuts_);
}

}  // namespace zhiwen
