#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/utf8/utf8.h"
#include "pipeline/evaluate/ranking.h"
#include "zhiwen/evaluation.h"
#include "zhiwen/fingerprint_similarity.h"

namespace zhiwen {
namespace {

constexpr size_t kLengthCount = std::size(SchemeEvaluator::kLengths);
constexpr size_t kCurvePoints = 100;
constexpr size_t kAtOnce = 4;  // texts or pairs

size_t LengthOf(const LabelledPair& pair) {
  const uint64_t characters = std::min(CountCodePoints(pair.a), CountCodePoints(pair.b));
  const auto* const behind = std::ranges::upper_bound(SchemeEvaluator::kLengths, characters);
  return static_cast<size_t>(behind - std::begin(SchemeEvaluator::kLengths)) - 1;
}

std::string LengthName(size_t length) {
  const auto& lengths = SchemeEvaluator::kLengths;
  if (length == 0) return fmt::format("<{}", lengths[1]);
  if (length + 1 == kLengthCount) return fmt::format("≥{}", lengths[length]);
  return fmt::format("{}–{}", lengths[length], lengths[length + 1] - 1);
}

// Pairs that are in the same rows.
struct Cell {
  std::string corpus, relation;
  size_t length = 0;
  PairLabel label = PairLabel::kOther;

  auto operator<=>(const Cell&) const = default;
};

// What the texts of a cell's pairs took, of one scheme.
struct TextTotals {
  uint64_t texts = 0, without_value = 0, text_bytes = 0, value_bytes = 0;

  void Add(const TextTotals& other) {
    texts += other.texts;
    without_value += other.without_value;
    text_bytes += other.text_bytes;
    value_bytes += other.value_bytes;
  }
};

// The fingerprint of a text, and what both take.
struct Computed {
  Fingerprint value;
  TextTotals totals;
};

// Which pairs a row has.
struct RowPlan {
  std::string corpus, relation;
  std::optional<size_t> length;
  size_t whole = 0;            // the row of all of the corpus, which is planned before
  std::vector<uint8_t> cells;  // by cell: whether it is in

  bool is_whole() const { return relation.empty() && !length; }
};

// The texts of a batch, each once.
class BatchTexts {
 public:
  explicit BatchTexts(std::span<const LabelledPair> pairs) {
    for (const LabelledPair& pair : pairs) {
      places_.push_back({PlaceOf(pair.a), PlaceOf(pair.b)});
    }
  }

  std::span<const std::string_view> texts() const { return texts_; }
  // Of the two texts of a pair among them.
  const std::array<size_t, 2>& places(size_t pair) const { return places_[pair]; }

 private:
  size_t PlaceOf(std::string_view text) {
    const auto [at, is_new] = known_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return at->second;
  }

  std::unordered_map<std::string_view, size_t> known_;
  std::vector<std::string_view> texts_;
  std::vector<std::array<size_t, 2>> places_;
};

std::vector<uint64_t> CountBySimilarity(std::span<const float> similarities) {
  std::vector<uint64_t> counts(kSimilarityBins);
  for (const float similarity : similarities) {
    const auto bin = static_cast<size_t>(std::max(similarity, 0.0F) * kSimilarityBins);
    ++counts[std::min(bin, kSimilarityBins - 1)];
  }
  return counts;
}

std::optional<ThresholdResult> ResultAt(const Ranking& ranking, std::optional<double> threshold) {
  if (!threshold) return std::nullopt;
  return ThresholdResult{.threshold = *threshold, .pairs = ranking.At(*threshold)};
}

// Calls body(i) for each i below `count`. Fails as the first one that does.
template <typename Body>
Status DoAll(Executor& executor, size_t count, const Cancellation& cancellation, Body body) {
  std::mutex mutex;
  std::map<size_t, Error> failed;
  ParallelFor(executor, count, kAtOnce, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && !cancellation.requested(); ++i) {
      Status done = body(i);
      if (done) continue;
      const std::lock_guard lock(mutex);
      failed.try_emplace(i, std::move(done).error());
    }
  });
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  if (!failed.empty()) return tl::unexpected(failed.begin()->second);
  return {};
}

}  // namespace

