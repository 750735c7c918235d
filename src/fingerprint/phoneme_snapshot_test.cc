// Tests snapshots of the phonemes of a corpus: counting, training, the file.

#include "zhiwen/phoneme_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "base/hash.h"
#include "base/utf8/utf8.h"
#include "base/value_bytes.h"
#include "fingerprint/phoneme_model.h"
#include "fingerprint/phoneme_noise.h"
#include "fingerprint/phoneme_snapshot_file.h"
#include "fingerprint/scheme_test_support.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"
#include "support/language.h"
#include "support/paths.h"
#include "support/published_vectors.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

const Channel& Phonemes() {
  static const Channel channel = *OpenChannel("phonemes", TestLanguage());
  return channel;
}

const std::shared_ptr<const Scheme>& Reference() {
  static const std::shared_ptr<const Scheme> scheme =
      *Scheme::Create("simhash64(shingle(2),channel=exact)");
  return scheme;
}

// Draws texts of at least `characters` Han characters, with some words and signs between them.
std::vector<std::string> DrawTexts(size_t count, size_t characters) {
  std::mt19937 random(7);
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    for (size_t i = 0; i < characters + random() % 50; ++i) {
      AppendUtf8(static_cast<uint32_t>(0x4E00 + random() % 3000), text);
      if (random() % 10 == 0) text += random() % 2 == 0 ? "，" : " word ";
    }
  }
  return texts;
}

struct Training {
  PhonemeTrainingOptions options = {.output = "phonemes.zwp", .texts = 8};
  size_t threads = 1, batch = 100;
};

Result<std::shared_ptr<const PhonemeSnapshot>> Train(FileSystem& files,
                                                     const std::vector<std::string>& texts,
                                                     const Training& training = {}) {
  const auto executor = MakeThreadPool(training.threads);
  auto trainer = PhonemeTrainer::Create(
      files, Phonemes(), training.options.texts == 0 ? nullptr : Reference(), training.options);
  if (!trainer) return Fail(std::move(trainer));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  for (size_t i = 0; i < views.size(); i += training.batch) {
    const size_t size = std::min(training.batch, views.size() - i);
    auto added = (*trainer)->Add(*executor, std::span(views).subspan(i, size), {});
    if (!added) return Fail(std::move(added));
  }
  return (*trainer)->Finish(*executor, NoProgress(), {});
}

// --- noise ---------------------------------------------------------------------------------------

uint32_t DistanceOf(std::string_view a, std::string_view b) {
  const auto of_a = std::get<FingerprintBytes>(*Reference()->Compute(a));
  const auto of_b = std::get<FingerprintBytes>(*Reference()->Compute(b));
  uint32_t bits = 0;
  for (size_t i = 0; i < 8; ++i) bits += std::popcount(static_cast<uint8_t>(of_a[i] ^ of_b[i]));
  return bits;
}

std::vector<uint32_t> CodePoints(std::string_view utf8) {
  return ComputeSymbols(ExactChannel(), utf8)->symbols;
}

bool IsRead(uint32_t code_point) {
  return code_point >= 0x4E00 && !ComputeSymbols(Phonemes(), Utf8Of({code_point}))->symbols.empty();
}

// Follows the procedure of the source on code points, one step after another.
std::optional<NoisyText> AddNoiseSlowly(const std::string& text, uint64_t seed,
                                        const std::vector<std::string>& characters) {
  const std::vector<uint32_t> original = CodePoints(text);
  std::vector<size_t> places;
  for (size_t i = 0; i < original.size(); ++i) {
    if (IsRead(original[i])) places.push_back(i);
  }
  uint64_t drawn = 0;
  const auto draw = [&](size_t end) {
    const auto hash = static_cast<long double>(HashBytes64(BytesOfValue(drawn++), seed));
    return static_cast<size_t>(hash * static_cast<long double>(end) / 18446744073709551616.0L);
  };
  for (int tried = 0; tried < 100; ++tried) {
    std::vector<uint32_t> noisy = original;
    uint64_t replacements = 0;
    for (size_t step = 0; step < 4 * places.size(); ++step) {
      uint32_t& at = noisy[places[draw(places.size())]];
      const uint32_t z = CodePoints(characters[draw(characters.size())])[0];
      if (z == at) continue;
      at = z;
      ++replacements;
      const uint32_t distance = DistanceOf(text, Utf8Of(noisy));
      if (distance == 3) return NoisyText{Utf8Of(noisy), replacements};
      if (distance > 3) break;
    }
  }
  return std::nullopt;
}

