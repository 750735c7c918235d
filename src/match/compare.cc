#include "zhiwen/compare.h"

#include <algorithm>
#include <span>

#include "base/json/json_writer.h"
#include "base/utf8/text_encoding.h"
#include "feature/shingles.h"
#include "match/passages/passages_json.h"
#include "match/shared_runs.h"
#include "match/similarity.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

constexpr int kDecimals = 6;

Result<SpannedSymbols> ReadSymbols(const Channel& channel, std::string_view utf8,
                                   std::string_view name) {
  ZHIWEN_RETURN_IF_ERROR(CheckUtf8(utf8, name));
  return ComputeSymbols(channel, utf8);
}

std::vector<uint64_t> ShingleSet(std::span<const uint32_t> symbols) {
  std::vector<uint64_t> shingles;
  std::vector<uint64_t> scratch;
  ComputeShingles(symbols, shingles);
  MakeShingleSet(shingles, scratch);
  return shingles;
}

void CompareShingles(const SpannedSymbols& a, const SpannedSymbols& b, Comparison& comparison) {
  const SetOverlap overlap = ComputeOverlap(ShingleSet(a.symbols), ShingleSet(b.symbols));
  comparison.a_shingles = overlap.a;
  comparison.b_shingles = overlap.b;
  comparison.shared_shingles = overlap.shared;
  comparison.resemblance = overlap.Resemblance();
  comparison.containment_of_a = overlap.ContainmentOfA();
  comparison.containment_of_b = overlap.ContainmentOfB();
}

// Returns the source bytes of the symbols of `span`, which must not be empty.
ByteSpan BytesOf(const SpannedSymbols& text, SymbolSpan span) {
  return {text.spans[span.begin.value].begin, text.spans[span.end.value - 1].end};
}

// Counts the symbols that runs cover. Runs may overlap in b, where each symbol counts once.
uint64_t CountCovered(std::span<const SharedRun> runs, SymbolSpan SharedRun::*side) {
  std::vector<SymbolSpan> spans;
  for (const SharedRun& run : runs) spans.push_back(run.*side);
  std::sort(spans.begin(), spans.end(),
            [](const SymbolSpan& x, const SymbolSpan& y) { return x.begin < y.begin; });
  uint64_t covered = 0;
  SymbolOffset end;
  for (const SymbolSpan& span : spans) {
    const SymbolOffset begin = std::max(span.begin, end);
    if (span.end > begin) covered += span.end - begin;
    end = std::max(end, span.end);
  }
  return covered;
}

void CompareRuns(const SpannedSymbols& a, const SpannedSymbols& b, uint32_t min_run,
                 Comparison& comparison) {
  for (const SymbolRun& run : FindSharedRuns(a.symbols, b.symbols, min_run)) {
    SharedRun shared;
    shared.a_symbols = {run.a, run.a + run.length};
    shared.b_symbols = {run.b, run.b + run.length};
    shared.a_bytes = BytesOf(a, shared.a_symbols);
    shared.b_bytes = BytesOf(b, shared.b_symbols);
    comparison.longest_run = std::max(comparison.longest_run, run.length);
    comparison.runs.push_back(shared);
  }
  comparison.a_covered = CountCovered(comparison.runs, &SharedRun::a_symbols);
  comparison.b_covered = CountCovered(comparison.runs, &SharedRun::b_symbols);
}

void WriteDisguise(JsonWriter& json, const DisguiseCounts& counts) {
  json.Key("disguise").BeginObject();
  for (const DisguiseKind& kind : DisguiseKinds()) json.Key(kind.name).Unsigned(counts.*kind.count);
  json.EndObject();
}

struct Side {
  std::string_view key, name;
  uint64_t symbols, shingles, covered;
  const DisguiseCounts& disguise;
};

void WriteSide(JsonWriter& json, const Side& side) {
  json.Key(side.key).BeginObject();
  json.Key("name").String(side.name);
  json.Key("symbols").Unsigned(side.symbols);
  json.Key("shingles").Unsigned(side.shingles);
  json.Key("covered").Unsigned(side.covered);
  WriteDisguise(json, side.disguise);
  json.EndObject();
}

template <typename Place>
void WriteSpan(JsonWriter& json, std::string_view key, const Place& span) {
  json.Key(key).BeginArray().Unsigned(span.begin.value).Unsigned(span.end.value).EndArray();
}

void WriteSpans(JsonWriter& json, std::string_view key, ByteSpan bytes, SymbolSpan symbols,
                const std::optional<ByteSpan>& source) {
  json.Key(key).BeginObject();
  WriteSpan(json, "bytes", bytes);
  WriteSpan(json, "symbols", symbols);
  if (source) WriteSpan(json, "source", *source);
  json.EndObject();
}

}  // namespace

