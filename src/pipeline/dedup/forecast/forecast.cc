#include "pipeline/dedup/forecast/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "index/bands/band_scan.h"
#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/dedup/decide/decide_similar.h"
#include "pipeline/dedup/decide/set_pass.h"
#include "pipeline/dedup/forecast/forecast_figures.h"
#include "pipeline/dedup/forecast/forecast_problems.h"
#include "pipeline/dedup/forecast/forecast_sample_run.h"
#include "pipeline/dedup/forecast/forecast_size.h"
#include "pipeline/dedup/report/findings.h"
#include "pipeline/dedup/rows/record_limits.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostSampleBytes = 512 * kMebibyte;
constexpr uint64_t kSamplesInMemory = 4;
// Many small places tell more than few large ones: neighbours are alike. But each is a seek.
constexpr uint64_t kPlaces = 2048;
constexpr uint64_t kLeastStretch = uint64_t{32} << 10;
// Footers of Parquet that are read beside those of the sample.
constexpr size_t kMostFooters = 256;
// A first run, over so small a part of the sample, tells what does not grow with the corpus.
constexpr uint64_t kFirstPart = 4;
// A pair costs as much to decide as so many documents.
constexpr double kPairCost = 2;
// What is open about fewer than these is not worth a note.
constexpr double kFewDocuments = 0.01;

// What a stage's time grows with, in a sample and in all.
struct StageLoad {
  double sample = 0, all = 0;
};

class Forecaster {
 public:
  Forecaster(const DedupOptions& options, const ForecastTuning& tuning,
             const DedupEnvironment& environment)
      : options_(options), tuning_(tuning), environment_(environment) {}

  Result<DedupForecast> Run() {
    ZHIWEN_RETURN_IF_ERROR(Open());
    ZHIWEN_RETURN_IF_ERROR(RunSamples());
    Measure();
    Grow();
    Time();
    ZHIWEN_RETURN_IF_ERROR(Room());
    Damage();
    Notes();
    const ProblemFacts facts{inputs_, largest_group_, reference_bytes_, sample_.report};
    MeasureDisks(options_, facts, environment_.files, out_);
    out_.problems = FindProblems(options_, facts, environment_.files, out_);
    Warn();
    return std::move(out_);
  }

 private:
  Status Open() {
    if (std::ranges::find(options_.inputs, "-") != options_.inputs.end()) {
      return Fail(
          ErrorCode::kInvalidArgument,
          "a forecast reads parts of its inputs and leaves them for the run; standard input "
          "(-) is there only once: save it to a file");
    }
    if (options_.resume) {
      return Fail(ErrorCode::kInvalidArgument,
                  "a forecast is about a run from its beginning, not one that is continued");
    }
    DedupOptions options = options_;
    if (options.output.empty()) options.output = kForecastFolder;
    ZHIWEN_ASSIGN_OR_RETURN(plan_, MakePlan(options));
    auto inputs = OpenInputs(environment_.files, plan_->input, warnings_);
    if (!inputs && inputs.error().code == ErrorCode::kUnreadable && !options.skip_bad_files) {
      plan_->input.skip_bad_files = true;  // what can be read: the rest is a problem of the run
      inputs = OpenInputs(environment_.files, plan_->input, NoLog());
    }
    if (!inputs) return Fail(std::move(inputs));
    inputs_ = *std::move(inputs);
    if (!options.against.empty()) {
      ZHIWEN_RETURN_IF_ERROR(OpenReferences(environment_.files, plan_->input, inputs_, NoLog()));
    }
    rows_.resize(inputs_.files.size());
    return ReadFooters(plan_->reading.fields);
  }

  // Of every file when they are few, else of some, evenly.
  Status ReadFooters(const RecordFields& fields) {
    const size_t step = inputs_.files.size() / kMostFooters + 1;
    for (size_t f = 0; f < inputs_.files.size(); f += step) {
      if (inputs_.files[f].format != RecordFormat::kParquet) continue;
      ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
      auto shape = ExamineParquet(environment_.files, inputs_.files[f], fields);
      if (!shape && shape.error().code != ErrorCode::kUnreadable) return Fail(std::move(shape));
      if (!shape) {
        damaged_footers_.emplace(static_cast<uint32_t>(f), std::move(shape).error().message);
        if (options_.skip_bad_files) rows_[f] = 0;
        continue;
      }
      rows_[f] = shape->rows;
      largest_group_ =
          std::max({largest_group_, shape->largest_needed_bytes, shape->largest_kept_bytes});
    }
    return {};
  }

