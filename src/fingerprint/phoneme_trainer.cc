#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/files/section_output.h"
#include "base/first_error.h"
#include "base/hash.h"
#include "base/utf8/utf8.h"
#include "base/value_bytes.h"
#include "fingerprint/phoneme_model.h"
#include "fingerprint/phoneme_noise.h"
#include "fingerprint/phoneme_snapshot_file.h"
#include "text/reading/readings.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

// Bounds of the texts that are drawn.
constexpr uint64_t kLeastCharacters = 100, kMostCharacters = 20'000;
constexpr size_t kMostTextBytes = size_t{128} << 10;

constexpr size_t kTemplateCharacters = 7'000;  // "包含7000余字"

constexpr size_t kDocumentsAtOnce = 4;

// The result of comparing a text with its noisy form.
struct Pair {
  PhonemeCosines cosines;
  uint64_t characters = 0, replacements = 0;
};

uint32_t Millionths(double value) { return static_cast<uint32_t>(std::floor(value * 1e6)); }

// Computes one column of the thresholds from the values of all pairs; there is at least one.
std::array<uint32_t, 4> Summarise(std::vector<double> values) {
  const auto count = static_cast<double>(values.size());
  std::ranges::sort(values);
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {Millionths(values.front()), Millionths(values[values.size() / 100]), Millionths(mean),
          Millionths(std::sqrt(squares / count))};
}

PhonemesThresholds Summarise(const std::vector<Pair>& pairs) {
  PhonemesThresholds thresholds = {};
  for (size_t column = 0; column < 4; ++column) {
    std::vector<double> values;
    for (const Pair& pair : pairs) {
      const double value = column < 3 ? pair.cosines.each[column] : pair.cosines.sum;
      values.push_back(std::min(1.0, value));
    }
    const std::array<uint32_t, 4> rows = Summarise(std::move(values));
    for (size_t row = 0; row < rows.size(); ++row) thresholds[row][column] = rows[row];
  }
  return thresholds;
}

}  // namespace

struct PhonemeTrainer::State {
  State(FileSystem& file_system, Channel phonemes, std::shared_ptr<const Scheme> scheme,
        PhonemeTrainingOptions training)
      : files(file_system),
        channel(std::move(phonemes)),
        reference(std::move(scheme)),
        options(std::move(training)) {}

  void Draw(std::string_view text, uint64_t characters);
  std::vector<std::string> TemplateCharacters() const;
  Result<std::optional<Pair>> Train(const PhonemeNoise& noise, std::string_view text, uint64_t key,
                                    const Cancellation& cancellation) const;
  Result<std::vector<Pair>> TrainAll(Executor& executor, ProgressSink& progress,
                                     const Cancellation& cancellation) const;

  FileSystem& files;
  const Channel channel;
  const std::shared_ptr<const Scheme> reference;
  const PhonemeTrainingOptions options;
  std::unique_ptr<SectionOutput> output;
  std::mutex mutex;  // guards the following members
  PhonemeCounts counts;
  uint64_t texts = 0;
  std::map<uint64_t, std::string> drawn;  // the texts with the smallest keys
};

// Draws a text by the hash of its content alone, so that neither order nor threads change the
// result.
void PhonemeTrainer::State::Draw(std::string_view text, uint64_t characters) {
  const bool fits = characters >= kLeastCharacters && characters <= kMostCharacters &&
                    text.size() <= kMostTextBytes && FindInvalidUtf8(text) == text.size();
  if (!fits || options.texts == 0) return;
  const uint64_t key = HashBytes64(text, options.seed);
  const std::lock_guard lock(mutex);
  if (drawn.size() == options.texts && key > drawn.rbegin()->first) return;
  drawn.emplace(key, text);
  if (drawn.size() > options.texts) drawn.erase(std::prev(drawn.end()));
}

// The template comes from the drawn texts, in the order of their keys. A character that is frequent
// there is drawn often as noise.
std::vector<std::string> PhonemeTrainer::State::TemplateCharacters() const {
  std::vector<std::string> characters;
  for (const auto& [key, text] : drawn) {
    for (const ByteSpan& place : HanPlaces(channel, text)) {
      if (characters.size() == kTemplateCharacters) return characters;
      characters.push_back(text.substr(place.begin.value, place.size()));
    }
  }
  return characters;
}

Result<std::optional<Pair>> PhonemeTrainer::State::Train(const PhonemeNoise& noise,
                                                         std::string_view text, uint64_t key,
                                                         const Cancellation& cancellation) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<NoisyText> noisy,
                          noise.AddTo(text, key, cancellation));
  if (!noisy) return std::nullopt;
  const PhonemeCounts before = CountPhonemes(channel, text);
  PhonemeModel model;
  model.weights = WeightsOf(ComputeEntropies(counts));
  Pair pair = {.cosines = {.each = ComputeCosines(before, CountPhonemes(channel, noisy->text))},
               .characters = before.characters(),
               .replacements = noisy->replacements};
  pair.cosines.sum = model.Similarity(pair.cosines.each);
  return pair;
}

