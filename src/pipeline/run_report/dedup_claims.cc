#include "zhiwen/dedup_claims.h"

#include <fmt/format.h>

#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

std::string ComparedInPart(const DedupAudit& audit) {
  return FormatCount(audit.kept_in_part) + (audit.kept_in_part == 1 ? " was" : " were");
}

}  // namespace

double ChanceToMissAPair(const DedupReport& report, const DedupOptions& options) {
  if (report.theorem_b_claim == "certain") return 0;
  return options.mode == DedupMode::kContained ? 0.01 : 0.0001;
}

std::string ClaimOfKept(const DedupReport& report, const DedupOptions& options) {
  const bool is_contained = options.mode == DedupMode::kContained;
  std::string claim = is_contained
                          ? fmt::format("no kept document is {:g} % or more contained in another",
                                        options.threshold * 100)
                          : "no two kept documents";
  if (options.group_by) claim += is_contained ? " of its group" : " of one group";
  if (options.within) claim += fmt::format(" near in time ({})", DateLimitText(*options.within));
  if (options.mode == DedupMode::kExact) return claim + " are equal";
  if (!is_contained) claim += fmt::format(" resemble each other {} or more", options.threshold);
  const double chance = ChanceToMissAPair(report, options);
  if (chance == 0) return claim + ": certain";
  claim += fmt::format(
      ", unless the pair was never compared: {}the chance to miss a pair was at most {:g} %; {} "
      "missed pairs are expected",
      report.saturated_documents == 0 ? "" : "of all but the documents below, ", chance * 100,
      FormatEstimate(report.expected_missed_pairs));
  if (is_contained)
    claim += fmt::format(", a recall of {}", FormatPercent(report.expected_recall()));
  return claim;
}

std::string ClaimLeavesOut(const DedupReport& report) {
  if (report.saturated_documents == 0) return "";
  const bool is_one = report.saturated_documents == 1;
  return fmt::format(
      "{} {} mostly shared boilerplate: what contains {} may have been missed "
      "beyond that",
      FormatPlural(report.saturated_documents, "document"), is_one ? "is" : "are",
      is_one ? "it" : "them");
}

std::string ClaimOfCut(const DedupReport& report) {
  const uint64_t cut = report.cut_documents();
  if (cut == 0) return "";
  return fmt::format(
      "{} {} cut and not compared with other inputs: deduplicate the output to find duplicates "
      "among them",
      FormatPlural(cut, "document"), cut == 1 ? "was" : "were");
}

std::string FormatPerTenThousand(double share) { return fmt::format("{:.2f}", share * 10000); }

std::string DescribeResidual(const DedupReport& report, const DedupAudit& audit) {
  const std::string found = fmt::format(
      "{} of {} match{} {}", FormatCount(audit.kept_with_a_match),
      FormatPlural(audit.kept_checked, "kept document"), audit.kept_with_a_match == 1 ? "es" : "",
      report.against ? "another one or a reference" : "another one");
  if (audit.is_of_all(report.kept)) return found + ": all were checked";
  if (!audit.tells_residual() && audit.kept_in_part > 0) {
    return fmt::format(
        "{}; {} compared with some of the others only, too few to say how many of "
        "all do",
        found, ComparedInPart(audit));
  }
  if (!audit.tells_residual()) return found + "; too few were checked to say how many of all do";
  return fmt::format("95 % interval {} to {}; {}", FormatPerTenThousand(audit.residual.low),
                     FormatPerTenThousand(audit.residual.high), found);
}

std::string DescribeRecall(const DedupReport& report, const DedupAudit& audit) {
  if (audit.kept_with_a_match == 0 && audit.is_of_all(report.kept)) {
    return "no kept document should have been removed: all were checked";
  }
  if (!audit.tells_recall() && audit.kept_in_part > 0) {
    return fmt::format(
        "no kept document that should have been removed was found among the {} checked, but {} "
        "compared with some of the others only: no more can be said than {} or above",
        FormatCount(audit.kept_checked), ComparedInPart(audit), FormatPercent(audit.recall.low));
  }
  if (!audit.tells_recall() && report.removed_total() == 0) {
    return fmt::format("nothing was removed, and none of the {} checked should have been",
                       FormatPlural(audit.kept_checked, "kept document"));
  }
  if (!audit.tells_recall()) {
    return fmt::format(
        "no kept document that should have been removed was found among the {} "
        "checked, too few of all to say more than {} or above",
        FormatCount(audit.kept_checked), FormatPercent(audit.recall.low));
  }
  return fmt::format("95 % interval {} to {}", FormatPercent(audit.recall.low),
                     FormatPercent(audit.recall.high));
}

}  // namespace zhiwen
