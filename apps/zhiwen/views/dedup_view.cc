#include "views/dedup_view.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "terminal/figures.h"
#include "zhiwen/display.h"

namespace zhiwen {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kMargin = "  ";
constexpr size_t kCountColumns = 12;
constexpr size_t kShareColumns = 8;
constexpr size_t kLabelColumns = 11;
constexpr size_t kExampleMargin = 12;     // before the name of an example
constexpr size_t kLeastTextColumns = 20;  // of an example
constexpr size_t kIdColumns = 32;
constexpr size_t kPlaceColumns = 32;

std::string AlignRight(const std::string& text, size_t columns) {
  const size_t width = DisplayWidth(text);
  return std::string(columns > width ? columns - width : 0, ' ') + text;
}

Row CountRow(std::string_view name, uint64_t count, const std::string& share,
             std::string detail = "") {
  return {std::string(kMargin) + std::string(name), AlignRight(FormatCount(count), kCountColumns),
          AlignRight(share, kShareColumns), std::move(detail)};
}

std::string JoinReasons(const std::vector<std::pair<std::string, uint64_t>>& reasons) {
  std::string out;
  for (const auto& [reason, count] : reasons) {
    out += fmt::format("{}{} {}", out.empty() ? "" : " · ", reason, FormatCount(count));
  }
  return out;
}

std::string DescribeReasons(const DedupReport& report, const DedupOptions& options) {
  std::vector<std::pair<std::string, uint64_t>> reasons = {{"exact", report.removed_exact}};
  if (options.mode == DedupMode::kContained) {
    reasons.emplace_back("contained", report.removed_contained);
  } else {
    reasons.emplace_back("near", report.removed_near);
  }
  if (report.against) reasons.emplace_back("against", report.removed_against);
  if (report.removed_key) reasons.emplace_back("key", *report.removed_key);
  if (report.removed_representative) {
    reasons.emplace_back("representative", *report.removed_representative);
  }
  return JoinReasons(reasons);
}

std::string RenderCounts(const DedupReport& report, const DedupOptions& options, size_t columns) {
  const uint64_t all = report.documents;
  const uint64_t removed = report.removed_total();
  std::vector<Row> rows;
  rows.push_back(CountRow("documents", all, ""));
  rows.push_back(CountRow("kept", report.kept, FormatShare(report.kept, all),
                          report.empty == 0 ? "" : FormatCount(report.empty) + " without text"));
  if (report.too_short > 0) {
    rows.push_back(CountRow("too short", report.too_short, FormatShare(report.too_short, all),
                            "no shingle on the channel: compared as whole texts"));
  }
  rows.push_back(
      CountRow("removed", removed, FormatShare(removed, all), DescribeReasons(report, options)));
  rows.push_back(CountRow("failed", report.failed_total(), FormatShare(report.failed_total(), all),
                          JoinReasons(report.failed)));
  rows.push_back(CountRow("clusters", report.clusters, "",
                          report.clusters == 0
                              ? ""
                              : "largest of " + FormatPlural(report.largest_cluster, "document")));
  return FormatTable(rows, columns);
}

// Returns the claim of Theorem B about this run, one string a line.
std::vector<std::string> DescribeClaim(const DedupReport& report, const DedupOptions& options) {
  const std::string two =
      fmt::format("no two kept documents{}", options.group_by ? " of one group" : "");
  if (options.mode == DedupMode::kExact) return {two + " are equal"};
  const std::string claim =
      options.mode == DedupMode::kContained
          ? fmt::format("no kept document lies in another one{} to {} or more",
                        options.group_by ? " of its group" : "", options.threshold)
          : fmt::format("{} resemble each other {} or more", two, options.threshold);
  if (report.theorem_b_claim == "certain") return {claim + ": certain"};
  // Short enough to be two lines of a usual terminal.
  if (options.group_by && options.mode == DedupMode::kNear) {
    return {claim + ":",
            fmt::format("each such pair was looked at with probability 0.9999 or more; expected to "
                        "be missed: {:.2g} pairs",
                        report.expected_missed_pairs)};
  }
  if (options.mode == DedupMode::kContained) {
    std::vector<std::string> lines = {
        claim + ": each such pair was",
        fmt::format("looked at with probability 0.99 or more; expected recall {:.4f}",
                    report.expected_recall())};
    if (report.saturated_documents > 0) {
      lines.push_back(fmt::format("not counting {} made of what hundreds share",
                                  FormatPlural(report.saturated_documents, "document")));
    }
    return lines;
  }
  return {claim + ": each such pair was looked",
          fmt::format("at with probability 0.9999 or more; expected to be missed: {:.2g} pairs",
                      report.expected_missed_pairs)};
}

std::string DescribeReferences(const AgainstReport& against) {
  std::string out = fmt::format("{}, {} hit", FormatPlural(against.references, "reference"),
                                FormatCount(against.hit));
  if (against.unmatchable > 0) {
    out += fmt::format(", {} too short to match", FormatCount(against.unmatchable));
  }
  return out;
}

std::string DescribeSpeed(const DedupReport& report) {
  const double megabytes = static_cast<double>(report.text_bytes) / 1e6;
  std::string out;
  if (report.cpu_seconds > 0) {
    out = fmt::format("{:.0f} MB of text per CPU second; ", megabytes / report.cpu_seconds);
  }
  return out + fmt::format("{}, {} of CPU, {}", FormatSeconds(report.wall_seconds),
                           FormatSeconds(report.cpu_seconds),
                           FormatPlural(report.threads, "thread"));
}

// The end of a place tells more than its beginning.
std::string ShortPlace(const std::string& place) {
  const std::string printable = MakePrintable(place);
  std::string_view end = printable;
  while (DisplayWidth(end) >= kPlaceColumns) {
    do {
      end.remove_prefix(1);
    } while (!end.empty() && (static_cast<unsigned char>(end.front()) & 0xC0) == 0x80);
  }
  return end.size() == printable.size() ? printable : "…" + std::string(end);
}

std::string ShortId(const std::string& id) {
  const std::string printable = MakePrintable(id);
  return DisplayWidth(printable) <= kIdColumns ? printable : FitToWidth(printable, kIdColumns);
}

std::string DescribeMemory(const DedupReport& report, const DedupOptions& options) {
  std::string out = fmt::format("{} at most, {} allowed", FormatBytes(report.peak_memory_bytes),
                                FormatBytes(options.memory_bytes));
  if (report.scratch_bytes > 0) {
    out += fmt::format("; {} written to scratch", FormatBytes(report.scratch_bytes));
  }
  return out;
}

void AppendNotes(const DedupReport& report, std::vector<Row>& rows) {
  if (!report.bad_files.empty()) {
    const DamagedFile& first = report.bad_files.front();
    const std::string read =
        first.is_left_out ? "left out" : "with " + FormatPlural(first.records, "record");
    rows.push_back({"  damaged", fmt::format("{}, read as far as sound, such as \"{}\" {}",
                                             FormatPlural(report.bad_files.size(), "file"),
                                             ShortId(first.name), read)});
  }
  if (report.kept_links > 0) {
    rows.push_back(
        {"  note", fmt::format("{} in kept/ {} to the input{}: to edit one is to edit "
                               "both",
                               FormatPlural(report.kept_links, "text"),
                               report.kept_links == 1 ? "is a hard link" : "are hard links",
                               report.kept_links == 1 ? "" : "s")});
  }
  const std::vector<std::string>& examples = report.duplicate_id_examples;
  if (report.duplicate_ids > 0 && !examples.empty()) {
    rows.push_back(
        {"  note", fmt::format("{} an id, such as \"{}\": \"source\" tells them apart",
                               report.duplicate_ids == 1
                                   ? std::string("1 record repeats")
                                   : FormatCount(report.duplicate_ids) + " records repeat",
                               ShortId(examples.front()))});
  }
  if (report.missing_group_values.value_or(0) > 0) {
    rows.push_back({"  note", FormatPlural(*report.missing_group_values, "document") +
                                  " without a value to group by: one group"});
  }
  if (report.missing_dates.value_or(0) > 0) {
    rows.push_back({"  note", FormatPlural(*report.missing_dates, "document") +
                                  " without a date: never too far from others"});
  }
  if (report.missing_key_values.value_or(0) > 0) {
    rows.push_back({"  note", FormatPlural(*report.missing_key_values, "document") +
                                  " without a key: compared by their texts alone"});
  }
  for (const auto& [field, count] : report.missing_policy_values) {
    if (count == 0) continue;
    rows.push_back({"  note", fmt::format("{} without a usable value of \"{}\"",
                                          FormatPlural(count, "document"), MakePrintable(field))});
  }
}

std::string DescribePerTenThousand(double share) {
  const double per = share * 10000;
  return per < 100 ? fmt::format("{:.3g}", per)
                   : FormatCount(static_cast<uint64_t>(std::llround(per)));
}

// Returns the bound that the checked kept documents imply for all kept documents.
std::string DescribeResidual(const DedupReport& report, const DedupAudit& audit) {
  const std::string other = report.against ? "another or a reference" : "another";
  const std::string checked = FormatPlural(audit.kept_checked, "kept document");
  const bool is_all = audit.is_of_all(report.kept);
  if (audit.kept_with_a_match == 0) {
    const std::string none = fmt::format("none of {} checked matches {}", checked, other);
    if (is_all) return none + ": these are all";
    if (!audit.tells_residual()) return none + ", too few to say more";
    return fmt::format("{}: at most {} per 10,000 (95 %)", none,
                       DescribePerTenThousand(audit.residual.high));
  }
  const std::string found =
      fmt::format("{} of {} {} {}", FormatCount(audit.kept_with_a_match), checked,
                  audit.kept_with_a_match == 1 ? "matches" : "match", other);
  if (is_all) return found + ": all were checked";
  return fmt::format("{}: {} per 10,000 kept ({} to {} at 95 %)", found,
                     DescribePerTenThousand(audit.residual.share),
                     DescribePerTenThousand(audit.residual.low),
                     DescribePerTenThousand(audit.residual.high));
}

// Nothing where no duplicate was found left, and too little was checked to bound how many there
// are.
std::string DescribeRecall(const DedupAudit& audit) {
  if (!audit.tells_recall()) return "";
  return fmt::format("; recall {} to {}", FormatSimilarity(audit.recall.low),
                     FormatSimilarity(audit.recall.high));
}

// Two lines about a run that checked itself, and more where it could not look at everything.
void AppendAudit(const DedupReport& report, std::vector<Row>& rows) {
  const DedupAudit& audit = *report.audit;
  const std::string wrong =
      audit.removals_wrong == 0 ? "none wrong" : FormatCount(audit.removals_wrong) + " wrong";
  rows.push_back({"  audit", fmt::format("{} checked from the source, {}{}",
                                         FormatPlural(audit.removals_checked, "removal"), wrong,
                                         DescribeRecall(audit))});
  rows.push_back({"", DescribeResidual(report, audit)});
  if (audit.kept_in_part > 0) {
    const bool is_one = audit.kept_in_part == 1;
    rows.push_back({"", fmt::format("{} of these {} like so many others that {} compared with some "
                                    "of them only",
                                    FormatCount(audit.kept_in_part), is_one ? "looks" : "look",
                                    is_one ? "it was" : "they were")});
  }
  if (audit.removals_too_long + audit.kept_too_long > 0) {
    rows.push_back({"", fmt::format("too long for it: {} drawn, {} of all",
                                    FormatPlural(audit.removals_too_long, "removal"),
                                    FormatPlural(audit.kept_too_long, "kept document"))});
  }
}

std::string RenderFacts(const DedupReport& report, const DedupOptions& options, size_t columns) {
  std::vector<Row> rows;
  for (const std::string& line : DescribeClaim(report, options)) {
    rows.push_back({rows.empty() ? "  claim" : "", line});
  }
  if (options.within) {
    rows.push_back({"", fmt::format("dates farther apart than {} never match",
                                    DateLimitText(*options.within))});
  }
  if (report.removed_key) {
    rows.push_back({"", fmt::format("no two kept documents{} have one key: certain",
                                    options.group_by ? " of one group" : "")});
  }
  if (report.removed_representative) {
    rows.push_back({"", "no member of a cluster is kept: certain"});
  }
  if (report.audit) AppendAudit(report, rows);
  rows.push_back(
      {"  pairs", fmt::format("{}, {} verified", FormatPlural(report.candidate_pairs, "candidate"),
                              FormatCount(report.verified_pairs))});
  if (report.against) rows.push_back({"  against", DescribeReferences(*report.against)});
  rows.push_back(
      {"  size", fmt::format("{} in, {} of text, {} kept", FormatBytes(report.input_bytes),
                             FormatBytes(report.text_bytes), FormatBytes(report.kept_bytes))});
  rows.push_back({"  speed", DescribeSpeed(report)});
  rows.push_back({"  memory", DescribeMemory(report, options)});
  AppendNotes(report, rows);
  for (Row& row : rows) row[0] = FitToWidth(row[0], kLabelColumns);
  return FormatTable(rows, columns);
}

std::string_view DescribeKept(const DedupOptions& options) {
  if (options.mark) return "all records, the removed ones marked";
  if (options.add_cluster_size) return "the records that stay, with cluster_size";
  return "the records that stay, unchanged";
}

std::string RenderOutputs(const DedupOptions& options, const DedupReport& report, size_t columns) {
  const std::string& folder = options.output;
  const std::string base = folder.ends_with('/') ? folder : folder + "/";
  std::vector<Row> rows = {
      {"  " + base + "kept/", std::string(DescribeKept(options))},
      {"  " + base + "removed.jsonl.zst", "each removed document, its keeper, why"},
      {"  " + base + "clusters.jsonl.zst", "each document of a cluster of two or more"},
      {"  " + base + "failed.jsonl.zst", "records that are no documents, and why"},
      {"  " + base + "report.html", "all of this as a page, with texts side by side"},
      {"  " + base + "report.json", "all of this for machines"},
  };
  if (report.against) {
    rows.insert(rows.begin() + 4,
                {"  " + base + "references.jsonl.zst", "each reference that was hit, how often"});
  }
  return FormatTable(rows, columns);
}

// Returns the name of an example's document. When both documents, `id` and `other`, have one id,
// the name shows the place as well.
std::string ExampleName(const std::string& id, const std::string& other, const std::string& place) {
  if (id != other || place.empty() || place == id) return MakePrintable(id);
  return fmt::format("{} ({})", ShortId(id), ShortPlace(place));
}

// Returns a line with the name in a column of its own and then the beginning of the text.
std::string RenderExampleText(const std::string& name, size_t columns_of_name,
                              const std::string& text, size_t columns) {
  std::string line = fmt::format("{}  {}", FitToWidth(name, columns_of_name), MakePrintable(text));
  line = FitToWidth(line, columns);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string DescribeRemoval(const RemovalExample& example) {
  if (example.reason == "key") return "the same key";
  if (example.reason == "exact") return "the same text";
  if (example.reason == "against" && example.resemblance >= 1) return "the text of a reference";
  return fmt::format("resemblance {}; {} of it is in the kept one, {} of that in it",
                     FormatSimilarity(example.resemblance), FormatSimilarity(example.containment),
                     FormatSimilarity(example.containment_of_kept));
}

// The other document of an example: kept, unless nothing of a cluster is.
std::string PaintKept(const RemovalExample& example, const DedupReport& report,
                      const Palette& palette) {
  const bool is_kept = !report.removed_representative || example.reason == "against";
  return is_kept ? palette.Paint(Ink::kGood, "kept   ") : palette.Paint(Ink::kBad, "removed");
}

std::string RenderExample(const RemovalExample& example, const DedupReport& report, size_t columns,
                          const Palette& palette) {
  const size_t room = std::max<size_t>(columns, 40) - kExampleMargin;
  const std::string name = ExampleName(example.id, example.kept_id, example.source);
  const std::string kept_name = ExampleName(example.kept_id, example.id, example.kept_source);
  const bool has_places = example.id == example.kept_id;
  const size_t names = std::max(DisplayWidth(name), DisplayWidth(kept_name));
  const size_t most = has_places ? std::max(room - kLeastTextColumns, room / 2) : room / 2;
  const size_t name_columns = std::min({names, has_places ? SIZE_MAX : kIdColumns, most});
  const std::vector<Row> title = {
      {std::string(kMargin) + example.reason, DescribeRemoval(example)}};
  const std::string described =
      FormatTable(title, columns).substr(kMargin.size() + example.reason.size());
  return fmt::format("\n{}{}{}    {} {}\n    {} {}\n", kMargin,
                     palette.Paint(Ink::kBold, example.reason), described,
                     palette.Paint(Ink::kBad, "removed"),
                     RenderExampleText(name, name_columns, example.text, room),
                     PaintKept(example, report, palette),
                     RenderExampleText(kept_name, name_columns, example.kept_text, room));
}

}  // namespace

std::string RenderDedupReport(const DedupReport& report, const DedupOptions& options,
                              size_t columns, const Palette& palette) {
  std::string out = RenderCounts(report, options, columns);
  out += '\n' + RenderFacts(report, options, columns);
  out += fmt::format("\n{}\n", palette.Paint(Ink::kBold, "Written"));
  out += RenderOutputs(options, report, columns);
  if (!report.examples.empty()) {
    out += fmt::format("\n{}\n", palette.Paint(Ink::kBold, "Some of the removals"));
    for (const RemovalExample& example : report.examples) {
      out += RenderExample(example, report, columns, palette);
    }
  }
  return out;
}

}  // namespace zhiwen
