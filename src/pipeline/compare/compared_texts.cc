#include "pipeline/compare/compared_texts.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/for_each_until_error.h"
#include "base/json/json_writer.h"
#include "match/passages/channel_passages.h"
#include "match/passages/passages_json.h"
#include "pipeline/library/match_exclusions.h"
#include "pipeline/library/precedence.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr int kPairsSchemaVersion = 1;
constexpr int kShareDecimals = 4;
enum DocumentValue : size_t { kDateValue, kAuthorValue };
// Symbols that two texts of many have in a row where they are compared. Letters are equal by chance
// more often than other symbols.
constexpr size_t kNominatingRun = 8, kNominatingLetters = 20;

// How many symbols two texts have in a row on a channel where they are compared. Texts without a
// seed in common share no passage.
enum class Nominating : uint8_t { kEveryPassage, kLikely };
size_t RunOfChannel(const std::string& channel, Nominating which) {
  if (which == Nominating::kEveryPassage) {
    return RulesOfChannel(channel, PassageOptions().least_score).seed;
  }
  return channel.starts_with("initials") ? kNominatingLetters : kNominatingRun;
}

// Says which text of a nominated pair is the copy: the later one where dates prove it.
ComparedPair DirectPair(const NominatedPair& pair, std::span<const ComparedText> texts) {
  ComparedPair directed = {.a = pair.first, .b = pair.second};
  const Precedence first = ComparePrecedence(texts[pair.first].date, texts[pair.second].date);
  directed.is_directed = first != Precedence::kUnknown;
  if (first == Precedence::kOurs) std::swap(directed.a, directed.b);
  return directed;
}

void WriteTextOfPair(JsonWriter& json, std::string_view key, const ComparedText& text,
                     uint32_t number) {
  json.Key(key).BeginObject();
  json.Key("id").String(text.id).Key("number").Unsigned(uint64_t{number} + 1);
  json.Key("date").String(text.date).Key("symbols").Unsigned(text.symbols);
  json.EndObject();
}

std::string LineOfPair(const ComparedPair& pair, const PassageComparison& found,
                       const CompareAllSummary& summary) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("schema_version").Unsigned(kPairsSchemaVersion);
  WriteTextOfPair(json, "a", summary.texts[pair.a], pair.a);
  WriteTextOfPair(json, "b", summary.texts[pair.b], pair.b);
  json.Key("first").String(pair.is_directed ? "b" : "unknown");
  json.Key("share").BeginObject();
  json.Key("a").Fixed(summary.ShareOfA(pair), kShareDecimals);
  json.Key("b").Fixed(summary.ShareOfB(pair), kShareDecimals);
  json.EndObject();
  json.Key("longest_passage").Unsigned(pair.longest_passage);
  WritePassages(json, found, {});
  WriteExcludedPassages(json, found);
  json.EndObject();
  return line;
}

void CountRepeatedIds(CompareAllSummary& summary) {
  std::set<std::string_view> ids;
  for (const ComparedText& text : summary.texts) {
    if (ids.insert(text.id).second) continue;
    if (summary.repeated_ids++ == 0) summary.repeated_id = text.id;
  }
}

}  // namespace

Status ComparedTexts::Add(std::span<const SourceDocument> batch) {
  const size_t before = held_.size();
  for (const SourceDocument& document : batch) {
    bytes_ += document.text.size();
    held_.push_back({.text = document.text, .author = document.values[kAuthorValue]});
    texts_.push_back({.id = document.id, .date = document.values[kDateValue]});
  }
  if (held_.size() > kMostComparedTexts || bytes_ > kMostComparedBytes) {
    return Fail(
        ErrorCode::kExhausted,
        fmt::format("cannot compare all texts with each other: there are more than {} or "
                    "{}; compare fewer at a time, or keep them in a library and check "
                    "each against it",
                    FormatPlural(kMostComparedTexts, "text"), FormatBytes(kMostComparedBytes)));
  }
  const auto prepare = [&](size_t, size_t i) -> Status {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    Held& held = held_[before + i];
    ComparedText& text = texts_[before + i];
    ZHIWEN_ASSIGN_OR_RETURN(
        PassageSearch search,
        PassageSearch::Create(held.text, {.channels = options_.channels, .a_name = text.id}));
    ZHIWEN_RETURN_IF_ERROR(search.Prepare());
    text.symbols = search.symbols(0).size();
    held.is_short = !search.can_have_passage();
    if (!options_.exclude.empty()) {
      ZHIWEN_ASSIGN_OR_RETURN(ExcludedPlaces places,
                              ExcludedPlaces::Find(held.text,
                                                   {.reasons = options_.exclude,
                                                    .boilerplate = options_.boilerplate,
                                                    .channel = options_.channels.front()},
                                                   environment_.cancellation));
      held.places.emplace(std::move(places));
    }
    held.search = std::make_unique<PassageSearch>(std::move(search));
    return {};
  };
  return ForEachUntilError(environment_.executor, batch.size(), 1, prepare);
}

