#ifndef ZHIWEN_TEXT_CHANNEL_VIEW_H_
#define ZHIWEN_TEXT_CHANNEL_VIEW_H_

// What a channel computes symbols with (zhiwen/channel.h): the fast form, which keeps nothing but
// symbols, and the explaining form, which gives the same symbols with their bytes.
//
// In          UTF-8; a byte that is part of no valid sequence reads as U+FFFD
// Guarantees  no view looks beyond a line end (U+000A): the symbols of a text are those of its
//             lines, one after another
// Cost        linear in the text; memory of Visit does not grow with it, apart from exact.v1, which
//             holds a stretch that NFC may change as a whole
// Threads     const: share freely

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhiwen/channel.h"

namespace zhiwen {

// Called with the next symbols, at most kLargestPiece; the view lives until it returns.
using SymbolVisitor = std::function<void(std::span<const uint32_t> symbols)>;

// How many symbols a visitor may be given at a time.
inline constexpr size_t kSmallestPiece = 64, kLargestPiece = 2048;

class ChannelView {
 public:
  explicit ChannelView(std::string name) : name_(std::move(name)) {}
  virtual ~ChannelView() = default;

  // The canonical name.
  const std::string& name() const { return name_; }

  // Visits the symbols in order.
  void Visit(std::string_view utf8, const SymbolVisitor& visit) const {
    VisitPieces(utf8, kLargestPiece, visit);
  }

  // Visits the same symbols, at most `most` at a time: from kSmallestPiece to kLargestPiece.
  virtual void VisitPieces(std::string_view utf8, size_t most,
                           const SymbolVisitor& visit) const = 0;

  // The same symbols with spans and counts.
  virtual SpannedSymbols Explain(std::string_view utf8) const = 0;

  // Appends the symbols of Explain, computed as there; a channel may do without the rest.
  virtual void ExplainInto(std::string_view utf8, std::vector<uint32_t>& symbols) const {
    const SpannedSymbols explained = Explain(utf8);
    symbols.insert(symbols.end(), explained.symbols.begin(), explained.symbols.end());
  }

  // What a person reads for one of its symbols: "zhong", "国"; of a hash, "#e6eff612".
  virtual std::string Name(uint32_t symbol) const;

  // The same where the bytes of the symbol are known: a hash says what its unit does, "hello".
  virtual std::string NameIn(std::string_view source, uint32_t symbol) const;

  // Whether nothing but Chinese, written or spelled, has symbols.
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

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_CHANNEL_VIEW_H_
