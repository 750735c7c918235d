// Segments of sketches with the right checksums and any content, logs, and changes: what opens can
// be asked, checked and merged, whatever it is. The first byte chooses: a forged segment, a log,
// or changes of a log; settings of a manifest are tried with all of them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/block_file.h"
#include "index/durable/log_file.h"
#include "index/minhash/memory_sketches.h"
#include "index/minhash/merged_sketches.h"
#include "index/minhash/minhash_changes.h"
#include "index/minhash/minhash_settings.h"
#include "index/minhash/sketch_search.h"
#include "index/minhash/sketch_segment.h"
#include "require.h"
#include "section_change.h"
#include "support/in_memory_file_system.h"

namespace {

using zhiwen::ErrorCode;
using zhiwen::Require;
using zhiwen::SketchSegment;
using zhiwen::Status;

constexpr size_t kValues = 64;
constexpr std::array<std::string_view, 9> kSections = {
    "settings",     "documents",     "bits",         "band-0.lines", "band-0.starts",
    "band-1.lines", "band-1.starts", "band-2.lines", "band-2.starts"};

void RequireUnreadable(const zhiwen::Error& error) {
  Require(error.code == ErrorCode::kUnreadable || error.code == ErrorCode::kConflict);
}

// Three bands of two rows.
const zhiwen::MinHashPlan& Plan() {
  static const zhiwen::MinHashPlan plan = *zhiwen::MinHashPlan::Create(
      {.recall = 0.9, .signature_size = kValues, .band_values = 8, .estimates = {64, 2}});
  return plan;
}

std::vector<uint32_t> SignatureOf(uint32_t document) {
  std::vector<uint32_t> signature(kValues);
  for (uint32_t i = 0; i < kValues; ++i) signature[i] = (document % 5 + 1) * (i + 1) * 0x9E3779B9;
  return signature;
}

std::string WriteRows(const zhiwen::SketchRows& rows) {
  std::string bytes;
  const auto written = zhiwen::WriteSketchSegment(rows, [&](std::string_view piece) {
    bytes += piece;
    return Status();
  });
  if (!written) RequireUnreadable(written.error());
  return written ? bytes : "";
}

void ApplyTo(zhiwen::MemorySketches& memory, const zhiwen::MinHashChange& change) {
  if (change.action == zhiwen::MinHashAction::kRemove) return memory.Remove(change.document);
  if (change.sketch.size() == memory.form().bytes()) memory.Add(change.document, change.sketch);
}

// A segment whose sections can be changed; others have other documents.
std::string SomeSegment(uint64_t first) {
  zhiwen::MinHashChanges changes(Plan());
  for (uint32_t i = 0; i < 40; ++i) changes.Add(first + i * uint64_t{3}, SignatureOf(i));
  zhiwen::MemorySketches memory(Plan());
  Require(zhiwen::VisitMinHashChanges(changes.bytes(), [&](const auto& change) {
            ApplyTo(memory, change);
            return Status();
          }).has_value());
  return WriteRows(memory);
}

// With one section changed as `change` says, and checksums that hold.
std::string ForgeSegment(std::string_view change) {
  static const std::string segment = SomeSegment(0);
  zhiwen::InMemoryFileSystem files;
  files.Put("whole", segment);
  const auto whole = zhiwen::BlockFile::Open(files, "whole", zhiwen::kSketchSegmentKind);
  std::string forged;
  zhiwen::BlockFileWriter writer(zhiwen::kSketchSegmentKind, [&](std::string_view piece) {
    forged += piece;
    return Status();
  });
  const unsigned how = change.empty() ? 0 : static_cast<uint8_t>(change[0]);
  if (!change.empty()) change.remove_prefix(1);
  constexpr unsigned kCount = kSections.size();
  for (unsigned i = 0; i < kCount; ++i) {
    const auto section = *(*whole)->Section(kSections[i]);
    Require(section.Touch(0, section.size()));
    std::string bytes(reinterpret_cast<const char*>(section.data()), section.size());
    if (i == how % kCount) {
      bytes = zhiwen::ChangeSection(bytes, how / kCount % 3, change);
    }
    Require(writer.StartSection(kSections[i]) && writer.Append(bytes));
  }
  Require(writer.Finish().has_value());
  return forged;
}

// Queries of the plan, where the segment is of that.
void Ask(const SketchSegment& segment, const zhiwen::RowBitmap& deleted) {
  if (segment.form() != zhiwen::SketchForm::Of(Plan())) return;
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < 6; ++i) {
    const std::vector<uint32_t> signature = SignatureOf(i);
    values.insert(values.end(), signature.begin(), signature.end());
  }
  const zhiwen::SketchQueries queries(Plan(), {values, kValues}, 0, 6);
  zhiwen::FoundSketches found;
  const zhiwen::SketchSearch search = {Plan(), queries, Plan().least_equal()};
  if (const Status asked = search.In(segment, deleted, found); !asked) {
    RequireUnreadable(asked.error());
  }
  for (const auto& document : found.found) Require(document.query < 6 && document.equal <= 64);
}

