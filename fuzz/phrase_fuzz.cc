// Any bytes: as the array of a phrase table they are refused or do not lead out of it; as a file of
// --variants they are refused with a message or are a channel whose both forms agree, line by line.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "channel_check.h"
#include "require.h"
#include "text/channel_view.h"
#include "text/phrase/phrase_table.h"

namespace {

using zhiwen::Require;

void CheckTable(const uint8_t* data, size_t size) {
  std::vector<uint32_t> array(size / sizeof(uint32_t));
  if (!array.empty()) std::memcpy(array.data(), data, array.size() * sizeof(uint32_t));
  const auto table = zhiwen::PhraseTable::Open(array);
  if (!table) return;
  table->ForEach([&](std::span<const uint32_t> key, std::span<const uint32_t>) {
    Require(key.size() <= zhiwen::kMaxPhraseLength);
  });
  for (size_t at = 0; at < array.size(); ++at) {
    Require(table->FindLongest(std::span(array).subspan(at)).length <= zhiwen::kMaxPhraseLength);
  }
}

void CheckVariants(std::string_view content) {
  const auto channel = zhiwen::MakeVariantsChannel({"words.txt", std::string(content)});
  if (!channel) return Require(!channel.error().message.empty());
  zhiwen::RequireSymbols(*channel, content, zhiwen::ExplainChecked(*channel, content).symbols);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  CheckTable(data, size);
  CheckVariants({reinterpret_cast<const char*>(data), size});
  return 0;
}