struct SchemeEvaluator::State {
  // What is known of one scheme.
  struct Record {
    NamedScheme named;
    std::string measure;               // "": no text had a value
    size_t frame_bytes = 0;            // of a stored value that is none
    std::vector<float> similarities;   // of each pair
    std::vector<TextTotals> totals;    // of each cell
    std::vector<float> added;          // of the batch
    std::vector<TextTotals> of_pairs;  // of the batch: both texts of each pair
    uint64_t computed_bytes = 0;       // of texts
    std::chrono::nanoseconds processor_time = {};
  };

  Status ComputeBatch(Executor& executor, Record& record, const BatchTexts& batch,
                      const Cancellation& cancellation) const;
  static TextTotals Measure(const Record& record, std::string_view text, const Fingerprint& value);
  std::string_view MeasureOf(const Record& record, const Fingerprint& value) const;
  Status ComparePair(Record& record, const std::array<size_t, 2>& places,
                     std::span<const Computed> computed, size_t pair,
                     const Cancellation& cancellation) const;
  size_t CellOf(const LabelledPair& pair);
  std::vector<RowPlan> PlanRows() const;
  bool IsIn(const Cell& cell, const RowPlan& row, bool has_copies) const;
  SchemeEvaluation Evaluate(const Record& record, std::span<const RowPlan> plans) const;
  EvaluationRow MakeRow(const Record& record, const RowPlan& plan,
                        std::optional<double> best) const;

  const Clock& clock;
  std::string measure = {};  // "": the usual one of each scheme
  std::vector<Record> records = {};
  std::map<Cell, size_t> cell_numbers = {};
  std::vector<Cell> cells = {};
  std::vector<uint32_t> pair_cells = {};
};

SchemeEvaluator::SchemeEvaluator(std::vector<NamedScheme> schemes, const Clock& clock,
                                 std::string measure)
    : state_(std::make_unique<State>(State{clock, std::move(measure)})) {
  for (NamedScheme& named : schemes) {
    State::Record& record = state_->records.emplace_back();
    record.frame_bytes = EncodeFingerprint(named.scheme->canonical_name(), NoFingerprint()).size();
    record.named = std::move(named);
  }
}

SchemeEvaluator::~SchemeEvaluator() = default;

size_t SchemeEvaluator::State::CellOf(const LabelledPair& pair) {
  Cell cell = {std::string(pair.corpus), std::string(pair.relation), LengthOf(pair), pair.label};
  const auto [at, is_new] = cell_numbers.try_emplace(std::move(cell), cells.size());
  if (is_new) {
    cells.push_back(at->first);
    for (Record& record : records) record.totals.emplace_back();
  }
  return at->second;
}

// What a text and its fingerprint take.
TextTotals SchemeEvaluator::State::Measure(const Record& record, std::string_view text,
                                           const Fingerprint& value) {
  const std::string& name = record.named.scheme->canonical_name();
  return {.texts = 1,
          .without_value = HasValue(value) ? uint64_t{0} : uint64_t{1},
          .text_bytes = text.size(),
          .value_bytes = EncodeFingerprint(name, value).size() - record.frame_bytes};
}

std::string_view SchemeEvaluator::State::MeasureOf(const Record& record,
                                                   const Fingerprint& value) const {
  return measure.empty() ? UsualMeasure(record.named.scheme->canonical_name(), value) : measure;
}

