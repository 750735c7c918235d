#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "feature/phoneme_counts.h"
#include "fingerprint/dna_code.h"
#include "fingerprint/granule_scheme.h"
#include "fingerprint/phoneme_part.h"
#include "fingerprint/scheme_family.h"
#include "text/channel_view.h"
#include "text/reading/syllable.h"

namespace zhiwen {
namespace {

__extension__ using Int128 = __int128;

constexpr std::string_view kRadices[] = {"10", "8", "4", "2"};
constexpr std::string_view kInitialsDnaReferences[] = {"language"};
constexpr std::string_view kScales[] = {"fixed", "granule"};
constexpr ParameterSpec kInitialsDnaParameters[] = {
    {"channel", ParameterKind::kChannel, "initials", "what reads the characters"},
    {"digits", ParameterKind::kChoice, "10", "how many digits there are for a letter", 0, 0,
     kRadices},
    {"granule", ParameterKind::kInteger, "50", "characters of a granule", 1, 65536},
    {"overlap", ParameterKind::kDecimal, "0.5",
     "share of a granule that the next one has, too; 1: a granule at every character", 0, kMillion},
    {"reference", ParameterKind::kPhonemes, "language",
     "how often letters are to be expected: in the words of the language data, or in a corpus", 0,
     0, kInitialsDnaReferences},
    {"scale", ParameterKind::kChoice, "fixed",
     "digits from -2 to 2 standard deviations, or from the least to the most of a granule", 0, 0,
     kScales},
};

constexpr size_t kCopiedCharacters = 50;  // of a granule that tells copies

constexpr size_t kLetters = kDnaLetters.size();
constexpr auto kNoLetter = static_cast<uint8_t>(kLetters);  // a, e, o

// `digits` must be one of kRadices.
uint32_t RadixOf(std::string_view digits) {
  uint32_t radix = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), radix);
  return radix;
}

uint8_t NumberOfLetter(char letter) {
  return static_cast<uint8_t>(std::min(kDnaLetters.find(letter), kLetters));
}

// The number of occurrences of each letter in a granule; the last entry counts kNoLetter.
using Counts = std::array<int64_t, kLetters + 1>;

// The counts of letters in a language, at most 2^40 (text/reading/readings.h).
struct Reference {
  explicit Reference(const PhonemeCounts& counts)
      : characters(static_cast<int64_t>(counts.characters())) {
    for (uint32_t initial = 1; initial <= kInitialCount; ++initial) {
      const std::string_view name = InitialName(initial);
      const size_t letter = name.empty() ? kNoLetter : NumberOfLetter(name.front());
      letters[letter] += static_cast<int64_t>(counts.initials[initial - 1]);
    }
    // A letter that never occurs would have variance 0, by which no deviation can be scaled.
    for (int64_t& occurrences : letters) occurrences = std::max<int64_t>(occurrences, 1);
  }

  int64_t characters = 0;
  Counts letters = {};
};

// Computes ⌊radix · clamp((d / 2σ + 1) / 2, 0, 1 − ε)⌋ for a letter of a granule, in integers. Here
// p is the letter's share in the reference, n the granule's number of characters, d = count − n p
// and σ² = n p (1 − p). The digit lies in 0 … radix − 1, and is at least k where radix · d ≥ 2 (2k
// − radix) σ.
class FixedScale {
 public:
  FixedScale(const Reference& reference, int64_t radix) : reference_(reference), radix_(radix) {}

  uint8_t DigitOf(size_t letter, int64_t count, size_t size) const {
    const int64_t occurrences = reference_.letters[letter];
    const auto n = static_cast<int64_t>(size);
    const Int128 above =
        Int128{radix_} * (count * reference_.characters - n * occurrences);  // times characters
    const Int128 variance = Int128{n * occurrences} * (reference_.characters - occurrences);
    int64_t digit = 0;
    while (digit + 1 < radix_ && Reaches(above, 2 * (2 * (digit + 1) - radix_), variance)) ++digit;
    return static_cast<uint8_t>(digit);
  }

 private:
  // Returns whether above ≥ bound · √variance. Squares fit, as they are below 2^121: above is below
  // 10 · 2^56.
  static bool Reaches(Int128 above, int64_t bound, Int128 variance) {
    const Int128 bound_squared = Int128{bound * bound} * variance;
    if (bound < 0) return above >= 0 || above * above <= bound_squared;
    return above >= 0 && above * above >= bound_squared;
  }

  Reference reference_;
  int64_t radix_;
};

// Scales the deviations from the reference linearly, so that the least becomes 0 and the greatest
// radix − 1.
DnaDigits SpreadDigits(const Counts& counts, const Reference& reference, size_t size,
                       int64_t radix) {
  std::array<int64_t, kLetters> deviations;
  for (size_t i = 0; i < kLetters; ++i) {
    deviations[i] =
        counts[i] * reference.characters - static_cast<int64_t>(size) * reference.letters[i];
  }
  const auto [least, most] = std::ranges::minmax(deviations);
  DnaDigits digits = {};
  for (size_t i = 0; i < kLetters && least < most; ++i) {
    const int64_t digit = radix * (deviations[i] - least) / (most - least);
    digits[i] = static_cast<uint8_t>(std::min(digit, radix - 1));
  }
  return digits;
}