TEST(PhonemeNoise, IsThatOfTheSource) {
  const std::vector<std::string> texts = DrawTexts(6, 40);
  const std::vector<std::string> characters = {"的", "一", "是", "不", "了", "在", "人", "有"};
  const PhonemeNoise noise(Phonemes(), *Reference(), characters);
  size_t found = 0;
  for (const std::string& text : texts) {
    const auto noisy = *noise.AddTo(text, 5, {});
    const auto slow = AddNoiseSlowly(text, 5, characters);
    ASSERT_EQ(noisy.has_value(), slow.has_value());
    if (!noisy) continue;
    ++found;
    EXPECT_EQ(noisy->text, slow->text);
    EXPECT_EQ(noisy->replacements, slow->replacements);
    EXPECT_EQ(DistanceOf(text, noisy->text), 3u);
  }
  EXPECT_GT(found, 3u);
}

TEST(PhonemeNoise, EndsWhereNothingIsFound) {
  const PhonemeNoise same(Phonemes(), *Reference(), {"山"});
  EXPECT_EQ(same.AddTo("山山山山山山", 1, {})->has_value(), false);
  EXPECT_EQ(same.AddTo("no Han", 1, {})->has_value(), false);
  EXPECT_EQ(same.AddTo("山", 1, {})->has_value(), false);  // too short for the reference
  Cancellation stopped;
  stopped.Request(ErrorCode::kInterrupted);
  EXPECT_EQ(same.AddTo("山水", 1, stopped).error().code, ErrorCode::kInterrupted);
}

// --- training ------------------------------------------------------------------------------------

TEST(PhonemeTrainer, GivesTheSameFileForAnyOrderAndThreads) {
  std::vector<std::string> texts = DrawTexts(100, 100);
  InMemoryFileSystem files;
  const auto snapshot = Train(files, texts);
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const std::string bytes = files.Files()["phonemes.zwp"];
  std::ranges::reverse(texts);
  texts.push_back(texts.front());  // counted, but drawn at most once
  InMemoryFileSystem others;
  const auto again = Train(others, texts, {.threads = 3});  // many pieces in one batch
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->training().pairs, (*snapshot)->training().pairs);
  EXPECT_EQ((*again)->training().replacements, (*snapshot)->training().replacements);
  texts.pop_back();
  InMemoryFileSystem last;
  ASSERT_TRUE(Train(last, texts, {.threads = 2, .batch = 1}));
  EXPECT_TRUE(last.Files()["phonemes.zwp"] == bytes);
  Training other;
  other.options.seed = 2;
  InMemoryFileSystem of_other;
  ASSERT_TRUE(Train(of_other, texts, other));
  EXPECT_TRUE(of_other.Files()["phonemes.zwp"] != bytes);
}

