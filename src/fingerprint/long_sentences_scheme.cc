#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/utf8/utf8.h"
#include "base/utf8/white_space.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/scheme_family.h"
#include "zhiwen/sentences.h"

namespace zhiwen {
namespace {

constexpr std::string_view kLongSentencesForms[] = {"each", "joined"};
constexpr std::string_view kLongSentencesHashes[] = {"md5"};
constexpr std::string_view kLongSentencesScopes[] = {"text", "paragraph"};
constexpr ParameterSpec kLongSentencesParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a sentence that is hashed"},
    {"form", ParameterKind::kChoice, "each", "a hash for each sentence, or one of all", 0, 0,
     kLongSentencesForms},
    {"hash", ParameterKind::kChoice, "md5", "hash of a sentence", 0, 0, kLongSentencesHashes},
    {"scope", ParameterKind::kChoice, "text", "of what the sentences are the longest", 0, 0,
     kLongSentencesScopes},
    {"top", ParameterKind::kInteger, "5", "how many sentences, the longest", 1, 100000},
};

class LongSentencesScheme final : public ChannelScheme {
 public:
  explicit LongSentencesScheme(const ResolvedName& name)
      : ChannelScheme(name),
        word_(channel()),
        is_joined_(name["form"].text == "joined"),
        is_by_paragraph_(name["scope"].text == "paragraph"),
        top_(name["top"].integer) {}

 private:
  struct Sentence {
    ByteSpan source;
    uint64_t length;  // in code points
  };

  Fingerprint ComputeValid(std::string_view utf8) const override {
    std::vector<Sentence> kept;
    std::vector<Sentence> group;  // the sentences of the text, or of a paragraph
    VisitSentences(utf8, {}, [&](ByteSpan source) {
      const bool is_new_group = is_by_paragraph_ && !group.empty() &&
                                HasLineEnd(Part(utf8, {group.back().source.end, source.begin}));
      if (is_new_group) KeepLongest(group, kept);
      group.push_back({source, CountCodePoints(Part(utf8, source))});
    });
    KeepLongest(group, kept);
    CodeSequence codes = {.width = sizeof(Md5Digest), .bytes = {}};
    std::string joined;
    ChannelWord::Scratch scratch;
    for (const Sentence& sentence : kept) {
      const std::string_view on_channel = word_.Of(Part(utf8, sentence.source), scratch);
      if (on_channel.empty()) continue;
      joined += on_channel;
      joined += '\n';
      const Md5Digest digest = ComputeMd5(on_channel);
      codes.bytes.insert(codes.bytes.end(), digest.begin(), digest.end());
    }
    if (codes.bytes.empty()) return NoFingerprint();
    if (!is_joined_) return codes;
    const Md5Digest digest = ComputeMd5(joined);
    return FingerprintBytes(digest.begin(), digest.end());
  }

  static std::string_view Part(std::string_view utf8, ByteSpan span) {
    return utf8.substr(span.begin.value, span.size());
  }

  static bool HasLineEnd(std::string_view utf8) {
    return !VisitCodePoints(
        utf8, [](DecodedCodePoint decoded, size_t) { return !IsLineEnd(decoded.code_point); });
  }

  // Moves the longest sentences of `group` to `kept`, in the order of the text. Of equally long
  // ones the earlier is taken.
  void KeepLongest(std::vector<Sentence>& group, std::vector<Sentence>& kept) const {
    const auto begins_first = [](const Sentence& a, const Sentence& b) {
      return a.source.begin < b.source.begin;
    };
    std::ranges::stable_sort(group, std::ranges::greater(), &Sentence::length);
    if (group.size() > top_) group.resize(top_);
    std::ranges::sort(group, begins_first);
    kept.insert(kept.end(), group.begin(), group.end());
    group.clear();
  }

  ChannelWord word_;
  bool is_joined_, is_by_paragraph_;
  size_t top_;
};

}  // namespace

constinit const SchemeFamily kLongSentencesScheme = {
    .name = {"long_sentences", 1, "top", kLongSentencesParameters},
    .source =
        "文辉, 网站文章如何能自动判定是抄袭, 2016, 1 (top k 最长句子签名); 黄仁 等, "
        "基于正文结构和长句提取的网页去重算法, 2010 (scope=paragraph)",
    .input = "sentences",
    .value = "16 bytes a sentence (form=each), or 16 bytes",
    .distance = "the share of sentences that both have",
    .use_for = "copies whose sentences are as they were, with other frames around them",
    .not_for = "texts with an edit in every long sentence",
    .measure = "code_resemblance",
    .create = CreateOf<LongSentencesScheme>,
};

}  // namespace zhiwen
