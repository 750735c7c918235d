#ifndef ZHIWEN_PIPELINE_LIBRARY_DERIVED_INDEX_H_
#define ZHIWEN_PIPELINE_LIBRARY_DERIVED_INDEX_H_

// The indexes of a library, each derived from the catalog and kept in a folder of its own. None has
// a log: an index says which change of the catalog it has, and its owner applies the later ones.
//
//   near                      documents by their MinHash signatures (index/minhash/)
//   passages, pinyin, shape   documents by the blocks that are selected on a channel
//                             (index/postings/)
//   scheme1, scheme2, …       documents by the codes of a scheme (index/codes/)
//   granules1, granules2, …   documents by the keys of their granules (index/postings/)
//
// The settings of a library's catalog name those that it has.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/minhash/minhash_index.h"
#include "index/postings/postings_index.h"
#include "pipeline/library/text_sketcher.h"
#include "store/corpus_store.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A change of one document; additions have the sketch of its text.
struct IndexChange {
  CatalogChangeKind kind = CatalogChangeKind::kAdd;
  uint32_t document = 0;
  const TextSketch* sketch = nullptr;
};

// An index that is open for changes, whatever its kind.
class DerivedIndexWriter {
 public:
  virtual ~DerivedIndexWriter() = default;

  // Returns the last change of the catalog that the index had when it was opened.
  virtual uint64_t sequence() const = 0;

  // These are those of MinHashIndexWriter, PostingsIndexWriter and CodeIndexWriter, with
  // kReplayedByOwner.
  virtual Status Commit(std::span<const IndexChange> changes) = 0;
  virtual Status Flush(uint64_t sequence) = 0;
  virtual Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) = 0;
  virtual Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) = 0;
  virtual Status Close() = 0;
};

// The findings of DerivedIndexKind::check.
struct DerivedIndexCheck {
  uint64_t sequence = 0;
  std::vector<std::string> problems;
};

enum class DerivedContent : uint8_t { kSignatures, kSelected, kCodes, kGranules };

// A kind of derived index. Functions fail as those of its index do.
struct DerivedIndexKind {
  DerivedContent content;
  Status (*create)(FileSystem& files, const std::string& folder, const CatalogSettings& settings);
  // `part` is that of DerivedIndex.
  Result<std::unique_ptr<DerivedIndexWriter>> (*open)(FileSystem& files, const std::string& folder,
                                                      size_t part);
  // Reads every byte.
  Result<DerivedIndexCheck> (*check)(FileSystem& files, const std::string& folder,
                                     ProgressSink& progress, const Cancellation& cancellation);
};

inline constexpr std::string_view kNearIndex = "near";

struct DerivedIndex {
  std::string name;  // its folders are NAME-1-ID, NAME-2-ID, …; no name begins with another one
  const DerivedIndexKind* kind = nullptr;
  std::string scheme;  // canonical name of the values that it has
  // Which of TextSketch::selected it has, or of TextSketch::codes or TextSketch::granules.
  size_t part = 0;

  // Returns whether it is of a scheme that was chosen after the library was made, and so may not
  // have been begun.
  bool is_chosen_later() const {
    return kind->content == DerivedContent::kCodes || kind->content == DerivedContent::kGranules;
  }
};

// Returns the indexes of a library: near, passages, those of further channels in the order of
// OpenPassageChannels, and those of codes and granules in the order of OpenCodeSchemes.
std::vector<DerivedIndex> DerivedIndexesOf(const CatalogSettings& settings);

// The label of a document in an index of codes: its number, most significant byte first.
std::string LabelOfNumber(uint32_t number);
uint32_t NumberOfLabel(std::string_view label);

// Returns the folder of an index of a library. Its name has the beginning of the library's id, so
// that the index of another one is never taken for it.
std::string DerivedIndexFolder(const std::string& library, const CatalogSettings& settings,
                               std::string_view name, uint64_t incarnation);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_DERIVED_INDEX_H_
