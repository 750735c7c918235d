#include "views/forecast_view.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

using Row = std::vector<std::string>;

constexpr size_t kNameColumns = 17;
constexpr size_t kForecastLabelColumns = 11;
constexpr size_t kForecastCountColumns = 15;
constexpr size_t kStages = 4;
constexpr uint64_t kMebibyte = uint64_t{1} << 20;

uint64_t Whole(double value) { return static_cast<uint64_t>(std::llround(std::max(value, 0.0))); }

// Rounds estimates to three digits, which is their precision.
std::string FormatEstimate(double value, bool is_exact) {
  if (!is_exact && value >= 1000) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
    value = std::round(value / unit) * unit;
  }
  return FormatCount(Whole(value));
}

Row EstimateRow(std::string_view name, const ForecastRange& range, const std::string& detail) {
  const bool is_exact = range.low == range.high;
  const std::string count = FormatEstimate(range.value, is_exact);
  const size_t width = std::min(DisplayWidth(count), kForecastCountColumns);
  Row row = {FitToWidth("  " + std::string(name), kNameColumns),
             std::string(kForecastCountColumns - width, ' ') + count};
  std::string text;
  if (!is_exact) {
    text = fmt::format("{} to {}", FormatEstimate(range.low, false),
                       FormatEstimate(range.high, false));
  }
  if (!detail.empty()) text += (text.empty() ? "" : "; ") + detail;
  row.push_back(std::move(text));
  return row;
}

// As FormatShare, which takes whole numbers.
std::string ShareOf(double part, double whole) {
  if (whole <= 0) return "–";
  const double share = part / whole;
  return share > 0 && share < 5e-5 ? "< 0.01 %" : FormatPercent(share);
}

ForecastRange Scaled(const ForecastRange& range, double factor) {
  return {range.value * factor, range.low * factor, range.high * factor};
}

// Renders counts with the rows and words of a run's report. A record that fails counts as a
// document, too.
std::string RenderCounts(const DedupForecast& forecast, const DedupOptions& options) {
  const ForecastRange &usable = forecast.documents, &removed = forecast.removed;
  const double failed_share = std::min(forecast.failed_share, 1 - 1e-9);
  const ForecastRange documents = Scaled(usable, 1 / (1 - failed_share));
  const ForecastRange kept = {usable.value - removed.value,
                              std::max(usable.low - removed.high, 0.0), usable.high - removed.low};
  const auto share = [&](const ForecastRange& part) {
    return ShareOf(part.value, documents.value);
  };
  const ForecastRange failed = Scaled(documents, failed_share);
  std::vector<Row> rows;
  rows.push_back(EstimateRow("documents", documents, ""));
  rows.push_back(EstimateRow("kept", kept, share(kept)));
  rows.push_back(EstimateRow("removed", removed, share(removed)));
  rows.push_back(EstimateRow("failed", failed, share(failed)));
  if (options.mode != DedupMode::kExact) {
    rows.push_back(EstimateRow("candidate pairs", forecast.candidate_pairs, ""));
  }
  return FormatTable(rows);
}

std::string DescribeSample(const DedupForecast& forecast) {
  if (forecast.is_whole) {
    return fmt::format("everything: {} of text, {}", FormatBytes(forecast.sample_bytes),
                       FormatPlural(forecast.sample_files, "file"));
  }
  return fmt::format("{} of text, {} of the documents, from {} in {} of {}",
                     FormatBytes(forecast.sample_bytes), ShareOf(forecast.sample_share, 1),
                     FormatPlural(forecast.sample_places, "place"),
                     FormatCount(forecast.sample_files), FormatPlural(forecast.files, "file"));
}

std::string DescribeSampledReferences(const AgainstReport& against, const DedupForecast& forecast) {
  std::string out =
      fmt::format("{}, {} hit{}", FormatPlural(against.references, "reference"),
                  FormatCount(against.hit), forecast.is_whole ? "" : " by documents of the sample");
  if (against.unmatchable == 0) return out;
  return out + fmt::format(", {} that nothing can match", FormatCount(against.unmatchable));
}

