#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/for_each_until_error.h"
#include "base/hash.h"
#include "match/similarity.h"
#include "pipeline/calibrate/counted_pairs.h"
#include "pipeline/calibrate/planted_changes.h"
#include "pipeline/calibrate/recommend.h"
#include "pipeline/code_of_value.h"
#include "pipeline/dedup/input/text_features.h"
#include "zhiwen/calibration.h"

namespace zhiwen {
namespace {

constexpr size_t kTextsAtOnce = 8;
constexpr size_t kShares = kChangedShares.size();
constexpr size_t kSpareUnits = 20'000;  // that can be put into copies

// A copy of a text and what became of it.
struct CopyOutcome {
  enum class Kind : uint8_t { kNone, kWithoutCode, kCompared };
  Kind kind = Kind::kNone;  // none: the text is too short for one change
  uint32_t distance = 0;
  double resemblance = 0;
};

struct DrawnText {
  uint64_t key = 0;
  std::string text;
  size_t units = 0;
  std::vector<SpareUnit> spare = {};  // some of its units
  std::optional<StoredCode> code = {};
  std::array<CopyOutcome, kShares> copies = {};
};

size_t LengthOfUnits(size_t units) {
  const auto* const behind = std::ranges::upper_bound(kCalibrationLengths, units);
  return static_cast<size_t>(behind - kCalibrationLengths.begin()) - 1;
}

ShingleSet ShinglesOf(std::string_view text) {
  TextFeatures features(FoldedChannel());
  ShingleSet shingles;
  features.Read(text);
  features.TakeShingleSet(shingles);
  return shingles;
}

class Calibrator {
 public:
  // Both must outlive the object.
  Calibrator(const CalibrateOptions& options, const BatchEnvironment& environment)
      : options_(options), environment_(environment) {}

  Result<Calibration> Run();

 private:
  Status CheckOptions() const;
  Status Draw();
  void DrawText(std::string_view text);
  Status ForEachText(const std::function<Status(DrawnText&)>& work);
  Result<std::optional<StoredCode>> CodeOf(std::string_view text) const;
  Result<uint32_t> FindBits() const;
  Status ReadText(DrawnText& text) const;
  Status MakeCopies(DrawnText& text) const;
  Result<CopyOutcome> Compare(const DrawnText& text, const ShingleSet& shingles,
                              const std::string& copy) const;
  std::vector<CodedText> CodedTexts() const;
  LengthCalibration Measure(std::optional<size_t> length, CountedPairs pairs) const;
  void MeasureCopies(const std::vector<const DrawnText*>& texts, size_t share,
                     LengthCalibration& measured) const;
  CalibrationTarget Target() const {
    return {.false_joins = 1 / static_cast<double>(options_.false_joins_one_in),
            .found = options_.found,
            .changed = options_.changed};
  }
  void Advance() { environment_.progress.Advance(Stage::kCalibrate, ++done_, 2 * texts_.size()); }

