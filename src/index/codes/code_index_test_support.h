#ifndef ZHIWEN_INDEX_CODES_CODE_INDEX_TEST_SUPPORT_H_
#define ZHIWEN_INDEX_CODES_CODE_INDEX_TEST_SUPPORT_H_

// Test helpers: the model of an index of codes, which is a set of rows, and random changes of both.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "zhiwen/code_index.h"

namespace zhiwen {

using ModelRow = std::pair<uint64_t, std::string>;
using ModelRows = std::set<ModelRow>;
using FoundRow = std::tuple<uint32_t, uint32_t, uint64_t, std::string>;  // as CodeMatch

// A batch of changes that is applied both to the index and to the model.
class ModelChanges {
 public:
  void Add(uint64_t code, const std::string& label) {
    changes_.Add(code, label);
    steps_.emplace_back([=](ModelRows& rows) { rows.emplace(code, label); });
  }
  void Remove(uint64_t code, const std::string& label) {
    changes_.Remove(code, label);
    steps_.emplace_back([=](ModelRows& rows) { rows.erase({code, label}); });
  }
  void RemoveCode(uint64_t code) {
    changes_.RemoveCode(code);
    steps_.emplace_back([=](ModelRows& rows) {
      std::erase_if(rows, [&](const ModelRow& row) { return row.first == code; });
    });
  }
  void RemoveLabel(const std::string& label) {
    changes_.RemoveLabel(label);
    steps_.emplace_back([=](ModelRows& rows) {
      std::erase_if(rows, [&](const ModelRow& row) { return row.second == label; });
    });
  }

  const CodeChanges& changes() const { return changes_; }
  void MakeTo(ModelRows& rows) const {
    for (const auto& step : steps_) step(rows);
  }

 private:
  CodeChanges changes_;
  std::vector<std::function<void(ModelRows&)>> steps_;
};

// Draws from few codes near each other and from few labels, so that the same ones recur.
class ModelRandom {
 public:
  ModelRandom(uint64_t seed, uint32_t code_bits) : random_(seed), code_bits_(code_bits) {}

  uint64_t Below(uint64_t end) { return random_() % end; }
  uint64_t Code() {
    const uint64_t base = Below(3) * 0x9E3779B97F4A7C15;
    const uint64_t code = base ^ uint64_t { 1 } << Below(64) ^ uint64_t { 1 } << Below(64);
    return code_bits_ == 64 ? code : code & UINT32_MAX;
  }
  std::string Label() {
    const uint64_t label = Below(9);
    return label < 4 ? "" : label == 8 ? std::string(40, 'z') : "doc-" + std::to_string(label);
  }
  ModelChanges Changes(uint64_t additions, uint64_t removals) {
    ModelChanges changes;
    for (uint64_t i = 0; i < additions + removals; ++i) {
      if (Below(additions + removals) < additions) {
        changes.Add(Code(), Label());
      } else if (const uint64_t kind = Below(8); kind == 0) {
        changes.RemoveLabel(Label());
      } else if (kind < 4) {
        changes.RemoveCode(Code());
      } else {
        changes.Remove(Code(), Label());
      }
    }
    return changes;
  }

 private:
  std::mt19937_64 random_;
  const uint32_t code_bits_;
};

inline std::vector<FoundRow> FoundBy(const ModelRows& rows, const std::vector<uint64_t>& queries,
                                     uint32_t radius) {
  std::vector<FoundRow> found;
  for (uint32_t i = 0; i < queries.size(); ++i) {
    for (const auto& [code, label] : rows) {
      const auto distance = static_cast<uint32_t>(std::popcount(code ^ queries[i]));
      if (distance <= radius) found.emplace_back(i, distance, code, label);
    }
  }
  std::ranges::sort(found);
  return found;
}

inline Result<std::vector<FoundRow>> FoundBy(const CodeIndex& index,
                                             const std::vector<uint64_t>& queries,
                                             const CodeQuery& query) {
  CodeAnswer answer;
  ZHIWEN_RETURN_IF_ERROR(index.Query(queries, query, answer));
  std::vector<FoundRow> found;
  for (const CodeMatch& match : answer.matches) {
    found.emplace_back(match.query, match.distance, match.code, answer.LabelOf(match));
  }
  return found;
}

// Returns all rows of an index.
inline Result<ModelRows> RowsOf(const CodeIndex& index) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto found, FoundBy(index, {0}, {.radius = kMostRadius}));
  ModelRows rows;
  for (const auto& [query, distance, code, label] : found) rows.emplace(code, label);
  return rows;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODE_INDEX_TEST_SUPPORT_H_
