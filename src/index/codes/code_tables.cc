// Tables in memory of all codes that have a row. Merges and flushes move rows between files and
// change no code; only records of changes and segments that are added do.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "index/codes/code_changes.h"
#include "index/codes/code_state.h"
#include "index/codes/merged_rows.h"

namespace zhiwen {
namespace {

constexpr uint64_t kStepsOfRead = uint64_t{1} << 16;

}  // namespace

Status CodeState::VisitLiveCodes(
    const std::function<Status(uint64_t code, uint64_t passed)>& visit) const {
  std::vector<MergeInput> inputs;
  inputs.reserve(segments().size());
  for (const auto& segment : segments()) {
    inputs.push_back({segment.segment.get(), &segment.deleted});
  }
  uint64_t passed = 0;
  MergeCursor cursor(inputs, MergeCursor::Labels::kSkip);
  for (;; ++passed) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
    if (!is_there) break;
    if (!cursor.is_live()) continue;
    ZHIWEN_RETURN_IF_ERROR(visit(CodeOfLow(cursor.entry(), options().code_bits), passed));
  }
  return memory().VisitLow(
      [&](uint64_t entry) { return visit(CodeOfLow(entry, options().code_bits), passed++); });
}

Status CodeState::ReadIntoMemory(ProgressSink& progress, const Cancellation& cancellation) {
  constexpr size_t kCodesAtOnce = size_t{1} << 24;  // which HalfKeyIndex sorts together
  auto tables = std::make_unique<HalfKeyIndex>(HalfKeyOptions{.code_bits = options().code_bits});
  {
    ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
    uint64_t all = memory().codes();
    for (const auto& segment : segments()) all += segment.segment->codes();
    LargeVector<uint64_t> codes;
    codes.reserve(std::min<uint64_t>(all, kCodesAtOnce));
    const auto take = [&](uint64_t code, uint64_t passed) -> Status {
      codes.push_back(code);
      if (codes.size() % kStepsOfRead == 0) {
        progress.Advance(Stage::kJoinRows, passed, all);
        ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
      }
      if (codes.size() < kCodesAtOnce) return {};
      tables->Insert(codes);
      codes.clear();
      return {};
    };
    ZHIWEN_RETURN_IF_ERROR(VisitLiveCodes(take));
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    tables->Insert(codes);
  }
  ChangeAlone([&] { tables_ = std::move(tables); });
  return {};
}

Result<bool> CodeState::HasCode(uint64_t code) const {
  if (memory().HasCode(code)) return true;
  for (const auto& segment : segments()) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segment.segment->RowsOfCode(code));
    for (uint32_t row = rows.begin; row < rows.end; ++row) {
      if (!segment.deleted.Has(row)) return true;
    }
  }
  return false;
}

// The codes of rows of segments that are deleted now and were not `before`.
Result<std::vector<uint64_t>> CodeState::CodesOfRemoved(std::span<const RowBitmap> before) const {
  std::vector<uint64_t> codes;
  for (size_t i = 0; i < before.size(); ++i) {
    const auto& segment = segments()[i];
    Status found;
    segment.deleted.VisitSince(before[i], [&](uint64_t row) {
      const auto code = segment.segment->CodeOf(static_cast<uint32_t>(row));
      if (code) codes.push_back(*code);
      if (!code && found) found = tl::unexpected(code.error());
    });
    ZHIWEN_RETURN_IF_ERROR(found);
  }
  return codes;
}

// Puts those of the codes that have a row into the tables, and takes the others out.
Status CodeState::Update(std::span<const uint64_t> changed, HalfKeyIndex& tables) const {
  std::vector<uint64_t> there, gone;
  for (const uint64_t code : changed) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_code, HasCode(code));
    (has_code ? there : gone).push_back(code);
  }
  tables.Insert(there);
  tables.Remove(gone);
  return {};
}

Status CodeState::Apply(std::string_view record) {
  if (tables_ == nullptr) return SegmentedState::Apply(record);
  auto tables = std::exchange(tables_, nullptr);  // until they have the change
  std::vector<uint64_t> changed;
  bool removes_labels = false;
  ZHIWEN_RETURN_IF_ERROR(VisitChanges(record, [&](const CodeChange& change) {
    if (change.action != CodeAction::kRemoveLabel) return changed.push_back(change.code);
    removes_labels = true;
    memory().VisitCodes(change.label, [&](uint64_t code) { changed.push_back(code); });
  }));
  std::vector<RowBitmap> before;
  if (removes_labels) {
    for (const auto& segment : segments()) before.push_back(segment.deleted);
  }
  ZHIWEN_RETURN_IF_ERROR(SegmentedState::Apply(record));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint64_t> removed, CodesOfRemoved(before));
  changed.insert(changed.end(), removed.begin(), removed.end());
  ZHIWEN_RETURN_IF_ERROR(Update(changed, *tables));
  tables_ = std::move(tables);
  return {};
}

void CodeState::SetSegments(Segments segments) {
  auto tables = std::exchange(tables_, nullptr);
  const size_t before = this->segments().size();
  const bool adds =
      segments.size() > before && std::ranges::equal(
                                      this->segments(), std::span(segments).first(before), {},
                                      [](const auto& segment) { return segment.entry.number; },
                                      [](const auto& segment) { return segment.entry.number; });
  SegmentedState::SetSegments(std::move(segments));
  if (tables == nullptr) return;
  for (size_t i = adds ? before : this->segments().size(); i < this->segments().size(); ++i) {
    LargeVector<uint64_t> codes;
    const auto take = [&](uint32_t mixed, uint32_t value) {
      codes.push_back(CodeOfLow(EntryOf(mixed, value), options().code_bits));
    };
    if (!this->segments()[i].segment->hamming().table(0).VisitAll(take)) return;
    tables->Insert(codes);
  }
  tables_ = std::move(tables);
}

}  // namespace zhiwen
