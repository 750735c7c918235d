#include "pipeline/dedup/forecast/forecast_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/dedup/forecast/forecast_figures.h"
#include "pipeline/dedup/plan.h"
#include "pipeline/dedup/rows/document_rows.h"
#include "pipeline/dedup/rows/record_limits.h"
#include "pipeline/dedup/write/checks.h"
#include "pipeline/dedup/write/outputs.h"
#include "pipeline/output_folder.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

std::optional<uint64_t> Known(const Result<uint64_t>& found) {
  return found ? std::optional(*found) : std::nullopt;
}

class ProblemFinder {
 public:
  ProblemFinder(const DedupOptions& options, const ProblemFacts& facts, FileSystem& files,
                const DedupForecast& forecast)
      : options_(options), facts_(facts), files_(files), forecast_(forecast) {}

  std::vector<ForecastProblem> Run() {
    FindOutput();
    FindDamage();
    FindMemory();
    FindFailures();
    FindRepeatedIds();
    FindDisk();
    return std::move(problems_);
  }

 private:
  void Add(ErrorCode code, std::string message, std::vector<Advice> advice = {}) {
    problems_.push_back({code, std::move(message), std::move(advice)});
  }

  void FindOutput() {
    if (options_.output.empty()) return;
    const Status free = OutputFolder::Check(
        files_, options_.output, options_.overwrite ? OutputUse::kReplace : OutputUse::kNew,
        DedupOutputContents());
    if (!free) Add(free.error().code, free.error().message, free.error().advice);
  }

  void FindDamage() {
    if (options_.skip_bad_files) return;
    for (const auto& [name, message] : forecast_.damaged_files) {
      Add(ErrorCode::kUnreadable, message + "; replace the file, or skip bad files",
          {Advice::kSkipBadFiles});
    }
  }

  void FindMemory() {
    const uint64_t documents = Rounded(forecast_.documents.value);
    if (documents >= kNoDocument) {
      Add(ErrorCode::kExhausted, "more than 4,294,967,294 documents in one run; split the input");
    }
    const uint64_t allowed = options_.memory_bytes;
    if (const uint64_t need = kRowGroupsInMemory * facts_.largest_group_bytes; need > allowed) {
      Add(ErrorCode::kExhausted,
          fmt::format("a row group of Parquet needs {} MiB of memory at least, not {} MiB",
                      need / kMebibyte + 1, allowed / kMebibyte),
          {Advice::kGiveMemory});
    }
    if (const uint64_t least = LeastMemory(0, facts_.reference_bytes); least > allowed) {
      Add(ErrorCode::kExhausted,
          fmt::format("a run with these references needs {} MiB of memory at least, not {} MiB; "
                      "give the run more, or fewer references",
                      least / kMebibyte + 1, allowed / kMebibyte),
          {Advice::kGiveMemory});
    }
    if (const uint64_t least = LeastMemory(documents); least > allowed) {
      Add(ErrorCode::kExhausted,
          fmt::format("about {} documents need {} MiB of memory at least, not {} MiB", documents,
                      least / kMebibyte + 1, allowed / kMebibyte),
          {Advice::kGiveMemory});
    }
  }

  void FindFailures() {
    const double records = forecast_.documents.value / std::max(1 - forecast_.failed_share, 1e-9);
    const double failed = records * forecast_.failed_share;
    const FailureLimit& most = options_.max_failed;
    const auto limit = static_cast<double>(most.Allowed(Rounded(records)));
    if (failed <= limit) return;
    // As the run says it.
    const bool is_most = forecast_.failed_share > 0.5 && most.most_share < 1;
    Add(ErrorCode::kUnreadable,
        fmt::format("about {} of {} records fail, {}; mend them or allow more",
                    FormatCount(Rounded(failed)), FormatCount(Rounded(records)),
                    is_most ? "which is more than half"
                            : fmt::format("{} are allowed", FormatCount(Rounded(limit)))),
        {Advice::kAllowFailures});
  }

  // As the run says it; what the sample repeats, the run does.
  void FindRepeatedIds() {
    if (!options_.unique_ids) return;
    const Status unique =
        CheckUniqueIds({facts_.sample.duplicate_ids, facts_.sample.duplicate_id_examples});
    if (unique) return;
    Add(unique.error().code, (forecast_.is_whole ? "" : "in the sample ") + unique.error().message,
        unique.error().advice);
  }

  void FindDisk() {
    const uint64_t output = forecast_.output_room_bytes;
    const uint64_t scratch = forecast_.needs_scratch ? forecast_.scratch_bytes : 0;
    if (forecast_.is_one_disk) {
      FindRoom(options_.output, output + scratch, "outputs and scratch",
               forecast_.output_free_bytes);
      return;
    }
    FindRoom(options_.output, output, "outputs", forecast_.output_free_bytes);
    FindRoom(options_.scratch, scratch, "scratch", forecast_.scratch_free_bytes);
  }

  void FindRoom(const std::string& folder, uint64_t need, std::string_view what,
                std::optional<uint64_t> free) {
    if (!free || need <= *free) return;
    Add(ErrorCode::kExhausted,
        fmt::format("the disk of \"{}\" has {}M free, and about {}M are needed for {}", folder,
                    *free / kMebibyte, need / kMebibyte + 1, what));
  }

  const DedupOptions& options_;
  const ProblemFacts& facts_;
  FileSystem& files_;
  const DedupForecast& forecast_;
  std::vector<ForecastProblem> problems_;
};

// Of what is kept: texts that get a second name instead of a copy take no room.
uint64_t OutputRoom(const DedupOptions& options, const DedupInputs& inputs,
                    std::optional<uint64_t> device, uint64_t kept_bytes) {
  if (options.output.empty() || !device || inputs.total_bytes == 0) return kept_bytes;
  double copied = 0;
  for (const InputFile& file : inputs.files) {
    const bool is_linked = IsWholeFile(file.format) && file.identity.device == *device;
    if (!is_linked) copied += static_cast<double>(file.identity.size);
  }
  return Rounded(static_cast<double>(kept_bytes) * copied /
                 static_cast<double>(inputs.total_bytes));
}

}  // namespace

void MeasureDisks(const DedupOptions& options, const ProblemFacts& facts, FileSystem& files,
                  DedupForecast& forecast) {
  const std::string& output = options.output;
  const std::string& scratch = options.scratch.empty() ? output : options.scratch;
  forecast.scratch_folder = scratch;
  std::optional<uint64_t> output_disk, scratch_disk;
  if (!output.empty()) {
    forecast.output_free_bytes = Known(files.FreeBytes(output));
    output_disk = Known(files.DeviceOf(output));
  }
  if (!scratch.empty()) {
    forecast.scratch_free_bytes = Known(files.FreeBytes(scratch));
    scratch_disk = Known(files.DeviceOf(scratch));
  }
  forecast.output_room_bytes = OutputRoom(options, facts.inputs, output_disk, forecast.kept_bytes);
  forecast.is_one_disk =
      !output.empty() && (scratch == output || (output_disk && output_disk == scratch_disk));
}

std::vector<ForecastProblem> FindProblems(const DedupOptions& options, const ProblemFacts& facts,
                                          FileSystem& files, const DedupForecast& forecast) {
  return ProblemFinder(options, facts, files, forecast).Run();
}

}  // namespace zhiwen
