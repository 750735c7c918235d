#include "fingerprint/phoneme_noise.h"

#include "base/draws.h"
#include "fingerprint/simhash.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

// A text in which characters can be replaced.
class Characters {
 public:
  Characters(std::string_view text, const std::vector<ByteSpan>& places) {
    uint64_t begin = 0;
    for (const ByteSpan& place : places) {
      before_.push_back(text.substr(begin, place.begin.value - begin));
      characters_.push_back(text.substr(place.begin.value, place.size()));
      begin = place.end.value;
    }
    rest_ = text.substr(begin);
  }

  std::string_view& operator[](size_t place) { return characters_[place]; }

  std::string Text() const {
    std::string text;
    for (size_t i = 0; i < before_.size(); ++i) (text += before_[i]) += characters_[i];
    return text += rest_;
  }

 private:
  std::vector<std::string_view> before_, characters_;
  std::string_view rest_;
};

// Returns the number of differing bits, or UINT64_MAX when a text has no value.
uint64_t Distance(const Fingerprint& a, const Fingerprint& b) {
  if (!HasValue(a) || !HasValue(b)) return UINT64_MAX;
  return CountDifferingBits(std::get<FingerprintBytes>(a), std::get<FingerprintBytes>(b));
}

}  // namespace

std::vector<ByteSpan> HanPlaces(const Channel& phonemes, std::string_view utf8) {
  std::vector<ByteSpan> places;
  const Result<SpannedSymbols> read = ComputeSymbols(phonemes, utf8);
  if (!read) return places;
  for (const ByteSpan& span : read->spans) {  // one character may be two on the channel
    if (places.empty() || span.begin >= places.back().end) places.push_back(span);
  }
  return places;
}

Result<std::optional<NoisyText>> PhonemeNoise::AddTo(std::string_view utf8, uint64_t seed,
                                                     const Cancellation& cancellation) const {
  ZHIWEN_ASSIGN_OR_RETURN(const Fingerprint before, reference_.Compute(utf8));
  const std::vector<ByteSpan> places = HanPlaces(phonemes_, utf8);
  if (!HasValue(before) || places.empty() || template_.empty()) return std::nullopt;
  const Characters original(utf8, places);
  Draws draws(seed);
  for (uint32_t tried = 0; tried < kNoiseTries; ++tried) {
    Characters characters = original;
    NoisyText noisy;
    // A text with more than four replacements a character would be noise alone.
    for (size_t step = 0; step < 4 * places.size(); ++step) {
      ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
      std::string_view& place = characters[draws.Next(places.size())];
      const std::string_view other = template_[draws.Next(template_.size())];
      if (place == other) continue;
      place = other;
      noisy.text = characters.Text();
      ++noisy.replacements;
      ZHIWEN_ASSIGN_OR_RETURN(const Fingerprint after, reference_.Compute(noisy.text));
      const uint64_t distance = Distance(before, after);
      if (distance == kPhonemeDistance) return noisy;
      if (distance > kPhonemeDistance) break;
    }
  }
  return std::nullopt;
}

}  // namespace zhiwen