// Recomputes all values of a snapshot from its texts.
TEST(PhonemeTrainer, CountsAndTrainsWhatTheSourceSays) {
  const std::vector<std::string> texts = DrawTexts(6, 100);  // all are drawn
  InMemoryFileSystem files;
  const auto made = Train(files, texts);
  ASSERT_TRUE(made) << made.error().message;
  const PhonemeSnapshot& snapshot = **made;
  PhonemeCounts counts;
  std::map<uint64_t, std::string> drawn;
  for (const std::string& text : texts) {
    counts.Add(ComputeSymbols(Phonemes(), text)->symbols);
    drawn[HashBytes64(text, 1)] = text;
  }
  EXPECT_EQ(snapshot.texts(), 6u);
  EXPECT_EQ(snapshot.characters(), counts.characters());
  EXPECT_TRUE(std::ranges::equal(snapshot.counts(), counts.InOrder()));
  EXPECT_EQ(snapshot.channel_name(), Phonemes().name());
  EXPECT_EQ(snapshot.training().reference, Reference()->canonical_name());

  std::vector<std::string> characters;
  for (const auto& [key, text] : drawn) {
    for (const uint32_t symbol : CodePoints(text)) {
      if (IsRead(symbol)) characters.push_back(Utf8Of({symbol}));
    }
  }
  const PhonemeNoise noise(Phonemes(), *Reference(), characters);
  std::vector<double> sums, tones;
  uint64_t replacements = 0;
  for (const auto& [key, text] : drawn) {
    const auto noisy = *noise.AddTo(text, key, {});
    if (!noisy) continue;
    replacements += noisy->replacements;
    const PhonemeTriple cosines =
        ComputeCosines(CountPhonemes(Phonemes(), text), CountPhonemes(Phonemes(), noisy->text));
    const PhonemeTriple& weights = snapshot.weights();
    sums.push_back(weights[0] * cosines[0] + weights[1] * cosines[1] + weights[2] * cosines[2]);
    tones.push_back(cosines[2]);
  }
  const PhonemeTraining& training = snapshot.training();
  ASSERT_GT(training.pairs, 2u);
  EXPECT_EQ(training.pairs, sums.size());
  EXPECT_EQ(training.replacements, replacements);
  const double least = std::ranges::min(sums);
  EXPECT_NEAR(training.least.sum, least, 1.1e-6);
  EXPECT_LE(training.least.sum, least);
  EXPECT_NEAR(training.least.each[2], std::ranges::min(tones), 1.1e-6);
  EXPECT_EQ(training.percentile.sum, training.least.sum);  // there are less than a hundred pairs
  double mean = 0;
  for (const double sum : sums) mean += sum / static_cast<double>(sums.size());
  EXPECT_NEAR(training.mean.sum, mean, 1.1e-6);
  double variance = 0;
  for (const double sum : sums) {
    variance += (sum - mean) * (sum - mean) / static_cast<double>(sums.size());
  }
  EXPECT_NEAR(training.deviation.sum, std::sqrt(variance), 1.1e-6);
}

TEST(PhonemeTrainer, CountsOnlyWhereNoTextIsDrawn) {
  InMemoryFileSystem files;
  Training training;
  training.options.texts = 0;
  const auto snapshot = Train(files, {"山上", "no Han"}, training);
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ((*snapshot)->characters(), 2u);
  EXPECT_EQ((*snapshot)->texts(), 2u);
  EXPECT_EQ((*snapshot)->training().pairs, 0u);
  EXPECT_EQ((*snapshot)->entropies(), (PhonemeTriple{0, 1, 1}));  // sh, an and ang, tones 1 and 4
  EXPECT_EQ((*snapshot)->model().thresholds, PhonemeModel().thresholds);
  EXPECT_EQ((*snapshot)->model().weights, (PhonemeTriple{0, 0.5, 0.5}));
}

