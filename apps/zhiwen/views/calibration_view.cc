#include "views/calibration_view.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "terminal/table.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr double kMillion = 1e6;

// Changes with a column of their own; the others are in JSON and on the page.
constexpr size_t kFirstShown = 1, kLastShown = 4;

std::string SharePercent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// Returns "91.2 % (90.3–92.0)".
std::string WithInterval(const ShareInterval& interval) {
  return fmt::format("{} ({:.1f}–{:.1f})", SharePercent(interval.share), 100 * interval.low,
                     100 * interval.high);
}

// Returns "0.30 (0.10–0.90)" for `interval` times `many`.
std::string CountInterval(const ShareInterval& interval, double many) {
  return fmt::format("{} ({}–{})", FormatEstimate(interval.share * many),
                     FormatEstimate(interval.low * many), FormatEstimate(interval.high * many));
}

std::string ChangedName(double share) { return fmt::format("{:g} %", 100 * share); }

std::string_view VerdictWords(RadiusVerdict verdict) {
  switch (verdict) {
    case RadiusVerdict::kFit:
      return "a radius fits";
    case RadiusVerdict::kUnfit:
      return "no radius fits";
    case RadiusVerdict::kNotSure:
      return "not sure whether a radius fits";
    case RadiusVerdict::kTooFew:
      break;
  }
  return "too few pairs to say";
}

std::vector<std::string> RowOf(const LengthCalibration& measured, double changed) {
  std::vector<std::string> row = {NameOfLength(measured), FormatCount(measured.texts)};
  const std::optional<uint32_t> radius = measured.used_radius;
  row.push_back(!radius           ? "–"
                : measured.radius ? fmt::format("{}", *radius)
                                  : fmt::format("({})", *radius));
  row.push_back(CountInterval(measured.unrelated.Joined(radius.value_or(0)), kMillion));
  for (size_t i = kFirstShown; i <= kLastShown; ++i) {
    const ChangedCopies& copies = measured.changed[i];
    if (!radius || copies.copies == 0) {
      row.emplace_back("–");
      continue;
    }
    const ShareInterval found = copies.Found(*radius);
    row.push_back(kChangedShares[i] == changed ? WithInterval(found) : SharePercent(found.share));
  }
  row.push_back(measured.threshold ? fmt::format("{:.2f}", *measured.threshold) : "–");
  row.emplace_back(VerdictWords(measured.verdict));
  return row;
}

std::string RenderLengths(const Calibration& calibration) {
  Rows rows = {{"characters", "texts", "radius", "false joins in 10⁶"}};
  for (size_t i = kFirstShown; i <= kLastShown; ++i) {
    rows[0].push_back((i == kFirstShown ? "finds " : "") + ChangedName(kChangedShares[i]));
  }
  rows[0].insert(rows[0].end(), {"threshold", "verdict"});
  for (const LengthCalibration& length : calibration.lengths) {
    rows.push_back(RowOf(length, calibration.changed));
  }
  rows.push_back(RowOf(calibration.all, calibration.changed));
  return FormatTable(rows);
}

std::string RenderSample(const Calibration& calibration) {
  Rows rows = {{"scheme", calibration.scheme}};
  std::string texts = fmt::format("{} drawn from {}", FormatCount(calibration.texts),
                                  FormatPlural(calibration.documents, "document"));
  if (calibration.all.without_code > 0) {
    texts += fmt::format("; {} without a code", FormatCount(calibration.all.without_code));
  }
  if (calibration.too_long > 0) {
    texts += fmt::format("; {} too long and left out", FormatCount(calibration.too_long));
  }
  rows.push_back({"texts", texts});
  rows.push_back(
      {"pairs", fmt::format("{} unrelated; {} left out, with a resemblance of {:g} or more",
                            FormatCount(calibration.all.unrelated.pairs()),
                            FormatCount(calibration.CountRelated(calibration.bits)),
                            calibration.unrelated)});
  rows.push_back(
      {"wanted", fmt::format("at most 1 in {} unrelated pairs joins; {} of the copies with {} of "
                             "the characters changed are found",
                             FormatCount(calibration.false_joins_one_in),
                             SharePercent(calibration.found), ChangedName(calibration.changed))});
  return FormatTable(rows);
}

// Returns radii worth comparing: two small ones, and those around the recommended one.
std::vector<uint32_t> ShownRadii(const Calibration& calibration) {
  constexpr uint32_t kSmall = 3, kAround = 3;
  const uint32_t middle = calibration.all.radius.value_or(kSmall);
  std::vector<uint32_t> radii;
  for (uint32_t radius = 0; radius <= middle + 1; ++radius) {
    if (radius % kSmall == 0 || radius + kAround >= middle) radii.push_back(radius);
  }
  return radii;
}

