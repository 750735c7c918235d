#ifndef ZHIWEN_FEATURE_TERMS_FAKE_SEGMENTER_TEST_SUPPORT_H_
#define ZHIWEN_FEATURE_TERMS_FAKE_SEGMENTER_TEST_SUPPORT_H_

// A segmenter whose tokens a test writes itself: "北京/ns 的/uj 。/x". A token without "/" has the
// tag "x".

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "zhiwen/segmenter.h"

namespace zhiwen {

class FakeSegmenter final : public Segmenter {
 public:
  FakeSegmenter() : Segmenter("segmenter.fake") {}

  // Passes on two tokens at a time.
  void Visit(std::string_view utf8, const SegmentOptions& options,
             const TokenVisitor& visit) const override {
    std::vector<Token> tokens;
    for (size_t at = 0; at < utf8.size();) {
      if (options.cancellation != nullptr && options.cancellation->requested()) return;
      const size_t end = std::min(utf8.find(' ', at), utf8.size());
      const std::string_view written = utf8.substr(at, end - at);
      const size_t size = std::min(written.find('/'), written.size());
      if (size > 0) tokens.push_back({{{at}, {at + size}}, TagOf(written.substr(size))});
      if (tokens.size() == 2) {
        visit(tokens);
        tokens.clear();
      }
      at = end + 1;
    }
    if (!tokens.empty()) visit(tokens);
  }

 private:
  static std::string_view TagOf(std::string_view written) {
    static constexpr std::array<std::string_view, 9> kTags = {"n",   "ns", "nr", "v", "uj",
                                                              "eng", "m",  "a",  "x"};
    const auto found = std::ranges::find(kTags, written.substr(written.empty() ? 0 : 1));
    return found == kTags.end() ? "x" : *found;
  }
};

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_TERMS_FAKE_SEGMENTER_TEST_SUPPORT_H_