Result<std::vector<Pair>> PhonemeTrainer::State::TrainAll(Executor& executor,
                                                          ProgressSink& progress,
                                                          const Cancellation& cancellation) const {
  std::vector<Pair> pairs;
  if (options.texts == 0) return pairs;
  const PhonemeNoise noise(channel, *reference, TemplateCharacters());
  std::vector<std::pair<uint64_t, std::string_view>> of_training(drawn.begin(), drawn.end());
  std::vector<std::optional<Pair>> trained(of_training.size());
  std::atomic<uint64_t> done = 0;
  FirstError failed;
  ParallelFor(executor, trained.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (cancellation.requested()) return;
      auto pair = Train(noise, of_training[i].second, of_training[i].first, cancellation);
      if (pair) {
        trained[i] = *std::move(pair);
      } else {
        failed.Keep(Fail(std::move(pair)));
      }
      progress.Advance(Stage::kTrain, ++done, trained.size());
    }
  });
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  ZHIWEN_RETURN_IF_ERROR(failed.Take());
  for (const std::optional<Pair>& pair : trained) {
    if (pair) pairs.push_back(*pair);
  }
  if (!pairs.empty()) return pairs;
  return Fail(
      ErrorCode::kUnreadable,
      fmt::format("cannot train thresholds: of {} texts of {} to {} Han characters none has "
                  "a noisy one at distance {}; give more texts, or 0 to count only",
                  trained.size(), kLeastCharacters, kMostCharacters, kPhonemeDistance));
}

PhonemeTrainer::PhonemeTrainer(std::unique_ptr<State> state) : state_(std::move(state)) {}
PhonemeTrainer::~PhonemeTrainer() = default;

Result<std::unique_ptr<PhonemeTrainer>> PhonemeTrainer::Create(
    FileSystem& files, const Channel& channel, std::shared_ptr<const Scheme> reference,
    const PhonemeTrainingOptions& options) {
  const auto refuse = [](std::string why) {
    return Fail(ErrorCode::kInvalidArgument, "cannot train phonemes: " + std::move(why));
  };
  if (!channel.name().starts_with("phonemes.")) {
    return refuse(fmt::format("{} reads none; use the channel phonemes", channel.name()));
  }
  if (options.texts > kMostTrainingTexts) {
    return refuse(
        fmt::format("{} texts are too many; give at most {}", options.texts, kMostTrainingTexts));
  }
  const bool has_reference = reference != nullptr;
  if (has_reference != (options.texts > 0) ||
      (has_reference && !reference->canonical_name().starts_with("simhash64."))) {
    return refuse("texts are trained with a scheme simhash64, and without texts there is none");
  }
  auto state = std::make_unique<State>(files, channel, std::move(reference), options);
  ZHIWEN_ASSIGN_OR_RETURN(
      state->output,
      SectionOutput::Create(files, kPhonemesFile, {options.output, options.overwrite}));
  return std::unique_ptr<PhonemeTrainer>(new PhonemeTrainer(std::move(state)));
}

Status PhonemeTrainer::Add(Executor& executor, std::span<const std::string_view> texts,
                           const Cancellation& cancellation) {
  State& state = *state_;
  ParallelFor(executor, texts.size(), kDocumentsAtOnce, [&](size_t begin, size_t end) {
    PhonemeCounts of_piece;
    for (size_t i = begin; i < end && !cancellation.requested(); ++i) {
      const PhonemeCounts of_text = CountPhonemes(state.channel, texts[i]);
      of_piece.Add(of_text);
      state.Draw(texts[i], of_text.characters());
    }
    const std::lock_guard lock(state.mutex);
    state.counts.Add(of_piece);
  });
  state.texts += texts.size();
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  if (state.counts.characters() <= kMostPhonemes) return {};
  return Fail(ErrorCode::kExhausted,
              fmt::format("cannot count more than {} characters in one snapshot", kMostPhonemes));
}

Result<std::shared_ptr<const PhonemeSnapshot>> PhonemeTrainer::Finish(
    Executor& executor, ProgressSink& progress, const Cancellation& cancellation) {
  State& state = *state_;
  if (state.counts.characters() == 0) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("nothing to write to \"{}\": of {} documents none has a Han character "
                            "with a reading; give inputs with Chinese text",
                            state.options.output, state.texts));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<Pair> pairs,
                          state.TrainAll(executor, progress, cancellation));
  PhonemesAbout about = {.texts = state.texts,
                         .seed = pairs.empty() ? 0 : state.options.seed,
                         .drawn = state.drawn.size(),
                         .pairs = pairs.size()};
  for (const Pair& pair : pairs) {
    about.characters += pair.characters;
    about.replacements += pair.replacements;
  }
  SectionWriter writer;
  writer.Add(kPhonemesAbout, BytesOfValue(about));
  writer.Add(kPhonemesChannel, state.channel.name());
  writer.Add(kPhonemesCounts, BytesOfValue(state.counts.InOrder()));
  writer.Add(kPhonemesReference, pairs.empty() ? "" : state.reference->canonical_name());
  writer.Add(kPhonemesThresholds, pairs.empty() ? "" : BytesOfValue(Summarise(pairs)));
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  const std::vector<SectionContent> contents = writer.contents();
  if (auto published = state.output->Publish(contents); !published) {
    return Fail(std::move(published));
  }
  return PhonemeSnapshot::Open(state.files, state.options.output);
}

}  // namespace zhiwen