  SampleOptions WholeSample() const {
    if (tuning_.sample) return *tuning_.sample;
    SampleOptions sample;
    sample.bytes = std::min(kMostSampleBytes, options_.memory_bytes / kSamplesInMemory);
    sample.stretch_bytes = std::clamp(sample.bytes / kPlaces, kLeastStretch, sample.stretch_bytes);
    sample.end = PlaceEnd::kRecord;
    return sample;
  }

  Status RunSamples() {
    SampleOptions sample = WholeSample();
    Sampler sampler(options_, largest_group_, inputs_, tuning_.block_bytes, environment_);
    for (const auto& [input, message] : damaged_footers_) sampler.AddDamaged(input, message);
    bool is_done = false;
    if (TakesEverything(inputs_.files, sample)) {
      ZHIWEN_ASSIGN_OR_RETURN(auto whole, sampler.RunWhole(sample));
      is_done = whole.has_value();
      if (is_done) {
        sample_ = *std::move(whole);
      } else {
        sample.bytes = UsualStreamBytes(inputs_.files) / 2;
      }
    }
    if (!is_done) {
      // A small one first, which tells how counts grow and what stages cost whatever the corpus.
      SampleOptions first = sample;
      first.bytes /= kFirstPart;
      ZHIWEN_ASSIGN_OR_RETURN(first_, sampler.RunPart(first));
      sample.bytes = std::clamp(sampler.MostBytes(first.bytes, first_), first.bytes, sample.bytes);
      ZHIWEN_ASSIGN_OR_RETURN(sample_, sampler.RunPart(sample));
    }
    damaged_ = sampler.damaged();
    reference_bytes_ = sampler.reference_bytes();
    return {};
  }

  void Measure() {
    const SampleFindings& found = sample_.found;
    const ExpectedSize size = ExpectSize(inputs_, rows_, sample_);
    out_.is_whole = sample_.files.size() == inputs_.files.size() &&
                    std::ranges::all_of(sample_.taken, &SampledFile::is_whole);
    out_.files = inputs_.files.size();
    out_.input_bytes = inputs_.total_bytes;
    out_.sample_files = sample_.files.size();
    out_.sample_places = sample_.places;
    out_.sample_bytes = sample_.report.text_bytes;
    out_.sample_documents = found.documents;
    out_.threads = environment_.executor.concurrency();
    const auto sampled = static_cast<double>(found.documents);
    const double documents = out_.is_whole ? sampled : std::max(size.documents, sampled);
    share_ = documents > 0 ? sampled / documents : 1;
    out_.sample_share = share_;
    out_.documents = Exactly(documents);
    if (!out_.is_whole) {
      const double error = kForecastDeviations * size.documents_error;
      out_.documents.low = std::max(documents - error, sampled);
      out_.documents.high = documents + error;
    }
    out_.text_bytes = Rounded(static_cast<double>(sample_.report.text_bytes) / share_);
    const auto records = static_cast<double>(sample_.totals.records);
    out_.failed_share = records > 0 ? static_cast<double>(sample_.totals.failed()) / records : 0;
    out_.against = sample_.report.against;
  }

  void Grow() {
    const SampleFindings& found = sample_.found;
    const double documents = out_.documents.value;
    const ForecastRange against = GrowAgainst();
    out_.removed = EstimateRemoved(
        found.clusters, share_, out_.documents.high - against.value,
        plan_->rules.keeps_none ? ClusterRemoval::kAll : ClusterRemoval::kAllButFirst);
    out_.removed.value += against.value;
    out_.removed.low += against.low;
    out_.removed.high = std::min(out_.removed.high + against.high, out_.documents.high);
    if (out_.is_whole) out_.removed = Exactly(static_cast<double>(found.removed));
    out_.candidate_pairs = GrowCount(first_.report.candidate_pairs, sample_.report.candidate_pairs);
    compared_ = GrowCount(first_.report.compared_documents, sample_.report.compared_documents);
    const double comparable = static_cast<double>(found.comparable_documents) / share_;
    for (double* end : {&compared_.value, &compared_.low, &compared_.high}) {
      *end = std::min(*end, comparable);
    }
    const double written =
        Written(static_cast<double>(found.documents), static_cast<double>(found.removed),
                static_cast<double>(found.against));
    const double growth =
        written > 0 ? Written(documents, out_.removed.value, against.value) / written : 1;
    out_.kept_bytes = Rounded(growth * static_cast<double>(sample_.report.kept_bytes));
  }

  // How many records of so many are in kept/.
  double Written(double documents, double removed, double against) const {
    if (!plan_->input.added.mark) return documents - removed;
    return plan_->input.added.marks_references ? documents - removed + against : documents;
  }