void UseSegment(const std::string& bytes) {
  static const std::string other = SomeSegment(1);
  zhiwen::InMemoryFileSystem files;
  files.Put("segment", bytes);
  files.Put("other", other);
  const auto opened = SketchSegment::Open(files, "segment");
  if (!opened) return RequireUnreadable(opened.error());
  const auto whole = SketchSegment::Open(files, "other");
  const SketchSegment& segment = **opened;
  zhiwen::RowBitmap deleted(segment.rows());
  if (segment.rows() > 2) deleted.Set(1);
  Ask(segment, deleted);
  for (uint64_t document = 0; document < 12; ++document) {
    const auto row = segment.Find(document);
    Require(!row || !row->has_value() || **row < segment.rows());
  }
  if (const Status checked = segment.CheckAll(zhiwen::Cancellation()); !checked) {
    RequireUnreadable(checked.error());
  }
  if (segment.form() != (*whole)->form()) return;
  const zhiwen::RowBitmap none;
  const zhiwen::Cancellation never;
  const auto merged = zhiwen::MergedSketches::Create({{&segment, &deleted}, {whole->get(), &none}},
                                                     zhiwen::NoProgress(), never);
  if (!merged) return RequireUnreadable(merged.error());
  // What could be written is a segment, or refused.
  files.Put("merged", WriteRows(**merged));
  if (const auto again = SketchSegment::Open(files, "merged"); !again) {
    RequireUnreadable(again.error());
  }
}

void UseLog(std::string bytes) {
  zhiwen::InMemoryFileSystem files;
  files.Put("log", std::move(bytes));
  const uint64_t size = files.Files().at("log").size();
  zhiwen::MemorySketches memory(Plan());
  const auto end = zhiwen::ReadLogFile(files, "log", 1, 0, [&](std::string_view record) {
    return zhiwen::VisitMinHashChanges(record, [&](const zhiwen::MinHashChange& change) {
      ApplyTo(memory, change);
      return Status();
    });
  });
  if (!end) return RequireUnreadable(end.error());
  Require(end->bytes <= size);
  UseSegment(WriteRows(memory));
}

// As one record of a log.
std::string LogOf(std::string_view record) {
  zhiwen::InMemoryFileSystem files;
  const auto log = zhiwen::LogFile::Create(files, "log", 1);
  Require((*log)->Append(record).has_value());
  return files.Files().at("log");
}

void UseSettings(std::string_view change) {
  static const std::string settings = zhiwen::WriteMinHashSettings(Plan());
  const std::string changed = zhiwen::ChangeSection(settings, 2, change);
  if (const auto plan = zhiwen::ReadMinHashSettings(changed, "index"); !plan) {
    RequireUnreadable(plan.error());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  UseSettings(rest);
  switch (data[0] % 3) {
    case 0:
      UseSegment(ForgeSegment(rest));
      break;
    case 1:
      UseLog(std::string(rest));
      break;
    default:
      UseLog(LogOf(rest));
  }
  return 0;
}
