#include <iterator>
#include <string>

#include <fmt/format.h>

#include "pipeline/run_report/rerun_command.h"
#include "zhiwen/calibration.h"
#include "zhiwen/figures.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

template <typename... Values>
void Line(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
  out += '\n';
}

std::string IntervalToToml(const ShareInterval& interval) {
  return fmt::format("{{ share = {:.6g}, low = {:.6g}, high = {:.6g} }}", interval.share,
                     interval.low, interval.high);
}

void AddRecommendation(std::string& out, const LengthCalibration& measured,
                       const ChangedCopies& asked) {
  Line(out, "verdict = \"{}\"", NameOfVerdict(measured.verdict));
  if (measured.radius) {
    Line(out, "radius = {}", *measured.radius);
    const ShareInterval joined = measured.unrelated.Joined(*measured.radius);
    Line(out, "false_joins = {}", IntervalToToml(joined));
    Line(out, "documents = {}", DocumentsWithFewFalseJoins(joined));
    if (asked.copies > 0) {
      Line(out, "found = {}", IntervalToToml(asked.Found(*measured.radius)));
    }
  }
  if (!measured.threshold) return;
  Line(out, "threshold = {:.2f}", *measured.threshold);
  Line(out, "found_at_threshold = {}", IntervalToToml(measured.found_at_threshold));
}

}  // namespace

std::string CalibrationToToml(const Calibration& calibration,
                              std::span<const std::string> command) {
  std::string out;
  Line(out, "# A recommendation of zhiwen calibrate for the texts that it was given. Made by");
  Line(out, "#   {}", QuoteCommand({command.begin(), command.end()}));
  Line(out,
       "# The radius is for zhiwen cluster and for indexes of codes, with the scheme below; the");
  Line(out, "# threshold is for zhiwen dedup, which compares the texts.");
  Line(out, "version = 1");
  Line(out, "program = \"zhiwen {}\"", Version());
  Line(out, "scheme = '{}'", calibration.scheme);
  if (calibration.unfit_below) {
    Line(out, "# Codes are unfit for texts of fewer characters: compare these by dedup or check.");
    Line(out, "unfit_below = {}", *calibration.unfit_below);
  }
  Line(out, "\n[sample]");
  Line(out, "documents = {}\ntexts = {}\nseed = {}", calibration.documents, calibration.texts,
       calibration.seed);
  Line(out, "unrelated_pairs = {}", calibration.all.unrelated.pairs());
  Line(out, "\n# What was wanted: of the pairs of texts with a resemblance below unrelated_below,");
  Line(out, "# at most one in false_joins_one_in joins; the share found of the copies in which");
  Line(out, "# the share changed of the characters was changed.");
  Line(out, "[target]");
  Line(out, "unrelated_below = {}\nfalse_joins_one_in = {}\nchanged = {}\nfound = {}",
       calibration.unrelated, calibration.false_joins_one_in, calibration.changed,
       calibration.found);
  Line(out,
       "\n# All lengths together. low and high are the ends of intervals at 95 %. In a corpus of");
  Line(out, "# up to `documents`, at most 1 in 100 has an unrelated one within the radius.");
  Line(out, "[all]");
  AddRecommendation(out, calibration.all, calibration.CopiesAsked(calibration.all));
  for (const LengthCalibration& length : calibration.lengths) {
    Line(out, "\n[[length]]  # {} characters", NameOfLength(length));
    Line(out, "from = {}", length.from);
    if (length.to > 0) Line(out, "to = {}", length.to);
    Line(out, "texts = {}", length.texts);
    AddRecommendation(out, length, calibration.CopiesAsked(length));
  }
  return out;
}

}  // namespace zhiwen
