#ifndef ZHIWEN_PIPELINE_LIBRARY_TEXT_SKETCHER_H_
#define ZHIWEN_PIPELINE_LIBRARY_TEXT_SKETCHER_H_

// Computes what a library finds a text by: its hashes, and its signature on the folded channel.
//
// Threads     one at a time; workers have one each

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "fingerprint/one_permutation.h"
#include "store/corpus_store.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint32_t kSignatureSize = 128;

struct TextSketch {
  TextToStore keys;                 // without the compressed text
  std::vector<uint64_t> shingles;   // the set of its shingles, ascending
  std::vector<uint32_t> signature;  // kSignatureSize values; of no shingles: it resembles nothing
};

class TextSketcher {
 public:
  static Result<TextSketcher> Create();

  // Computes the sketch of a text, which must be valid UTF-8.
  TextSketch Sketch(std::string_view utf8);

  // Returns the set of shingles of a text; a view until the next call.
  std::span<const uint64_t> ShingleSet(std::string_view utf8);

  // Returns a text as one frame of zstd.
  Result<std::string> Compress(std::string_view utf8);

 private:
  TextSketcher(OnePermutationMinHash minhash, FrameCompressor compressor)
      : minhash_(std::move(minhash)), compressor_(std::move(compressor)) {}

  OnePermutationMinHash minhash_;
  FrameCompressor compressor_;
  std::vector<uint32_t> symbols_;
  std::vector<uint64_t> shingles_, scratch_;
};

// Returns the canonical name of the signatures, which is stored with them.
const std::string& SignatureScheme();

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_TEXT_SKETCHER_H_