class InitialsDnaScheme final : public GranuleScheme {
 public:
  InitialsDnaScheme(const ResolvedName& name, const Reference& reference)
      : GranuleScheme(name),
        reads_phonemes_(name["channel"].text.starts_with("phonemes.")),
        is_fixed_(name["scale"].text == "fixed"),
        radix_(RadixOf(name["digits"].text)),
        size_(name["granule"].integer),
        step_(std::max<size_t>(
            1, (size_ * (kMillion - name["overlap"].integer) + kMillion / 2) / kMillion)),
        reference_(reference),
        scale_(reference, radix_) {
    if (!is_fixed_) return;
    for (size_t letter = 0; letter < kLetters; ++letter) {
      for (size_t count = 0; count <= size_; ++count) {
        digits_.push_back(scale_.DigitOf(letter, static_cast<int64_t>(count), size_));
      }
    }
  }

  Result<Granules> ComputeGranules(std::string_view utf8, Begin begin) const override {
    ZHIWEN_RETURN_IF_ERROR(CheckUtf8(utf8));
    const SpannedSymbols read = channel().view().Explain(utf8);
    std::vector<uint8_t> letters;
    AppendLetters(read.symbols, letters);
    Granules granules = {.codes = {.width = DnaWidth(radix_), .bytes = {}},
                         .sources = {},
                         .begins = {},
                         .is_short = letters.size() < size_};
    const size_t step = begin == Begin::kAtSteps ? step_ : 1;
    VisitGranules(letters, step, [&](size_t first, size_t last, const DnaDigits& digits) {
      AppendDnaCode(digits, radix_, granules.codes.bytes);
      granules.sources.push_back({read.spans[first].begin, read.spans[last].end});
      granules.begins.push_back(first);
    });
    return granules;
  }

  uint64_t granule_size() const override { return size_; }
  uint64_t granule_step() const override { return step_; }
  bool tells_copies() const override {
    return radix_ == 10 && is_fixed_ && size_ >= kCopiedCharacters;
  }

 private:
  // Appends one number for each symbol: the number of its letter, or kNoLetter.
  void AppendLetters(std::span<const uint32_t> symbols, std::vector<uint8_t>& letters) const {
    for (const uint32_t symbol : symbols) {
      const char letter =
          reads_phonemes_ ? FirstLetter(SyllableOf(symbol)) : static_cast<char>(symbol);
      letters.push_back(NumberOfLetter(letter));
    }
  }

  DnaDigits DigitsOf(const Counts& counts, size_t size) const {
    if (!is_fixed_) return SpreadDigits(counts, reference_, size, radix_);
    DnaDigits digits;
    for (size_t i = 0; i < kLetters; ++i) {
      digits[i] = size == size_ ? digits_[i * (size_ + 1) + static_cast<size_t>(counts[i])]
                                : scale_.DigitOf(i, counts[i], size);
    }
    return digits;
  }

  // Calls visit(first letter, last letter, digits) for each granule. A text shorter than a granule
  // is one granule.
  template <typename Visit>
  void VisitGranules(std::span<const uint8_t> letters, size_t step, Visit visit) const {
    const size_t size = std::min(size_, letters.size());
    if (size == 0) return;
    Counts counts = {};  // counts of letters[begin, end)
    size_t begin = 0;
    size_t end = 0;
    for (size_t from = 0;; from = std::min(from + step, letters.size() - size)) {
      for (; end < from + size; ++end) ++counts[letters[end]];
      for (; begin < from; ++begin) --counts[letters[begin]];
      visit(from, end - 1, DigitsOf(counts, size));
      if (end == letters.size()) return;
    }
  }

  Fingerprint ComputeValid(std::string_view utf8) const override {
    std::vector<uint8_t> letters;
    channel().view().Visit(
        utf8, [&](std::span<const uint32_t> symbols) { AppendLetters(symbols, letters); });
    if (letters.empty()) return NoFingerprint();
    CodeSequence codes = {.width = DnaWidth(radix_), .bytes = {}};
    VisitGranules(letters, step_, [&](size_t, size_t, const DnaDigits& digits) {
      AppendDnaCode(digits, radix_, codes.bytes);
    });
    // A short text has a value of another kind, which therefore never equals the value of a whole
    // granule.
    if (letters.size() < size_) return std::move(codes.bytes);
    return codes;
  }

  bool reads_phonemes_, is_fixed_;
  uint32_t radix_;
  size_t size_, step_;
  Reference reference_;
  FixedScale scale_;
  std::vector<uint8_t> digits_;  // by letter and its count in a whole granule
};

Result<std::unique_ptr<Scheme>> CreateInitialsDna(const ResolvedName& name,
                                                  const SchemeResources& resources) {
  const std::string& channel = name["channel"].text;
  if (!channel.starts_with("initials.") && !channel.starts_with("phonemes.")) {
    return FailScheme(name,
                      "only the channels initials and phonemes read every character, and "
                      "each by itself");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const PhonemeCounts counts,
                          CountsOfReference(name, name["reference"].text, resources));
  return std::make_unique<InitialsDnaScheme>(name, Reference(counts));
}

}  // namespace

constinit const SchemeFamily kInitialsDnaScheme = {
    .name = {"initials_dna", 1, "granule", kInitialsDnaParameters},
    .source = "文辉, 网站文章如何能自动判定是抄袭, 2016, 3",
    .input = "first letters of readings, in granules",
    .value = "9, 8, 5 or 3 bytes a granule (digits=10, 8, 4, 2)",
    .distance = "L1 over the digits of each granule and the closest one of the other text",
    .use_for = "copies disguised by characters that sound alike, and their passages",
    .not_for = "texts shorter than a granule; texts without Chinese",
    .measure = "digit_l1",
    .create = CreateInitialsDna,
};

}  // namespace zhiwen