TEST(PhonemeTrainer, RefusesWhatCannotBe) {
  InMemoryFileSystem files;
  const auto code = [&](const Channel& channel, std::shared_ptr<const Scheme> reference,
                        const PhonemeTrainingOptions& options) {
    const auto made = PhonemeTrainer::Create(files, channel, std::move(reference), options);
    return made ? ErrorCode::kInternal : made.error().code;
  };
  const std::shared_ptr<const Scheme> minhash = *Scheme::Create("minhash");
  EXPECT_EQ(code(FoldedChannel(), Reference(), {.output = "a"}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(Phonemes(), minhash, {.output = "a"}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(Phonemes(), nullptr, {.output = "a"}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(Phonemes(), Reference(), {.output = "a", .texts = 0}),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(Phonemes(), Reference(), {.output = "a", .texts = 100'001}),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(Phonemes(), Reference(), {.output = ""}), ErrorCode::kInvalidArgument);
  files.Put("there.txt", "no snapshot");
  EXPECT_EQ(code(Phonemes(), Reference(), {.output = "there.txt", .overwrite = true}),
            ErrorCode::kConflict);

  Training training;
  EXPECT_EQ(Train(files, {"no Han"}, training).error().code, ErrorCode::kUnreadable);
  const auto too_short = Train(files, {"山上有人"}, training);
  EXPECT_EQ(too_short.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(too_short.error().message, HasSubstr("of 0 texts of 100 to 20000 Han characters"));
  EXPECT_EQ(files.Files().size(), 1u);  // no other file is left

  const auto executor = MakeInlineExecutor();
  Cancellation stopped;
  stopped.Request(ErrorCode::kTerminated);
  auto trainer = *PhonemeTrainer::Create(files, Phonemes(), Reference(), training.options);
  const std::vector<std::string> texts = DrawTexts(2, 100);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  ASSERT_TRUE(trainer->Add(*executor, views, {}));
  EXPECT_EQ(trainer->Finish(*executor, NoProgress(), stopped).error().code, ErrorCode::kTerminated);
  EXPECT_EQ(trainer->Add(*executor, views, stopped).error().code, ErrorCode::kTerminated);
  trainer.reset();
  EXPECT_EQ(files.Files().size(), 1u);
}

// --- the file ------------------------------------------------------------------------------------

// The content of a snapshot without its checksums.
struct Content {
  std::string channel = "phonemes.v1(data=0123456789abcdef)";
  std::array<uint64_t, 63> counts = [] {
    std::array<uint64_t, 63> numbers = {};
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = 5 + i % 24;
    numbers[0] += 1000 - 396;
    numbers[24] += 1000 - 491;
    numbers[58] += 1000 - 85;
    return numbers;
  }();
  PhonemesAbout about = {
      .texts = 9, .seed = 7, .drawn = 5, .pairs = 3, .characters = 600, .replacements = 40};
  std::string reference = "simhash64.v1(k=1)";
  std::vector<PhonemesThresholds> thresholds = {{{{953000, 932000, 964000, 962000},
                                                  {954000, 933000, 965000, 963000},
                                                  {990000, 991000, 995000, 992000},
                                                  {1000, 2000, 3000, 4000}}}};
};

std::string BytesOf(const Content& content) {
  SectionWriter writer;
  writer.Add(kPhonemesAbout, BytesOfValue(content.about));
  writer.Add(kPhonemesChannel, content.channel);
  writer.Add(kPhonemesCounts, BytesOfValue(content.counts));
  writer.Add(kPhonemesReference, content.reference);
  writer.Add(kPhonemesThresholds, BytesOfValues(content.thresholds));
  return writer.Finish(kPhonemesFile);
}

Result<std::shared_ptr<const PhonemeSnapshot>> OpenBytes(std::string bytes) {
  InMemoryFileSystem files;
  files.Put("p.zwp", std::move(bytes));
  return PhonemeSnapshot::Open(files, "p.zwp");
}

TEST(PhonemeSnapshot, OpensFilesOfVersionOne) {
  const auto snapshot = PhonemeSnapshot::Open(
      PosixFileSystem(), SourceFolder() + "/src/fingerprint/testdata/phonemes_v1.zwp");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const auto published = PublishedVectors("phonemes.md", "snapshot");
  ASSERT_EQ(published.size(), 1u);
  EXPECT_EQ((*snapshot)->id(), published[0].second);
  EXPECT_EQ((*snapshot)->characters(), 1000u);
  EXPECT_EQ((*snapshot)->texts(), 9u);
  EXPECT_EQ((*snapshot)->training().least.sum, 0.962);
  EXPECT_EQ((*snapshot)->training().percentile.each[0], 0.954);
  EXPECT_EQ((*snapshot)->training().deviation.each, (PhonemeTriple{0.001, 0.002, 0.003}));
  EXPECT_EQ((*snapshot)->training().replacements, 40u);
  const PhonemeModel model = (*snapshot)->model();
  EXPECT_EQ(model.thresholds, (*snapshot)->training().least.each);
  EXPECT_EQ(model.similarity, 0.962);
  EXPECT_EQ(model.weights, (*snapshot)->weights());
  const auto same = OpenBytes(BytesOf({}));
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ((*same)->id(), (*snapshot)->id());
}

TEST(PhonemeSnapshot, RefusesWhatCannotBe) {
  const auto refused = [](const auto& change) {
    Content content;
    change(content);
    const auto opened = OpenBytes(BytesOf(content));
    if (opened) return std::string("opened");
    EXPECT_EQ(opened.error().code, ErrorCode::kUnreadable);
    return opened.error().message;
  };
  const auto has = [](const std::string& part) { return HasSubstr("\"" + part + "\""); };
  EXPECT_EQ(refused([](Content&) {}), "opened");
  EXPECT_THAT(refused([](Content& c) { c.channel = "folded.v2"; }), has("channel"));
  EXPECT_THAT(refused([](Content& c) { c.channel = "phonemes.\xFF"; }), has("channel"));
  EXPECT_THAT(refused([](Content& c) { ++c.counts[3]; }), has("counts"));
  EXPECT_THAT(refused([](Content& c) { c.counts[62] = UINT64_MAX; }), has("counts"));
  EXPECT_THAT(refused([](Content& c) { c.counts = {}; }), has("counts"));
  EXPECT_THAT(refused([](Content& c) { c.about.drawn = 10; }), has("about"));
  EXPECT_THAT(refused([](Content& c) { c.about.pairs = 6; }), has("about"));
  EXPECT_THAT(refused([](Content& c) { c.about.pairs = 0; }), has("about"));
  EXPECT_THAT(refused([](Content& c) { c.about.characters = 0; }), has("about"));
  EXPECT_THAT(refused([](Content& c) { c.about.texts = 0; }), has("about"));
  EXPECT_THAT(refused([](Content& c) { c.reference = "two words"; }), has("reference"));
  EXPECT_THAT(refused([](Content& c) { c.reference = ""; }), has("about"));
  EXPECT_THAT(refused([](Content& c) { c.thresholds.clear(); }), has("thresholds"));
  EXPECT_THAT(refused([](Content& c) { c.thresholds[0][2][1] = 1000001; }), has("thresholds"));
  const std::string bytes = BytesOf({});
  for (size_t at = 0; at < bytes.size(); at += 41) {
    const auto damaged = OpenBytes(WithBitFlipped(bytes, 8 * at));
    EXPECT_TRUE(!damaged || at > 40) << at;  // zeros between sections are not checked
    EXPECT_FALSE(OpenBytes(bytes.substr(0, at)));
  }
}

// --- names and values ----------------------------------------------------------------------------

TEST(PhonemeNames, AreThoseOfTheOrder) {
  ASSERT_EQ(PhonemeNames().size(), 63u);
  EXPECT_EQ(PhonemeNames()[14].name, "zh");
  EXPECT_EQ(PhonemeNames()[23].name, "none");
  EXPECT_EQ(PhonemeNames()[24].kind, "final");
  EXPECT_EQ(PhonemeNames()[24 + 23].name, "ong");
  EXPECT_EQ(PhonemeNames()[62].name, "5");
  EXPECT_EQ(PhonemeNames()[62].kind, "tone");
}

TEST(ComparePhonemes, IsThatOfTheCounts) {
  const SchemeResources resources = {.language = TestLanguage()};
  const Fingerprint a = ComputeFingerprint("phonemes(counts)", "山上的人", resources);
  const Fingerprint b = ComputeFingerprint("phonemes(counts)", "人上山的", resources);
  const Fingerprint c = ComputeFingerprint("phonemes(counts)", "八", resources);
  const PhonemeTriple cosines = *ComparePhonemes(a, b);
  for (const double cosine : cosines) EXPECT_DOUBLE_EQ(cosine, 1);
  EXPECT_EQ((*ComparePhonemes(a, c))[0], 0);
  EXPECT_EQ(*ComparePhonemes(a, NoFingerprint()), PhonemeTriple());
  EXPECT_FALSE(ComparePhonemes(a, ComputeFingerprint("phonemes", "八", resources)));
  EXPECT_FALSE(ComparePhonemes(FingerprintBytes{1}, FingerprintBytes{1}));
}

// --- SimHash over phonemes -----------------------------------------------------------------------

__extension__ using Wide = __int128;

// Computes the definition, one bit at a time.
uint64_t SimhashSlowly(std::string_view text, std::span<const uint64_t> reference) {
  const std::array<uint64_t, 63> counts = CountPhonemes(Phonemes(), text).InOrder();
  Wide characters = 0, all = 0;
  for (size_t i = 58; i < 63; ++i) {
    characters += counts[i];
    all += reference.empty() ? 0 : reference[i];
  }
  uint64_t bits = 0;
  for (int bit = 0; bit < 64; ++bit) {
    Wide votes = 0;
    for (size_t i = 0; i < 63; ++i) {
      Wide weight = counts[i];
      if (!reference.empty()) {
        weight = (weight << 24) - characters * ((Wide{reference[i]} << 24) / all);
      }
      const std::string name =
          std::string(PhonemeNames()[i].kind) + " " + std::string(PhonemeNames()[i].name);
      votes += (HashBytes64(name) >> bit & 1) == 1 ? weight : -weight;
    }
    if (votes > 0) bits |= uint64_t{1} << bit;
  }
  return bits;
}

std::string HexOf(uint64_t bits) { return fmt::format("{:016x}", bits); }

TEST(PhonemeSimhash, IsWhatItsDefinitionSays) {
  InMemoryFileSystem files;
  Training training;
  training.options.texts = 0;
  const std::vector<std::string> texts = DrawTexts(12, 60);
  SchemeResources resources = {.language = TestLanguage()};
  resources.phonemes = *Train(files, texts, training);
  const auto language = PhonemesOfChinese(*TestLanguage())->InOrder();
  const std::string id = resources.phonemes->id();
  for (const std::string& text : texts) {
    const auto value = [&](const std::string& name) {
      return PrintFingerprint(ComputeFingerprint(name, text, resources));
    };
    EXPECT_EQ(value("simhash64(phoneme(none),channel=phonemes)"), HexOf(SimhashSlowly(text, {})));
    EXPECT_EQ(value("simhash64(phoneme(language),channel=phonemes)"),
              HexOf(SimhashSlowly(text, language)));
    const std::string of_corpus = HexOf(SimhashSlowly(text, resources.phonemes->counts()));
    EXPECT_EQ(value("simhash64(phoneme,channel=phonemes)"), of_corpus);
    EXPECT_EQ(value("simhash64(phoneme(" + id + "),channel=phonemes)"), of_corpus);
    EXPECT_EQ(value("simhash32(phoneme,channel=phonemes)"), of_corpus.substr(8));
  }
}

TEST(PhonemeSimhash, GivesThePublishedValues) {
  const auto vectors = PublishedVectors("phonemes.md", "values");
  ASSERT_FALSE(vectors.empty());
  for (const auto& [input, value] : vectors) {
    const size_t colon = input.find(" : ");
    EXPECT_EQ(PrintFingerprint(ComputeFingerprint(input.substr(0, colon), input.substr(colon + 3),
                                                  {.language = TestLanguage()})),
              value)
        << input;
  }
}

TEST(PhonemeSimhash, NamesWhatItNeeds) {
  SchemeResources resources = {.language = TestLanguage()};
  const auto message = [&](std::string_view name) {
    const auto scheme = Scheme::Create(name, resources);
    return scheme ? (*scheme)->canonical_name() : scheme.error().message;
  };
  EXPECT_THAT(message("simhash64(phoneme,channel=phonemes)"),
              HasSubstr("feature=phoneme.v1(reference=language)"));
  EXPECT_THAT(message("simhash64(phoneme)"), HasSubstr("use channel=phonemes"));
  EXPECT_THAT(message("simhash64(phoneme,channel=phonemes,weight=distinct)"),
              HasSubstr("use weight=tf"));
  EXPECT_THAT(message("simhash64(phoneme(0123456789abcdef),channel=phonemes)"),
              HasSubstr("zhiwen phonemes train makes one"));
  resources.phonemes = *OpenBytes(BytesOf({}));  // made with other language data
  EXPECT_THAT(message("simhash64(phoneme,channel=phonemes)"), HasSubstr("train it again"));
  EXPECT_THAT(message("simhash64(phoneme(0123456789abcdef),channel=phonemes)"),
              HasSubstr("of this run is " + resources.phonemes->id()));
  // The name takes the frequencies from the language data that its channel names, and from no
  // other.
  const auto foreign =
      Scheme::Create("simhash64(phoneme)", {.channel = *OpenChannel("phonemes", TestLanguage())});
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.error().message, HasSubstr("is not of the language data of this run"));
  EXPECT_FALSE(HasValue(ComputeFingerprint("simhash64(phoneme(none),channel=phonemes)", "no Han",
                                           {.language = TestLanguage()})));
}

}  // namespace
}  // namespace zhiwen
