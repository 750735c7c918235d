#include <algorithm>
#include <memory>
#include <optional>
#include <span>
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

constexpr std::string_view kNone[] = {"none"};
constexpr std::string_view kScopes[] = {"text", "sentence"};
constexpr const NameFamily* kSentenceParts[] = {&kSentencePart};
constexpr ParameterSpec kParameters[] = {
    kChannelParameter,
    {"g", ParameterKind::kInteger, "16", "units of a run that is surely found", 1, 100000},
    {"k", ParameterKind::kInteger, "8", "units of a block", 1, 100000},
    {"scope", ParameterKind::kChoice, "text", "what windows do not go beyond", 0, 0, kScopes},
    {"sentences", ParameterKind::kChoice, "none", "which sentences are kept as a whole, too", 0, 0,
     kNone, kSentenceParts},
    kUnitParameter,
};

class WinnowingScheme final : public ChannelScheme {
 public:
  WinnowingScheme(const ResolvedName& name, const SchemeResources& resources)
      : ChannelScheme(name),
        units_(name["unit"], channel(), resources),
        block_(name["k"].integer),
        window_(name["g"].integer - name["k"].integer + 1),
        is_by_sentence_(name["scope"].text == "sentence") {
    const ParameterValue& sentences = name["sentences"];
    if (!sentences.nested.empty()) sentences_.emplace(sentences.nested[0], resources);
  }

 private:
  // Units that stand one after another, from the one with the number `first` on.
  struct Run {
    std::span<const TextUnit> units;
    size_t first = 0;
  };

  Fingerprint ComputeValid(std::string_view utf8) const override {
    const std::vector<TextUnit> units = units_.Of(utf8);
    SelectedShingles selected;
    if (is_by_sentence_ || sentences_) {
      size_t begin = 0;
      VisitSentences(utf8, {}, [&](ByteSpan sentence) {
        size_t end = begin;
        while (end < units.size() && units[end].source.begin < sentence.end) ++end;
        const Run run = {std::span(units).subspan(begin, end - begin), begin};
        begin = end;
        if (run.units.empty()) return;
        if (sentences_ && sentences_->Keeps(utf8, sentence)) selected.push_back(Whole(run));
        if (is_by_sentence_) AddBlocks(run, selected);
      });
    }
    if (!is_by_sentence_) AddBlocks({units, 0}, selected);
    if (selected.empty()) return NoFingerprint();
    std::ranges::stable_sort(selected, {}, &SelectedShingle::position);
    return selected;
  }

  static SelectedShingle Whole(const Run& run) {
    StreamHash64 hash;
    for (const TextUnit& unit : run.units) {
      hash.Add(BytesOfValue(unit.hash));
    }
    return {.hash = hash.Finish(),
            .position = run.first,
            .source = {run.units.front().source.begin, run.units.back().source.end}};
  }

  void AddBlocks(const Run& run, SelectedShingles& selected) const {
    std::vector<uint64_t> hashes;
    std::vector<uint64_t> blocks;
    std::vector<size_t> minima;
    for (const TextUnit& unit : run.units) hashes.push_back(unit.hash);
    ComputeBlockHashes(hashes, block_, blocks);
    // Of a whole text that is shorter than a window the smallest is kept, so that it has a value.
    const bool is_short = !is_by_sentence_ && !blocks.empty() && blocks.size() < window_;
    SelectMinima(blocks, is_short ? blocks.size() : window_, minima);
    for (const size_t i : minima) {
      selected.push_back(
          {.hash = blocks[i],
           .position = run.first + i,
           .source = {run.units[i].source.begin, run.units[i + block_ - 1].source.end}});
    }
  }

  UnitPart units_;
  size_t block_, window_;
  bool is_by_sentence_;
  std::optional<SentencePart> sentences_;
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
    .name = {"winnowing", 1, "g", kParameters},
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
