#ifndef ZHIWEN_INDEX_LSH_RESEMBLANCE_INDEX_H_
#define ZHIWEN_INDEX_LSH_RESEMBLANCE_INDEX_H_

// Which documents of a changing set have at least a resemblance with a query, by their signatures:
// one contract, and the implementations of this folder. lsh_conformance_test.cc holds all of them
// against the resemblance of the sets.
//
// A document has a number, which its owner chooses, and is there once. Nothing is persisted: an
// index lives in memory, and whoever opens it fills it. One that is kept: durable_minhash.h.

#include <cstddef>
#include <cstdint>
#include <span>

#include "index/lsh/signature_rows.h"
#include "index/lsh/similarity_answer.h"

namespace zhiwen {

// Threads: any number at once while nothing is inserted or removed; whoever changes is alone. Rows
// have signature_size() values, here and below.
class ResemblanceIndex {
 public:
  virtual ~ResemblanceIndex() = default;

  virtual double threshold() const = 0;
  virtual size_t signature_size() const = 0;
  // Documents, and all memory of the index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // The least probability with which QueryVerified finds a document of that resemblance, where
  // signatures are of ideal permutations, and nothing was read of `cut_bands` bands (`truncated`).
  virtual double ExpectedRecall(double resemblance, uint32_t cut_bands) const = 0;
  double ExpectedRecall(double resemblance) const { return ExpectedRecall(resemblance, 0); }

  // Row i is that of documents[i]. Returns how many numbers were not there; those that were stay as
  // they are. Empty sets resemble nothing, but are there.
  virtual uint64_t Insert(std::span<const uint64_t> documents, const SignatureRows& rows) = 0;
  // Returns how many were there with that signature. All others stay: to remove a document takes
  // the signature that it was inserted with.
  virtual uint64_t Remove(std::span<const uint64_t> documents, const SignatureRows& rows) = 0;

  // The documents that the estimate of resemblance says reach the threshold.
  virtual SimilarityAnswer QueryEstimates(const SignatureRows& queries) const = 0;
  // The documents that do reach it: of candidates the caller says the resemblance, those of a query
  // at once.
  virtual SimilarityAnswer QueryVerified(const SignatureRows& queries,
                                         const SimilarityOf& similarity_of) const = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_RESEMBLANCE_INDEX_H_