  const CalibrateOptions& options_;
  const BatchEnvironment& environment_;
  Calibration result_;
  std::map<uint64_t, std::string> drawn_;  // the texts with the smallest keys
  std::vector<DrawnText> texts_;           // these, in the order of their keys
  std::vector<SpareUnit> spare_;
  std::atomic<uint64_t> done_ = 0;
};

Status Calibrator::CheckOptions() const {
  const auto refuse = [](std::string what) {
    return Fail(ErrorCode::kInvalidArgument, "cannot calibrate: " + std::move(what));
  };
  if (options_.texts < 2 || options_.texts > kMostCalibrationTexts) {
    return refuse(
        fmt::format("{} texts to draw; give 2 to {}", options_.texts, kMostCalibrationTexts));
  }
  if (!(options_.unrelated > 0 && options_.unrelated <= 1)) {
    return refuse("the resemblance of unrelated texts has to be above 0 and at most 1");
  }
  if (!(options_.found > 0 && options_.found < 1)) {
    return refuse("the share of copies to find has to be above 0 % and below 100 %");
  }
  if (options_.false_joins_one_in == 0 || options_.changed >= kShares) {
    return refuse("one in 0 pairs, or a share of changes that is not measured");
  }
  return {};
}

// Draws a text by the hash of its bytes alone, so that neither order nor copies count.
void Calibrator::DrawText(std::string_view text) {
  if (text.empty()) {
    ++result_.empty;
    return;
  }
  if (text.size() > kMostCalibrationBytes) {
    ++result_.too_long;
    return;
  }
  const uint64_t key = HashBytes64(text, options_.seed);
  if (drawn_.size() == options_.texts && key > drawn_.rbegin()->first) return;
  drawn_.emplace(key, text);
  if (drawn_.size() > options_.texts) drawn_.erase(std::prev(drawn_.end()));
}

Status Calibrator::Draw() {
  DocumentBatches batches(options_.inputs, {.stage = Stage::kRead, .outcome = "text"},
                          environment_);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach([&](std::span<const SourceDocument> batch) -> Status {
    result_.documents += batch.size();
    for (const SourceDocument& document : batch) DrawText(document.text);
    return {};
  }));
  while (!drawn_.empty()) {
    auto node = drawn_.extract(drawn_.begin());
    texts_.push_back({.key = node.key(), .text = std::move(node.mapped())});
  }
  result_.texts = texts_.size();
  return {};
}

Status Calibrator::ForEachText(const std::function<Status(DrawnText&)>& work) {
  return ForEachUntilError(environment_.executor, texts_.size(), kTextsAtOnce,
                           [&](size_t, size_t i) -> Status {
                             ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
                             return work(texts_[i]);
                           });
}

// Returns the code of a text; nothing for a text without one.
Result<std::optional<StoredCode>> Calibrator::CodeOf(std::string_view text) const {
  ZHIWEN_ASSIGN_OR_RETURN(const Fingerprint value, options_.scheme->Compute(text));
  return CodeOfValue(*options_.scheme, value);
}

// Returns the bits of a code.
Result<uint32_t> Calibrator::FindBits() const {
  uint64_t coded = 0;
  uint32_t bits = 0;
  for (const DrawnText& text : texts_) {
    if (!text.code) continue;
    ++coded;
    bits = 8 * text.code->bytes;
  }
  if (coded >= 2) return bits;
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot calibrate: of {} different texts {} {} a code, and two are "
                          "needed; give a larger sample, or longer texts",
                          texts_.size(), coded, coded == 1 ? "has" : "have"));
}

Result<CopyOutcome> Calibrator::Compare(const DrawnText& text, const ShingleSet& shingles,
                                        const std::string& copy) const {
  CopyOutcome outcome = {.kind = CopyOutcome::Kind::kWithoutCode};
  outcome.resemblance = ComputeOverlap(shingles, ShinglesOf(copy)).Resemblance();
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<StoredCode> code, CodeOf(copy));
  if (!code) return outcome;
  outcome.kind = CopyOutcome::Kind::kCompared;
  outcome.distance = static_cast<uint32_t>(std::popcount(code->bits ^ text.code->bits));
  return outcome;
}

Status Calibrator::ReadText(DrawnText& text) const {
  ZHIWEN_ASSIGN_OR_RETURN(text.code, CodeOf(text.text));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<TextUnit> units, UnitsOf(text.text));
  text.units = units.size();
  if (units.empty()) return {};
  const size_t of_each = (kSpareUnits + texts_.size() - 1) / texts_.size();
  DrawUnits(text.text, units, of_each, text.key, text.spare);
  return {};
}

Status Calibrator::MakeCopies(DrawnText& text) const {
  if (!text.code) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<TextUnit> units, UnitsOf(text.text));
  const ShingleSet shingles = ShinglesOf(text.text);
  for (size_t share = 0; share < kShares; ++share) {
    const uint64_t changes = CountChanges(units.size(), kChangedShares[share]);
    if (changes == 0) continue;
    const std::string copy = PlantChanges(text.text, units, changes, spare_, text.key + share + 1);
    ZHIWEN_ASSIGN_OR_RETURN(text.copies[share], Compare(text, shingles, copy));
  }
  return {};
}

std::vector<CodedText> Calibrator::CodedTexts() const {
  std::vector<CodedText> coded;
  for (const DrawnText& text : texts_) {
    if (!text.code) continue;
    coded.push_back({.code = text.code->bits,
                     .length = static_cast<uint32_t>(LengthOfUnits(text.units)),
                     .shingles = ShinglesOf(text.text)});
  }
  return coded;
}

