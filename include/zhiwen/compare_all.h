#ifndef ZHIWEN_COMPARE_ALL_H_
#define ZHIWEN_COMPARE_ALL_H_

// Compares all texts of files with each other, as for the essays of a class: which of them share
// passages, and what was done to each.
//
// In          documents of files, folders and standard input (zhiwen/document_batches.h), at least
//             two, at most kMostComparedTexts with kMostComparedBytes; pictures are no documents
// Out         a folder: pairs.jsonl, a line for each pair that shares passages; matrix.csv, the
//             shares of all pairs; pairs/, pages of the pairs that share most; report.html
//             (docs/formats/compared-texts.md)
// Guarantees  the same files for any number of threads. Where there are no more pairs of texts than
//             `most_pairs`, the passages of all are found, as FindPassages finds them. Of more
//             texts, those pairs are compared that have a run of 8 symbols in common on a channel
//             (20 letters on initials.v1); where these are more than `most_pairs`, the ones that
//             share most runs that few texts have, and the others are counted. The folder has
//             report.html only when all else is there
// Cost        25 bytes a symbol and channel; two bytes a pair of texts; a pair costs its passages
//             (zhiwen/passages.h)
// Threads     free functions; the executor compares
// Fails       as DocumentBatches does; kInvalidArgument for a single text, and where the folder and
//             an input lie one in the other; kExhausted for too many texts or bytes; kConflict for
//             a folder that is not empty
// Persisted   docs/formats/compared-texts.md
// Not for     more texts: keep them in a library, and check each (zhiwen/check_files.h)

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/compare.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/exclusion_reason.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kMostComparedTexts = 5000;
inline constexpr uint64_t kMostComparedBytes = uint64_t{64} << 20;
inline constexpr size_t kMostPairPages = 100;

struct CompareAllOptions {
  std::string folder;
  bool overwrite = false;  // an earlier report in the folder is replaced
  DocumentInputs inputs = {};
  std::vector<Channel> channels = {FoldedChannel()};  // the one that disguises least first
  std::vector<UnsearchedChannel> not_searched = {};   // which the outputs name
  std::string date_field = "date";                    // of records, for who was first
  // Passages of a do not count for these reasons: places of a, and own work where a record of each
  // names an author that both have.
  ExclusionReasons exclude = {};
  std::vector<std::string> boilerplate = {};  // form texts
  std::string author_field = "author";        // of records
  uint64_t most_pairs = 100'000;              // that are compared
  double family_share = 0.2;  // of a text in another one, from which both are of one family
  std::vector<std::string> command = {};  // that the pages tell
};

struct ComparedText {
  std::string id, date = {};
  uint64_t symbols = 0;  // on the first channel
};

// Two texts that share passages. The numbers of texts are places in CompareAllSummary::texts.
struct ComparedPair {
  uint32_t a = 0, b = 0;
  bool is_directed = false;                   // their dates prove that b was first; else a < b
  uint64_t a_matched = 0, b_matched = 0;      // symbols within passages
  uint64_t longest_passage = 0;               // symbols that match in one passage, at most
  PassageKind kind = PassageKind::kVerbatim;  // the one of a passage that disguises most
  EditCounts edits = {};
  bool is_excluded = false;  // it has passages, and none of them counts
};

struct CompareAllSummary {
  std::vector<ComparedText> texts;  // in the order of the inputs
  std::vector<std::string> channels;
  std::vector<UnsearchedChannel> not_searched;
  uint64_t short_texts = 0;      // of them: too short for a passage, unless another is the same
  uint64_t repeated_ids = 0;     // texts with the id of an earlier one
  std::string repeated_id = {};  // the first of these
  uint64_t nominated = 0;        // pairs with a run in common
  uint64_t compared = 0;         // of them
  // Those of the compared pairs with passages, the most matched first; pairs of which nothing
  // counts come last.
  std::vector<ComparedPair> pairs;
  // Texts that are connected by pairs of `family_share`, two or more; the largest family first, and
  // in each the earliest text by its date first, then in the order of the inputs.
  std::vector<std::vector<uint32_t>> families;

  // Returns those of `pairs` of which something counts.
  std::span<const ComparedPair> counted_pairs() const;
  uint64_t all_pairs() const { return texts.size() * (texts.size() - 1) / 2; }
  double ShareOfA(const ComparedPair& pair) const;
  double ShareOfB(const ComparedPair& pair) const;
};

Result<CompareAllSummary> CompareAll(const CompareAllOptions& options,
                                     const BatchEnvironment& environment);

// One JSON object with the counts and the families (`zhiwen compare --all --json`).
std::string CompareAllToJson(const CompareAllSummary& summary);

}  // namespace zhiwen

#endif  // ZHIWEN_COMPARE_ALL_H_
