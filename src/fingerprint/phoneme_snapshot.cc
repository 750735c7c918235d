#include "zhiwen/phoneme_snapshot.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8/utf8.h"
#include "fingerprint/phoneme_model.h"
#include "fingerprint/phoneme_snapshot_file.h"
#include "fingerprint/scheme_name.h"
#include "text/reading/readings.h"

namespace zhiwen {
namespace {

constexpr uint32_t kMillionths = 1'000'000;

PhonemeCosines CosinesOf(const std::array<uint32_t, 4>& millionths) {
  std::array<double, 4> values = {};
  std::ranges::transform(millionths, values.begin(),
                         [](uint32_t value) { return static_cast<double>(value) / kMillionths; });
  return {{values[0], values[1], values[2]}, values[3]};
}

bool IsPossible(const PhonemesThresholds& thresholds) {
  const auto fits = [](uint32_t value) { return value <= kMillionths; };
  return std::ranges::all_of(thresholds,
                             [&](const auto& row) { return std::ranges::all_of(row, fits); });
}

// Reads a text that JSON and tables can show.
Result<std::string> ReadName(const SectionFile& file, std::string_view section) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view name, file.Bytes(section));
  if (!name.empty() && !ParseSchemeName(name)) return file.Damaged(section, "it is no name");
  return std::string(name);
}

}  // namespace

std::span<const PhonemeName> PhonemeNames() {
  static const auto kNames = [] {
    constexpr std::array<std::string_view, kToneCount> kTones = {"1", "2", "3", "4", "5"};
    std::array<PhonemeName, kPhonemeCount> names = {};
    for (uint32_t i = 0; i < kInitialCount; ++i) names[i] = {"initial", InitialName(i + 1)};
    names[kInitialCount - 1].name = "none";
    for (uint32_t i = 0; i < kFinalCount; ++i)
      names[kInitialCount + i] = {"final", FinalName(i + 1)};
    std::ranges::transform(kTones, names.end() - kToneCount, [](std::string_view tone) {
      return PhonemeName{"tone", tone};
    });
    return names;
  }();
  return kNames;
}

Result<std::shared_ptr<const PhonemeSnapshot>> PhonemeSnapshot::Open(FileSystem& files,
                                                                     const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const SectionFile file, SectionFile::Open(files, path, kPhonemesFile));
  std::shared_ptr<PhonemeSnapshot> snapshot(new PhonemeSnapshot());
  ZHIWEN_RETURN_IF_ERROR(snapshot->Read(file));
  return std::shared_ptr<const PhonemeSnapshot>(std::move(snapshot));
}

// Checks everything that later functions rely on, once.
Status PhonemeSnapshot::Read(const SectionFile& file) {
  id_ = fmt::format("{:016x}", file.identity());
  path_ = file.path();
  ZHIWEN_ASSIGN_OR_RETURN(channel_name_, ReadName(file, kPhonemesChannel));
  if (!channel_name_.starts_with("phonemes.")) {
    return file.Damaged(kPhonemesChannel, "it is no channel of phonemes");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const auto counts, file.Values<uint64_t>(kPhonemesCounts));
  if (!ArePhonemeCounts(counts)) {
    return file.Damaged(kPhonemesCounts, "not as many initials, finals and tones");
  }
  std::ranges::copy(counts, counts_.begin());
  const PhonemeCounts read = PhonemeCounts::Of(counts_);
  characters_ = read.characters();
  entropies_ = ComputeEntropies(read);
  weights_ = WeightsOf(entropies_);

  ZHIWEN_ASSIGN_OR_RETURN(const auto about, file.Values<PhonemesAbout>(kPhonemesAbout));
  ZHIWEN_ASSIGN_OR_RETURN(const auto thresholds,
                          file.Values<PhonemesThresholds>(kPhonemesThresholds));
  ZHIWEN_ASSIGN_OR_RETURN(training_.reference, ReadName(file, kPhonemesReference));
  if (about.size() != 1) return file.Damaged(kPhonemesAbout, "its size is wrong");
  const PhonemesAbout& of = about[0];
  const bool is_trained = !training_.reference.empty();
  if (of.texts == 0 || of.drawn > of.texts || of.pairs > of.drawn || (of.pairs > 0) != is_trained ||
      (of.characters > 0) != is_trained || (of.replacements > 0) != is_trained) {
    return file.Damaged(kPhonemesAbout, "it has numbers that cannot be");
  }
  if (thresholds.size() != (is_trained ? 1 : 0) || (is_trained && !IsPossible(thresholds[0]))) {
    return file.Damaged(kPhonemesThresholds, "it has numbers that cannot be");
  }
  texts_ = of.texts;
  training_.seed = of.seed;
  training_.texts = of.drawn;
  training_.pairs = of.pairs;
  training_.characters = of.characters;
  training_.replacements = of.replacements;
  if (!is_trained) return {};
  training_.least = CosinesOf(thresholds[0][0]);
  training_.percentile = CosinesOf(thresholds[0][1]);
  training_.mean = CosinesOf(thresholds[0][2]);
  training_.deviation = CosinesOf(thresholds[0][3]);
  return {};
}

PhonemeModel PhonemeSnapshot::model() const {
  PhonemeModel model;
  model.weights = weights_;
  if (training_.pairs == 0) return model;
  model.thresholds = training_.least.each;
  model.similarity = training_.least.sum;
  return model;
}

}  // namespace zhiwen
