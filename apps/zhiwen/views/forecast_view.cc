#include "views/forecast_view.h"

#include <algorithm>
#include <cmath>
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
constexpr size_t kKinds = 4;
constexpr size_t kStages = 4;

uint64_t Whole(double value) { return static_cast<uint64_t>(std::llround(std::max(value, 0.0))); }

// Three digits are as many as an estimate has.
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

std::string ShareOf(double part, double whole) {
  return whole > 0 ? fmt::format("{:.3g} %", 100 * part / whole) : "0 %";
}

ForecastRange Scaled(const ForecastRange& range, double factor) {
  return {range.value * factor, range.low * factor, range.high * factor};
}

// The rows of a run's counts, in the same words: a document is a record, also one that fails.
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
    rows.push_back(EstimateRow("compared", forecast.compared, share(forecast.compared)));
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

// The largest ones, in order of size.
template <typename Part, typename Size, typename Text>
std::string ListLargest(std::vector<Part> parts, size_t most, const Size& size, const Text& text) {
  std::ranges::stable_sort(parts, [&](const Part& a, const Part& b) { return size(a) > size(b); });
  std::string out;
  for (size_t i = 0; i < std::min(parts.size(), most); ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : " · ", text(parts[i]));
  }
  return out;
}

// Returns the range of a figure that may be off by more than a quarter; else nothing.
std::string ListEnds(uint64_t value, uint64_t low, uint64_t high) {
  const ForecastRange range{static_cast<double>(value), static_cast<double>(low),
                            static_cast<double>(high)};
  return range.IsClose() ? "" : fmt::format(" ({} to {})", FormatBytes(low), FormatBytes(high));
}

void AppendScratch(const DedupForecast& forecast, std::vector<Row>& rows) {
  if (forecast.scratch_bytes == 0) {
    rows.push_back({"  scratch", "nothing: all rows fit in memory"});
    return;
  }
  std::string text = fmt::format("{} written, {} at once", FormatBytes(forecast.scratch_bytes),
                                 FormatBytes(forecast.scratch_peak_bytes));
  text += ListEnds(forecast.scratch_bytes, forecast.scratch_low_bytes, forecast.scratch_high_bytes);
  if (forecast.scratch_free_bytes) {
    text += fmt::format("; {} free", FormatBytes(*forecast.scratch_free_bytes));
  }
  rows.push_back({"  scratch", text});
  using Kind = std::pair<std::string, uint64_t>;
  rows.push_back(
      {"", ListLargest(
               forecast.scratch_by_kind, kKinds, [](const Kind& kind) { return kind.second; },
               [](const Kind& kind) {
                 return fmt::format("{} {}", kind.first, FormatBytes(kind.second));
               })});
}

void AppendTime(const DedupForecast& forecast, std::vector<Row>& rows) {
  rows.push_back(
      {"  time",
       fmt::format("{} with {}, {} of CPU", FormatSeconds(forecast.wall_seconds),
                   FormatPlural(forecast.threads, "thread"), FormatSeconds(forecast.cpu_seconds))});
  rows.push_back({"", ListLargest(
                          forecast.stages, kStages,
                          [](const ForecastStage& stage) { return stage.wall_seconds; },
                          [](const ForecastStage& stage) {
                            return fmt::format("{} {}", stage.name,
                                               FormatSeconds(stage.wall_seconds));
                          })});
  if (forecast.wall_seconds < 1) return;
  const double rate = static_cast<double>(forecast.read_bytes) / forecast.wall_seconds;
  rows.push_back({"", fmt::format("if the disk gives {} a second, as {} are read in passes",
                                  FormatBytes(Whole(rate)), FormatBytes(forecast.read_bytes))});
}

std::string RenderFacts(const DedupForecast& forecast) {
  std::vector<Row> rows;
  rows.push_back({"  sample", DescribeSample(forecast)});
  rows.push_back(
      {"  size", fmt::format("{} in, {} of text, {} kept", FormatBytes(forecast.input_bytes),
                             FormatBytes(forecast.text_bytes), FormatBytes(forecast.kept_bytes))});
  rows.push_back(
      {"  memory",
       fmt::format("{}{} at peak, {} allowed; {} is the least",
                   FormatBytes(forecast.memory_peak_bytes),
                   ListEnds(forecast.memory_peak_bytes, forecast.memory_low_bytes,
                            forecast.memory_high_bytes),
                   FormatBytes(forecast.memory_bytes), FormatBytes(forecast.least_memory_bytes))});
  AppendScratch(forecast, rows);
  AppendTime(forecast, rows);
  for (Row& row : rows) row[0] = FitToWidth(row[0], kForecastLabelColumns);
  return FormatTable(rows);
}

}  // namespace

std::string RenderDedupForecast(const DedupForecast& forecast, const DedupOptions& options,
                                const Palette& palette) {
  std::string out = RenderCounts(forecast, options);
  out += '\n' + RenderFacts(forecast);
  for (const auto& [name, message] : forecast.damaged_files) {
    if (!options.skip_bad_files) break;  // otherwise it is among the problems
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
