#ifndef ZHIWEN_TEXT_CHANNEL_VIEW_H_
#define ZHIWEN_TEXT_CHANNEL_VIEW_H_

// Interface through which a channel computes symbols (zhiwen/channel.h). The fast form keeps only
// symbols; the explaining form gives the same symbols with their bytes.
//
// In          UTF-8; a byte that is part of no valid sequence is read as U+FFFD
// Guarantees  no view looks beyond a line end (U+000A): the symbols of a text are those of its
//             lines, one after another
// Cost        linear in the text; the memory of Visit does not grow with the text, except for
//             exact.v1, which holds each stretch that NFC may change as a whole

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhiwen/channel.h"

namespace zhiwen {

// Called with the next symbols, at most kLargestPiece. The view is valid until the call returns.
using SymbolVisitor = std::function<void(std::span<const uint32_t> symbols)>;

// The least and the greatest limit on the number of symbols that a visitor is given at a time.
inline constexpr size_t kSmallestPiece = 64, kLargestPiece = 2048;

class ChannelView {
 public:
  explicit ChannelView(std::string name) : name_(std::move(name)) {}
  virtual ~ChannelView() = default;

  // Returns the canonical name.
  const std::string& name() const { return name_; }

  // Visits the symbols in order.
  void Visit(std::string_view utf8, const SymbolVisitor& visit) const {
    VisitPieces(utf8, kLargestPiece, visit);
  }

  // Visits the same symbols, at most `most` at a time; `most` lies between kSmallestPiece and
  // kLargestPiece.
  virtual void VisitPieces(std::string_view utf8, size_t most,
                           const SymbolVisitor& visit) const = 0;

  // Returns the same symbols with spans and counts.
  virtual SpannedSymbols Explain(std::string_view utf8) const = 0;

  // Returns the same symbols with spans. A channel may leave out counts, and be quicker.
  virtual SpannedSymbols Locate(std::string_view utf8) const { return Explain(utf8); }

  // Appends the symbols of Explain, computed in the same way. A channel may leave out spans and
  // counts.
  virtual void ExplainInto(std::string_view utf8, std::vector<uint32_t>& symbols) const {
    const SpannedSymbols explained = Explain(utf8);
    symbols.insert(symbols.end(), explained.symbols.begin(), explained.symbols.end());
  }

  // Returns a readable name for one of the channel's symbols: "zhong", "国", or "#e6eff612" for a
  // hash.
  virtual std::string Name(uint32_t symbol) const;

  // Returns the name of a symbol whose source bytes are known. A hash is named by its unit,
  // "hello".
  virtual std::string NameIn(std::string_view source, uint32_t symbol) const;

  // Returns whether only Chinese, written or spelled, has symbols.
  virtual bool reads_chinese_only() const { return false; }

  // Appends the same symbols.
  void ComputeInto(std::string_view utf8, std::vector<uint32_t>& symbols) const {
    Visit(utf8, [&](std::span<const uint32_t> more) {
      symbols.insert(symbols.end(), more.begin(), more.end());
    });
  }

 private:
  std::string name_;
};

// Computes what ComputeSymbols does (zhiwen/channel.h), perhaps without counts. Fails: kUnreadable.
Result<SpannedSymbols> LocateSymbols(const Channel& channel, std::string_view utf8);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_CHANNEL_VIEW_H_
