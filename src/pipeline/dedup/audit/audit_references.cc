#include "pipeline/dedup/audit/audit_references.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/hash.h"
#include "feature/shingles.h"
#include "pipeline/dedup/audit/audit_table.h"
#include "pipeline/dedup/input/document_pass.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "pipeline/dedup/rows/document_cuts.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

// Divisions of counts are rounded here and there: the slow path has the last word.
constexpr double kRounding = 1e-9;

// Makes the keys of a text: the hashes by which the rule of references decides.
class KeyMaker {
 public:
  explicit KeyMaker(const RunData& run)
      : features_(run.rules.channel),
        pieces_(run.rules.channel, run.reading.range_shingles),
        large_text_bytes_(run.reading.large_text_bytes),
        rule_(run.rules.against),
        least_(run.rules.LeastReference()),
        least_left_(run.rules.LeastLeft()),
        common_(run.references->common()) {}

  // Lengths below that of a shingle that occur among references, a bit each (kContains).
  uint32_t short_lengths = 0;

  size_t CountSymbols(std::string_view text) {
    size_t count = 0;
    pieces_.Walk(text, [&](const TextPieces::Piece& piece) { count += piece.symbols.size(); });
    return count;
  }

  // Makes the keys of an input.
  void MakeInput(std::string_view text, std::vector<uint64_t>& keys) {
    Make(text, keys);
    if (rule_.rule != ReferenceRule::kContains) return;
    shingles = keys.size();
    for (size_t length = 1; length < kShingleLength; ++length) {
      if ((short_lengths >> length & 1) != 0) AppendRuns(length, keys);
    }
  }

  // Counts what a reference has in common with the places of `table`.
  void CountReference(std::string_view text, const AuditTable& table,
                      AuditTable::Counter& counter) {
    if (text.size() >= large_text_bytes_ &&
        CountSymbols(text) >= std::max<uint64_t>(least_, kShingleLength)) {
      return CountLarge(text, table, counter);
    }
    Make(text, keys_);
    is_short = keys_.empty() && rule_.rule == ReferenceRule::kContains;
    const size_t symbols = features_.symbols().size();
    if (is_short && symbols >= least_) AppendRuns(symbols, keys_);
    if (!is_short) TakeCommon(keys_);
    if (symbols < least_) keys_.clear();
    table.Count(keys_, counter);
  }

  size_t shingles = 0;    // of the last text, of them all that decide: its first keys; of a
                          // reference that lost too many none
  bool is_short = false;  // the last reference is found by its symbols in a row

 private:
  void Make(std::string_view text, std::vector<uint64_t>& keys) {
    keys.clear();
    shingles = 0;
    features_.Read(text);
    if (text.empty()) return;
    if (rule_.rule == ReferenceRule::kOverlap) {
      AppendRuns(rule_.run, keys);
    } else if (features_.has_shingles()) {
      features_.TakeShingleSet(keys);
    } else if (rule_.rule != ReferenceRule::kContains) {
      keys.push_back(HashExactChannel(text).low);
    }
    shingles = keys.size();
  }

  bool IsCommon(uint64_t key) const {
    const auto found = std::ranges::lower_bound(common_, key, {}, &References::LeftOut::shingle);
    return found != common_.end() && found->shingle == key;
  }

  // Takes the common shingles out of the keys of a reference, and all others with them where too
  // few are left.
  void TakeCommon(std::vector<uint64_t>& keys) {
    if (common_.empty()) return;
    const auto taken = std::erase_if(keys, [&](uint64_t key) { return IsCommon(key); });
    if (taken > 0 && keys.size() < least_left_) keys.clear();
    shingles = keys.size();
  }

  // Counts the shared keys of a text of many megabytes, whose shingles are never held.
  void CountLarge(std::string_view text, const AuditTable& table, AuditTable::Counter& counter) {
    is_short = false;
    symbols_.clear();
    table.Begin(counter);
    pieces_.Walk(text, [&](const TextPieces::Piece& piece) {
      if (rule_.rule != ReferenceRule::kOverlap) {
        keys_.assign(piece.shingles.begin(), piece.shingles.end());
        std::erase_if(keys_, [&](uint64_t key) { return IsCommon(key); });
        return table.Add(keys_, counter);
      }
      symbols_.insert(symbols_.end(), piece.symbols.begin(), piece.symbols.end());
      if (symbols_.size() < rule_.run) return;
      keys_.clear();
      AppendHashes(symbols_, rule_.run, keys_);
      table.Add(keys_, counter);
      symbols_.erase(symbols_.begin(), symbols_.end() - (std::ptrdiff_t{rule_.run} - 1));
    });
    table.Finish(counter);
    shingles = 0;
    if (counter.touched().empty() || rule_.rule == ReferenceRule::kOverlap) return;
    // The visitor never fails.
    uint64_t lost = 0;
    (void)pieces_.VisitSet(text, [&](std::span<const uint64_t> range) -> Status {
      const auto common = static_cast<uint64_t>(
          std::ranges::count_if(range, [&](uint64_t key) { return IsCommon(key); }));
      shingles += range.size() - common;
      lost += common;
      return {};
    });
    if (lost > 0 && shingles < least_left_) shingles = 0;
    pieces_.Shrink();
  }

