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
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint32_t kSignatureSize = 128;

// Of a run of kPassageRun symbols that two texts share, winnowing selects a block in both.
inline constexpr size_t kPassageBlock = 8, kPassageRun = 22;

struct TextSketch {
  TextToStore keys;                 // without the compressed text
  std::vector<uint64_t> shingles;   // the set of its shingles, ascending
  std::vector<uint32_t> signature;  // kSignatureSize values; of no shingles: it resembles nothing
  std::vector<uint64_t> selected;   // the distinct blocks that winnowing selects, ascending
};

// A block of kPassageBlock symbols, wherever it is.
struct BlockAt {
  uint64_t hash = 0;
  SymbolOffset begin;
};

class TextSketcher {
 public:
  static Result<TextSketcher> Create();

  // Computes the sketch of a text, which must be valid UTF-8.
  TextSketch Sketch(std::string_view utf8);

  // Returns all blocks of the text that was read last, in order.
  std::vector<BlockAt> Blocks() const;

  // Returns the symbols of the text that was read last; a view until the next call.
  std::span<const uint32_t> symbols() const { return symbols_; }

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

// Return the canonical names of the signatures and of the selected blocks, which are stored with
// them.
const std::string& SignatureScheme();
const std::string& PassageScheme();

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_TEXT_SKETCHER_H_
