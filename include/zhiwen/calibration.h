#ifndef ZHIWEN_CALIBRATION_H_
#define ZHIWEN_CALIBRATION_H_

// Measures on a sample of a corpus how the distance of two codes relates to how alike two texts
// are, and recommends a radius for codes and a threshold for resemblance.
//
// Three kinds of pairs are measured, each by the length of the shorter text: a text and a copy in
// which a known share of the characters was changed; all pairs of texts that are unrelated; and the
// pairs of the sample that resemble each other.
//
// In          documents (zhiwen/document_batches.h), and a scheme whose values are codes of 8 or 4
//             bytes: simhash64
// Out         counts by distance, shares with intervals at 95 %, and the recommendation
// Guarantees  texts are drawn by a hash of their bytes and a seed, equal ones once: the same result
//             for any order of the documents and any number of threads. All pairs of the drawn
//             texts are counted; resemblance is that of zhiwen dedup, computed, never estimated
// Cost        n texts: n²/2 comparisons of codes; a join of their shingle sets
//             (index/joins/prefix_join.h); a copy of each text for each share; memory for the texts
//             that are drawn, at most kMostCalibrationBytes each, and their shingles
// Threads     one caller; the work is given to an Executor
// Fails       as DocumentBatches; kInvalidArgument for another scheme, or for options out of range;
//             kUnreadable when fewer than two different texts have a code
// Persisted   docs/formats/calibration.md
// Not for     schemes whose values are no codes: measure those with labelled pairs
//             (zhiwen/evaluation.h)

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/dedup_findings.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

class OutputFile;

inline constexpr uint64_t kMostCalibrationTexts = 50'000;
inline constexpr size_t kMostCalibrationBytes = size_t{64} << 10;  // of a text; longer: left out

// Shares of the characters of a text that are changed.
inline constexpr std::array<double, 6> kChangedShares = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2};

// Lengths are characters (words of other scripts) on the channel folded, from each number to below
// the next.
inline constexpr std::array<uint64_t, 6> kCalibrationLengths = {0, 50, 100, 200, 500, 1000};

// Resemblances of pairs that are related, from each number (but the first: from
// CalibrateOptions::unrelated) to below the next; the last has 1, too.
inline constexpr std::array<double, 5> kRelatedFrom = {0, 0.3, 0.5, 0.7, 0.9};

struct CalibrateOptions {
  DocumentInputs inputs = {};
  std::unique_ptr<Scheme> scheme = {};
  uint64_t texts = 10'000;  // to draw, at most: 2 to kMostCalibrationTexts
  uint64_t seed = 1;        // of the draw, and of the changes
  // Texts with a resemblance below this are unrelated: to join them is false. Above 0, at most 1.
  double unrelated = 0.1;
  // One of so many pairs of unrelated texts may join.
  uint64_t false_joins_one_in = 1'000'000;
  // A radius has to find this share of the copies in which kChangedShares[changed] was changed.
  double found = 0.9;  // above 0, below 1
  size_t changed = 2;
};

// Counts of pairs by the distance of their codes.
using DistanceCounts = std::vector<uint64_t>;  // bits + 1

// Returns the number of pairs with a distance of `radius` or less.
uint64_t CountWithin(const DistanceCounts& counts, uint32_t radius);

// Returns the smallest distance that so large a share of the pairs does not exceed; nothing when
// there is no pair.
std::optional<uint32_t> DistanceQuantile(const DistanceCounts& counts, double share);

// Texts and their copies with one share of the characters changed: replaced, deleted or inserted,
// each as often. A text that is too short for one change is not among them.
struct ChangedCopies {
  uint64_t copies = 0;
  uint64_t without_code = 0;  // of these: the copy has no code, and is never found
  DistanceCounts by_distance = {};
  // The 5th, 25th, 50th, 75th and 95th percentile of their resemblance; zeros without copies.
  std::array<double, 5> resemblance = {};

  // The share of the copies that a radius finds.
  ShareInterval Found(uint32_t radius) const;
};

// All pairs of different texts whose resemblance is below CalibrateOptions::unrelated.
struct UnrelatedPairs {
  DistanceCounts by_distance = {};
  // By radius: how many times wider the spread is than that of as many independent pairs, since
  // pairs share texts (a text that joins one other wrongly may join many). At least 1.
  std::vector<double> spread = {};