  static void AppendHashes(std::span<const uint32_t> symbols, size_t length,
                           std::vector<uint64_t>& keys) {
    for (size_t at = 0; at + length <= symbols.size(); ++at) {
      const auto* bytes = reinterpret_cast<const char*>(&symbols[at]);
      keys.push_back(HashBytes64({bytes, length * sizeof(uint32_t)}, length));
    }
  }

  // The hashes of all runs of `length` symbols, each once.
  void AppendRuns(size_t length, std::vector<uint64_t>& keys) {
    const auto symbols = features_.symbols();
    if (length == 0 || symbols.size() < length) return;
    const auto begin = static_cast<std::ptrdiff_t>(keys.size());
    AppendHashes(symbols, length, keys);
    std::sort(keys.begin() + begin, keys.end());
    keys.erase(std::unique(keys.begin() + begin, keys.end()), keys.end());
  }

  TextFeatures features_;
  TextPieces pieces_;
  const uint64_t large_text_bytes_;
  const ReferenceIndexOptions rule_;
  const uint64_t least_, least_left_;  // RemovalRules::LeastReference, LeastLeft
  const std::vector<References::LeftOut>& common_;
  std::vector<uint32_t> symbols_;  // of a large text: the last ones, and a piece
  std::vector<uint64_t> keys_;
};

class ReferenceSearch {
 public:
  explicit ReferenceSearch(const RunData& run) : run_(run), rule_(run.rules.against), maker_(run) {}

  Status FindShortLengths() {
    if (rule_.rule != ReferenceRule::kContains) return {};
    return run_.references->VisitAll(run_.environment, [&](uint32_t, std::string_view text) {
      const size_t symbols = maker_.CountSymbols(text);
      if (symbols < kShingleLength && symbols >= run_.rules.LeastReference()) {
        maker_.short_lengths |= uint32_t{1} << symbols;
      }
    });
  }

  // How many keys a text of so many code points has at most, or hardly more.
  uint64_t KeysFor(uint64_t code_points) const {
    return code_points *
           static_cast<uint64_t>(1 + __builtin_popcount(maker_.short_lengths & ~uint32_t{1}));
  }

  Result<std::vector<SampleCandidates>> Run(std::span<const DocumentIndex> sample) {
    AuditTable table;
    std::vector<size_t> sizes(sample.size());
    std::vector<uint64_t> keys;
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DocumentCuts> cuts,
                            ReadCutsOf(*run_.spools.cuts, sample));
    Status right;
    ZHIWEN_RETURN_IF_ERROR(VisitTexts(run_, sample, [&](size_t place, std::string_view text) {
      Result<std::string> rest = std::string();
      if (!cuts[place].empty()) rest = RestOf(text, cuts[place]);
      if (!rest && right) right = tl::unexpected(rest.error());
      maker_.MakeInput(cuts[place].empty() || !rest ? text : *rest, keys);
      sizes[place] = maker_.shingles;
      table.Add(keys);
    }));
    ZHIWEN_RETURN_IF_ERROR(std::move(right));
    ZHIWEN_RETURN_IF_ERROR(table.Finish());
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<int64_t> dates, ReadDatesOf(run_, sample));
    std::vector<BestCandidates> best(sample.size());
    AuditTable::Counter counter;
    ZHIWEN_RETURN_IF_ERROR(
        run_.references->VisitAll(run_.environment, [&](uint32_t reference, std::string_view text) {
          maker_.CountReference(text, table, counter);
          for (const uint32_t place : counter.touched()) {
            const uint64_t shared = counter.shared(place);
            if (!run_.rules.AreNear(dates[place], run_.references->date(reference))) continue;
            if (MayMatch(shared, sizes[place])) best[place].Offer(shared, reference);
          }
        }));
    std::vector<SampleCandidates> found;
    found.reserve(best.size());
    for (BestCandidates& one : best) found.push_back(one.Take());
    return found;
  }

 private:
  bool MayMatch(uint64_t shared, size_t input_size) const {
    if (maker_.is_short || rule_.rule == ReferenceRule::kOverlap) return shared > 0;
    uint64_t whole = input_size;
    if (rule_.rule == ReferenceRule::kContains) {
      whole = maker_.shingles;
      if (whole == 0) return false;
    }
    if (rule_.rule == ReferenceRule::kNear) whole = input_size + maker_.shingles - shared;
    return static_cast<double>(shared) >=
           (rule_.threshold - kRounding) * static_cast<double>(whole);
  }

  const RunData& run_;
  const ReferenceIndexOptions& rule_;
  KeyMaker maker_;
};

}  // namespace

Result<std::vector<SampleCandidates>> FindReferenceCandidates(
    const RunData& run, std::span<const DocumentIndex> sample) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint32_t> code_points, ReadCodePoints(run, sample));
  ReferenceSearch search(run);
  ZHIWEN_RETURN_IF_ERROR(search.FindShortLengths());
  std::vector<SampleCandidates> all;
  for (size_t begin = 0; begin < sample.size();) {
    uint64_t bytes = 0;
    size_t end = begin;
    while (end < sample.size() && (end == begin || bytes <= run.work_bytes)) {
      bytes += kBytesPerSample + search.KeysFor(code_points[end]) * AuditTable::kBytesPerKey;
      ++end;
    }
    if (bytes > run.work_bytes && end > begin + 1) --end;
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<SampleCandidates> found,
                            search.Run(sample.subspan(begin, end - begin)));
    std::ranges::move(found, std::back_inserter(all));
    begin = end;
  }
  return all;
}

}  // namespace zhiwen
