#ifndef ZHIWEN_TEXT_FOLD_H_
#define ZHIWEN_TEXT_FOLD_H_

// The folded channel, fast form: UTF-8 in, symbols out, nothing else kept. The explaining form
// (zhiwen/channel.h, ComputeSymbols) runs the same state machine with a sink that also records
// spans, so that both give identical symbols.
//
// In          valid UTF-8 (base/utf8/utf8.h); bytes that are not are read as U+FFFD each
// Out         symbols appended to `symbols`
// Cost        about a nanosecond a Han character; no allocation apart from growth of `symbols`
// Threads     free function; share freely

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/utf8/utf8.h"
#include "text/channel_view.h"
#include "text/fold_table.h"

namespace zhiwen {

// Appends the symbols of `utf8`.
void FoldInto(std::string_view utf8, std::vector<uint32_t>& symbols,
              FoldedVersion version = kNewestFolded);

// Returns the same symbols with their bytes, without counts.
SpannedSymbols LocateFolded(std::string_view utf8, FoldedVersion version);

// The symbols of kBaseFolded as a value, for the short texts of language data.
std::vector<uint32_t> BaseFoldedSymbolsOf(std::string_view utf8);

// The same symbols in order, at most `most` at a time (text/channel_view.h), without holding them
// all: for texts of many megabytes.
void VisitFolded(std::string_view utf8, FoldedVersion version, size_t most,
                 const SymbolVisitor& visit);

// The 128-bit hash of the exact.v1 channel: XXH3 over the UTF-8 bytes of the text in NFC. Text that
// is NFC already (nearly all) is hashed in place; of another one no copy is made.
Hash128 HashExactChannel(std::string_view utf8);

// Appends the exact.v1 symbols: the code points of the text in NFC.
void ExactInto(std::string_view utf8, std::vector<uint32_t>& symbols);
void VisitExact(std::string_view utf8, size_t most, const SymbolVisitor& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_FOLD_H_
