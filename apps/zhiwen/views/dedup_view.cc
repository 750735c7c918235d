#include "views/dedup_view.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "terminal/table.h"
#include "zhiwen/dedup_claims.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kMargin = "  ";
constexpr size_t kCountColumns = 12;
constexpr size_t kShareColumns = 8;
constexpr size_t kLabelColumns = 11;
constexpr size_t kExampleMargin = 12;     // before the name of an example
constexpr size_t kLeastTextColumns = 20;  // for an example
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
  std::string syntax;
  for (const auto& [name, files] : report.encodings) {
    syntax +=
        fmt::format("{}{} in {}", syntax.empty() ? "" : " · ", FormatPlural(files, "file"), name);
  }
  for (const auto& [name, files] : report.separators) {
    syntax += fmt::format("{}{} with {}", syntax.empty() ? "" : " · ",
                          FormatPlural(files, "CSV file"), name);
  }
  rows.push_back(CountRow("documents", all, "", syntax));
  rows.push_back(CountRow("kept", report.kept, FormatShare(report.kept, all),
                          report.empty == 0 ? "" : FormatCount(report.empty) + " without text"));
  const bool marks_some = options.against_action == ReferenceAction::kMark;
  const uint64_t marked = marks_some ? report.removed_against : removed;
  if (options.mark && marked > 0) {
    const std::string in_kept = fmt::format("kept/ has {}, with the {} marked",
                                            FormatCount(report.kept + marked), FormatCount(marked));
    std::string& detail = rows.back().back();
    detail += (detail.empty() ? "" : " · ") + in_kept;
  }
  rows.push_back(
      CountRow("removed", removed, FormatShare(removed, all), DescribeReasons(report, options)));
  rows.push_back(CountRow("failed", report.failed_total(), FormatShare(report.failed_total(), all),
                          JoinReasons(report.failed)));
  rows.push_back(CountRow("clusters", report.clusters, "",
                          report.clusters == 0
                              ? ""
                              : "largest of " + FormatPlural(report.largest_cluster, "document")));
  if (report.too_short > 0) {
    rows.push_back(CountRow("too short", report.too_short, FormatShare(report.too_short, all),
                            "of the documents, kept or removed: no shingle on the channel, so "
                            "compared as whole texts"));
  }
  return FormatTable(rows, columns);
}

std::string DescribeReferences(const AgainstReport& against, const DedupReport& report,
                               const DedupOptions& options) {
  std::string out = fmt::format("{}, {} hit", FormatPlural(against.references, "reference"),
                                FormatCount(against.hit));
  if (against.unmatchable > 0) {
    out += fmt::format(", {} that nothing can match", FormatCount(against.unmatchable));
  }
  if (options.against_action == ReferenceAction::kMark) {
    out += fmt::format("; {} marked, not left out", FormatPlural(report.removed_against, "input"));
  }
  if (against.cuts) {
    out += fmt::format("; {} cut out of {}, {}", FormatPlural(against.cuts->passages, "passage"),
                       FormatPlural(against.cuts->documents, "document"),
                       FormatPlural(against.cuts->code_points, "character"));
  }
  return out;
}

std::string DescribeTime(const DedupReport& report) {
  std::string out =
      fmt::format("{} with {}, {} of CPU", FormatSeconds(report.wall_seconds),
                  FormatPlural(report.threads, "thread"), FormatSeconds(report.cpu_seconds));
  if (report.cpu_seconds <= 0) return out;
  const double megabytes = static_cast<double>(report.text_bytes) / 1e6;
  return out + fmt::format("; {:.0f} MB of text per CPU second", megabytes / report.cpu_seconds);
}

// Shortens a place at its beginning, because its end tells more.
std::string ShortPlace(const std::string& place) {
  std::string printable = MakePrintable(place);
  if (DisplayWidth(printable) <= kPlaceColumns) return printable;
  return "…" + std::string(EndToWidth(printable, kPlaceColumns - 1));
}