// Describes the free disk space, or nothing where it is unknown.
std::string DescribeFree(const std::optional<uint64_t>& bytes) {
  return bytes ? fmt::format("; {} free", FormatBytes(*bytes)) : "";
}

std::string DescribeScratch(const DedupForecast& forecast) {
  if (!forecast.needs_scratch) return "none: the rows between passes fit in memory";
  std::string text = "up to " + FormatBytes(forecast.scratch_bytes);
  const ForecastRange range{static_cast<double>(forecast.scratch_bytes),
                            static_cast<double>(forecast.scratch_low_bytes),
                            static_cast<double>(forecast.scratch_high_bytes)};
  if (!range.IsClose()) {
    text += fmt::format(" ({} to {})", FormatBytes(forecast.scratch_low_bytes),
                        FormatBytes(forecast.scratch_high_bytes));
  }
  if (forecast.is_one_disk) return text + ", on the disk of the output";
  return text + DescribeFree(forecast.scratch_free_bytes);
}

// Lists the longest stages, in order.
std::string ListStages(std::vector<ForecastStage> stages) {
  std::ranges::stable_sort(stages, std::ranges::greater(), &ForecastStage::wall_seconds);
  std::string out;
  for (size_t i = 0; i < std::min(stages.size(), kStages); ++i) {
    out += fmt::format("{}{} {}", i == 0 ? "" : " · ", stages[i].name,
                       FormatSeconds(stages[i].wall_seconds));
  }
  return out;
}

std::string RenderFacts(const DedupForecast& forecast) {
  std::vector<Row> rows;
  rows.push_back({"  sample", DescribeSample(forecast)});
  if (const auto& against = forecast.against) {
    rows.push_back({"  against", DescribeSampledReferences(*against, forecast)});
  }
  rows.push_back({"  size", fmt::format("{} in, {} of text", FormatBytes(forecast.input_bytes),
                                        FormatBytes(forecast.text_bytes))});
  rows.push_back(
      {"  memory",
       fmt::format("{} allowed; --memory {}M is the least", FormatBytes(forecast.memory_bytes),
                   (forecast.least_memory_bytes + kMebibyte - 1) / kMebibyte)});
  rows.push_back({"  output", FormatBytes(forecast.output_room_bytes) +
                                  DescribeFree(forecast.output_free_bytes)});
  rows.push_back({"  scratch", DescribeScratch(forecast)});
  rows.push_back(
      {"  time",
       fmt::format("{} with {}, {} of CPU", FormatSeconds(forecast.wall_seconds),
                   FormatPlural(forecast.threads, "thread"), FormatSeconds(forecast.cpu_seconds))});
  rows.push_back({"", ListStages(forecast.stages)});
  for (Row& row : rows) row[0] = FitToWidth(row[0], kForecastLabelColumns);
  return FormatTable(rows);
}

}  // namespace

std::string RenderDedupForecast(const DedupForecast& forecast, const DedupOptions& options,
                                const Palette& palette) {
  std::string out = RenderCounts(forecast, options);
  out += '\n' + RenderFacts(forecast);
  for (const auto& [name, message] : forecast.damaged_files) {
    if (!options.skip_bad_files) break;  // otherwise the file is listed as a problem
    out += fmt::format("\n  damaged: {}\n", MakePrintable(message));
  }
  for (const std::string& note : forecast.notes) {
    out += fmt::format("\n  note: {}\n", MakePrintable(note));
  }
  for (const ForecastProblem& problem : forecast.problems) {
    out += fmt::format("\n  {} {}\n",
                       palette.Paint(Ink::kBad, fmt::format("the run would end with status {}:",
                                                            TraitsOf(problem.code).exit_status)),
                       MakePrintable(problem.message));
  }
  return out;
}

}  // namespace zhiwen