void Calibrator::MeasureCopies(const std::vector<const DrawnText*>& texts, size_t share,
                               LengthCalibration& measured) const {
  ChangedCopies& copies = measured.changed[share];
  copies.by_distance.assign(result_.bits + 1, 0);
  std::vector<double> resemblances;
  for (const DrawnText* const text : texts) {
    const CopyOutcome& outcome = text->copies[share];
    if (outcome.kind == CopyOutcome::Kind::kNone) continue;
    ++copies.copies;
    resemblances.push_back(outcome.resemblance);
    if (outcome.kind == CopyOutcome::Kind::kCompared) {
      ++copies.by_distance[outcome.distance];
    } else {
      ++copies.without_code;
    }
  }
  std::ranges::sort(resemblances);
  if (share == options_.changed) RecommendThreshold(Target(), resemblances, measured);
  if (resemblances.empty()) return;
  constexpr std::array<double, 5> kPercentiles = {0.05, 0.25, 0.5, 0.75, 0.95};
  for (size_t i = 0; i < kPercentiles.size(); ++i) {
    const double at = kPercentiles[i] * static_cast<double>(resemblances.size() - 1);
    copies.resemblance[i] = resemblances[static_cast<size_t>(std::lround(at))];
  }
}

// Measures the texts of one length, or all.
LengthCalibration Calibrator::Measure(std::optional<size_t> length, CountedPairs pairs) const {
  LengthCalibration measured;
  if (length) {
    const bool is_last = *length + 1 == kCalibrationLengths.size();
    measured.from = kCalibrationLengths[*length];
    measured.to = is_last ? 0 : kCalibrationLengths[*length + 1];
  }
  std::vector<const DrawnText*> texts;
  for (const DrawnText& text : texts_) {
    if (length && LengthOfUnits(text.units) != *length) continue;
    ++(text.code ? measured.texts : measured.without_code);
    texts.push_back(&text);
  }
  for (size_t share = 0; share < kShares; ++share) MeasureCopies(texts, share, measured);
  measured.unrelated = std::move(pairs.unrelated);
  measured.related = std::move(pairs.related);
  return measured;
}

Result<Calibration> Calibrator::Run() {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  ZHIWEN_RETURN_IF_ERROR(Draw());
  ZHIWEN_RETURN_IF_ERROR(ForEachText([&](DrawnText& text) { return ReadText(text); }));
  ZHIWEN_ASSIGN_OR_RETURN(result_.bits, FindBits());
  for (DrawnText& text : texts_) std::ranges::move(text.spare, std::back_inserter(spare_));
  ZHIWEN_RETURN_IF_ERROR(ForEachText([&](DrawnText& text) {
    Advance();
    return MakeCopies(text);
  }));
  std::vector<CodedText> coded = CodedTexts();
  ZHIWEN_ASSIGN_OR_RETURN(
      std::vector<CountedPairs> pairs,
      CountPairs(coded, {.bits = result_.bits, .unrelated = options_.unrelated},
                 environment_.executor, environment_.cancellation, [&] { Advance(); }));
  result_.scheme = options_.scheme->canonical_name();
  result_.texts_wanted = options_.texts;
  result_.seed = options_.seed;
  result_.false_joins_one_in = options_.false_joins_one_in;
  result_.unrelated = options_.unrelated;
  result_.found = options_.found;
  result_.changed = kChangedShares[options_.changed];
  result_.all = Measure(std::nullopt, std::move(pairs.back()));
  RecommendRadius(Target(), std::nullopt, result_.all);
  for (size_t length = 0; length < kCalibrationLengths.size(); ++length) {
    LengthCalibration measured = Measure(length, std::move(pairs[length]));
    if (measured.texts + measured.without_code == 0) continue;
    RecommendRadius(Target(), result_.all.radius, measured);
    result_.lengths.push_back(std::move(measured));
  }
  result_.unfit_below = FindUnfitBelow(result_.lengths);
  return std::move(result_);
}

}  // namespace

Result<Calibration> Calibrate(const CalibrateOptions& options,
                              const BatchEnvironment& environment) {
  return Calibrator(options, environment).Run();
}

}  // namespace zhiwen
