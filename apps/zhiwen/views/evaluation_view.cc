#include "views/evaluation_view.h"

#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string Figure(std::optional<double> value) {
  return value ? fmt::format("{:.3f}", *value) : "–";
}

void AddResult(std::vector<std::string>& row, const std::optional<ThresholdResult>& result) {
  if (!result) {
    row.insert(row.end(), 4, "–");
    return;
  }
  const double threshold = result->threshold;
  row.push_back(threshold < 1e-6 ? ">0" : FormatSimilarity(threshold));
  row.push_back(Figure(result->pairs.Precision()));
  row.push_back(Figure(result->pairs.Recall()));
  row.push_back(Figure(result->pairs.F1()));
}

std::string NameOf(const EvaluationRow& row) {
  const std::string& part = row.relation.empty() ? row.length : row.relation;
  if (row.corpus.empty()) return "  " + (part.empty() ? "all" : MakePrintable(part));
  return fmt::format("  {}{}{}", MakePrintable(row.corpus), part.empty() ? "" : " ",
                     MakePrintable(part));
}

bool IsBy(const EvaluationRow& row, EvaluationBy by) {
  if (by == EvaluationBy::kRelation) return !row.relation.empty() && row.copies > 0;
  return by == EvaluationBy::kCorpus && row.relation.empty() && row.length.empty();
}

// Renders a table for each scheme.
std::string RenderBy(const Evaluation& evaluation, EvaluationBy by) {
  std::string out;
  size_t number = 0;
  for (const SchemeEvaluation& scheme : evaluation.schemes) {
    Rows rows = {{fmt::format("{} {}", ++number, scheme.scheme), "copies", "others", "best ≥",
                  "prec.", "recall", "F1", "source ≥", "prec.", "recall", "F1"}};
    for (const EvaluationRow& part : scheme.rows) {
      if (!IsBy(part, by)) continue;
      std::vector<std::string>& row = rows.emplace_back();
      row = {NameOf(part), FormatCount(part.copies), FormatCount(part.others)};
      AddResult(row, part.at_best);
      AddResult(row, part.at_source);
    }
    if (rows.size() > 1) out += "\n" + FormatTable(rows);
  }
  return out;
}

std::string RenderSchemes(const Evaluation& evaluation) {
  Rows rows = {{"", "scheme", "area", "best ≥", "prec.", "recall", "F1", "source ≥", "prec.",
                "recall", "F1", "B/text", "MB/s", "no value"}};
  for (const SchemeEvaluation& scheme : evaluation.schemes) {
    const EvaluationRow& all = scheme.rows.front();
    std::vector<std::string>& row = rows.emplace_back();
    row = {fmt::format("{}", rows.size() - 1), scheme.scheme, Figure(all.area)};
    AddResult(row, all.at_best);
    AddResult(row, all.at_source);
    const auto texts = static_cast<double>(all.texts);
    row.push_back(fmt::format("{:.0f}", static_cast<double>(all.value_bytes) / texts));
    row.push_back(fmt::format("{:.1f}", scheme.bytes_per_second / 1e6));
    row.push_back(FormatShare(all.texts_without_value, all.texts));
  }
  return FormatTable(rows);
}

// Rounds down, so that 100 means all.
int Percent(double share) { return static_cast<int>(std::floor(100 * share + 1e-9)); }

using FigureOf = std::function<std::optional<double>(const EvaluationRow&)>;

// Renders the rows that have a figure, in percent, with one column for each scheme.
std::string RenderPart(const Evaluation& evaluation, const std::string& title,
                       const std::function<bool(const EvaluationRow&)>& is_shown,
                       const FigureOf& figure_of) {
  Rows rows = {{title, "copies", "others"}};
  for (size_t i = 1; i <= evaluation.schemes.size(); ++i) rows[0].push_back(fmt::format("{}", i));
  const std::vector<EvaluationRow>& all = evaluation.schemes.front().rows;
  for (size_t at = 0; at < all.size(); ++at) {
    if (!is_shown(all[at])) continue;
    std::vector<std::string>& row = rows.emplace_back();
    row = {NameOf(all[at]), FormatCount(all[at].copies), FormatCount(all[at].others)};
    for (const SchemeEvaluation& scheme : evaluation.schemes) {
      const std::optional<double> figure = figure_of(scheme.rows[at]);
      row.push_back(figure ? fmt::format("{}", Percent(*figure)) : "–");
    }
  }
  return rows.size() == 1 ? "" : "\n" + FormatTable(rows);
}

}  // namespace

std::string RenderEvaluation(const Evaluation& evaluation, EvaluationBy by, size_t columns) {
  std::string out = RenderSchemes(evaluation);
  out += RenderPart(
      evaluation, "area, %",
      [](const EvaluationRow& row) {
        return row.relation.empty() && !(row.corpus.empty() && row.length.empty());
      },
      [](const EvaluationRow& row) { return row.area; });
  out += RenderPart(
      evaluation, "recall at the best threshold, %",
      [](const EvaluationRow& row) { return !row.relation.empty() && row.copies > 0; },
      [](const EvaluationRow& row) {
        return row.at_best ? row.at_best->pairs.Recall() : std::nullopt;
      });
  out += RenderPart(
      evaluation, "mistaken for copies, %",
      [](const EvaluationRow& row) { return !row.relation.empty() && row.copies == 0; },
      [](const EvaluationRow& row) {
        return row.at_best ? row.at_best->pairs.FalsePositives() : std::nullopt;
      });
  out += RenderBy(evaluation, by);
  if (evaluation.skipped.empty()) return out;
  Rows rows = {{"left out", "why"}};
  for (const SkippedScheme& skipped : evaluation.skipped) {
    rows.push_back({"  " + skipped.scheme, MakePrintable(skipped.why)});
  }
  return out + "\n" + FormatTable(rows, columns);
}

}  // namespace zhiwen