  // Documents that are removed for a reference grow as all do, and crowd as they do in the places
  // of the sample (W. Cochran, as in forecast_size.h).
  ForecastRange GrowAgainst() const {
    if (!sample_.report.against) return Exactly(0);
    const auto count = static_cast<double>(sample_.found.against);
    const double rate = count / std::max(static_cast<double>(sample_.found.documents), 1.0);
    double squares = 0;
    for (const SampledUnit& unit : sample_.found.units) {
      const double more =
          static_cast<double>(unit.against) - rate * static_cast<double>(unit.documents);
      squares += more * more;
    }
    squares = std::max(squares, count * (1 - rate));
    const double known = std::sqrt(1 - share_);
    const double below = known * kForecastDeviations * std::sqrt(squares);
    const double above = known * (kForecastDeviations * std::sqrt(squares + 1) + 2);
    return {count / share_, std::max(count - below, 0.0) / share_, (count + above) / share_};
  }

  // From a count of the small sample and of the large one. It grows at least as documents do, and
  // at most as their pairs do.
  ForecastRange GrowCount(uint64_t first, uint64_t counted) const {
    const auto count = static_cast<double>(counted);
    if (out_.is_whole) return Exactly(count);
    const double exponent = GrowthExponent(
        {static_cast<double>(first_.found.documents), static_cast<double>(sample_.found.documents)},
        {static_cast<double>(first), count});
    const double chance = kForecastDeviations * std::sqrt((count + 1) * (1 - share_));
    return {.value = count * std::pow(share_, -exponent),
            .low = std::max(count - chance, 0.0) / share_,
            .high = (count + chance) / (share_ * share_)};
  }

  // What the stage's time grows with.
  StageLoad LoadOf(std::string_view stage) const {
    const StageLoad documents{static_cast<double>(sample_.found.documents), out_.documents.value};
    if (stage == "decide") {
      const DedupReport& report = sample_.report;
      return {static_cast<double>(report.compared_documents) +
                  kPairCost * static_cast<double>(report.candidate_pairs),
              compared_.value + kPairCost * out_.candidate_pairs.value};
    }
    if (stage == "open" || stage == "references") return {1, 1};
    return documents;
  }

  // A stage that costs something whatever the corpus, and more with each document.
  static bool HasFixedPart(std::string_view stage) {
    return stage == "audit" || stage == "explain";
  }

  const StageTime* FirstOf(const std::string& stage) const {
    for (const StageTime& time : first_.report.stages) {
      if (time.name == stage) return &time;
    }
    return nullptr;
  }

  void Time() {
    for (const StageTime& stage : sample_.report.stages) {
      const double grown = out_.is_whole ? stage.cpu_seconds : GrowSeconds(stage);
      const double wall_to_cpu = stage.cpu_seconds > 0 ? stage.wall_seconds / stage.cpu_seconds : 1;
      out_.stages.push_back({stage.name, grown * wall_to_cpu, grown});
      out_.cpu_seconds += grown;
      out_.wall_seconds += grown * wall_to_cpu;
    }
  }

  double GrowSeconds(const StageTime& stage) const {
    const StageLoad load = LoadOf(stage.name);
    if (stage.name == "shingle sets") return GrowSetSeconds(stage.cpu_seconds);
    const StageTime* first = FirstOf(stage.name);
    const auto before = static_cast<double>(first_.found.documents);
    if (HasFixedPart(stage.name) && first != nullptr && before < load.sample) {
      const double slope =
          std::max(stage.cpu_seconds - first->cpu_seconds, 0.0) / (load.sample - before);
      return stage.cpu_seconds + slope * (load.all - load.sample);
    }
    return load.sample > 0 ? stage.cpu_seconds * load.all / load.sample : 0;
  }

  // Reading costs the same whatever is compared; the rest grows with that.
  double GrowSetSeconds(double seconds) const {
    const auto compared = static_cast<double>(sample_.report.compared_documents);
    if (compared == 0) return seconds / share_;
    const double reading = std::min(sample_.read_seconds, seconds / 2);
    return reading / share_ + (seconds - reading) * compared_.value / compared;
  }

  Status Room() {
    const uint64_t documents = Rounded(out_.documents.value);
    out_.memory_bytes = options_.memory_bytes;
    out_.least_memory_bytes =
        std::max(LeastMemory(documents, reference_bytes_), kRowGroupsInMemory * largest_group_);
    if (out_.is_whole) {
      out_.scratch_bytes = sample_.report.scratch_bytes;
      out_.scratch_low_bytes = out_.scratch_high_bytes = out_.scratch_bytes;
      out_.needs_scratch = out_.scratch_bytes > 0;
      return {};
    }
    out_.scratch_bytes = RowBytes(compared_.value, out_.removed.value);
    out_.scratch_low_bytes = RowBytes(compared_.low, out_.removed.low);
    out_.scratch_high_bytes = RowBytes(compared_.high, out_.removed.high);
    const uint64_t memory_bytes = std::max(out_.memory_bytes, out_.least_memory_bytes);
    ZHIWEN_ASSIGN_OR_RETURN(const MemoryPlan memory, PlanMemory(memory_bytes, documents));
    const uint64_t room = std::min(SketchMemory(memory_bytes), memory.scratch);
    const BatchLimits batch = PlanBatchLimits(*plan_, memory.work);
    out_.needs_scratch = out_.scratch_bytes > room ||
                         sample_.found.most_shingles > batch.large_shingles ||
                         out_.wall_seconds > options_.checkpoint_every;
    return {};
  }

