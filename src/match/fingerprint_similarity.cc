#include "zhiwen/fingerprint_similarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fingerprint/channel_scheme.h"
#include "fingerprint/colour_grid.h"
#include "fingerprint/dna_code.h"
#include "fingerprint/phoneme_model.h"
#include "fingerprint/scheme_family.h"
#include "fingerprint/simhash.h"
#include "match/code_similarity.h"
#include "match/digit_similarity.h"
#include "match/level_similarity.h"
#include "match/similarity.h"
#include "match/term_similarity.h"
#include "zhiwen/metadata.h"
#include "zhiwen/shared_places.h"

namespace zhiwen {
namespace {

// --- values of fixed size ------------------------------------------------------------------------

double Equal(const Fingerprint& a, const Fingerprint& b) { return a == b ? 1 : 0; }

double EqualBits(const FingerprintBytes& a, const FingerprintBytes& b) {
  const auto bits = static_cast<double>(8 * a.size());
  return 1 - static_cast<double>(CountDifferingBits(a, b)) / bits;
}

double EqualValues(const FingerprintBytes& a, const FingerprintBytes& b) {
  size_t equal = 0;
  for (size_t i = 0; i + 4 <= a.size(); i += 4) {
    equal += std::equal(&a[i], &a[i] + 4, &b[i]) ? 1 : 0;
  }
  return static_cast<double>(equal) / static_cast<double>(a.size() / 4);
}

// Estimates resemblance after P. Li, A. König, "b-Bit Minwise Hashing", 2010, §2, for sets that are
// small compared with the set of all possible elements: different values agree in b bits by chance
// with probability 2⁻ᵇ.
template <uint32_t kBits>
double BbitMinhash(const FingerprintBytes& a, const FingerprintBytes& b) {
  constexpr uint32_t kMask = (1U << kBits) - 1;
  constexpr double kChance = 1.0 / (1 << kBits);
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const uint32_t difference = a[i] ^ b[i];
    for (uint32_t shift = 0; shift < 8; shift += kBits) {
      equal += (difference >> shift & kMask) == 0 ? 1 : 0;
    }
  }
  const double share = static_cast<double>(equal) / static_cast<double>(a.size() * 8 / kBits);
  return std::max(0.0, (share - kChance) / (1 - kChance));
}

// Returns the share of equal parts among the parts that both fingerprints have.
double EqualParts(const FingerprintBytes& a, const FingerprintBytes& b) {
  const auto parts = CompareParts(a, b);
  const auto equal = std::ranges::count(parts, PartAgreement::kEqual);
  const auto different = std::ranges::count(parts, PartAgreement::kDifferent);
  return equal == 0 ? 0 : static_cast<double>(equal) / static_cast<double>(equal + different);
}

std::string_view LettersOf(const FingerprintBytes& grid) {
  return {reinterpret_cast<const char*>(grid.data()), grid.size()};
}

template <GridPalette kPalette>
double AlikeBlocks(const FingerprintBytes& a, const FingerprintBytes& b) {
  return ColourGridSimilarity(kPalette, LettersOf(a), LettersOf(b));
}

// Uses the weights of the source. The weights of a corpus are in its snapshot (PhonemeModel).
double Phonemes(const Fingerprint& a, const Fingerprint& b) {
  return std::min(1.0, PhonemeModel().Similarity(ComputeCosines(PhonemesOf(a), PhonemesOf(b))));
}

template <size_t kKind>
double PhonemeCosine(const Fingerprint& a, const Fingerprint& b) {
  return std::min(1.0, ComputeCosines(PhonemesOf(a), PhonemesOf(b))[kKind]);
}

// --- sets ----------------------------------------------------------------------------------------

// Returns the distinct hashes of a set or of selected shingles, ascending.
std::vector<uint64_t> HashesOf(const Fingerprint& fingerprint) {
  if (const auto* set = std::get_if<HashSet>(&fingerprint)) return set->hashes;
  std::vector<uint64_t> hashes;
  for (const SelectedShingle& shingle : std::get<SelectedShingles>(fingerprint)) {
    hashes.push_back(shingle.hash);
  }
  std::ranges::sort(hashes);
  hashes.erase(std::ranges::unique(hashes).begin(), hashes.end());
  return hashes;
}

double Resemblance(const Fingerprint& a, const Fingerprint& b) {
  return ComputeOverlap(HashesOf(a), HashesOf(b)).Resemblance();
}

double Containment(const Fingerprint& a, const Fingerprint& b) {
  const SetOverlap overlap = ComputeOverlap(HashesOf(a), HashesOf(b));
  return std::max(overlap.ContainmentOfA(), overlap.ContainmentOfB());
}

// Returns the codes, or the selected blocks as codes, in the order of their positions.
CodeSequence SequenceOf(const Fingerprint& fingerprint) {
  if (const auto* codes = std::get_if<CodeSequence>(&fingerprint)) return *codes;
  CodeSequence codes;
  for (const SelectedShingle& shingle : std::get<SelectedShingles>(fingerprint)) {
    AppendBigEndian(codes.bytes, shingle.hash, static_cast<int>(codes.width));
  }
  return codes;
}

double Subsequence(const Fingerprint& a, const Fingerprint& b) {
  return CommonSubsequence(SequenceOf(a), SequenceOf(b));
}

// --- codes with levels
// ----------------------------------------------------------------------------

double Levels(const CodeSequence& a, const CodeSequence& b) {
  return ComputeLevelSimilarity(LevelsOf(a), LevelsOf(b), kAlikeLevel).Similarity().value_or(0);
}

// --- codes of digits -----------------------------------------------------------------------------

// A text shorter than a granule has its bytes as its one code.
CodeSequence DnaCodesOf(const Fingerprint& fingerprint) {
  if (const auto* codes = std::get_if<CodeSequence>(&fingerprint)) return *codes;
  const auto& bytes = std::get<FingerprintBytes>(fingerprint);
  return {.width = static_cast<uint32_t>(bytes.size()), .bytes = bytes};
}

Result<double> DigitL1(const Fingerprint& a, const Fingerprint& b,
                       const Cancellation& cancellation) {
  const CodeSequence of_a = DnaCodesOf(a);
  const CodeSequence of_b = DnaCodesOf(b);
  if (of_a.width != of_b.width) return 0;
  return DigitSimilarity(of_a, of_b, cancellation);
}

// --- which values have which measure -------------------------------------------------------------

using Has = bool (*)(const Fingerprint& value);
using Compute = Result<double> (*)(const Fingerprint& a, const Fingerprint& b,
                                   const Cancellation& cancellation);

// Wraps measures that need no cancellation, because they take n log n at most.
template <double (*kCompute)(const Fingerprint&, const Fingerprint&)>
Result<double> OfAny(const Fingerprint& a, const Fingerprint& b, const Cancellation&) {
  return kCompute(a, b);
}

template <typename Value, double (*kCompute)(const Value&, const Value&)>
Result<double> Of(const Fingerprint& a, const Fingerprint& b, const Cancellation&) {
  return kCompute(std::get<Value>(a), std::get<Value>(b));
}

template <double (*kCompute)(TermSpan, TermSpan)>
Result<double> OfTerms(const Fingerprint& a, const Fingerprint& b, const Cancellation&) {
  return kCompute(std::get<WeightedTerms>(a), std::get<WeightedTerms>(b));
}

template <typename Value>
bool Is(const Fingerprint& value) {
  return std::holds_alternative<Value>(value);
}

bool IsAny(const Fingerprint&) { return true; }
bool IsOfBytes(const Fingerprint& value) {
  const auto* bytes = std::get_if<FingerprintBytes>(&value);
  return bytes != nullptr && !bytes->empty();
}
template <GridPalette kPalette>
bool IsOfGrid(const Fingerprint& value) {
  const auto* bytes = std::get_if<FingerprintBytes>(&value);
  return bytes != nullptr && !bytes->empty() && IsColourGrid(kPalette, LettersOf(*bytes));
}
bool IsOfHashes(const Fingerprint& value) {
  return Is<HashSet>(value) || Is<SelectedShingles>(value);
}
bool IsOfSequence(const Fingerprint& value) {
  return Is<CodeSequence>(value) || Is<SelectedShingles>(value);
}
bool IsOfValues(const Fingerprint& value) {
  return IsOfBytes(value) && std::get<FingerprintBytes>(value).size() % 4 == 0;
}
bool IsOfParts(const Fingerprint& value) {
  const auto* bytes = std::get_if<FingerprintBytes>(&value);
  return bytes != nullptr && bytes->size() == kMetadataBytes;
}
bool IsOfDigits(const Fingerprint& value) {
  const auto* bytes = std::get_if<FingerprintBytes>(&value);
  const auto* codes = std::get_if<CodeSequence>(&value);
  return (bytes != nullptr && DnaRadix(bytes->size()) != 0) ||
         (codes != nullptr && DnaRadix(codes->width) != 0);
}

bool IsOfLevels(const Fingerprint& value) {
  const auto* codes = std::get_if<CodeSequence>(&value);
  return codes != nullptr && HasLevels(*codes);
}

struct Row {
  SimilarityMeasure measure;
  Has has;
  Compute compute;
};

constexpr std::string_view kFixed = "values of fixed size";
constexpr std::string_view kColourGrids = "colour_grid";
constexpr std::string_view kOfPhonemes = "phonemes";
constexpr std::string_view kHashes = "sets, selected blocks";
constexpr std::string_view kTerms = "terms with weights";
constexpr std::string_view kCodes = "sequences of codes";

using Bytes = FingerprintBytes;
using Codes = CodeSequence;

constexpr Row kRows[] = {
    {{"equal", "all values", "1 of equal values"}, IsAny, OfAny<Equal>},
    {{"equal_bits", kFixed, "share of equal bits: 1 less the Hamming distance over the bits"},
     IsOfBytes,
     Of<Bytes, EqualBits>},
    {{"equal_values", kFixed, "share of equal values of four bytes: MinHash's estimate"},
     IsOfValues,
     Of<Bytes, EqualValues>},
    {{"bbit1", kFixed, "resemblance that values of one bit each say"},
     IsOfBytes,
     Of<Bytes, BbitMinhash<1>>},
    {{"bbit2", kFixed, "the same of two bits each"}, IsOfBytes, Of<Bytes, BbitMinhash<2>>},
    {{"bbit4", kFixed, "the same of four bits each"}, IsOfBytes, Of<Bytes, BbitMinhash<4>>},
    {{"bbit8", kFixed, "the same of eight bits each"}, IsOfBytes, Of<Bytes, BbitMinhash<8>>},
    {{"equal_parts", "metadata", "share of equal parts, of those that both have"},
     IsOfParts,
     Of<Bytes, EqualParts>},
    {{"blocks8", kColourGrids, "how near the colours of blocks are, of 8 colours"},
     IsOfGrid<GridPalette::k8>,
     Of<Bytes, AlikeBlocks<GridPalette::k8>>},
    {{"blocks16", kColourGrids, "the same of 16 colours"},
     IsOfGrid<GridPalette::k16>,
     Of<Bytes, AlikeBlocks<GridPalette::k16>>},
    {{"blocks256", kColourGrids, "the same of 256 colours"},
     IsOfGrid<GridPalette::k256>,
     Of<Bytes, AlikeBlocks<GridPalette::k256>>},
    {{"phonemes", kOfPhonemes, "weighted cosines of initials, finals and tones: model 2"},
     HasPhonemes,
     OfAny<Phonemes>},
    {{"initials", kOfPhonemes, "cosine of the initials"}, HasPhonemes, OfAny<PhonemeCosine<0>>},
    {{"finals", kOfPhonemes, "cosine of the finals"}, HasPhonemes, OfAny<PhonemeCosine<1>>},
    {{"tones", kOfPhonemes, "cosine of the tones"}, HasPhonemes, OfAny<PhonemeCosine<2>>},
    {{"resemblance", kHashes, "hashes that both have, of those that one of them has"},
     IsOfHashes,
     OfAny<Resemblance>},
    {{"containment", kHashes, "hashes that both have, of those of the smaller one"},
     IsOfHashes,
     OfAny<Containment>},
    {{"coverage", "selected blocks", "bytes in blocks that both have, of those in any"},
     Is<SelectedShingles>,
     Of<SelectedShingles, ShingleCoverage>},
    {{"code_resemblance", kCodes, "codes that both have, of those that one of them has"},
     Is<Codes>,
     Of<Codes, CodeResemblance>},
    {{"equal_places", kCodes, "share of equal codes, each at its place"},
     Is<Codes>,
     Of<Codes, EqualPlaces>},
    {{"consecutive", kCodes, "share of codes in runs of two or more that both have"},
     Is<Codes>,
     Of<Codes, ConsecutiveCodes>},
    {{"subsequence", "sequences of codes, selected blocks",
      "the longest sequence that both have in order"},
     IsOfSequence,
     OfAny<Subsequence>},
    {{"digit_l1", "initials_dna",
      "1 less the L1 distance of each granule to the closest of the other, on average"},
     IsOfDigits,
     DigitL1},
    {{"levels", "tagstr",
      "levels more than 0.92 of whose clauses both have, of the levels of both"},
     IsOfLevels,
     Of<Codes, Levels>},
    {{"cosine", kTerms, "cosine of the weights"}, Is<WeightedTerms>, OfTerms<TermCosine>},
    {{"dot_product", kTerms, "sum of the products of shares"},
     Is<WeightedTerms>,
     OfTerms<TermDotProduct>},
    {{"correlation", kTerms, "correlation of the weights, from -1"},
     Is<WeightedTerms>,
     OfTerms<TermCorrelation>},
    {{"geometric_minimum", kTerms, "lesser shares over their geometric means"},
     Is<WeightedTerms>,
     OfTerms<TermGeometricMinimum>},
    {{"arithmetic_minimum", kTerms, "lesser shares over their arithmetic means"},
     Is<WeightedTerms>,
     OfTerms<TermArithmeticMinimum>},
    {{"exponential", kTerms, "mean of e to the power of -3/4 of squared differences of shares"},
     Is<WeightedTerms>,
     OfTerms<TermExponential>},
    {{"scam", kTerms, "share of one in the other, over terms about as frequent in both"},
     Is<WeightedTerms>,
     OfTerms<TermScam>},
};

const Row* FindRow(std::string_view name) {
  const auto* const row = std::ranges::find_if(
      kRows, [&](const Row& candidate) { return candidate.measure.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

bool IsOfFamily(std::string_view scheme_name, std::string_view family) {
  return scheme_name.starts_with(family) &&
         (scheme_name.size() == family.size() || scheme_name[family.size()] == '.' ||
          scheme_name[family.size()] == '(');
}

}  // namespace

std::span<const SimilarityMeasure> SimilarityMeasures() {
  static const auto kMeasures = [] {
    std::array<SimilarityMeasure, std::size(kRows)> measures;
    std::ranges::transform(kRows, measures.begin(), &Row::measure);
    return measures;
  }();
  return kMeasures;
}

std::string_view UsualMeasure(std::string_view scheme_name, const Fingerprint& value) {
  for (const SchemeFamily* family : SchemeFamilies()) {
    if (!IsOfFamily(scheme_name, family->name.name)) continue;
    const Row* const row = FindRow(MeasureOf(*family, scheme_name));
    const bool says_little = family->measure == "equal" && !Is<Bytes>(value);
    if (row != nullptr && row->has(value) && !says_little) return row->measure.name;
  }
  if (IsOfHashes(value)) return "resemblance";
  if (Is<WeightedTerms>(value)) return "cosine";
  return "equal";
}

std::optional<double> UsualThreshold(std::string_view scheme_name, std::string_view measure) {
  for (const SchemeFamily* family : SchemeFamilies()) {
    if (!IsOfFamily(scheme_name, family->name.name)) continue;
    if (MeasureOf(*family, scheme_name) == measure && family->threshold > 0) {
      return family->threshold;
    }
  }
  return std::nullopt;
}

Result<double> CompareFingerprints(const Fingerprint& a, const Fingerprint& b,
                                   std::string_view measure, const Cancellation& cancellation) {
  const Row* const row = FindRow(measure);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const Row& known : kRows) names.push_back(known.measure.name);
    return Fail(ErrorCode::kInvalidArgument, fmt::format("there is no measure \"{}\"; there is {}",
                                                         measure, fmt::join(names, ", ")));
  }
  if (!HasValue(a) || !HasValue(b)) return 0;
  const bool have_one_size =
      !Is<Bytes>(a) || !Is<Bytes>(b) || std::get<Bytes>(a).size() == std::get<Bytes>(b).size();
  const bool have_one_kind = a.index() == b.index() || row->compute == DigitL1;
  if (!have_one_kind || !have_one_size || !row->has(a) || !row->has(b)) {
    std::vector<std::string_view> possible;
    for (const Row& known : kRows) {
      if (known.has(a) && known.has(b)) possible.push_back(known.measure.name);
    }
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot measure \"{}\" of these values: it is for {}; of these there "
                            "is {}",
                            measure, row->measure.of, fmt::join(possible, ", ")));
  }
  return row->compute(a, b, cancellation);
}

}  // namespace zhiwen
