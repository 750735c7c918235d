#include "pipeline/dedup/input/large_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/hash.h"
#include "base/value_bytes.h"

namespace zhiwen {
namespace {

// The values that were appended to `file`, in place.
template <typename Value>
Result<std::span<const Value>> MapValues(MappedSpool& file) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, file.Map());
  if (HashBytes128(bytes) != file.checksum()) {
    return Fail(ErrorCode::kUnreadable,
                "a scratch file of a large text is damaged; no other program may write to its "
                "folder");
  }
  return std::span(reinterpret_cast<const Value*>(bytes.data()), bytes.size() / sizeof(Value));
}

}  // namespace

void LargeText::Walk(const std::function<void(const Piece& piece)>& visit) {
  pieces_.Walk(utf8_, [&](const TextPieces::Piece& piece) {
    visit({piece.with_before, piece.shingles});
  });
}

Result<std::unique_ptr<MappedSpool>> LargeText::NewFile(std::string_view kind) const {
  return MappedSpool::Reopen(scratch_, fmt::format("{}_{}", name_, kind), MappedMark());
}

Result<std::span<const uint32_t>> LargeText::Symbols() {
  if (symbols_file_ != nullptr) return symbols_;
  ZHIWEN_ASSIGN_OR_RETURN(auto file, NewFile("symbols"));
  Status status;
  pieces_.Walk(utf8_, [&](const TextPieces::Piece& piece) {
    if (status) status = file->Append(BytesOfValues(piece.symbols));
  });
  ZHIWEN_RETURN_IF_ERROR(std::move(status));
  ZHIWEN_ASSIGN_OR_RETURN(symbols_, MapValues<uint32_t>(*file));
  symbols_file_ = std::move(file);
  return symbols_;
}

Result<std::span<const uint64_t>> LargeText::ShingleSet() {
  if (set_.file == nullptr) {
    ZHIWEN_RETURN_IF_ERROR(MakeSet(std::numeric_limits<uint64_t>::max()));
  }
  return set_.shingles;
}

Result<MappedShingles> LargeText::TakeShingles(uint64_t bound, uint64_t& size) {
  if (set_.file == nullptr) ZHIWEN_RETURN_IF_ERROR(MakeSet(bound));
  size = set_size_;
  return std::exchange(set_, {});
}

Status LargeText::MakeSet(uint64_t bound) {
  ZHIWEN_ASSIGN_OR_RETURN(auto file, NewFile("shingles"));
  set_size_ = 0;
  ZHIWEN_RETURN_IF_ERROR(pieces_.VisitSet(utf8_, [&](std::span<const uint64_t> range) -> Status {
    set_size_ += range.size();
    const auto end = std::ranges::upper_bound(range, bound);
    return file->Append(BytesOfValues(range.first(static_cast<size_t>(end - range.begin()))));
  }));
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint64_t> shingles, MapValues<uint64_t>(*file));
  set_ = {std::move(file), shingles};
  return {};
}

}  // namespace zhiwen