Status SchemeEvaluator::State::ComparePair(Record& record, const std::array<size_t, 2>& places,
                                           std::span<const Computed> computed, size_t pair,
                                           const Cancellation& cancellation) const {
  const Computed& a = computed[places[0]];
  const Computed& b = computed[places[1]];
  record.of_pairs[pair].Add(a.totals);
  record.of_pairs[pair].Add(b.totals);
  if (!HasValue(a.value) || !HasValue(b.value)) return {};
  const Result<double> similarity =
      CompareFingerprints(a.value, b.value, MeasureOf(record, a.value), cancellation);
  if (!similarity) {
    return Fail(similarity.error().code,
                fmt::format("cannot compare values of {}: {}", record.named.name,
                            similarity.error().message));
  }
  record.added[pair] = static_cast<float>(*similarity);
  return {};
}

// Fills what `record` has of the batch.
Status SchemeEvaluator::State::ComputeBatch(Executor& executor, Record& record,
                                            const BatchTexts& batch,
                                            const Cancellation& cancellation) const {
  const std::span<const std::string_view> texts = batch.texts();
  std::vector<Computed> computed(texts.size());
  const auto begin = clock.ProcessorTime();  // nothing but this is done meanwhile
  ZHIWEN_RETURN_IF_ERROR(DoAll(executor, texts.size(), cancellation, [&](size_t i) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(computed[i].value, record.named.scheme->Compute(texts[i]));
    return {};
  }));
  record.processor_time += clock.ProcessorTime() - begin;
  for (const std::string_view text : texts) record.computed_bytes += text.size();
  ZHIWEN_RETURN_IF_ERROR(DoAll(executor, texts.size(), cancellation, [&](size_t i) -> Status {
    computed[i].totals = Measure(record, texts[i], computed[i].value);
    return {};
  }));
  ZHIWEN_RETURN_IF_ERROR(DoAll(executor, record.added.size(), cancellation, [&](size_t i) {
    return ComparePair(record, batch.places(i), computed, i, cancellation);
  }));
  const auto first = std::ranges::find_if(
      computed, [](const Computed& of_text) { return HasValue(of_text.value); });
  if (record.measure.empty() && first != computed.end()) {
    record.measure = MeasureOf(record, first->value);
  }
  return {};
}

Status SchemeEvaluator::Add(Executor& executor, std::span<const LabelledPair> pairs,
                            const Cancellation& cancellation) {
  const BatchTexts texts(pairs);
  for (State::Record& record : state_->records) {
    record.added.assign(pairs.size(), 0);
    record.of_pairs.assign(pairs.size(), {});
    ZHIWEN_RETURN_IF_ERROR(state_->ComputeBatch(executor, record, texts, cancellation));
  }
  for (size_t i = 0; i < pairs.size(); ++i) {
    const size_t cell = state_->CellOf(pairs[i]);
    state_->pair_cells.push_back(static_cast<uint32_t>(cell));
    for (State::Record& record : state_->records) {
      record.similarities.push_back(record.added[i]);
      record.totals[cell].Add(record.of_pairs[i]);
    }
  }
  return {};
}

// `has_copies`: the row's relation has, or it is of none.
bool SchemeEvaluator::State::IsIn(const Cell& cell, const RowPlan& row, bool has_copies) const {
  const bool is_copy = cell.label == PairLabel::kCopy;
  if (row.length && cell.length != *row.length) return false;
  if (!row.corpus.empty() && cell.corpus != row.corpus && (is_copy || !cell.corpus.empty())) {
    return false;
  }
  return row.relation.empty() || cell.relation == row.relation || (has_copies && !is_copy);
}

