#ifndef ZHIWEN_PIPELINE_LIBRARY_PICTURE_MATCHES_H_
#define ZHIWEN_PIPELINE_LIBRARY_PICTURE_MATCHES_H_

// Finds the pictures of a library that look like a picture: by the values of phash64 and of
// colour_grid, each within the threshold of its scheme.
//
// In          PictureKeys (zhiwen/library.h)
// Guarantees  compares with every picture: no live one within a threshold is missed
// Cost        a kilobyte of memory and some microseconds for each picture of the library
// Threads     const after Read; share freely
// Fails       kConflict: keys of another version of a scheme · kUnreadable: damaged keys

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/corpus_store.h"
#include "zhiwen/check.h"
#include "zhiwen/documents.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Gives the value of a document at `field` its keys instead of the pixels of a picture; any other
// value is deleted there.
void KeepPictureKeys(SourceDocument& document, size_t field);

// Returns the values of keys, of any version of the schemes. Fails: kUnreadable.
Result<std::vector<NamedFingerprint>> ReadPictureKeys(std::string_view keys);

// Keys as hex digits, and back; empty for other digits, and for keys that cannot be read.
std::string PictureKeysToHex(std::string_view keys);
std::string PictureKeysOfHex(std::string_view hex);

class LibraryPictures {
 public:
  static Result<LibraryPictures> Read(const CorpusStore& store);

  // Fills in the matches and the channels of a check; not the figures of the library.
  Result<CheckedText> Check(const CorpusStore& store, std::string_view keys,
                            const TextCheckOptions& options) const;

 private:
  static constexpr size_t kSchemes = 2;
  using Values = std::array<Fingerprint, kSchemes>;

  // Says when two pictures are alike by a scheme.
  struct Rule {
    std::string_view scheme, measure;  // canonical name
    double threshold = 1;
  };
  using Rules = std::array<Rule, kSchemes>;

  struct Known {
    uint32_t document = 0;
    Values values;
  };

  LibraryPictures() = default;
  static Result<Values> Decode(std::string_view keys);
  static Result<CheckMatch> Compare(const Rules& rules, const Values& a, const Values& b,
                                    const Cancellation& cancellation);

  std::vector<Known> pictures_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_PICTURE_MATCHES_H_