std::string ShortId(const std::string& id) {
  const std::string printable = MakePrintable(id);
  return DisplayWidth(printable) <= kIdColumns ? printable : FitToWidth(printable, kIdColumns);
}

std::string DescribeMemory(const DedupReport& report, const DedupOptions& options) {
  std::string out = fmt::format("{} at peak, {} allowed", FormatBytes(report.peak_memory_bytes),
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
    rows.push_back({"  damaged", fmt::format("{}, read up to the damage, such as \"{}\" {}",
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
        {"  note", fmt::format("{} an id, such as \"{}\": \"source\" in removed.jsonl.zst "
                               "tells them apart",
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

// Appends three lines about the audit of a run, and more when it could not check everything.
void AppendAudit(const DedupReport& report, std::vector<Row>& rows) {
  const DedupAudit& audit = *report.audit;
  rows.push_back({"  audit", fmt::format("duplicates left: {} per 10,000 kept; {}",
                                         FormatPerTenThousand(audit.residual.share),
                                         DescribeResidual(report, audit))});
  rows.push_back(
      {"", fmt::format("wrong removals: {} of {} checked again from the source",
                       FormatCount(audit.removals_wrong), FormatCount(audit.removals_checked))});
  rows.push_back(
      {"", fmt::format("recall: {} of what should be removed; {}",
                       FormatPercent(audit.recall.share), DescribeRecall(report, audit))});
  if (audit.kept_in_part > 0) {
    const bool is_one = audit.kept_in_part == 1;
    rows.push_back({"", fmt::format("{} of the kept documents checked {} like so many others that "
                                    "{} compared with some of them only",
                                    FormatCount(audit.kept_in_part), is_one ? "looks" : "look",
                                    is_one ? "it was" : "they were")});
  }
  if (audit.removals_too_long + audit.kept_too_long > 0) {
    rows.push_back(
        {"", fmt::format("too long to be checked: {} of the removals drawn, {} of all "
                         "kept documents",
                         FormatCount(audit.removals_too_long), FormatCount(audit.kept_too_long))});
  }
}

std::string RenderFacts(const DedupReport& report, const DedupOptions& options, size_t columns) {
  std::vector<Row> rows;
  rows.push_back({"  claim", ClaimOfKept(report, options)});
  if (const std::string rest = ClaimLeavesOut(report); !rest.empty()) rows.push_back({"", rest});
  if (const std::string cut = ClaimOfCut(report); !cut.empty()) rows.push_back({"", cut});
  if (options.within) {
    rows.push_back({"", fmt::format("dates farther apart than the limit, {}, never match",
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
  rows.push_back({"  pairs", fmt::format("{} among {}, {} matched",
                                         FormatPlural(report.candidate_pairs, "candidate pair"),
                                         FormatPlural(report.compared_documents, "document"),
                                         FormatCount(report.matched_pairs))});
  if (report.against) {
    rows.push_back({"  against", DescribeReferences(*report.against, report, options)});
  }
  rows.push_back(
      {"  size", fmt::format("{} in, {} of text, {} kept", FormatBytes(report.input_bytes),
                             FormatBytes(report.text_bytes), FormatBytes(report.kept_bytes))});
  rows.push_back({"  time", DescribeTime(report)});
  rows.push_back({"  memory", DescribeMemory(report, options)});
  AppendNotes(report, rows);
  for (Row& row : rows) row[0] = FitToWidth(row[0], kLabelColumns);
  return FormatTable(rows, columns);
}

std::string_view DescribeKept(const DedupOptions& options) {
  if (options.against_action == ReferenceAction::kMark) {
    return "the kept records, with those marked that match a reference";
  }
  if (options.against_action == ReferenceAction::kCut && !options.against.empty()) {
    return options.mark ? "all records, with the removed ones marked, without what was cut"
                        : "the kept records, without what was cut";
  }
  if (options.mark) return "all records, with the removed ones marked";
  if (options.add_cluster_size) return "the kept records, with cluster_size";
  return "the kept records, unchanged";
}

std::string RenderOutputs(const DedupOptions& options, const DedupReport& report, size_t columns) {
  const std::string& folder = options.output;
  const std::string base = folder.ends_with('/') ? folder : folder + "/";
  std::vector<Row> rows = {
      {"  " + base + "kept/", std::string(DescribeKept(options))},
      {"  " + base + "removed.jsonl.zst",
       fmt::format(
           "the removed documents, each with {} and the reason",
           report.removed_representative ? "the representative of its cluster" : "its keeper")},
      {"  " + base + "clusters.jsonl.zst", "the documents of clusters of two or more"},
      {"  " + base + "failed.jsonl.zst", "the records that could not be used, and why"},
      {"  " + base + "report.html", "this report as a page, with texts side by side"},
      {"  " + base + "report.json", "this report as JSON"},
  };
  if (report.against) {
    rows.insert(rows.begin() + 4, {{"  " + base + "references.jsonl.zst",
                                    "the references that were hit, and how often"},
                                   {"  " + base + "unmatchable.jsonl.zst",
                                    "the references that nothing can match, and why"}});
    if (report.against->cuts) {
      rows.insert(rows.begin() + 6, {"  " + base + "cuts.jsonl.zst",
                                     "the passages that were cut out, each with its references"});
    }
  }
  return FormatTable(rows, columns);
}

// Returns the name of an example's document. The name includes the place when both documents, `id`
// and `other`, have the same id.
std::string ExampleName(const std::string& id, const std::string& other, const std::string& place) {
  if (id != other || place.empty() || place == id) return MakePrintable(id);
  return fmt::format("{} ({})", ShortId(id), ShortPlace(place));
}

// Returns a line with the name in its own column, followed by the beginning of the text.
std::string RenderExampleText(const std::string& name, size_t columns_of_name,
                              const std::string& text, size_t columns) {
  std::string line = fmt::format("{}  {}", FitToWidth(name, columns_of_name), MakePrintable(text));
  line = FitToWidth(line, columns);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string DescribeMatch(const RemovalExample& example) {
  const auto& [run, counted] = example.with_reference;
  std::string out;
  if (run > 0) out = fmt::format("{} consecutive characters or words in common", FormatCount(run));
  if (run > 0 && example.resemblance == 0) return out;
  out += fmt::format(
      "{}resemblance {}; {} of the input is in the reference, {} of the reference "
      "in the input",
      out.empty() ? "" : "; ", FormatSimilarity(example.resemblance),
      FormatContainment(example.containment), FormatContainment(example.containment_of_kept));
  if (!counted || *counted == example.containment_of_kept) return out;
  return out + fmt::format(" ({} without common shingles)", FormatContainment(*counted));
}

std::string DescribeRemoval(const RemovalExample& example, const DedupReport& report) {
  if (example.reason == "key") return "the same key";
  if (example.reason == "exact") return "identical texts";
  if (example.reason == "against" && example.resemblance >= 1) return "identical to a reference";
  if (example.reason == "against") return DescribeMatch(example);
  const bool is_kept = !report.removed_representative;
  return fmt::format("resemblance {}; {} of the {} text is in the {}, {} of the {} {} in the {}",
                     FormatSimilarity(example.resemblance), FormatContainment(example.containment),
                     is_kept ? "removed" : "first", is_kept ? "kept one" : "second",
                     FormatContainment(example.containment_of_kept), is_kept ? "kept" : "second",
                     is_kept ? "text" : "one", is_kept ? "removed one" : "first");
}

// Paints the name of the other document of an example. That document is a reference, or kept,
// unless no document of a cluster is.
std::string PaintKept(const RemovalExample& example, const DedupReport& report,
                      const Palette& palette) {
  if (example.reason == "against") return palette.Paint(Ink::kGood, "against");
  const bool is_kept = !report.removed_representative;
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
      {std::string(kMargin) + example.reason, DescribeRemoval(example, report)}};
  const std::string described =
      FormatTable(title, columns).substr(kMargin.size() + example.reason.size());
  return fmt::format("\n{}{}{}    {} {}\n    {} {}\n", kMargin,
                     palette.Paint(Ink::kBold, example.reason), described,
                     palette.Paint(Ink::kBad, "removed"),
                     RenderExampleText(name, name_columns, example.text, room),
                     PaintKept(example, report, palette),
                     RenderExampleText(kept_name, name_columns, example.kept_text, room));
}

// Renders references below a title, each with its text.
std::string RenderReferenceTable(const std::string& title, const std::vector<ReferenceHits>& shown,
                                 bool has_hits, size_t columns, const Palette& palette) {
  std::string out = fmt::format("\n{}\n", palette.Paint(Ink::kBold, title));
  const size_t room = std::max<size_t>(columns, 40) - kExampleMargin;
  size_t name_columns = 0;
  std::vector<std::string> names;
  for (const ReferenceHits& one : shown) {
    names.push_back(fmt::format("{} ({})", ShortId(one.id), ShortPlace(one.source)));
    name_columns = std::max(name_columns, DisplayWidth(names.back()));
  }
  name_columns = std::min(name_columns, room / 2);
  for (size_t i = 0; i < shown.size(); ++i) {
    const std::string hits =
        has_hits ? AlignRight(FormatCount(shown[i].hits), kShareColumns) + "  " : "";
    out += fmt::format("{}{}{}\n", kMargin, hits,
                       RenderExampleText(names[i], name_columns, shown[i].text, room));
  }
  return out;
}

// Returns the references of a list that nothing can match, and says where the others are.
std::string RenderUnmatchable(std::string_view what, const ReferenceList& list, size_t columns,
                              const Palette& palette) {
  if (list.count == 0) return "";
  std::string out = RenderReferenceTable(fmt::format("{}: {}", what, FormatCount(list.count)),
                                         list.first, false, columns, palette);
  if (list.count == list.first.size()) return out;
  return out +
         fmt::format("{}the first {}; unmatchable.jsonl.zst has all\n", kMargin, list.first.size());
}

// Returns the references that a user should look at.
std::string RenderReferences(const AgainstReport& against, size_t columns, const Palette& palette) {
  std::string out;
  if (!against.most_hit.empty()) {
    out += RenderReferenceTable("References with the most hits", against.most_hit, true, columns,
                                palette);
  }
  out += RenderUnmatchable("References without text", against.empty, columns, palette);
  out += RenderUnmatchable("References too short to match", against.too_short, columns, palette);
  out += RenderUnmatchable("References with too few uncommon shingles", against.too_common, columns,
                           palette);
  if (against.common_shingles == 0) return out;
  out += fmt::format("\n{}\n",
                     palette.Paint(Ink::kBold, fmt::format("Shingles that too many inputs have: {}",
                                                           FormatCount(against.common_shingles))));
  for (const CommonShingle& one : against.most_common) {
    out += fmt::format("{}{}  {}\n", kMargin, AlignRight(FormatCount(one.inputs), kShareColumns),
                       FitToWidth(MakePrintable(one.text), kIdColumns));
    out.erase(out.find_last_not_of(" \n") + 1);
    out += '\n';
  }
  const size_t shown = against.most_common.size();
  return against.common_shingles == shown
             ? out
             : out + fmt::format("{}the {} that the most inputs have\n", kMargin, shown);
}

}  // namespace

std::string RenderDedupReport(const DedupReport& report, const DedupOptions& options,
                              size_t columns, const Palette& palette) {
  std::string out = RenderCounts(report, options, columns);
  out += '\n' + RenderFacts(report, options, columns);
  out += fmt::format("\n{}\n", palette.Paint(Ink::kBold, "Written"));
  out += RenderOutputs(options, report, columns);
  if (report.against) out += RenderReferences(*report.against, columns, palette);
  if (!report.examples.empty()) {
    out += fmt::format("\n{}\n", palette.Paint(Ink::kBold, "Examples of removals"));
    for (const RemovalExample& example : report.examples) {
      out += RenderExample(example, report, columns, palette);
    }
  }
  return out;
}

}  // namespace zhiwen
