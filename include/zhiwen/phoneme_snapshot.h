#ifndef ZHIWEN_PHONEME_SNAPSHOT_H_
#define ZHIWEN_PHONEME_SNAPSHOT_H_

// How often each sound of Mandarin is in a corpus, and how much less alike its texts sound under
// noise: what the models of 金哲凡 et al. 2017, 基于音位的网络盗版文本查重方法, are made of, frozen
// as a value with a version.
//
// Out         a file of some kilobytes
// Guarantees  the same bytes for the same documents and seed, whatever their order and threads
// Cost        counting: that of the channel. Training: a fingerprint for every character that is
//             replaced, some hundreds a text; memory for the texts that are drawn
// Threads     a snapshot is const: share freely. A trainer: one at a time
// Fails       see the functions
// Persisted   docs/formats/phonemes.md

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "zhiwen/channel.h"
#include "zhiwen/environment.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

class SectionFile;

// Of initials, finals and tones.
using PhonemeTriple = std::array<double, 3>;

// The cosines of two texts, and their sum, each weighing as much as it says.
struct PhonemeCosines {
  PhonemeTriple each = {};
  double sum = 0;
};

// When two texts sound alike.
struct PhonemeModel {
  PhonemeTriple thresholds = {0.953, 0.932, 0.964};  // model 1, table 4 of the source
  PhonemeTriple weights = {0.3967, 0.4117, 0.1916};  // model 2, α β θ
  double similarity = 0.962;                         // its threshold

  // Each cosine is above its threshold, strictly as in the source.
  bool Model1(const PhonemeTriple& cosines) const {
    return cosines[0] > thresholds[0] && cosines[1] > thresholds[1] && cosines[2] > thresholds[2];
  }
  double Similarity(const PhonemeTriple& cosines) const {
    return weights[0] * cosines[0] + weights[1] * cosines[1] + weights[2] * cosines[2];
  }
  // The weighted sum is.
  bool Model2(const PhonemeTriple& cosines) const { return Similarity(cosines) > similarity; }
};

// The measure "phonemes" (zhiwen/fingerprint_similarity.h) has the weights of the source. Who has
// a corpus of his own takes those of its snapshot:
//
//   PhonemeModel model = snapshot.model();
//   model.Model2(*ComparePhonemes(a, b))

// Of two values of the scheme phonemes; zeros where one text has none. Fails: kInvalidArgument for
// values of other schemes, or of two forms.
Result<PhonemeTriple> ComparePhonemes(const Fingerprint& a, const Fingerprint& b);

// What is counted, in order: 24 initials, the last "none", 34 finals, 5 tones.
struct PhonemeName {
  std::string_view kind;  // "initial", "final", "tone"
  std::string_view name;  // "zh", "ong", "4"
};
std::span<const PhonemeName> PhonemeNames();

// How thresholds were trained: characters of a text were replaced until a reference fingerprint
// differed in exactly kPhonemeDistance bits.
inline constexpr uint32_t kPhonemeDistance = 3;

struct PhonemeTraining {
  std::string reference;      // canonical name of its scheme; empty: nothing was trained
  uint64_t seed = 0;          // of the draw of texts, places and characters
  uint64_t texts = 0;         // drawn
  uint64_t pairs = 0;         // of these, with a noisy text at that distance
  uint64_t characters = 0;    // Han, of the texts of pairs
  uint64_t replacements = 0;  // of these, in all
  // Of the pairs, in millionths, rounded down.
  PhonemeCosines least = {}, percentile = {}, mean = {}, deviation = {};  // percentile: the first
};

class PhonemeSnapshot {
 public:
  // Reads and verifies the file. Fails: kNotFound; kUnreadable when it is damaged or no such file;
  // kConflict when it is of another format version.
  static Result<std::shared_ptr<const PhonemeSnapshot>> Open(FileSystem& files,
                                                             const std::string& path);

  // 16 hex digits of its checksum; what scheme names have behind "reference=".
  const std::string& id() const { return id_; }
  const std::string& path() const { return path_; }
  // Of the channel that read the characters.
  const std::string& channel_name() const { return channel_name_; }

  uint64_t texts() const { return texts_; }
  uint64_t characters() const { return characters_; }
  // In the order of PhonemeNames(); of each kind they add up to characters().
  std::span<const uint64_t> counts() const { return counts_; }

  // In bits, and as shares of all three: the weights of model 2.
  const PhonemeTriple& entropies() const { return entropies_; }
  const PhonemeTriple& weights() const { return weights_; }

  const PhonemeTraining& training() const { return training_; }

  // With the weights of the corpus, and, where thresholds were trained, the least of them, as the
  // source has it; else its own.
  PhonemeModel model() const;

 private:
  PhonemeSnapshot() = default;
  Status Read(const SectionFile& file);

  std::string id_, path_, channel_name_;
  std::array<uint64_t, 63> counts_ = {};
  uint64_t texts_ = 0, characters_ = 0;
  PhonemeTriple entropies_ = {}, weights_ = {};
  PhonemeTraining training_;
};

struct PhonemeTrainingOptions {
  std::string output;      // the file; work is done in "OUTPUT.partial/", which then goes
  bool overwrite = false;  // a snapshot of phonemes, or an empty file, that is there
  uint64_t seed = 1;
  // Of the corpus, to train with, at most: the draw takes texts of 100 to 20,000 Han characters and
  // at most 128 KiB, equal ones once, and holds them in memory. 0: phonemes are counted, and no
  // threshold is trained.
  uint64_t texts = 500;
};
inline constexpr uint64_t kMostTrainingTexts = 100'000;

// Counts the documents of a corpus, and draws those to train with. Without Finish nothing is left
// on disk.
class PhonemeTrainer {
 public:
  // `channel` is one of phonemes; `reference` a scheme of 64 bits (simhash64), null where no texts
  // are to be drawn. `files` must outlive the trainer. Fails: kConflict when the output is there,
  // or another process is at it; kInvalidArgument for another channel, scheme or too many texts.
  static Result<std::unique_ptr<PhonemeTrainer>> Create(FileSystem& files, const Channel& channel,
                                                        std::shared_ptr<const Scheme> reference,
                                                        const PhonemeTrainingOptions& options);
  ~PhonemeTrainer();

  // Counts one document for each text. Fails on cancellation, and kExhausted for more characters
  // than a snapshot counts, 2⁴⁰; then the trainer is of no further use.
  Status Add(Executor& executor, std::span<const std::string_view> texts,
             const Cancellation& cancellation);

  // Trains, writes the snapshot, moves it to its place and opens it. Fails also, with nothing
  // replaced: kUnreadable where there is no Han character, or no text for which noise could be
  // found; on cancellation.
  Result<std::shared_ptr<const PhonemeSnapshot>> Finish(Executor& executor, ProgressSink& progress,
                                                        const Cancellation& cancellation);

 private:
  struct State;
  explicit PhonemeTrainer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PHONEME_SNAPSHOT_H_
