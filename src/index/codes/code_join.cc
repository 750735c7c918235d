#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

#include "index/codes/code_state.h"
#include "index/hamming/hamming_join.h"

namespace zhiwen {

Result<std::vector<uint64_t>> CodeState::LiveCodes(const Cancellation& cancellation) const {
  std::vector<uint64_t> codes;
  ZHIWEN_RETURN_IF_ERROR(VisitLiveCodes([&](uint64_t code, uint64_t /*passed*/) -> Status {
    constexpr size_t kCodesAtOnce = size_t{1} << 16;
    codes.push_back(code);
    return codes.size() % kCodesAtOnce == 0 ? cancellation.Check() : Status();
  }));
  std::ranges::sort(codes);
  const auto repeated = std::ranges::unique(codes);
  codes.erase(repeated.begin(), repeated.end());
  return codes;
}

Status CodeState::Join(uint32_t radius, const std::function<Status(const CodeRowPair& pair)>& visit,
                       ProgressSink& progress, const Cancellation& cancellation) const {
  ZHIWEN_RETURN_IF_ERROR(CheckQuery({}, radius));
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint64_t> codes, LiveCodes(cancellation));
  std::vector<CodePair> pairs;
  const auto keep = [&](std::span<const CodePair> found) {
    pairs.insert(pairs.end(), found.begin(), found.end());
  };
  ZHIWEN_RETURN_IF_ERROR(JoinWithin(codes, radius, keep, progress, cancellation));
  std::ranges::sort(pairs);
  const bool reads_labels = has_labels();
  // Returns the distinct labels of a code, ascending.
  const auto labels_of = [&](uint64_t code) -> Result<std::vector<std::string_view>> {
    std::vector<std::string_view> labels;
    ZHIWEN_RETURN_IF_ERROR(VisitLabels(code, [&](std::string_view label) -> Status {
      labels.push_back(label);
      return {};
    }));
    std::ranges::sort(labels);
    const auto repeated = std::ranges::unique(labels);
    labels.erase(repeated.begin(), repeated.end());
    return labels;
  };
  constexpr size_t kToldAtOnce = size_t{1} << 12;
  auto pair = pairs.begin();
  for (size_t i = 0; i < codes.size(); ++i) {
    const uint64_t code = codes[i];
    if (i % kToldAtOnce == 0) progress.Advance(Stage::kJoinRows, i, codes.size());
    if (!reads_labels && (pair == pairs.end() || pair->a != code)) continue;
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const auto labels, labels_of(code));
    for (size_t l = 1; l < labels.size(); ++l) {
      ZHIWEN_RETURN_IF_ERROR(
          visit({.distance = 0, .a = code, .b = code, .label_a = labels[0], .label_b = labels[l]}));
    }
    for (; pair != pairs.end() && pair->a == code; ++pair) {
      ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, LeastLabel(pair->b));
      const auto distance = static_cast<uint32_t>(std::popcount(pair->a ^ pair->b));
      ZHIWEN_RETURN_IF_ERROR(visit({.distance = distance,
                                    .a = pair->a,
                                    .b = pair->b,
                                    .label_a = labels[0],
                                    .label_b = label}));
    }
  }
  return {};
}

}  // namespace zhiwen
