#include "dedup_view.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "figures.h"
#include "zhiwen/display.h"

namespace zhiwen {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kMargin = "  ";
constexpr size_t kCountColumns = 12;
constexpr size_t kIdColumns = 32;

std::string AlignRight(const std::string& text, size_t columns) {
  const size_t width = DisplayWidth(text);
  return std::string(columns > width ? columns - width : 0, ' ') + text;
}

Row CountRow(std::string_view name, uint64_t count, std::string share, std::string detail = "") {
  return {std::string(kMargin) + std::string(name), AlignRight(FormatCount(count), kCountColumns),
          AlignRight(share, 7), std::move(detail)};
}

std::string JoinReasons(const std::vector<std::pair<std::string, uint64_t>>& reasons) {
  std::string out;
  for (const auto& [reason, count] : reasons) {
    out += fmt::format("{}{} {}", out.empty() ? "" : " · ", reason, FormatCount(count));
  }
  return out;
}

std::string RenderCounts(const DedupReport& report) {
  const uint64_t all = report.documents;
  const uint64_t removed = report.removed_exact + report.removed_near;
  std::vector<Row> rows;
  rows.push_back(CountRow("documents", all, ""));
  rows.push_back(CountRow("kept", report.kept, FormatShare(report.kept, all),
                          report.empty == 0 ? "" : FormatCount(report.empty) + " without text"));
  rows.push_back(CountRow("removed", removed, FormatShare(removed, all),
                          fmt::format("exact {} · near {}", FormatCount(report.removed_exact),
                                      FormatCount(report.removed_near))));
  rows.push_back(CountRow("failed", report.failed_total(), FormatShare(report.failed_total(), all),
                          JoinReasons(report.failed)));
  rows.push_back(CountRow("clusters", report.clusters, "",
                          report.clusters == 0
                              ? ""
                              : "largest of " + FormatPlural(report.largest_cluster, "document")));
  return FormatTable(rows);
}

// What Theorem B says about this run.
std::string RenderClaim(const DedupReport& report, const DedupOptions& options) {
  if (options.mode == DedupMode::kExact) return "no two kept documents are equal";
  const std::string match = fmt::format("resemble each other {} or more", options.threshold);
  if (report.theorem_b_claim == "certain") {
    return fmt::format("no two kept documents {}: certain", match);
  }
  if (report.theorem_b_claim == "probable") {
    return fmt::format(
        "no two kept documents {}: each such pair was looked at\n"
        "             with probability 0.9999 or more; expected to be missed: {:.2g} pairs",
        match, report.expected_missed_pairs);
  }
  return fmt::format("not claimed: {} were left unverified",
                     FormatPlural(report.unverified_pairs, "pair"));
}

std::string RenderCost(const DedupReport& report) {
  const double megabytes = static_cast<double>(report.text_bytes) / 1e6;
  const std::string rate =
      report.cpu_seconds > 0
          ? fmt::format("{:.0f} MB of text per CPU second, ", megabytes / report.cpu_seconds)
          : "";
  const std::vector<Row> rows = {
      {"  size", fmt::format("{} in, {} of text, {} kept", FormatBytes(report.input_bytes),
                             FormatBytes(report.text_bytes), FormatBytes(report.kept_bytes))},
      {"  speed",
       fmt::format("{}{} in all, {} of CPU, {}", rate, FormatSeconds(report.wall_seconds),
                   FormatSeconds(report.cpu_seconds), FormatPlural(report.threads, "thread"))},
      {"  memory", FormatBytes(report.peak_memory_bytes) + " at most"},
      {"  pairs", fmt::format("{} candidates, {} verified", FormatCount(report.candidate_pairs),
                              FormatCount(report.verified_pairs))},
  };
  return FormatTable(rows);
}

std::string RenderNotes(const DedupReport& report) {
  std::string out;
  if (report.duplicate_ids > 0) {
    std::string examples;
    for (const std::string& id : report.duplicate_id_examples) {
      examples += fmt::format("{}\"{}\"", examples.empty() ? "" : ", ", MakePrintable(id));
    }
    out += fmt::format("  note       {}, such as {}\n",
                       FormatPlural(report.duplicate_ids, "repeated id"), examples);
  }
  for (const auto& [field, count] : report.missing_policy_values) {
    if (count == 0) continue;
    out += fmt::format("  note       {} without a usable value of \"{}\"\n",
                       FormatPlural(count, "document"), MakePrintable(field));
  }
  return out;
}

std::string RenderOutputs(const std::string& folder) {
  const std::string base = folder.ends_with('/') ? folder : folder + "/";
  const std::vector<Row> rows = {
      {"  " + base + "kept/", "the records that stay, their bytes unchanged"},
      {"  " + base + "removed.jsonl.zst", "each removed document, its keeper, why"},
      {"  " + base + "clusters.jsonl.zst", "each document of a cluster of two or more"},
      {"  " + base + "failed.jsonl.zst", "records that are no documents, and why"},
      {"  " + base + "report.json", "all of this for machines"},
  };
  return FormatTable(rows);
}

std::string RenderExample(const RemovalExample& example, size_t columns, const Palette& palette) {
  const auto fit_id = [](const std::string& id) {
    const std::string printable = MakePrintable(id);
    return DisplayWidth(printable) <= kIdColumns ? printable : FitToWidth(printable, kIdColumns);
  };
  const std::string figures =
      fmt::format("{}  resemblance {}, containments {} and {}", example.reason,
                  FormatSimilarity(example.resemblance), FormatSimilarity(example.containment),
                  FormatSimilarity(example.containment_of_kept));
  const size_t room = std::max<size_t>(columns, 30) - 14;
  const auto beginning = [&](const std::string& text) {
    const std::string printable = MakePrintable(text);
    std::string fitted = FitToWidth(printable, room);
    fitted.erase(fitted.find_last_not_of(' ') + 1);
    return fitted;
  };
  return fmt::format("\n  {} → {}   {}\n    {} {}\n    {} {}\n",
                     palette.Paint(Ink::kBold, fit_id(example.id)),
                     palette.Paint(Ink::kBold, fit_id(example.kept_id)), figures,
                     palette.Paint(Ink::kBad, "removed"), beginning(example.text),
                     palette.Paint(Ink::kGood, "kept   "), beginning(example.kept_text));
}

}  // namespace

std::string RenderDedupReport(const DedupReport& report, const DedupOptions& options,
                              size_t columns, const Palette& palette) {
  std::string out = RenderCounts(report);
  out += fmt::format("\n  claim      {}\n", RenderClaim(report, options));
  out += RenderCost(report);
  out += RenderNotes(report);
  out += fmt::format("\n{}\n", palette.Paint(Ink::kBold, "Written"));
  out += RenderOutputs(options.output);
  if (!report.examples.empty()) {
    out += fmt::format("\n{}", palette.Paint(Ink::kBold, "Some of the removals"));
    out += '\n';
    for (const RemovalExample& example : report.examples) {
      out += RenderExample(example, columns, palette);
    }
  }
  return out;
}

}  // namespace zhiwen
