#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_LARGE_TEXT_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_LARGE_TEXT_H_

// Maps the symbols and the shingle set of a text of many megabytes, for those who cannot do with a
// walk over it: they are written to scratch files and never held in anonymous memory.
//
// Guarantees  what is mapped is what was written (a checksum is compared once)
// Cost        Symbols: 4 bytes of disk a symbol. ShingleSet: TextPieces::VisitSet, and 8 bytes of
//             disk a distinct shingle. Each is made when it is first asked for
// Threads     one object a worker, with a name of its own
// Fails       as base/scratch/mapped_spool.h; kUnreadable: a file is not what was written

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/scratch/mapped_spool.h"
#include "index/references/reference_index.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Ascending shingles in a file that goes when this does.
struct MappedShingles {
  std::unique_ptr<MappedSpool> file;
  std::span<const uint64_t> shingles;
};

class LargeText : public LargeReferenceInput {
 public:
  // All outlive it; `utf8` is valid. `name`: what its files' names begin with.
  LargeText(std::string_view utf8, TextPieces& pieces, Scratch& scratch, std::string name)
      : utf8_(utf8), pieces_(pieces), scratch_(scratch), name_(std::move(name)) {}

  std::string_view utf8() const { return utf8_; }

  void Walk(const std::function<void(const Piece& piece)>& visit) override;
  Result<std::span<const uint32_t>> Symbols() override;
  Result<std::span<const uint64_t>> ShingleSet() override;

  // The distinct shingles up to `bound`, or all when there is a file of them, which becomes the
  // caller's; `size` becomes the number of all.
  Result<MappedShingles> TakeShingles(uint64_t bound, uint64_t& size);

 private:
  Status MakeSet(uint64_t bound);
  Result<std::unique_ptr<MappedSpool>> NewFile(std::string_view kind) const;

  const std::string_view utf8_;
  TextPieces& pieces_;
  Scratch& scratch_;
  const std::string name_;
  std::unique_ptr<MappedSpool> symbols_file_;
  std::span<const uint32_t> symbols_;
  MappedShingles set_;
  uint64_t set_size_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_LARGE_TEXT_H_
