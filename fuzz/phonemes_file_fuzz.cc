// Snapshots of phonemes with the right checksums and one section of any content: they are refused
// with a message that names the section, or all that is made of them can be used. The first byte
// chooses the section and whether thresholds were trained, the second how the rest changes it.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>

#include "base/files/section_file.h"
#include "fingerprint/phoneme_snapshot_file.h"
#include "require.h"
#include "section_change.h"
#include "support/in_memory_file_system.h"
#include "support/language.h"
#include "support/paths.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/phoneme_snapshot.h"

std::string zhiwen::LanguageFilePath() { return ZHIWEN_LANGUAGE_FILE; }

namespace {

using zhiwen::BytesOfValue;
using zhiwen::ErrorCode;
using zhiwen::Require;
using Snapshot = std::shared_ptr<const zhiwen::PhonemeSnapshot>;

constexpr std::string_view kText = "知文是一个文本指纹引擎";

struct Section {
  std::string_view name;
  std::string bytes;
};
using Sections = std::array<Section, 5>;

constexpr size_t kFirsts[] = {0, 24, 58, 63};  // of the kinds, and where they end

// Of 1000 characters, 7 of each phoneme but the first of its kind.
Sections SoundSections(bool is_trained) {
  std::array<uint64_t, 63> counts;
  counts.fill(7);
  for (size_t kind = 0; kind < 3; ++kind) {
    counts[kFirsts[kind]] = 1000 - 7 * (kFirsts[kind + 1] - kFirsts[kind] - 1);
  }
  zhiwen::PhonemesAbout about = {.texts = 9};
  if (is_trained) {
    about = {.texts = 9, .seed = 7, .drawn = 5, .pairs = 3, .characters = 600, .replacements = 40};
  }
  const zhiwen::PhonemesThresholds thresholds = {{{953000, 932000, 964000, 962000},
                                                  {954000, 933000, 965000, 963000},
                                                  {990000, 991000, 995000, 992000},
                                                  {1000, 2000, 3000, 4000}}};
  return {
      {{zhiwen::kPhonemesAbout, std::string(BytesOfValue(about))},
       {zhiwen::kPhonemesChannel, zhiwen::OpenChannel("phonemes", zhiwen::TestLanguage())->name()},
       {zhiwen::kPhonemesCounts, std::string(BytesOfValue(counts))},
       {zhiwen::kPhonemesReference, is_trained ? "simhash64.v1(k=1)" : ""},
       {zhiwen::kPhonemesThresholds,
        is_trained ? std::string(BytesOfValue(thresholds)) : std::string()}}};
}

// Shares of one whole, or all 0.
void RequireShares(const zhiwen::PhonemeTriple& shares) {
  for (const double share : shares) Require(share >= 0 && share <= 1);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  Require(sum == 0 || std::abs(sum - 1) < 1e-9);
}

void CheckScheme(const std::string& name, const Snapshot& snapshot, bool is_changed) {
  const auto scheme =
      zhiwen::Scheme::Create(name, {.language = zhiwen::TestLanguage(), .phonemes = snapshot});
  if (!scheme) return Require(is_changed && scheme.error().code == ErrorCode::kConflict);
  Require(HasValue(*(*scheme)->Compute(kText)));
}

void RequireCosines(const zhiwen::PhonemeCosines& cosines) {
  for (const double cosine : cosines.each) Require(cosine >= 0 && cosine <= 1);
  Require(cosines.sum >= 0 && cosines.sum <= 1);
}

void Use(const Snapshot& snapshot, bool is_changed) {
  Require(!zhiwen::PhonemesToJson(*snapshot).empty());
  for (size_t kind = 0; kind < 3; ++kind) {
    const auto counts =
        snapshot->counts().subspan(kFirsts[kind], kFirsts[kind + 1] - kFirsts[kind]);
    Require(std::accumulate(counts.begin(), counts.end(), uint64_t{0}) == snapshot->characters());
  }
  RequireShares(snapshot->weights());
  for (const double entropy : snapshot->entropies()) Require(entropy >= 0 && entropy < 5.1);
  const zhiwen::PhonemeModel model = snapshot->model();
  const zhiwen::PhonemeTraining& training = snapshot->training();
  for (const auto& cosines :
       {zhiwen::PhonemeCosines{model.thresholds, model.similarity}, training.least,
        training.percentile, training.mean, training.deviation}) {
    RequireCosines(cosines);
  }
  Require(training.reference.empty() == (training.pairs == 0));
  const std::string& id = snapshot->id();
  CheckScheme("simhash64(phoneme(" + id + "),channel=phonemes)", snapshot, is_changed);
  for (const std::string more : {"digits=2", "granule=5", "granule=10,scale=granule"}) {
    CheckScheme("initials_dna(" + more + ",reference=" + id + ")", snapshot, false);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  static const Sections kCounted = SoundSections(false), kTrained = SoundSections(true);
  Sections sections = data[0] / 5 % 2 == 0 ? kTrained : kCounted;
  Section& changed = sections[data[0] % 5];
  const std::string before = changed.bytes;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  changed.bytes = zhiwen::ChangeSection(before, data[1] % 3, rest);
  zhiwen::SectionWriter writer;
  for (const auto& [name, bytes] : sections) writer.Add(name, bytes);
  zhiwen::InMemoryFileSystem files;
  files.Put("forged.zwp", writer.Finish(zhiwen::kPhonemesFile));
  const auto snapshot = zhiwen::PhonemeSnapshot::Open(files, "forged.zwp");
  const bool is_changed = changed.bytes != before;
  if (snapshot) {
    Use(*snapshot, is_changed);
  } else {
    Require(is_changed && snapshot.error().code == ErrorCode::kUnreadable);
    Require(snapshot.error().message.find("section \"") != std::string::npos);
  }
  return 0;
}
