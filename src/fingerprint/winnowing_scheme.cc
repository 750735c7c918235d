#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/scheme_family.h"
#include "fingerprint/winnowing.h"
#include "zhiwen/sentences.h"

namespace zhiwen {
namespace {

constexpr std::string_view kNoSentences[] = {kNoneWord};
constexpr std::string_view kWinnowingScopes[] = {"text", "sentence"};
constexpr const NameFamily* kSentenceParts[] = {&kSentencePart};
constexpr ParameterSpec kWinnowingParameters[] = {
    kChannelParameter,
    {"g", ParameterKind::kInteger, "16", "units of a run that is surely found", 1, 100000},
    {"k", ParameterKind::kInteger, "8", "units of a block", 1, 100000},
    {"scope", ParameterKind::kChoice, "text", "what windows do not go beyond", 0, 0,
     kWinnowingScopes},
    {"sentences", ParameterKind::kChoice, "none", "which sentences are kept as a whole, too", 0, 0,
     kNoSentences, kSentenceParts},
    kUnitParameter,
};

// Reads the sentences of a text, only as far as the places asked for.
class SentenceCursor {
 public:
  explicit SentenceCursor(std::string_view utf8) : utf8_(utf8) {}

  // Returns the first sentence that ends after `place`, or null. Places must ascend.
  const ByteSpan* Find(ByteOffset place) {
    for (;;) {
      while (next_ < sentences_.size() && sentences_[next_].end <= place) ++next_;
      if (next_ < sentences_.size()) return &sentences_[next_];
      if (read_ == utf8_.size()) return nullptr;
      ReadMore();
    }
  }

 private:
  void ReadMore() {
    const size_t begin = read_;
    read_ = EndOfLines(utf8_, begin);
    sentences_.clear();
    next_ = 0;
    VisitSentences(utf8_.substr(begin, read_ - begin), {}, [&](ByteSpan sentence) {
      sentences_.push_back({sentence.begin + begin, sentence.end + begin});
    });
  }

  std::string_view utf8_;
  size_t read_ = 0;
  std::vector<ByteSpan> sentences_;  // sentences of the lines read last
  size_t next_ = 0;
};

struct WinnowingParts {
  UnitPart units;
  WinnowingOptions options;
  bool is_by_sentence;
  std::optional<SentencePart> sentences;  // sentences that are kept as a whole
};

// Selects the blocks and sentences of one text, unit by unit.
class Selector {
 public:
  Selector(const WinnowingParts& parts, std::string_view utf8)
      : parts_(parts),
        utf8_(utf8),
        winnower_(parts.options),
        cursor_(utf8),
        needs_sentences_(parts.is_by_sentence || parts.sentences) {}

  void Add(const TextUnit& unit) {
    if (needs_sentences_ && (sentence_ == nullptr || sentence_->end <= unit.source.begin)) {
      EnterSentence(unit);
    }
    if (whole_) {
      whole_->Add(BytesOfValue(unit.hash));
      selected_[whole_at_].source.end = unit.source.end;
    }
    // 否则丢弃: with scope=sentence, sentences that are not kept as a whole have no blocks, if
    // `sentences` keeps any.
    const bool has_blocks =
        !parts_.is_by_sentence || (sentence_ != nullptr && (!parts_.sentences || whole_));
    has_blocks ? winnower_.Add(unit, selected_) : winnower_.Skip();
  }

  SelectedShingles Finish() {
    LeaveSentence();
    // A whole text shorter than a window keeps its smallest block, so that it has a value.
    if (!parts_.is_by_sentence) winnower_.AddOfShortRun(selected_);
    if (parts_.sentences) std::ranges::stable_sort(selected_, {}, &SelectedShingle::position);
    return std::move(selected_);
  }

 private:
  void EnterSentence(const TextUnit& first) {
    LeaveSentence();
    sentence_ = cursor_.Find(first.source.begin);
    if (sentence_ == nullptr || !parts_.sentences || !parts_.sentences->Keeps(utf8_, *sentence_)) {
      return;
    }
    whole_.emplace();
    whole_at_ = selected_.size();
    selected_.push_back({.position = winnower_.units(), .source = first.source});
  }

  void LeaveSentence() {
    if (whole_) selected_[whole_at_].hash = whole_->Finish();
    whole_.reset();
    if (parts_.is_by_sentence) winnower_.EndRun();
  }

  const WinnowingParts& parts_;
  std::string_view utf8_;
  Winnower winnower_;
  SentenceCursor cursor_;
  bool needs_sentences_;
  // The sentence that contains the last unit, or null.
  const ByteSpan* sentence_ = nullptr;
  SelectedShingles selected_;
  // The hash of that sentence, if the sentence is kept as a whole.
  std::optional<StreamHash64> whole_;
  size_t whole_at_ = 0;  // its index in selected_
};

class WinnowingScheme final : public ChannelScheme {
 public:
  WinnowingScheme(const ResolvedName& name, const SchemeResources& resources)
      : ChannelScheme(name),
        parts_{.units = UnitPart(name["unit"], channel(), resources),
               .options = {.block = name["k"].integer,
                           .window = name["g"].integer - name["k"].integer + 1},
               .is_by_sentence = name["scope"].text == "sentence",
               .sentences = std::nullopt} {
    const ParameterValue& sentences = name["sentences"];
    if (!sentences.nested.empty()) parts_.sentences.emplace(sentences.nested[0], resources);
  }

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    Selector selector(parts_, utf8);
    parts_.units.ForEach(utf8, [&](const TextUnit& unit) { selector.Add(unit); });
    SelectedShingles selected = selector.Finish();
    if (selected.empty()) return NoFingerprint();
    return selected;
  }

  WinnowingParts parts_;
};

Result<std::unique_ptr<Scheme>> CreateWinnowing(const ResolvedName& name,
                                                const SchemeResources& resources) {
  if (name["k"].integer > name["g"].integer) {
    return FailScheme(name, "a run of g units has no block of k; give a k of at most g");
  }
  return std::make_unique<WinnowingScheme>(name, resources);
}

}  // namespace

constinit const SchemeFamily kWinnowingScheme = {
    .name = {"winnowing", 1, "g", kWinnowingParameters},
    .source =
        "语义指纹提取的几种方法, 具体算法; S. Schleimer, D. Wilkerson, A. Aiken, Winnowing, 2003",
    .input = "runs of symbols or words",
    .value = "8 bytes a selected block, and where it is: one in about (g − k + 2) / 2 units",
    .distance = "blocks that both have, with their places: copied passages",
    .use_for = "passages that were copied, each of at least g units found",
    .not_for = "passages with an edit every few units: use a smaller g, or another channel",
    .measure = "containment",
    .create = CreateWinnowing,
};

}  // namespace zhiwen
