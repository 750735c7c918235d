#ifndef ZHIWEN_EVALUATION_H_
#define ZHIWEN_EVALUATION_H_

// How well schemes tell texts that belong together from others, on pairs of which that is known,
// and what each costs. A pair is taken for a copy where the similarity of its two fingerprints, by
// the scheme's usual measure or another (zhiwen/fingerprint_similarity.h), is at least a threshold.
//
// In          labelled pairs of UTF-8 texts, some at a time
// Out         a row for all pairs, for each corpus, and in both for each length and each relation
// Guarantees  every figure but MB/s depends on the pairs and their order alone, not on threads or
//             on how many come at a time
// Cost        a fingerprint of each text that differs from the others of its batch; 4 bytes a pair
//             and scheme, and 8 a pair; n log n to finish
// Threads     one caller; the work is given to an Executor
// Fails       kUnreadable: a text is no UTF-8 · kInvalidArgument: a measure that values of a scheme
//             do not have · kInterrupted, kTerminated

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/document_batches.h"
#include "zhiwen/environment.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

class OutputFile;

enum class PairLabel : uint8_t { kOther, kCopy };

struct LabelledPair {
  std::string_view a, b;
  PairLabel label = PairLabel::kOther;
  std::string_view relation = {};  // how the texts belong together, or why they seem to; "": unsaid
  // Pairs of other texts without a corpus count in every corpus.
  std::string_view corpus = {};
};

// What a threshold makes of pairs.
struct PairDecisions {
  uint64_t found = 0, missed = 0;      // copies that are taken for copies, and those that are not
  uint64_t mistaken = 0, refused = 0;  // others, likewise

  // 0 to 1; nothing where none is taken for a copy, there are no copies, or no others.
  std::optional<double> Precision() const;
  std::optional<double> Recall() const;
  std::optional<double> F1() const;
  std::optional<double> FalsePositives() const;  // mistaken, of all others

  friend bool operator==(const PairDecisions&, const PairDecisions&) = default;
};

struct ThresholdResult {
  double threshold = 0;
  PairDecisions pairs;

  friend bool operator==(const ThresholdResult&, const ThresholdResult&) = default;
};

struct CurvePoint {
  double recall = 0, precision = 0;

  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

inline constexpr size_t kSimilarityBins = 20;  // of equal width; the last has 1 too

// Some of the pairs. A relation that has copies is held against all others of its corpus; one that
// has none is these alone.
struct EvaluationRow {
  std::string corpus, relation, length;  // "": all
  uint64_t copies = 0, others = 0;
  // At the threshold of the scheme's source, where it names one.
  std::optional<ThresholdResult> at_source;
  // At the one above 0 with the largest F1 in the corpus, of equal ones the highest; nothing where
  // no copy of the corpus is above 0.
  std::optional<ThresholdResult> at_best;
  // The mean of the precision over the recall, one step for each distinct similarity (average
  // precision); nothing where there are no copies or no others.
  std::optional<double> area;
  std::vector<uint64_t> copies_by_similarity, others_by_similarity;  // kSimilarityBins
  std::vector<CurvePoint> curve;  // of all pairs and of corpora: from the highest threshold on
  uint64_t texts = 0, texts_without_value = 0;  // both of each pair
  uint64_t text_bytes = 0;
  uint64_t value_bytes = 0;  // stored (zhiwen/fingerprint.h), without the name and the frame
};

struct SchemeEvaluation {
  std::string scheme;  // as it was named
  std::string canonical_name, measure;
  std::optional<double> source_threshold;
  double bytes_per_second = 0;  // of texts, of processor time
  std::vector<EvaluationRow> rows;
};

// A scheme that was asked for, or is there, and was not evaluated.
struct SkippedScheme {
  std::string scheme, why;
};

struct Evaluation {
  uint64_t pairs = 0;
  std::vector<SchemeEvaluation> schemes;
  std::vector<SkippedScheme> skipped;
};

struct NamedScheme {
  std::string name;  // as people call it
  std::unique_ptr<Scheme> scheme;
};

class SchemeEvaluator {
 public:
  // Lengths are characters of the shorter text, from each number to below the next.
  static constexpr uint64_t kLengths[] = {0, 100, 500, 2000};

  // `clock` must outlive the object. `measure`: one of SimilarityMeasures(), or "": the usual ones.
  SchemeEvaluator(std::vector<NamedScheme> schemes, const Clock& clock, std::string measure = "");
  ~SchemeEvaluator();
  SchemeEvaluator(const SchemeEvaluator&) = delete;
  SchemeEvaluator& operator=(const SchemeEvaluator&) = delete;

  // Compares the pairs. On failure none of them counts, but for MB/s.
  Status Add(Executor& executor, std::span<const LabelledPair> pairs,
             const Cancellation& cancellation);

  // The figures of all pairs that were added.
  Result<Evaluation> Finish(Executor& executor, const Cancellation& cancellation) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The fields of a record that is a pair, and what messages call the options that name them.
struct PairFields {
  NamedField a = {"a", "a_field"};
  NamedField b = {"b", "b_field"};
  NamedField label = {"label", "label_field"};
  NamedField relation = {"relation", "relation_field"};
  NamedField corpus = {"corpus", "corpus_field"};
};

struct PairFileOptions {
  DocumentInputs inputs = {};  // `fields` decides the text field and the value fields
  PairFields fields = {};
  // The labels of copies; all other labels are of other texts. Empty: labels are the usual words,
  // such as 1, 0, true, false, copy and other, in any case.
  std::vector<std::string> copy_labels = {};
  std::string copy_labels_option = "copy_labels";  // what messages call the option
  std::string measure = {};                        // as of SchemeEvaluator
};

// Evaluates `schemes` on the labelled pairs of files, one a record; a record that is no pair is a
// failed record. Fails as SchemeEvaluator and DocumentBatches; kInvalidArgument for a text file.
Result<Evaluation> EvaluatePairFiles(const PairFileOptions& options,
                                     std::vector<NamedScheme> schemes,
                                     const BatchEnvironment& environment);

// {"pairs", "schemes": [{"scheme", …, "rows": […]}], "skipped"}, indented, without a line end; what
// is not known is null.
std::string EvaluationToJson(const Evaluation& evaluation, std::span<const std::string> command);

// One page for people, in Chinese and English, that needs nothing beside it. `command` is what can
// be typed to get it again.
std::string RenderEvaluationPage(const Evaluation& evaluation,
                                 std::span<const std::string> command);

// The page as a file. What was there stays until the page is whole and on the disk.
class EvaluationPage {
 public:
  enum class Existing : uint8_t { kRefuse, kReplace };  // a page of this kind that is there

  // `files` must outlive the object. Fails: kConflict where something is there that may not be
  // replaced, or another process is at it.
  static Result<std::unique_ptr<EvaluationPage>> Create(FileSystem& files, const std::string& path,
                                                        Existing existing);
  ~EvaluationPage();

  // Fails as Create; as the disk does.
  Status Publish(const Evaluation& evaluation, std::span<const std::string> command);

 private:
  explicit EvaluationPage(std::unique_ptr<OutputFile> output);
  std::unique_ptr<OutputFile> output_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_EVALUATION_H_