  uint64_t pairs() const;
  // The share of the pairs that a radius joins. The interval counts pairs / spread pairs.
  ShareInterval Joined(uint32_t radius) const;
};

// Returns how many documents a corpus may have so that at most one in a hundred has an unrelated
// one within the radius: by the upper end of the interval, rounded down to two digits.
uint64_t DocumentsWithFewFalseJoins(const ShareInterval& joined);

enum class RadiusVerdict : uint8_t {
  kFit,      // a radius is shown to keep false joins rare and to find enough
  kUnfit,    // it is shown that no radius does both
  kNotSure,  // neither: the intervals leave it open
  kTooFew,   // and no radius is shown to keep false joins rare: there are too few pairs
};
std::string_view NameOfVerdict(RadiusVerdict verdict);  // "fit", "unfit", "not sure", "too few"

// Holds the measurements of the texts of some lengths.
struct LengthCalibration {
  uint64_t from = 0, to = 0;  // characters, `to` excluded; 0: no end
  uint64_t texts = 0;         // of these lengths, with a code
  uint64_t without_code = 0;  // of these lengths
  std::array<ChangedCopies, kChangedShares.size()> changed = {};
  // Pairs count by the length of the shorter text.
  UnrelatedPairs unrelated = {};
  std::array<DistanceCounts, kRelatedFrom.size()> related = {};

  RadiusVerdict verdict = RadiusVerdict::kTooFew;
  // The largest radius whose false joins are rare enough up to the end of their interval.
  std::optional<uint32_t> radius = {};
  // That one; where the pairs of this length allow none, that of all lengths.
  std::optional<uint32_t> used_radius = {};
  // The highest threshold of resemblance, in hundredths, that finds the wanted share of the copies;
  // nothing where it is below 0.5 or there are no copies.
  std::optional<double> threshold = {};
  ShareInterval found_at_threshold = {};
};

struct Calibration {
  std::string scheme;  // canonical name
  uint32_t bits = 64;
  uint64_t texts_wanted = 0, seed = 0, false_joins_one_in = 0;
  double unrelated = 0, found = 0, changed = 0;  // `changed` is the share

  uint64_t documents = 0, empty = 0, too_long = 0;  // the last two: of the documents, left out
  uint64_t texts = 0;                               // drawn, all different
  LengthCalibration all;
  std::vector<LengthCalibration> lengths;  // those of kCalibrationLengths that have texts
  // The first length that is not unfit, if the unfit ones are the shortest.
  std::optional<uint64_t> unfit_below;

  // The number of pairs that count neither way, since their resemblance is not below `unrelated`,
  // whose codes differ in `radius` bits or fewer.
  uint64_t CountRelated(uint32_t radius) const;

  // The copies in which the share `changed` was changed.
  const ChangedCopies& CopiesAsked(const LengthCalibration& measured) const;
};

// Returns "all", "< 50", "50–99", "≥ 1,000".
std::string NameOfLength(const LengthCalibration& measured);

Result<Calibration> Calibrate(const CalibrateOptions& options, const BatchEnvironment& environment);

// One object, indented, without a line end, with "schema_version": docs/formats/calibration.md.
std::string CalibrationToJson(const Calibration& calibration, std::span<const std::string> command);

// The recommendation as TOML, with comments.
std::string CalibrationToToml(const Calibration& calibration, std::span<const std::string> command);

// One page for people, in Chinese and English, that needs nothing beside it.
std::string RenderCalibrationPage(const Calibration& calibration,
                                  std::span<const std::string> command);

// A file of a calibration. What was there stays until the new one is whole and on the disk.
class CalibrationOutput {
 public:
  enum class Form : uint8_t { kToml, kPage };
  enum class Existing : uint8_t { kRefuse, kReplace };  // a file of this form that is there

  // `files` must outlive the object. Fails: kConflict where something is there that may not be
  // replaced, or another process is at it.
  static Result<std::unique_ptr<CalibrationOutput>> Create(FileSystem& files,
                                                           const std::string& path, Form form,
                                                           Existing existing);
  ~CalibrationOutput();

  // Fails as Create; as the disk does.
  Status Publish(const Calibration& calibration, std::span<const std::string> command);

 private:
  CalibrationOutput(std::unique_ptr<OutputFile> output, Form form);
  std::unique_ptr<OutputFile> output_;
  Form form_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_CALIBRATION_H_