Result<Comparison> Compare(std::string_view a, std::string_view b, const CompareOptions& options) {
  if (options.min_run == 0) {
    return Fail(ErrorCode::kInvalidArgument, "the shortest run to report must be at least 1");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols a_symbols,
                          ReadSymbols(options.channel, a, options.a_name));
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols b_symbols,
                          ReadSymbols(options.channel, b, options.b_name));
  Comparison comparison;
  comparison.a_symbols = a_symbols.symbols.size();
  comparison.b_symbols = b_symbols.symbols.size();
  comparison.a_disguise = a_symbols.disguise;
  comparison.b_disguise = b_symbols.disguise;
  comparison.equal_bytes = a == b;
  comparison.equal_exact = comparison.equal_bytes || HashExactChannel(a) == HashExactChannel(b);
  comparison.equal_channel = !a_symbols.symbols.empty() && a_symbols.symbols == b_symbols.symbols;
  CompareShingles(a_symbols, b_symbols, comparison);
  const bool short_texts = comparison.a_shingles == 0 && comparison.b_shingles == 0;
  if (short_texts && comparison.equal_exact && !a.empty()) {
    comparison.resemblance = comparison.containment_of_a = comparison.containment_of_b = 1;
  }
  CompareRuns(a_symbols, b_symbols, options.min_run, comparison);
  if (comparison.runs.empty() && options.min_run > 1) {
    // No run is long enough to be shown, but the longest shared run is still reported.
    comparison.longest_run = FindLongestSharedRun(a_symbols.symbols, b_symbols.symbols);
  }
  return comparison;
}

std::string ComparisonToJson(const Comparison& comparison, const PassageComparison& passages,
                             const SearchedChannels& searched, const CompareOptions& options) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("channel").String(options.channel.name());
  json.Key("min_run").Unsigned(options.min_run);
  WriteSide(json, {"a", options.a_name, comparison.a_symbols, comparison.a_shingles,
                   comparison.a_covered, comparison.a_disguise});
  WriteSide(json, {"b", options.b_name, comparison.b_symbols, comparison.b_shingles,
                   comparison.b_covered, comparison.b_disguise});
  json.Key("equal_bytes").Bool(comparison.equal_bytes);
  json.Key("equal_exact").Bool(comparison.equal_exact);
  json.Key("equal_channel").Bool(comparison.equal_channel);
  json.Key("resemblance").Fixed(comparison.resemblance, kDecimals);
  json.Key("containment_of_a").Fixed(comparison.containment_of_a, kDecimals);
  json.Key("containment_of_b").Fixed(comparison.containment_of_b, kDecimals);
  json.Key("shared_shingles").Unsigned(comparison.shared_shingles);
  json.Key("longest_run").Unsigned(comparison.longest_run);
  json.Key("runs").BeginArray();
  for (const SharedRun& run : comparison.runs) {
    json.BeginObject();
    WriteSpans(json, "a", run.a_bytes, run.a_symbols, run.a_source);
    WriteSpans(json, "b", run.b_bytes, run.b_symbols, run.b_source);
    json.EndObject();
  }
  json.EndArray();
  WriteSearched(json, searched);
  WritePassages(json, passages, {});
  WriteExcludedPassages(json, passages);
  json.EndObject();
  return out;
}

std::string RepeatsToJson(const PassageComparison& repeats, std::string_view name,
                          const SearchedChannels& searched) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject().Key("text").BeginObject();
  json.Key("name").String(name).Key("symbols").Unsigned(repeats.a_symbols).EndObject();
  json.Key("repeated").BeginObject().Key("symbols").Unsigned(repeats.a_matched);
  const auto symbols = static_cast<double>(std::max<uint64_t>(repeats.a_symbols, 1));
  json.Key("share").Fixed(static_cast<double>(repeats.a_matched) / symbols, kDecimals);
  json.Key("longest_passage").Unsigned(LongestPassage(repeats)).EndObject();
  WriteSearched(json, searched);
  WritePassages(json, repeats, {.a = "again", .b = "before", .are_one_text = true});
  json.EndObject();
  return out;
}

uint64_t LongestPassage(const PassageComparison& passages) {
  uint64_t longest = 0;
  for (const CopiedPassage& passage : passages.passages) {
    longest = std::max(longest, passage.matched);
  }
  return longest;
}

std::string_view NotSearchedName(NotSearched reason) {
  switch (reason) {
    case NotSearched::kNotAsked:
      return "not_asked";
    case NotSearched::kNoLanguageData:
      return "no_language_data";
    case NotSearched::kNotNeeded:
      return "not_needed";
  }
  return "";
}

}  // namespace zhiwen
