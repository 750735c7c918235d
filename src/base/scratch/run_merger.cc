#include "base/scratch/run_merger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/scratch/row_arena.h"

namespace zhiwen {
namespace {

constexpr size_t kLongRowKept = size_t{64} << 10;

}  // namespace

// ---- one run

Status RunReader::Fill() {
  ZHIWEN_ASSIGN_OR_RETURN(const ScratchPiece piece, run_.file->ReadPiece(0, offset_, buffer_));
  const std::string_view bytes =
      piece.bytes.substr(static_cast<size_t>(offset_ - piece.begin))
          .substr(0, static_cast<size_t>(std::min<uint64_t>(run_.end - offset_, SIZE_MAX)));
  at_ = bytes.data();
  end_ = at_ + bytes.size();
  offset_ += bytes.size();
  return {};
}

Result<bool> RunReader::Next(std::string_view& row) {
  if (long_row_.capacity() > kLongRowKept) std::string().swap(long_row_);
  if (at_ == end_) {
    if (offset_ == run_.end) return false;
    ZHIWEN_RETURN_IF_ERROR(Fill());
  }
  ZHIWEN_ASSIGN_OR_RETURN(const uint32_t length, TakeLength());
  const auto here = static_cast<size_t>(end_ - at_);
  if (length <= here) {
    row = {at_, length};
    at_ += length;
    return true;
  }
  if (length > here + (run_.end - offset_)) {
    return Fail(ErrorCode::kInternal,
                fmt::format("cannot sort: a row of {} bytes in \"{}\" ends after its run", length,
                            run_.file->path()));
  }
  ZHIWEN_RETURN_IF_ERROR(TakeLongRow(length));
  row = long_row_;
  return true;
}

Result<uint32_t> RunReader::TakeLength() {
  if (static_cast<size_t>(end_ - at_) >= kMaxRowLengthBytes) return TakeRowLength(at_);
  // The bytes of a length may lie on both sides of the end of a chunk.
  char bytes[kMaxRowLengthBytes] = {};
  for (char& byte : bytes) {
    if (at_ == end_) ZHIWEN_RETURN_IF_ERROR(Fill());
    byte = *at_++;
    if (static_cast<unsigned char>(byte) < 0x80) break;
  }
  const char* at = bytes;
  return TakeRowLength(at);
}

Status RunReader::TakeLongRow(size_t length) {
  long_row_.clear();
  long_row_.reserve(length);
  while (true) {
    const size_t count = std::min(length - long_row_.size(), static_cast<size_t>(end_ - at_));
    long_row_.append(at_, count);
    at_ += count;
    if (long_row_.size() == length) return {};
    ZHIWEN_RETURN_IF_ERROR(Fill());
  }
}

// ---- all of them

Result<std::unique_ptr<RunMerger>> RunMerger::Create(std::span<const SortedRun> runs) {
  std::unique_ptr<RunMerger> merger(new RunMerger());
  merger->sources_.resize(runs.size());
  merger->losers_.resize(runs.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    merger->sources_[i].reader = std::make_unique<RunReader>(runs[i]);
    ZHIWEN_RETURN_IF_ERROR(merger->Advance(i));
  }
  if (!runs.empty()) merger->winner_ = merger->Build(1);
  return merger;
}

bool RunMerger::Before(size_t a, size_t b) const {
  const Source &left = sources_[a], &right = sources_[b];
  if (left.prefix != right.prefix) return left.prefix < right.prefix;
  // A source that has ended has the largest prefix.
  if (left.reader == nullptr || right.reader == nullptr) return right.reader == nullptr;
  return left.row < right.row;
}

// Plays the matches at `node` and below, where source i is leaf sources + i. Returns the winner.
size_t RunMerger::Build(size_t node) {
  if (node >= sources_.size()) return node - sources_.size();
  const size_t left = Build(2 * node), right = Build(2 * node + 1);
  const bool left_wins = Before(left, right);
  losers_[node] = left_wins ? right : left;
  return left_wins ? left : right;
}

Status RunMerger::Advance(size_t source) {
  Source& from = sources_[source];
  ZHIWEN_ASSIGN_OR_RETURN(const bool more, from.reader->Next(from.row));
  if (!more) from.reader.reset();
  from.prefix = more ? RowPrefix(from.row) : UINT64_MAX;
  return {};
}

Result<bool> RunMerger::Next(std::string_view& row) {
  if (sources_.empty()) return false;
  if (started_ && sources_[winner_].reader != nullptr) {
    ZHIWEN_RETURN_IF_ERROR(Advance(winner_));
    for (size_t node = (winner_ + sources_.size()) / 2; node >= 1; node /= 2) {
      if (Before(losers_[node], winner_)) std::swap(losers_[node], winner_);
    }
  }
  started_ = true;
  row = sources_[winner_].row;
  return sources_[winner_].reader != nullptr;
}

}  // namespace zhiwen
