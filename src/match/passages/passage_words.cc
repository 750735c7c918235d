#include <algorithm>
#include <array>

#include "zhiwen/passages.h"

namespace zhiwen {

std::string_view EditKindName(EditKind kind) {
  static constexpr std::array<std::string_view, kEditKinds> kNames = {
      "form",  "symbols", "homophone",   "spelled",  "initial", "look_alike",
      "split", "renamed", "substituted", "inserted", "deleted"};
  return kNames[static_cast<size_t>(kind)];
}

EditWords WordsOf(EditKind kind) {
  static constexpr std::array<EditWords, kEditKinds> kWords = {{{"异形", "other form"},
                                                                {"符号", "punctuation"},
                                                                {"同音", "homophone"},
                                                                {"拼音", "spelled"},
                                                                {"首字母", "first letter"},
                                                                {"形近", "look-alike"},
                                                                {"拆字", "split character"},
                                                                {"改名", "renamed"},
                                                                {"替换", "substituted"},
                                                                {"增加", "inserted"},
                                                                {"删去", "left out"}}};
  return kWords[static_cast<size_t>(kind)];
}

std::vector<CountedEdit> CountedEdits(const EditCounts& counts) {
  std::vector<CountedEdit> counted;
  for (size_t i = 0; i < kEditKinds; ++i) {
    if (counts[i] > 0) counted.push_back({static_cast<EditKind>(i), counts[i]});
  }
  return counted;
}

uint64_t CountVerbatim(uint64_t matched, const EditCounts& counts) {
  for (const auto& [kind, symbols] : CountedEdits(counts)) {
    const bool is_changed = IsDisguise(kind) && kind != EditKind::kSymbols;
    if (is_changed) matched -= std::min(matched, symbols);
  }
  return matched;
}

std::string_view PassageKindName(PassageKind kind) { return WordsOf(kind).en; }

EditWords WordsOf(PassageKind kind) {
  static constexpr std::array<EditWords, kPassageKinds> kWords = {
      {{"逐字", "verbatim"}, {"伪装", "disguised"}, {"改名", "renamed"}, {"改写", "edited"}}};
  return kWords[static_cast<size_t>(kind)];
}

}  // namespace zhiwen