// Returns a table of what each radius joins and finds, over all lengths.
std::string RenderRadii(const Calibration& calibration) {
  Rows rows = {{"radius", "false joins in 10⁶", "documents ≥"}};
  for (size_t i = kFirstShown; i <= kLastShown; ++i) {
    rows[0].push_back((i == kFirstShown ? "finds " : "") + ChangedName(kChangedShares[i]));
  }
  for (const uint32_t radius : ShownRadii(calibration)) {
    const ShareInterval joined = calibration.all.unrelated.Joined(radius);
    std::vector<std::string>& row = rows.emplace_back();
    row = {fmt::format("{}", radius), CountInterval(joined, kMillion),
           FormatCount(DocumentsWithFewFalseJoins(joined))};
    for (size_t i = kFirstShown; i <= kLastShown; ++i) {
      const ChangedCopies& copies = calibration.all.changed[i];
      row.push_back(copies.copies == 0 ? "–" : SharePercent(copies.Found(radius).share));
    }
  }
  return FormatTable(rows) +
         "(documents: in a corpus of so many, at most 1 in 100 has an unrelated one within the "
         "radius; a larger sample may show more)\n";
}

// Returns what a radius does to the pairs that count neither as copies nor as false joins.
std::string RenderRelatedJoins(const Calibration& calibration, uint32_t radius) {
  constexpr double kHalf = 0.5;
  const uint64_t pairs = calibration.CountRelated(calibration.bits);
  if (pairs == 0) return "";
  const uint64_t joined = calibration.CountRelated(radius);
  std::string out = fmt::format(
      "  It joins {} of the {} with a resemblance of {:g} or more, which are left out of the "
      "unrelated ones.\n",
      FormatCount(joined), FormatPlural(pairs, "pair"), calibration.unrelated);
  if (joined == 0) return out;
  out += "  zhiwen cluster --verify compares the texts, and joins only those that are alike";
  if (calibration.unrelated < kHalf) {
    out += "; with --unrelated 0.5\n  pairs that share less than half count as false joins";
  }
  return out + ".\n";
}

std::string RenderRadiusAdvice(const Calibration& calibration) {
  const LengthCalibration& all = calibration.all;
  const ChangedCopies& copies = calibration.CopiesAsked(all);
  if (all.radius) {
    const uint64_t documents = DocumentsWithFewFalseJoins(all.unrelated.Joined(*all.radius));
    const ShareInterval found = copies.Found(*all.radius);
    return fmt::format(
        "zhiwen cluster --radius {} -s '{}'\n  finds {}{} of the copies with {} changed. It is for "
        "corpora of up to {} documents: for N, give --false-joins 100×N.\n{}",
        *all.radius, calibration.scheme, found.high < calibration.found ? "only " : "",
        WithInterval(found), ChangedName(calibration.changed), FormatCount(documents),
        RenderRelatedJoins(calibration, *all.radius));
  }
  const uint64_t equal = all.unrelated.by_distance[0];
  return fmt::format(
      "no radius: equal codes have {} of {} pairs of unrelated texts, {} in 10⁶. That {} at most "
      "1 in {}. {}\n",
      FormatCount(equal), FormatCount(all.unrelated.pairs()),
      CountInterval(all.unrelated.Joined(0), kMillion),
      all.unrelated.Joined(0).low * static_cast<double>(calibration.false_joins_one_in) > 1
          ? "is not"
          : "does not show that there are",
      FormatCount(calibration.false_joins_one_in),
      equal > 0 ? "Texts in which a few passages repeat many times, such as tables or broken "
                  "characters, have such codes: give --scheme with weight=distinct, which counts "
                  "each passage once."
                : "Give a larger sample, more --texts, or a smaller --false-joins.");
}

// The commands to use, and what they will find.
std::string RenderAdvice(const Calibration& calibration) {
  const LengthCalibration& all = calibration.all;
  std::string out = RenderRadiusAdvice(calibration);
  if (all.threshold) {
    out += fmt::format(
        "zhiwen dedup --threshold {:.2f}\n  compares the texts themselves, and finds {} of these "
        "copies.\n",
        *all.threshold, WithInterval(all.found_at_threshold));
  }
  return out;
}

std::string RenderWarnings(const Calibration& calibration) {
  constexpr std::string_view kInstead = "use zhiwen dedup or zhiwen check, which compare the texts";
  std::string out;
  if (calibration.unfit_below) {
    out += fmt::format(
        "no radius fits below {} characters: none finds enough there and joins no more than "
        "wanted; {}\n",
        FormatCount(*calibration.unfit_below), kInstead);
  } else if (std::ranges::any_of(calibration.lengths, [](const LengthCalibration& length) {
               return length.verdict == RadiusVerdict::kUnfit;
             })) {
    out += fmt::format("no radius fits the lengths marked so: {}\n", kInstead);
  }
  const bool has_too_few = std::ranges::any_of(
      calibration.lengths,
      [](const LengthCalibration& length) { return length.verdict == RadiusVerdict::kTooFew; });
  if (has_too_few) {
    out +=
        "too few pairs to say whether false joins are as rare as wanted: give a larger sample, "
        "more "
        "--texts, or a smaller --false-joins (a radius in brackets is that of all lengths)\n";
  }
  return out;
}

}  // namespace

std::string RenderCalibration(const Calibration& calibration) {
  std::string out = RenderSample(calibration) + "\n" + RenderLengths(calibration) + "\n" +
                    RenderRadii(calibration) + "\n" + RenderAdvice(calibration);
  const std::string warnings = RenderWarnings(calibration);
  return warnings.empty() ? out : out + "\n" + warnings;
}

}  // namespace zhiwen
