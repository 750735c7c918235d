// Any bytes give the same symbols on the channels of language data in the fast form on every
// instruction set and in the explaining form, whole or line by line; spans ascend and lie inside
// the text. The same bytes as a table of phrases are refused, or can be used.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "channel_check.h"
#include "require.h"
#include "text/channel_view.h"
#include "text/language/language_parts.h"
#include "text/reading/readings.h"
#include "zhiwen/language.h"
#include "zhiwen/simd.h"

namespace {

using zhiwen::Channel;
using zhiwen::Require;

const std::vector<Channel>& Channels() {
  static const std::vector<Channel> channels = [] {
    const auto language = zhiwen::Language::Open(zhiwen::PosixFileSystem(), ZHIWEN_LANGUAGE_FILE);
    if (!language) std::fprintf(stderr, "%s\n", language.error().message.c_str());
    Require(language.has_value());
    std::vector<Channel> opened;
    for (const char* name :
         {"pinyin", "pinyin(reading=phrase)", "initials", "phonemes", "regional", "shape"}) {
      opened.push_back(*zhiwen::OpenChannel(name, *language));
    }
    return opened;
  }();
  return channels;
}

void CheckChannel(const Channel& channel, std::string_view text) {
  const zhiwen::SpannedSymbols read = zhiwen::ExplainChecked(channel, text);
  for (const uint32_t symbol : read.symbols) Require(!channel.view().Name(symbol).empty());
  zhiwen::RequireSymbols(channel, text, read.symbols);
}

void CheckPhrases(const uint8_t* data, size_t size) {
  std::vector<uint32_t> array(size / sizeof(uint32_t));
  if (!array.empty()) std::memcpy(array.data(), data, array.size() * sizeof(uint32_t));
  zhiwen::SectionWriter writer;
  writer.AddValues<uint32_t>("reading.phrases", array);
  const std::string bytes = writer.Finish(zhiwen::kLanguageFile);
  const auto sections = zhiwen::SectionFile::Of(bytes, "fuzz", zhiwen::kLanguageFile);
  Require(sections.has_value());
  const auto phrases = zhiwen::OpenPhraseReadings(*sections);
  if (!phrases) return;
  for (size_t at = 0; at < array.size(); ++at) {
    const auto match = phrases->FindLongest(std::span(array).subspan(at));
    Require(match.length == match.output.size() && match.length <= array.size() - at);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const zhiwen::SimdLevel level : zhiwen::SupportedSimdLevels()) {
    Require(zhiwen::SelectKernels(level).has_value());
    for (const Channel& channel : Channels()) CheckChannel(channel, text);
  }
  CheckPhrases(data, size);
  return 0;
}
