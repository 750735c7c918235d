// The passages of any two texts, and the repeats of one, hold together
// (tests/support/passages_check.h): they and their edits are spans of both texts, in order, and
// outside of edits both texts are equal. The input is cut in the middle; of the first byte, bits
// choose the channels and put the texts together so that they share something.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8/utf8.h"
#include "require.h"
#include "support/language.h"
#include "support/passages_check.h"
#include "support/paths.h"
#include "zhiwen/channel.h"
#include "zhiwen/passages.h"

std::string zhiwen::LanguageFilePath() { return ZHIWEN_LANGUAGE_FILE; }

namespace {

using zhiwen::Channel;
using zhiwen::Require;

std::vector<Channel> ChannelsOf(std::vector<std::string_view> names) {
  std::vector<Channel> channels;
  for (const std::string_view name : names) {
    channels.push_back(zhiwen::OpenChannel(name, zhiwen::TestLanguage()).value());
  }
  return channels;
}

// Leaves out bytes that are no part of a character.
std::string ValidOf(std::string_view bytes) {
  std::string valid;
  zhiwen::VisitCodePoints(bytes, [&](zhiwen::DecodedCodePoint decoded, size_t at) {
    if (decoded.is_valid()) valid.append(bytes.substr(at, decoded.length));
  });
  return valid;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<std::vector<Channel>> channels = {
      ChannelsOf({"folded"}), ChannelsOf({"folded", "pinyin", "shape", "initials"}),
      ChannelsOf({"exact"}), ChannelsOf({"phonemes"})};
  if (size < 3) return 0;
  const uint8_t choice = data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string a = ValidOf(bytes.substr(0, bytes.size() / 2));
  const std::string rest = ValidOf(bytes.substr(bytes.size() / 2));
  const std::string b = (choice & 4) != 0 ? rest + a + rest : rest;
  const zhiwen::PassageOptions options = {.channels = channels[choice & 3]};
  const auto found = zhiwen::FindPassages(a, b, options, {});
  Require(found.has_value());
  Require(zhiwen::PassagesCheck(a, b, *found).Problem().empty());
  auto search = zhiwen::PassageSearch::Create(b, options);
  Require(search.has_value());
  const auto repeats = search->FindRepeats({});
  Require(repeats.has_value());
  Require(zhiwen::PassagesCheck(b, b, *repeats).Problem().empty());
  for (const zhiwen::CopiedPassage& passage : repeats->passages) {
    for (const zhiwen::PassagePiece& piece : passage.pieces) {
      Require(piece.b_bytes.begin < piece.a_bytes.begin);
    }
  }
  return 0;
}
