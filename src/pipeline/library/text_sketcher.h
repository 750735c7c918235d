#ifndef ZHIWEN_PIPELINE_LIBRARY_TEXT_SKETCHER_H_
#define ZHIWEN_PIPELINE_LIBRARY_TEXT_SKETCHER_H_

// Computes what a library finds a text by: its hashes, its signature on the folded channel, and the
// blocks that are selected on each channel of the library, and the codes, or the keys of granules,
// of its schemes.
//
// Threads     one at a time; workers have one each

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "fingerprint/one_permutation.h"
#include "pipeline/library/code_schemes.h"
#include "store/corpus_store.h"
#include "zhiwen/channel.h"
#include "zhiwen/check.h"
#include "zhiwen/executor.h"
#include "zhiwen/language.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint32_t kSignatureSize = 128;

// Of a run of kPassageRun symbols that two texts share, winnowing selects a block in both.
inline constexpr size_t kPassageBlock = 8;

inline constexpr std::string_view kPassageIndex = "passages";

// A channel on which a library finds passages.
struct PassageChannel {
  std::string index;   // name of the index of what is selected: "passages", "pinyin"
  std::string scheme;  // canonical name of what is selected
  Channel channel;
};

// Returns the canonical names of what the channels of these names ("pinyin") select, by the names
// of their indexes. Fails: kNotFound where a channel needs language data and there is none.
Result<std::map<std::string, std::string>> ChannelSchemes(std::span<const std::string_view> names,
                                                          const LanguageSource& language);

// Returns the names of the indexes of `settings.channel_schemes` with their schemes, those that
// undo least first: first letters undo the most, and come last.
std::vector<std::pair<std::string, std::string>> OrderedChannels(const CatalogSettings& settings);

// Opens the channels of a library: the folded one, then those of OrderedChannels. Fails: kNotFound
// where one needs language data and there is none; kConflict where the library has values of other
// data, or of another version of zhiwen.
Result<std::vector<PassageChannel>> OpenPassageChannels(const CatalogSettings& settings,
                                                        const LanguageSource& language);

struct TextSketch {
  TextToStore keys;                 // without the compressed text
  std::vector<uint64_t> shingles;   // the set of its shingles, ascending
  std::vector<uint32_t> signature;  // kSignatureSize values; of no shingles: it resembles nothing
  // For each channel the distinct blocks that winnowing selects, ascending.
  std::vector<std::vector<uint64_t>> selected;
  std::vector<std::optional<uint64_t>> codes;   // for each scheme that has codes
  std::vector<std::vector<uint64_t>> granules;  // for each that has granules, their keys
};

// A block of kPassageBlock symbols, wherever it is.
struct BlockAt {
  uint64_t hash = 0;
  SymbolOffset begin;
};

class TextSketcher {
 public:
  // `channels` are those for which blocks are selected: of a library, the folded one first, or
  // none; `schemes` are those of its codes. Both must outlive the object.
  static Result<TextSketcher> Create(std::span<const PassageChannel> channels,
                                     std::span<const CodeScheme> schemes = {});

  // Returns one for each worker of an executor.
  static Result<std::vector<TextSketcher>> CreateForAll(const Executor& executor,
                                                        std::span<const PassageChannel> channels,
                                                        std::span<const CodeScheme> schemes = {});

  // Computes the sketch of a text, which must be valid UTF-8.
  TextSketch Sketch(std::string_view utf8);

  // Returns the symbols of the text that was read last, on the folded channel; a view until the
  // next call.
  std::span<const uint32_t> symbols() const { return symbols_; }

  // Returns the set of shingles of a text; a view until the next call.
  std::span<const uint64_t> ShingleSet(std::string_view utf8);

  // Returns a text as one frame of zstd.
  Result<std::string> Compress(std::string_view utf8);

 private:
  TextSketcher(std::span<const PassageChannel> channels, std::span<const CodeScheme> schemes,
               OnePermutationMinHash minhash)
      : channels_(channels), schemes_(schemes), minhash_(std::move(minhash)) {}

  std::span<const PassageChannel> channels_;
  std::span<const CodeScheme> schemes_;
  OnePermutationMinHash minhash_;
  std::optional<FrameCompressor> compressor_;  // made when it is first used: checks do not use it
  std::vector<uint32_t> symbols_, channel_symbols_;
  std::vector<uint64_t> shingles_, scratch_;
};

// Returns all blocks of symbols, in order.
std::vector<BlockAt> BlocksOf(std::span<const uint32_t> symbols);

// Return the canonical names of the signatures, and of the blocks selected on the folded channel.
const std::string& SignatureScheme();
const std::string& PassageScheme();

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_TEXT_SKETCHER_H_