  // Of all rows that a run keeps between its passes, when so many documents are compared and
  // removed: those of the first pass, places in bands, shingle sets, and decisions.
  uint64_t RowBytes(double compared, double removed) const {
    const SampleFindings& found = sample_.found;
    const auto mean = [](uint64_t sum, uint64_t count) {
      return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
    };
    const double bands = plan_->sketch.bands ? static_cast<double>(plan_->sketch.bands->bands) : 0;
    const double set =
        sizeof(SetRow) + bands * sizeof(BucketMember) +
        sizeof(uint64_t) * mean(found.comparable_shingles, found.comparable_documents);
    const double decision =
        sizeof(OverlapRow) + sizeof(RemovalRow) + mean(found.label_bytes, found.documents);
    return Rounded(static_cast<double>(found.row_bytes) / share_ + compared * set +
                   removed * decision);
  }

  void Damage() {
    for (const auto& [input, message] : damaged_) {
      out_.damaged_files.emplace_back(inputs_.names[input], message);
    }
    for (const LeftOutFile& file : inputs_.left_out) {
      out_.damaged_files.emplace_back(file.path, file.why);
    }
    if (damaged_.empty()) return;
    out_.notes.emplace_back(
        options_.skip_bad_files
            ? "damaged files are counted up to the damage, as far as they were read"
            : "the figures are those of a run on sound files; damaged ones were read up to the "
              "damage");
  }

  void Notes() {
    if (!options_.against.empty() && !out_.against) {
      out_.notes.emplace_back(
          "the references do not fit in the memory: the figures are those of a run without them");
    }
    if (out_.is_whole) return;
    if (options_.unique_ids && sample_.report.duplicate_ids == 0) {
      out_.notes.emplace_back(
          "no id is repeated in the sample; whether one is in all is not known");
    }
    const double common = plan_->rules.common_share.value_or(1);
    if (sample_.found.against > 0 && plan_->rules.HasCommonShingles() &&
        common * static_cast<double>(sample_.found.documents) < static_cast<double>(kFewInputs)) {
      out_.notes.emplace_back(
          "the sample is too small to know all shingles that are common in the inputs: fewer "
          "documents may match references than was estimated");
    }
    const auto is_open = [&](const ForecastRange& range) {
      return !range.IsClose() && range.high - range.low > kFewDocuments * out_.documents.value;
    };
    if (is_open(out_.removed) || is_open(out_.candidate_pairs)) {
      out_.notes.push_back(fmt::format(
          "a sample of {:.2g} % of the documents holds few of the copies that are far apart, so "
          "that removals and pairs may be anywhere in their ranges",
          100 * share_));
    }
  }

  // What the run would warn of, as far as that is known: all of it or nothing.
  void Warn() {
    if (!out_.is_whole || !out_.succeeds()) return;
    const std::vector<std::string> told = warnings_.Take();
    for (const std::string& warning : sample_.report.findings.warnings) {
      if (std::ranges::find(told, warning) == told.end()) environment_.log.Warn(warning);
    }
  }

  const DedupOptions& options_;
  const ForecastTuning& tuning_;
  const DedupEnvironment& environment_;
  WarningRecorder warnings_{environment_.log};  // of the files
  DedupInputs inputs_;
  std::vector<std::optional<uint64_t>> rows_;  // of Parquet, by input
  std::map<uint32_t, std::string> damaged_footers_, damaged_;
  uint64_t largest_group_ = 0, reference_bytes_ = 0;
  SampleRun first_, sample_;
  double share_ = 1;
  ForecastRange compared_;  // documents whose shingle sets are compared
  std::optional<Plan> plan_;
  DedupForecast out_;
};

}  // namespace

Result<DedupForecast> RunForecast(const DedupOptions& options, const ForecastTuning& tuning,
                                  const DedupEnvironment& environment) {
  return Forecaster(options, tuning, environment).Run();
}

Result<DedupForecast> ForecastDedup(const DedupOptions& options,
                                    const DedupEnvironment& environment) {
  return RunForecast(options, ForecastTuning(), environment);
}

}  // namespace zhiwen
