#include "pipeline/library/text_sketcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "feature/shingles.h"
#include "fingerprint/winnowing.h"
#include "index/postings/granule_keys.h"
#include "text/channel_view.h"
#include "text/fold.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

// Returns the blocks that the scheme winnowing selects so that every shared run of `run` symbols is
// found; of the least run, all blocks.
SelectedShingles Winnow(std::span<const uint32_t> symbols, size_t run) {
  Winnower winnower({.block = kPassageBlock, .window = run - kPassageBlock + 1});
  SelectedShingles selected;
  for (const uint32_t symbol : symbols) {
    winnower.Add({.hash = HashBytes64(BytesOfValue(symbol)), .source = {}}, selected);
  }
  winnower.AddOfShortRun(selected);
  return selected;
}

// Returns the distinct blocks that are selected, ascending.
std::vector<uint64_t> SelectedOf(std::span<const uint32_t> symbols) {
  std::vector<uint64_t> selected;
  for (const SelectedShingle& block : Winnow(symbols, kPassageRun)) selected.push_back(block.hash);
  std::ranges::sort(selected);
  const auto repeats = std::ranges::unique(selected);
  selected.erase(repeats.begin(), repeats.end());
  return selected;
}

std::string CanonicalName(const std::string& name) {
  const auto scheme = Scheme::Create(name);
  return scheme ? (*scheme)->canonical_name() : std::string();
}

// Opens the channel of an index that has its name. `settings` need not have it.
Result<PassageChannel> OpenOne(const std::string& name,
                               const std::shared_ptr<const Language>& language) {
  PassageChannel opened{.index = name, .scheme = {}, .channel = {}};
  ZHIWEN_ASSIGN_OR_RETURN(opened.channel, OpenChannel(name, language));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<Scheme> scheme,
                          Scheme::Create(fmt::format("winnowing({},k={},channel={})", kPassageRun,
                                                     kPassageBlock, opened.channel.name()),
                                         {.language = language}));
  opened.scheme = scheme->canonical_name();
  return opened;
}

Result<std::shared_ptr<const Language>> OpenLanguage(const LanguageSource& language) {
  if (language) return language();
  return Fail(ErrorCode::kNotFound,
              "the channels of the library need language data, and none is loaded");
}

}  // namespace

Result<std::map<std::string, std::string>> ChannelSchemes(std::span<const std::string_view> names,
                                                          const LanguageSource& language) {
  std::map<std::string, std::string> schemes;
  if (names.empty()) return schemes;
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> data, OpenLanguage(language));
  for (const std::string_view name : names) {
    ZHIWEN_ASSIGN_OR_RETURN(const PassageChannel channel, OpenOne(std::string(name), data));
    schemes.emplace(channel.index, channel.scheme);
  }
  return schemes;
}

std::vector<std::pair<std::string, std::string>> OrderedChannels(const CatalogSettings& settings) {
  std::vector<std::pair<std::string, std::string>> channels(settings.channel_schemes.begin(),
                                                            settings.channel_schemes.end());
  std::ranges::stable_partition(channels, [](const auto& one) { return one.first != "initials"; });
  return channels;
}

Result<std::vector<PassageChannel>> OpenPassageChannels(const CatalogSettings& settings,
                                                        const LanguageSource& language) {
  std::vector<PassageChannel> channels = {{.index = std::string(kPassageIndex),
                                           .scheme = settings.passage_scheme,
                                           .channel = FoldedChannel()}};
  if (settings.channel_schemes.empty()) return channels;
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> data, OpenLanguage(language));
  for (const auto& [index, scheme] : OrderedChannels(settings)) {
    ZHIWEN_ASSIGN_OR_RETURN(PassageChannel channel, OpenOne(index, data));
    if (channel.scheme != scheme) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("the index \"{}\" of the library has values of {}, and with the "
                              "language data \"{}\" they are {}; use the data that the library "
                              "was made with, or add its documents to a new library",
                              index, scheme, data->path(), channel.scheme));
    }
    channels.push_back(std::move(channel));
  }
  return channels;
}

Result<TextSketcher> TextSketcher::Create(std::span<const PassageChannel> channels,
                                          std::span<const CodeScheme> schemes) {
  ZHIWEN_ASSIGN_OR_RETURN(OnePermutationMinHash minhash,
                          OnePermutationMinHash::Create(kSignatureSize));
  return TextSketcher(channels, schemes, std::move(minhash));
}

Result<std::vector<TextSketcher>> TextSketcher::CreateForAll(
    const Executor& executor, std::span<const PassageChannel> channels,
    std::span<const CodeScheme> schemes) {
  std::vector<TextSketcher> sketchers;
  for (size_t i = 0; i < executor.concurrency(); ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(TextSketcher sketcher, Create(channels, schemes));
    sketchers.push_back(std::move(sketcher));
  }
  return sketchers;
}

TextSketch TextSketcher::Sketch(std::string_view utf8) {
  TextSketch sketch;
  const std::span<const uint64_t> shingles = ShingleSet(utf8);
  sketch.shingles.assign(shingles.begin(), shingles.end());
  sketch.keys.content = HashBytes128(utf8);
  sketch.keys.exact = HashExactChannel(utf8);
  sketch.keys.folded = HashBytes128(
      {reinterpret_cast<const char*>(symbols_.data()), symbols_.size() * sizeof(uint32_t)});
  sketch.keys.units = symbols_.size();
  sketch.keys.bytes = utf8.size();
  sketch.signature.resize(kSignatureSize);
  minhash_.Compute(sketch.shingles, sketch.signature);
  for (size_t i = 0; i < channels_.size(); ++i) {
    if (i == 0) {
      sketch.selected.push_back(SelectedOf(symbols_));
      continue;
    }
    channel_symbols_.clear();
    channels_[i].channel.view().ComputeInto(utf8, channel_symbols_);
    sketch.selected.push_back(SelectedOf(channel_symbols_));
  }
  for (const CodeScheme& one : schemes_) {
    const Result<Fingerprint> value = one.scheme->Compute(utf8);  // the text is valid
    if (one.has_granules()) {
      sketch.granules.push_back(value ? GranuleKeys(*value) : std::vector<uint64_t>());
    } else {
      sketch.codes.push_back(value ? CodeOf(*value) : std::nullopt);
    }
  }
  return sketch;
}

std::vector<BlockAt> BlocksOf(std::span<const uint32_t> symbols) {
  std::vector<BlockAt> blocks;
  for (const SelectedShingle& block : Winnow(symbols, kPassageBlock)) {
    blocks.push_back({.hash = block.hash, .begin = {block.position}});
  }
  return blocks;
}

std::span<const uint64_t> TextSketcher::ShingleSet(std::string_view utf8) {
  symbols_.clear();
  FoldInto(utf8, symbols_);
  ComputeShingles(symbols_, shingles_);
  MakeShingleSet(shingles_, scratch_);
  return shingles_;
}

Result<std::string> TextSketcher::Compress(std::string_view utf8) {
  if (!compressor_) {
    ZHIWEN_ASSIGN_OR_RETURN(compressor_, FrameCompressor::Create(Compression::kZstd));
  }
  std::string frame;
  ZHIWEN_RETURN_IF_ERROR(compressor_->Compress(utf8, frame));
  return frame;
}

const std::string& SignatureScheme() {
  static const std::string name =
      CanonicalName(fmt::format("minhash(permutations={})", kSignatureSize));
  return name;
}

const std::string& PassageScheme() {
  static const std::string name =
      CanonicalName(fmt::format("winnowing({},k={})", kPassageRun, kPassageBlock));
  return name;
}

}  // namespace zhiwen
