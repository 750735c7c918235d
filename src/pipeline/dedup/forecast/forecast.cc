#include "pipeline/dedup/forecast/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/dedup/forecast/forecast_figures.h"
#include "pipeline/dedup/forecast/forecast_pairs.h"
#include "pipeline/dedup/forecast/forecast_problems.h"
#include "pipeline/dedup/forecast/forecast_rows.h"
#include "pipeline/dedup/forecast/forecast_sampler.h"
#include "pipeline/dedup/forecast/forecast_scratch.h"
#include "pipeline/dedup/forecast/forecast_size.h"
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
// Than the time that is expected: what decides when rows are saved.
constexpr double kSlower = 2;
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
    ZHIWEN_RETURN_IF_ERROR(Conclude());
    Damage();
    Notes();
    const ProblemFacts facts{inputs_, largest_group_};
    MeasureDisks(options_, facts, environment_.files, out_);
    out_.problems = FindProblems(options_, facts, environment_.files, out_);
    return std::move(out_);
  }

 private:
  // From sample_.
  Status Conclude() {
    out_ = {};
    Measure();
    Pairs();
    Time();
    return Room();
  }

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
    ZHIWEN_ASSIGN_OR_RETURN(Plan plan, MakePlan(options));
    auto inputs = OpenInputs(environment_.files, plan.input, environment_.log);
    if (!inputs && inputs.error().code == ErrorCode::kUnreadable && !options.skip_bad_files) {
      plan.input.skip_bad_files = true;  // what can be read: the rest is a problem of the run
      inputs = OpenInputs(environment_.files, plan.input, NoLog());
    }
    if (!inputs) return Fail(std::move(inputs));
    inputs_ = *std::move(inputs);
    if (!options.against.empty()) {
      ZHIWEN_RETURN_IF_ERROR(OpenReferences(environment_.files, plan.input, inputs_, NoLog()));
    }
    rows_.resize(inputs_.files.size());
    return ReadFooters(plan.reading.fields);
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

  // Stages have that part of the memory which the sample is of the corpus, so that as much of it
  // does not fit. Where rows of the run will be on disk, those of the sample are treated alike.
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
    if (!is_done) ZHIWEN_RETURN_IF_ERROR(RunParts(sampler, sample));
    damaged_ = sampler.damaged();
    return {};
  }

  // A small one first, which tells what stages cost whatever the corpus.
  Status RunParts(Sampler& sampler, SampleOptions sample) {
    SampleOptions first = sample;
    first.bytes /= kFirstPart;
    ZHIWEN_ASSIGN_OR_RETURN(sample_, sampler.RunPart(first, RowPlace::kMemory));
    damaged_ = sampler.damaged();
    ZHIWEN_RETURN_IF_ERROR(Conclude());
    // Whether the first pass keeps its rows in memory is what most stages feel.
    const bool is_on_disk = std::ranges::any_of(
        out_.scratch_by_kind, [](const auto& kind) { return kind.first == kLabelRows; });
    const RowPlace place = is_on_disk ? RowPlace::kDisk : RowPlace::kMemory;
    first_ = std::move(sample_);
    if (is_on_disk) {  // so that both runs differ in their size alone
      ZHIWEN_ASSIGN_OR_RETURN(first_, sampler.RunPart(first, place));
    }
    sample.bytes =
        std::clamp(sampler.MostBytes(first.bytes, first_.found), first.bytes, sample.bytes);
    ZHIWEN_ASSIGN_OR_RETURN(sample_, sampler.RunPart(sample, place));
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
  }

  void Pairs() {
    pairs_ = ExpectPairs(sample_, {.mode = options_.mode,
                                   .share = share_,
                                   .documents = out_.documents.value,
                                   .is_whole = out_.is_whole});
    out_.removed = pairs_.removed;
    out_.candidate_pairs = pairs_.candidate_pairs;
    out_.compared = pairs_.compared;
    const double documents = out_.documents.value;
    const double kept = documents > 0 ? 1 - out_.removed.value / documents : 1;
    out_.kept_bytes = Rounded(kept * static_cast<double>(inputs_.total_bytes));
  }

  // What the stage's time grows with. Nothing: it does not grow evenly.
  StageLoad LoadOf(std::string_view stage) const {
    const SampleFindings& found = sample_.found;
    const StageLoad documents{static_cast<double>(found.documents), out_.documents.value};
    const StageLoad compared{ComparedInSample(sample_.found, options_.mode), out_.compared.value};
    if (stage == "shingle sets") return compared;
    if (stage == "decide") {
      const double pair = 2;
      return {compared.sample + pair * static_cast<double>(sample_.report.candidate_pairs),
              compared.all + pair * out_.candidate_pairs.value};
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
      const StageLoad load = LoadOf(stage.name);
      double grown = load.sample > 0 ? stage.cpu_seconds * load.all / load.sample : 0;
      if (stage.name == "shingle sets") grown = SetSeconds(stage.cpu_seconds);
      const StageTime* first = FirstOf(stage.name);
      if (HasFixedPart(stage.name) && first != nullptr &&
          first_.found.documents < sample_.found.documents) {
        const auto before = static_cast<double>(first_.found.documents);
        const double slope =
            std::max(stage.cpu_seconds - first->cpu_seconds, 0.0) / (load.sample - before);
        grown = stage.cpu_seconds + slope * (load.all - load.sample);
      }
      if (out_.is_whole) grown = stage.cpu_seconds;
      const double wall_to_cpu = stage.cpu_seconds > 0 ? stage.wall_seconds / stage.cpu_seconds : 1;
      out_.stages.push_back({stage.name, grown * wall_to_cpu, grown});
      out_.cpu_seconds += grown;
      out_.wall_seconds += grown * wall_to_cpu;
    }
    const double passes = 2 + (out_.compared.value > 0 ? 1 : 0);
    out_.read_bytes = Rounded(passes * static_cast<double>(inputs_.total_bytes));
  }

  // Reading costs the same whatever is compared; the rest grows with that.
  double SetSeconds(double seconds) const {
    const double compared = ComparedInSample(sample_.found, options_.mode);
    const double reading = compared > 0 ? std::min(sample_.read_seconds, seconds / 2) : 0;
    if (compared == 0) return seconds / share_;
    return reading / share_ + (seconds - reading) * out_.compared.value / compared;
  }

  double SecondsOf(std::string_view name) const {
    for (const ForecastStage& stage : out_.stages) {
      if (stage.name == name) return stage.wall_seconds;
    }
    return 0;
  }

  // Where rows go when the machine is so many times slower.
  ScratchOptions Where(uint64_t memory_bytes, const MemoryPlan& memory, double slower) const {
    double between = 0;
    for (const char* stage : {"rank", "collapse", "candidates", "batches"}) {
      between += SecondsOf(stage);
    }
    return {.before = SketchMemory(memory_bytes),
            .memory = memory,
            .memory_bytes = memory_bytes,
            .threads = environment_.executor.concurrency(),
            .is_compressed = std::ranges::any_of(
                inputs_.files,
                [](const InputFile& file) { return file.compression != Compression::kNone; }),
            .checkpoint_every = options_.checkpoint_every / slower,
            .sketch_seconds = SecondsOf("sketch"),
            .between_seconds = between,
            .set_seconds = SecondsOf("shingle sets"),
            .decide_seconds = SecondsOf("decide")};
  }

  Status Room() {
    const uint64_t documents = Rounded(out_.documents.value);
    out_.memory_bytes = options_.memory_bytes;
    out_.least_memory_bytes = std::max(LeastMemory(documents), 2 * largest_group_);
    const uint64_t memory_bytes = std::max(options_.memory_bytes, out_.least_memory_bytes);
    ZHIWEN_ASSIGN_OR_RETURN(const MemoryPlan memory, PlanMemory(memory_bytes, documents));
    const auto expect = [&](double compared, double removed, double slower) {
      const double near = pairs_.removed.value > 0 ? removed / pairs_.removed.value : 1;
      return ExpectScratch(
          ExpectRows(sample_, options_.mode, share_,
                     {.documents = out_.documents.value,
                      .compared = compared,
                      .removed = removed,
                      .representatives_removed = near * pairs_.representatives_removed}),
          Where(memory_bytes, memory, slower));
    };
    const double compared = out_.compared.value, removed = out_.removed.value;
    const std::vector<ExpectedScratch> ends = {expect(out_.compared.low, out_.removed.low, 1),
                                               expect(out_.compared.high, out_.removed.high, 1),
                                               expect(compared, removed, kSlower),
                                               expect(compared, removed, 1 / kSlower)};
    TakeScratch(expect(compared, removed, 1), ends, memory_bytes);
    return {};
  }

  // `ends`: when fewer or more documents than the likeliest have to do with others, and when
  // checkpoints come sooner or later.
  void TakeScratch(const ExpectedScratch& usual, const std::vector<ExpectedScratch>& ends,
                   uint64_t most_memory) {
    const bool is_known = out_.is_whole && sample_.has_memory_of_run;
    out_.scratch_by_kind = usual.written;
    out_.scratch_bytes = is_known ? sample_.report.scratch_bytes : usual.total;
    if (out_.scratch_bytes == 0) out_.scratch_by_kind.clear();
    out_.scratch_low_bytes = out_.scratch_high_bytes = out_.scratch_bytes;
    out_.memory_peak_bytes = std::min(usual.memory_peak, most_memory);
    out_.memory_low_bytes = out_.memory_high_bytes = out_.memory_peak_bytes;
    for (const ExpectedScratch& end : ends) {
      out_.memory_low_bytes = std::min(out_.memory_low_bytes, end.memory_peak);
      out_.memory_high_bytes =
          std::max(out_.memory_high_bytes, std::min(end.memory_peak, most_memory));
      if (is_known) continue;
      out_.scratch_low_bytes = std::min(out_.scratch_low_bytes, end.total);
      out_.scratch_high_bytes = std::max(out_.scratch_high_bytes, end.total);
    }
    out_.scratch_peak_bytes = std::min(usual.disk_peak, out_.scratch_bytes);
    out_.scratch_end_bytes = std::min(usual.disk_end, out_.scratch_bytes);
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
            ? "of damaged files what is before the damage is counted, as far as it was read"
            : "figures are those of a run on sound files; of damaged ones only what is before the "
              "damage was read");
  }

  void Notes() {
    if (out_.is_whole) return;
    const auto is_open = [&](const ForecastRange& range) {
      return !range.IsClose() && range.high - range.low > kFewDocuments * out_.documents.value;
    };
    if (is_open(out_.removed) || is_open(out_.candidate_pairs)) {
      out_.notes.push_back(fmt::format(
          "copies that are far apart hardly meet in a sample of {:.2g} % of the documents: what "
          "they make of removals, pairs and scratch is somewhere in its range",
          100 * share_));
    }
    double seconds = 0;
    for (const ForecastStage& stage : out_.stages) seconds += stage.wall_seconds;
    if (seconds * kSlower > options_.checkpoint_every &&
        (out_.memory_high_bytes > out_.memory_peak_bytes / 4 * 5 ||
         out_.memory_low_bytes < out_.memory_peak_bytes / 4 * 3)) {
      out_.notes.push_back(
          fmt::format("rows are in memory until the first checkpoint, for {:g} seconds: how many "
                      "these are hangs "
                      "on the speed of the machine",
                      options_.checkpoint_every));
    }
  }

  const DedupOptions& options_;
  const ForecastTuning& tuning_;
  const DedupEnvironment& environment_;
  DedupInputs inputs_;
  std::vector<std::optional<uint64_t>> rows_;  // of Parquet, by input
  std::map<uint32_t, std::string> damaged_footers_, damaged_;
  uint64_t largest_group_ = 0;
  SampleRun first_, sample_;
  double share_ = 1;
  ExpectedPairs pairs_;
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