// Of all pairs, then of each corpus: the whole, its lengths, its relations.
std::vector<RowPlan> SchemeEvaluator::State::PlanRows() const {
  std::set<std::string> corpora = {""};
  for (const Cell& cell : cells) corpora.insert(cell.corpus);
  std::vector<RowPlan> rows;
  for (const std::string& corpus : corpora) {
    const size_t whole = rows.size();
    std::set<size_t> lengths;
    std::map<std::string, bool> relations;  // whether it has copies
    for (const Cell& cell : cells) {
      if (!corpus.empty() && cell.corpus != corpus) continue;
      lengths.insert(cell.length);
      if (!cell.relation.empty()) relations[cell.relation] |= cell.label == PairLabel::kCopy;
    }
    const auto add = [&](std::string relation, std::optional<size_t> length, bool has_copies) {
      RowPlan& row = rows.emplace_back(RowPlan{corpus, std::move(relation), length, whole, {}});
      for (const Cell& cell : cells) row.cells.push_back(IsIn(cell, row, has_copies) ? 1 : 0);
    };
    add("", std::nullopt, true);
    for (const size_t length : lengths) add("", length, true);
    for (const auto& [relation, has_copies] : relations) add(relation, std::nullopt, has_copies);
  }
  return rows;
}

// `best`: the threshold of the whole of the corpus; a row that is the whole has its own.
EvaluationRow SchemeEvaluator::State::MakeRow(const Record& record, const RowPlan& plan,
                                              std::optional<double> best) const {
  std::array<std::vector<float>, 2> of_label;
  for (size_t i = 0; i < pair_cells.size(); ++i) {
    const size_t cell = pair_cells[i];
    if (plan.cells[cell] == 0) continue;
    of_label[cells[cell].label == PairLabel::kCopy ? 1 : 0].push_back(record.similarities[i]);
  }
  auto& [others, copies] = of_label;
  EvaluationRow row;
  row.corpus = plan.corpus;
  row.relation = plan.relation;
  if (plan.length) row.length = LengthName(*plan.length);
  row.copies = copies.size();
  row.others = others.size();
  row.copies_by_similarity = CountBySimilarity(copies);
  row.others_by_similarity = CountBySimilarity(others);
  const Ranking ranking(std::move(copies), std::move(others));
  if (plan.is_whole()) {
    best = ranking.BestThreshold();
    row.curve = ranking.Curve(kCurvePoints);
  }
  row.at_source =
      ResultAt(ranking, UsualThreshold(record.named.scheme->canonical_name(), record.measure));
  row.at_best = ResultAt(ranking, best);
  row.area = ranking.Area();
  TextTotals totals;
  for (size_t cell = 0; cell < cells.size(); ++cell) {
    if (plan.cells[cell] != 0) totals.Add(record.totals[cell]);
  }
  row.texts = totals.texts;
  row.texts_without_value = totals.without_value;
  row.text_bytes = totals.text_bytes;
  row.value_bytes = totals.value_bytes;
  return row;
}

SchemeEvaluation SchemeEvaluator::State::Evaluate(const Record& record,
                                                  std::span<const RowPlan> plans) const {
  SchemeEvaluation out;
  out.scheme = record.named.name;
  out.canonical_name = record.named.scheme->canonical_name();
  out.measure = record.measure;
  out.source_threshold = UsualThreshold(out.canonical_name, record.measure);
  for (const RowPlan& plan : plans) {
    std::optional<double> best;
    if (!plan.is_whole() && out.rows[plan.whole].at_best) {
      best = out.rows[plan.whole].at_best->threshold;
    }
    out.rows.push_back(MakeRow(record, plan, best));
  }
  const std::chrono::duration<double> seconds = record.processor_time;
  if (seconds.count() > 0) {
    out.bytes_per_second = static_cast<double>(record.computed_bytes) / seconds.count();
  }
  return out;
}

Result<Evaluation> SchemeEvaluator::Finish(Executor& executor,
                                           const Cancellation& cancellation) const {
  const std::vector<RowPlan> plans = state_->PlanRows();
  Evaluation out = {.pairs = state_->pair_cells.size(), .schemes = {}, .skipped = {}};
  out.schemes.resize(state_->records.size());
  ParallelFor(executor, out.schemes.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && !cancellation.requested(); ++i) {
      out.schemes[i] = state_->Evaluate(state_->records[i], plans);
    }
  });
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  return out;
}

}  // namespace zhiwen
