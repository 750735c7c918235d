#ifndef ZHIWEN_PIPELINE_BATCHES_CENTRE_JUDGE_H_
#define ZHIWEN_PIPELINE_BATCHES_CENTRE_JUDGE_H_

// Decides whether a document may join a centre: whether the resemblance of their texts on the
// folded channel reaches a threshold. Texts without a shingle have to be equal.
//
// Cost        the shingles of a centre's text for each decision, and those of a document once, if
//             there is a centre: 40 µs for both where they have 1.2 KB
// Threads     one at a time
// Fails       as the store does; kUnreadable for a damaged text

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "store/cluster_store.h"
#include "zhiwen/result.h"

namespace zhiwen {

class CentreJudge {
 public:
  // The texts of centres are those of `store`, which must outlive the object.
  static Result<CentreJudge> Create(const ClusterStore& store, double least_resemblance);

  // Begins with another document, whose text must live until the next call.
  void Begin(std::string_view text);

  // Returns whether the document may join the centre of this number.
  Result<bool> Accepts(uint64_t centre);

  // Returns the resemblance of the last decision.
  double resemblance() const { return resemblance_; }

  // Returns the text of the document as the store keeps it.
  Result<CompressedText> Compress();

 private:
  CentreJudge(const ClusterStore& store, double least, FrameCompressor compressor)
      : store_(&store), least_(least), compressor_(std::move(compressor)) {}

  void ReadShingles(std::string_view text, std::vector<uint64_t>& shingles);

  const ClusterStore* store_;
  double least_;
  FrameCompressor compressor_;
  std::string_view text_;
  bool has_shingles_ = false;  // those of text_ were read
  std::vector<uint64_t> shingles_, of_centre_, scratch_;
  std::vector<uint32_t> symbols_;
  double resemblance_ = 1;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_BATCHES_CENTRE_JUDGE_H_
