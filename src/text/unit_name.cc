#include "text/unit_name.h"

#include <initializer_list>
#include <span>
#include <vector>

#include "base/utf8/utf8.h"
#include "text/cluster_normalizer.h"
#include "text/grapheme.h"
#include "text/unit_hash.h"

namespace zhiwen {
namespace {

using CodePoints = std::vector<uint32_t>;

CodePoints DecodeAll(std::string_view utf8) {
  CodePoints code_points;
  VisitCodePoints(
      utf8, [&](DecodedCodePoint decoded, size_t) { code_points.push_back(decoded.code_point); });
  return code_points;
}

// Returns the code points of `source`, each mapped by the table.
CodePoints MapEach(std::span<const uint32_t> source, const FoldTable& table) {
  CodePoints mapped;
  for (const uint32_t code_point : source) {
    const FoldRecord record = table.LookUp(code_point);
    if (record.fold_class() == FoldClass::kExpansion) {
      mapped.insert(mapped.end(), record.expansion().begin(), record.expansion().end());
    } else if (record.fold_class() != FoldClass::kTransparent) {
      mapped.push_back(record.Map(code_point));
    }
  }
  return mapped;
}

uint32_t SymbolOf(std::span<const uint32_t> code_points) {
  UnitHash unit;
  if (!code_points.empty()) unit.Start(code_points.front());
  for (size_t i = 1; i < code_points.size(); ++i) unit.Append(code_points[i]);
  return unit.Symbol();
}

}  // namespace

std::string NameOfUnit(uint32_t symbol, std::string_view source, const FoldTable& table) {
  const CodePoints code_points = DecodeAll(source);
  CodePoints normalized;
  if (code_points.size() <= kMaxClusterLength) NormalizeCluster(code_points, normalized);
  std::string name;
  for (const auto* folded : std::initializer_list<const CodePoints*>{&code_points, &normalized}) {
    const CodePoints mapped = MapEach(*folded, table);
    if (SymbolOf(mapped) != symbol) continue;
    for (const uint32_t code_point : mapped) AppendUtf8(code_point, name);
    return name;
  }
  return name;
}

}  // namespace zhiwen
