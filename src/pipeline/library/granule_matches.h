#ifndef ZHIWEN_PIPELINE_LIBRARY_GRANULE_MATCHES_H_
#define ZHIWEN_PIPELINE_LIBRARY_GRANULE_MATCHES_H_

// Finds the documents of a library that share passages with a text by the granules of a scheme
// (match/granule_passages.h). Candidates share the most keys (index/postings/granule_keys.h) with a
// section of 200 characters of the text; the granules of their stored texts are computed and
// compared.
//
// Cost        of a text of a thousand characters, some 6,000 keys are looked up; each candidate is
//             read, and its granules are compared with all of the text
// Threads     any number at once
// Fails       kInterrupted, kTerminated: the cancellation is checked before each candidate, and
//             while its granules are compared

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/utf8/code_point_table.h"
#include "index/postings/postings_index.h"
#include "match/granule_passages.h"
#include "pipeline/library/code_schemes.h"
#include "store/corpus_store.h"
#include "zhiwen/library_query.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the options for a radius and a number of granules.
GranuleMatchOptions GranuleOptions(uint32_t radius, size_t least_granules);

// A text with its granules.
class GranuleText {
 public:
  // `utf8` must outlive the object. Fails: kUnreadable when it is not valid UTF-8.
  static Result<GranuleText> Create(const GranuleScheme& scheme, std::string_view utf8,
                                    GranuleScheme::Begin begin);

  const Granules& granules() const { return granules_; }
  GranulePlace At(size_t granule) const;

  // Of granules that begin at every character: returns at most `most` documents that share the most
  // keys with a section of the text, most first, with the number of these keys; `cut` counts the
  // keys of more than 256 documents. Granules that begin and end at covered bytes have none.
  // `covered` has a value for each byte, or is empty where none is.
  Result<OverlapAnswer> Propose(const PostingsIndex& index, size_t most,
                                const std::vector<bool>& covered = {}) const;

 private:
  GranuleText(std::string_view utf8, Granules granules)
      : granules_(std::move(granules)), points_(utf8) {}

  Granules granules_;
  CodePointTable points_;
};

// `index` is null while it was never begun. The sequence is the caller's to fill in.
Result<SchemeMatches> FindGranuleMatches(const CorpusStore& store, const CodeScheme& scheme,
                                         const PostingsIndex* index, std::string_view text,
                                         const SchemeQuery& query);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_GRANULE_MATCHES_H_
