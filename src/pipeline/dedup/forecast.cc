#include "pipeline/dedup/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/dedup/forecast_sample_run.h"
#include "pipeline/dedup/forecast_scratch.h"
#include "pipeline/dedup/forecast_size.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMebibyte = uint64_t{1} << 20;
constexpr uint64_t kMostSampleBytes = 512 * kMebibyte;
constexpr uint64_t kSamplesInMemory = 4;
constexpr uint64_t kLeastWork = kMebibyte;
// Footers of Parquet that are read beside those of the sample.
constexpr size_t kMostFooters = 256;
// A first run, over so small a part of the sample, tells what does not grow with the corpus.
constexpr uint64_t kFirstPart = 4;
// Two standard deviations.
constexpr double kDeviations = 2;
// With 95 % there are no more than so many where none was seen.
constexpr double kUnseen = 3;

uint64_t Rounded(double value) {
  return value <= 0 ? 0 : static_cast<uint64_t>(std::llround(std::min(value, 9e18)));
}

ForecastRange Exactly(double value) { return {value, value, value}; }

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
    Problems();
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
      return Fail(ErrorCode::kInvalidArgument,
                  "--plan reads parts of its inputs and leaves them for the run; standard input "
                  "(-) is there only once: save it to a file");
    }
    if (options_.resume) {
      return Fail(ErrorCode::kInvalidArgument,
                  "--plan is about a run from its beginning; leave out --resume");
    }
    DedupOptions options = options_;
    if (options.output.empty()) options.output = kForecastFolder;
    ZHIWEN_ASSIGN_OR_RETURN(const Plan plan, MakePlan(options));
    ZHIWEN_ASSIGN_OR_RETURN(inputs_, OpenInputs(environment_.files, options, environment_.log));
    rows_.resize(inputs_.files.size());
    return ReadFooters(plan.sketch.fields);
  }

  // Of every file when they are few, else of some, evenly.
  Status ReadFooters(const RecordFields& fields) {
    const size_t step = inputs_.files.size() / kMostFooters + 1;
    for (size_t f = 0; f < inputs_.files.size(); f += step) {
      if (inputs_.files[f].format != RecordFormat::kParquet) continue;
      ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
      auto shape = ExamineParquet(environment_.files, inputs_.files[f], fields);
      if (!shape && options_.skip_bad_files) continue;  // the run says what is wrong with it
      if (!shape) return Fail(std::move(shape));
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
    return sample;
  }

  // Stages have that part of the memory which the sample is of the corpus, so that as much of it
  // does not fit. Where rows of the run will be on disk, those of the sample are treated alike.
  Status RunSamples() {
    SampleRunOptions run{.sample = WholeSample(), .block_bytes = tuning_.block_bytes};
    DedupOptions options = options_;
    options.memory_bytes = std::max(options_.memory_bytes, 2 * largest_group_);
    const double work = static_cast<double>(options_.memory_bytes) / 2;
    const auto memory_of = [&](uint64_t bytes, uint64_t scratch) {
      const double share =
          std::min(static_cast<double>(bytes) / static_cast<double>(inputs_.total_bytes + 1), 1.0);
      return MemoryPlan{.scratch = scratch, .work = std::max(Rounded(share * work), kLeastWork)};
    };
    if (inputs_.total_bytes > run.sample.bytes) {
      SampleRunOptions first = run;
      first.sample.bytes /= kFirstPart;
      first.memory = memory_of(first.sample.bytes, SketchMemory(options));
      ZHIWEN_ASSIGN_OR_RETURN(sample_, RunSample(options, inputs_, first, environment_));
      ZHIWEN_RETURN_IF_ERROR(Conclude());
      first_ = std::move(sample_);
      is_saved_ = SecondsOfWork() >= options_.checkpoint_every;
      ZHIWEN_RETURN_IF_ERROR(Room());
      // Whether the first pass keeps its rows in memory is what most stages feel.
      const bool is_on_disk = std::ranges::any_of(
          out_.scratch_by_kind, [](const auto& kind) { return kind.first == kLabelRows; });
      run.memory = memory_of(run.sample.bytes, is_on_disk ? 0 : SketchMemory(options));
      if (is_on_disk) {  // so that both runs differ in their size alone
        first.memory->scratch = 0;
        ZHIWEN_ASSIGN_OR_RETURN(first_, RunSample(options, inputs_, first, environment_));
      }
    }
    ZHIWEN_ASSIGN_OR_RETURN(sample_, RunSample(options, inputs_, run, environment_));
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
      const double error = kDeviations * size.documents_error;
      out_.documents.low = std::max(documents - error, sampled);
      out_.documents.high = documents + error;
    }
    out_.text_bytes = Rounded(static_cast<double>(sample_.report.text_bytes) / share_);
    const auto records = static_cast<double>(sample_.totals.records);
    out_.failed_share = records > 0 ? static_cast<double>(sample_.totals.failed()) / records : 0;
  }

  void Pairs() {
    const SampleFindings& found = sample_.found;
    const double documents = out_.documents.value;
    for (const UnseenClusters unseen :
         {UnseenClusters::kUsual, UnseenClusters::kFew, UnseenClusters::kMany}) {
      const double equal = GrowClusters(found.equal, share_, unseen).beyond_first;
      const ClusterGrowth decided = GrowClusters(found.decided, share_, unseen);
      const double removed = decided.beyond_first;
      const double near = std::max(removed - equal, 0.0);
      const double compared = Compared(documents - equal, unseen);
      // How many of the kept ones are of families cannot be told from a sample that holds few of
      // each: those that share a bucket in it are too few, all kept ones too many.
      const ClusterGrowth touching = GrowClusters(found.touching_decided, share_, unseen);
      const double low = near + OtherPairs(found.touching_decided, touching, near);
      const double high = near + OtherPairs(found.decided, decided, near);
      const double pairs = (low + high) / 2;
      if (unseen == UnseenClusters::kUsual) {
        out_.removed = Exactly(removed);
        out_.candidate_pairs = Exactly(pairs);
        out_.compared = Exactly(compared);
        representatives_removed_ = near;
      }
      Widen(removed, out_.removed);
      Widen(low, out_.candidate_pairs);
      Widen(high, out_.candidate_pairs);
      Widen(compared, out_.compared);
    }
    if (out_.is_whole) {
      out_.candidate_pairs = Exactly(static_cast<double>(sample_.report.candidate_pairs));
      out_.removed = Exactly(static_cast<double>(found.removed));
      representatives_removed_ = static_cast<double>(found.representatives_removed);
    } else {
      AddChance();
    }
    const double kept = documents > 0 ? 1 - out_.removed.value / documents : 1;
    out_.kept_bytes = Rounded(kept * static_cast<double>(inputs_.total_bytes));
  }

  static void Widen(double value, ForecastRange& range) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }

  // Documents that share a bucket with another one, of `representatives`.
  double Compared(double representatives, UnseenClusters unseen) const {
    const SampleFindings& found = sample_.found;
    if (options_.mode == DedupMode::kExact) return 0;
    const double comparable = static_cast<double>(found.comparable_documents) / share_ *
                              ShareOf(representatives, Clusters(found.equal));
    if (options_.mode == DedupMode::kContained) {
      return std::min(GrowClusters(found.decided, share_, unseen).together, comparable);
    }
    if (!found.has_buckets) return comparable;
    const double together = GrowClusters(found.touching, share_, unseen).together;
    return std::min(together, comparable);
  }

  static double Clusters(const ClusterSample& sample) {
    double clusters = 0;
    for (const double count : sample.by_groups) clusters += count;
    return clusters;
  }

  // How much smaller a part of all the one is than the other of the sample.
  double ShareOf(double of_all, double of_sample) const {
    return of_sample > 0 ? of_all * share_ / of_sample : 1;
  }

  // Pairs that are looked at and do not match, or beside the one that decides. Of two kept ones, in
  // families of texts that are alike, but not enough: as many to each as there are others. A
  // removed one meets as many before its keeper as in the sample, for its keeper comes the earlier
  // the more there are of both.
  // `kept`: those that may be of such a family, and how they grow. `removals`: representatives.
  double OtherPairs(const ClusterSample& kept, const ClusterGrowth& growth, double removals) const {
    const SampleFindings& found = sample_.found;
    const auto removed = static_cast<double>(found.representatives_removed);
    double pairs = static_cast<double>(sample_.report.candidate_pairs) - removed;
    if (pairs <= 0) return 0;
    if (!found.has_buckets) {
      const double near = NearShare();
      return pairs * (near / share_ + (1 - near) / (share_ * share_));
    }
    const auto grown = [&](double all, double in_sample) {
      return in_sample > 0 ? std::max(all, 0.0) / in_sample : 1 / share_;
    };
    const double heads = grown(growth.together - growth.beyond_first, Clusters(kept) - kept.alone);
    const double lone = grown(kept.documents / share_ - growth.together, kept.alone);
    const double far_growth[] = {lone * lone, lone * heads, heads * heads};
    double all = 0;
    for (size_t i = 0; i < found.kept_pairs.size(); ++i) {
      const auto near = static_cast<double>(found.kept_pairs[i].near);
      const auto far = static_cast<double>(found.kept_pairs[i].far);
      all += near / share_ + far * far_growth[i];
      pairs -= near + far;
    }
    if (pairs > 0) all += removed > 0 ? pairs * removals / removed : pairs / share_;
    return all;
  }

  // Of the pairs, those of documents near each other.
  double NearShare() const {
    const SampleFindings& found = sample_.found;
    if (found.bucket_pairs > 0) {
      return static_cast<double>(found.near_bucket_pairs) / static_cast<double>(found.bucket_pairs);
    }
    const double beyond = found.decided.documents - Clusters(found.decided);
    return beyond > 0 ? found.decided.local / beyond : 0;
  }

  // What chance does to counts of the sample.
  void AddChance() {
    const auto pairs = static_cast<double>(sample_.report.candidate_pairs);
    const double part = pairs > 0 ? std::min(kDeviations / std::sqrt(pairs), 1.0) : 0;
    for (ForecastRange* range : {&out_.candidate_pairs, &out_.removed, &out_.compared}) {
      const auto spread = [&](double end) { return std::hypot(end, part * range->value); };
      range->low = std::max(range->value - spread(range->value - range->low), 0.0);
      range->high = range->value + spread(range->high - range->value);
    }
    if (pairs > 0 || options_.mode == DedupMode::kExact) return;
    const double most = kUnseen / (share_ * share_);
    out_.candidate_pairs.high = std::max(out_.candidate_pairs.high, most);
    for (ForecastRange* range : {&out_.removed, &out_.compared}) {
      range->high = std::max(range->high, std::min(most, out_.documents.value));
    }
  }

  double MeanSetShingles() const {
    const SampleFindings& found = sample_.found;
    if (found.touching_documents >= 100) {
      return static_cast<double>(found.touching_shingles) /
             static_cast<double>(found.touching_documents);
    }
    return static_cast<double>(found.comparable_shingles) /
           static_cast<double>(std::max<uint64_t>(found.comparable_documents, 1));
  }

  double ComparedInSample() const {
    const SampleFindings& found = sample_.found;
    if (options_.mode == DedupMode::kContained) {
      return found.decided.documents - found.decided.alone;
    }
    return static_cast<double>(found.has_buckets ? found.touching_documents
                                                 : found.comparable_documents);
  }

  // What the stage's time grows with. Nothing: it does not grow evenly.
  StageLoad LoadOf(std::string_view stage) const {
    const SampleFindings& found = sample_.found;
    const StageLoad documents{static_cast<double>(found.documents), out_.documents.value};
    const StageLoad compared{ComparedInSample(), out_.compared.value};
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
    const double compared = ComparedInSample();
    const double reading = compared > 0 ? std::min(sample_.read_seconds, seconds / 2) : 0;
    if (compared == 0) return seconds / share_;
    return reading / share_ + (seconds - reading) * out_.compared.value / compared;
  }

  ExpectedRows Rows() const {
    const SampleFindings& found = sample_.found;
    const double grow = 1 / share_;
    const double compared = ComparedInSample();
    const double grow_compared = compared > 0 ? out_.compared.value / compared : 0;
    ExpectedRows rows;
    rows.documents = out_.documents.value;
    for (const auto& [name, bytes] : found.rows) {
      rows.first_pass.emplace_back(name, static_cast<double>(bytes) * grow);
    }
    rows.band_bytes = static_cast<double>(found.band_bytes) * grow;
    rows.bands = found.bands;
    rows.rank_key_bytes = static_cast<double>(found.rank_key_bytes) * grow;
    rows.ids = static_cast<double>(sample_.totals.ids) * grow;
    rows.members = static_cast<double>(found.members) * grow_compared;
    rows.sets = out_.compared.value;
    rows.set_shingles = out_.compared.value * MeanSetShingles();
    rows.copies_to_look_at = static_cast<double>(found.copies_to_look_at) * grow;
    rows.representatives_removed = representatives_removed_;
    rows.removed = out_.removed.value;
    const double labelled = std::max(static_cast<double>(found.documents), 1.0);
    rows.label_bytes = static_cast<double>(found.label_bytes) / labelled;
    return rows;
  }

  // Seconds until the decisions are made: until then a checkpoint may come.
  double SecondsOfWork() const {
    double seconds = 0;
    for (const ForecastStage& stage : out_.stages) {
      seconds += stage.wall_seconds;
      if (stage.name == "decide") break;
    }
    return seconds;
  }

  Status Room() {
    const uint64_t documents = Rounded(out_.documents.value);
    out_.memory_bytes = options_.memory_bytes;
    out_.least_memory_bytes = std::max(LeastMemory(documents), 2 * largest_group_);
    DedupOptions options = options_;
    options.memory_bytes = std::max(options_.memory_bytes, out_.least_memory_bytes);
    ZHIWEN_ASSIGN_OR_RETURN(const MemoryPlan memory, PlanMemory(options, documents));
    const ExpectedScratch scratch = ExpectScratch(
        Rows(), {.before = SketchMemory(options),
                 .memory = memory,
                 .threads = environment_.executor.concurrency(),
                 .is_compressed = std::ranges::any_of(
                     inputs_.files,
                     [](const InputFile& file) { return file.compression != Compression::kNone; }),
                 .is_saved = is_saved_});
    out_.scratch_by_kind = scratch.written;
    out_.scratch_bytes = out_.is_whole ? sample_.report.scratch_bytes : scratch.total;
    if (out_.scratch_bytes == 0) out_.scratch_by_kind.clear();
    out_.scratch_peak_bytes = std::min(scratch.disk_peak, out_.scratch_bytes);
    out_.memory_peak_bytes = std::min(scratch.memory_peak, options.memory_bytes);
    out_.scratch_folder = options_.scratch.empty() ? options_.output : options_.scratch;
    out_.scratch_free_bytes = FreeBytesOf(out_.scratch_folder);
    out_.output_free_bytes = FreeBytesOf(options_.output);
    return {};
  }

  std::optional<uint64_t> FreeBytesOf(const std::string& folder) const {
    if (folder.empty()) return std::nullopt;
    const auto free = environment_.files.FreeBytes(folder);
    return free ? std::optional(*free) : std::nullopt;
  }

  void AddProblem(ErrorCode code, std::string message) {
    out_.problems.push_back({code, std::move(message)});
  }

  void Problems() {
    const uint64_t documents = Rounded(out_.documents.value);
    if (documents >= kNoDocument) {
      AddProblem(ErrorCode::kExhausted,
                 "more than 4,294,967,294 documents in one run; split the input");
    }
    const uint64_t group_need = 2 * largest_group_;
    if (group_need > options_.memory_bytes) {
      AddProblem(ErrorCode::kExhausted,
                 fmt::format("a row group of Parquet needs --memory {}M at least, not {}M",
                             group_need / kMebibyte + 1, options_.memory_bytes / kMebibyte));
    }
    if (const uint64_t least = LeastMemory(documents); least > options_.memory_bytes) {
      AddProblem(ErrorCode::kExhausted,
                 fmt::format("about {} documents need --memory {}M at least, not {}M", documents,
                             least / kMebibyte + 1, options_.memory_bytes / kMebibyte));
    }
    AddFailures();
    AddDisk();
  }

  void AddFailures() {
    const double records = out_.documents.value / std::max(1 - out_.failed_share, 1e-9);
    const double failed = records * out_.failed_share;
    const double limit = std::max(static_cast<double>(options_.max_failed.count),
                                  options_.max_failed.share * records);
    if (failed <= limit) return;
    AddProblem(ErrorCode::kUnreadable,
               fmt::format("about {} of {} records fail, {} are allowed; mend them or raise "
                           "--max-failed",
                           Rounded(failed), Rounded(records), Rounded(limit)));
  }

  void AddDisk() {
    const bool is_one_folder = options_.scratch.empty();
    const uint64_t output = out_.kept_bytes + (is_one_folder ? out_.scratch_peak_bytes : 0);
    if (out_.output_free_bytes && output > *out_.output_free_bytes) {
      AddProblem(ErrorCode::kExhausted,
                 fmt::format("\"{}\" has room for {}M, and about {}M are needed", options_.output,
                             *out_.output_free_bytes / kMebibyte, output / kMebibyte));
    }
    if (is_one_folder || !out_.scratch_free_bytes) return;
    if (out_.scratch_peak_bytes > *out_.scratch_free_bytes) {
      AddProblem(ErrorCode::kExhausted,
                 fmt::format("\"{}\" has room for {}M of scratch, and about {}M are needed",
                             options_.scratch, *out_.scratch_free_bytes / kMebibyte,
                             out_.scratch_peak_bytes / kMebibyte));
    }
  }

  const DedupOptions& options_;
  const ForecastTuning& tuning_;
  const DedupEnvironment& environment_;
  DedupInputs inputs_;
  std::vector<uint64_t> rows_;  // of Parquet, by input
  uint64_t largest_group_ = 0;
  SampleRun first_, sample_;
  double share_ = 1;
  bool is_saved_ = false;  // the run is long enough for a checkpoint
  double representatives_removed_ = 0;
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