Result<std::vector<NominatedPair>> ComparedTexts::Nominate(CompareAllSummary& summary) const {
  const Nominating which =
      summary.all_pairs() <= options_.most_pairs ? Nominating::kEveryPassage : Nominating::kLikely;
  PairNominator nominator(held_.size());
  for (size_t channel = 0; channel < options_.channels.size(); ++channel) {
    const size_t run = RunOfChannel(options_.channels[channel].name(), which);
    std::vector<std::vector<BlockOfText>> of_texts(held_.size());
    const auto compute = [&](size_t, size_t i) -> Status {
      ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
      of_texts[i] = BlocksOfText(held_[i].search->symbols(channel), run, static_cast<uint32_t>(i));
      return {};
    };
    ZHIWEN_RETURN_IF_ERROR(ForEachUntilError(environment_.executor, held_.size(), 1, compute));
    std::vector<BlockOfText> blocks;
    for (std::vector<BlockOfText>& one : of_texts) {
      blocks.insert(blocks.end(), one.begin(), one.end());
      one = {};
    }
    nominator.Add(std::move(blocks));
  }
  summary.nominated = nominator.count();
  return nominator.Take(options_.most_pairs);
}

// Compares one text `a` with those of a row of pairs.
Status ComparedTexts::CompareRow(std::span<PairWithLine> row, const CompareAllSummary& summary) {
  for (PairWithLine& one : row) {
    ComparedPair& pair = one.pair;
    ZHIWEN_ASSIGN_OR_RETURN(const PassageComparison found, FindPassagesOf(pair));
    if (found.passages.empty() && found.excluded.empty()) continue;
    pair.is_excluded = found.passages.empty();
    pair.a_matched = found.a_matched;
    pair.b_matched = found.b_matched;
    pair.edits = found.edits;
    for (const CopiedPassage& passage : found.passages) {
      pair.longest_passage = std::max(pair.longest_passage, passage.matched);
      pair.kind = std::max(pair.kind, passage.kind);
    }
    one.line = LineOfPair(pair, found, summary);
  }
  return {};
}

Result<std::vector<std::string>> ComparedTexts::Compare(CompareAllSummary& summary) {
  summary.texts = texts_;
  for (const Channel& channel : options_.channels) summary.channels.push_back(channel.name());
  summary.not_searched = options_.not_searched;
  CountRepeatedIds(summary);
  summary.short_texts = static_cast<uint64_t>(
      std::ranges::count_if(held_, [](const Held& held) { return held.is_short; }));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<NominatedPair> nominated, Nominate(summary));
  summary.compared = nominated.size();
  std::vector<PairWithLine> pairs;
  uint64_t total = 0;
  for (const NominatedPair& pair : nominated) {
    pairs.push_back({.pair = DirectPair(pair, texts_)});
    total += held_[pair.first].text.size() + held_[pair.second].text.size();
  }
  std::ranges::sort(pairs, {},
                    [](const PairWithLine& one) { return std::tuple(one.pair.a, one.pair.b); });
  std::vector<std::span<PairWithLine>> rows;  // of one text each
  for (auto begin = pairs.begin(), end = begin; begin != pairs.end(); begin = end) {
    while (end != pairs.end() && end->pair.a == begin->pair.a) ++end;
    rows.emplace_back(begin, end);
  }
  std::atomic<uint64_t> done = 0;
  const auto compare = [&](size_t, size_t i) -> Status {
    ZHIWEN_RETURN_IF_ERROR(CompareRow(rows[i], summary));
    uint64_t bytes = 0;
    for (const PairWithLine& one : rows[i]) {
      bytes += text(one.pair.a).size() + text(one.pair.b).size();
    }
    environment_.progress.Advance(Stage::kCompare, done += bytes, total);
    return {};
  };
  environment_.progress.Advance(Stage::kCompare, 0, total);
  ZHIWEN_RETURN_IF_ERROR(ForEachUntilError(environment_.executor, rows.size(), 1, compare));
  std::erase_if(pairs, [](const PairWithLine& one) { return one.line.empty(); });
  std::ranges::sort(pairs, {}, [](const PairWithLine& one) {
    const ComparedPair& pair = one.pair;
    return std::tuple(pair.is_excluded, ~pair.a_matched, ~pair.b_matched, pair.a, pair.b);
  });
  std::vector<std::string> lines;
  for (PairWithLine& one : pairs) {
    summary.pairs.push_back(one.pair);
    lines.push_back(std::move(one.line));
  }
  return lines;
}

Result<PassageComparison> ComparedTexts::FindPassagesOf(const ComparedPair& pair) {
  const Held &a = held_[pair.a], &b = held_[pair.b];
  ZHIWEN_ASSIGN_OR_RETURN(PassageComparison found,
                          a.search->Find(*b.search, environment_.cancellation));
  if (options_.exclude.Has(ExclusionReason::kOwnWork) && ShareAuthor(a.author, b.author)) {
    for (CopiedPassage& passage : found.passages) {
      found.excluded.push_back({ExclusionReason::kOwnWork, std::move(passage)});
    }
    found.passages.clear();
    found.a_matched = found.b_matched = 0;
    found.edits = {};
  } else if (a.places) {
    ZHIWEN_RETURN_IF_ERROR(
        ExcludePlaces(*a.places, a.text, b.text, options_.channels.front(), found));
  }
  return found;
}

}  // namespace zhiwen
