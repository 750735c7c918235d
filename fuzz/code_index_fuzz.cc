// Segments of codes with the right checksums and any content, logs, and changes: what opens can be
// asked, checked and merged, whatever it is. The first byte chooses: a forged segment, a log,
// or changes of a log.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/block_file.h"
#include "index/codes/code_changes.h"
#include "index/codes/code_segment.h"
#include "index/codes/merged_rows.h"
#include "index/codes/sorted_rows.h"
#include "index/durable/log_file.h"
#include "require.h"
#include "section_change.h"
#include "support/in_memory_file_system.h"

namespace {

using zhiwen::CodeSegment;
using zhiwen::ErrorCode;
using zhiwen::Require;
using zhiwen::Status;

constexpr std::array<std::string_view, 8> kSections = {
    "settings",    "low.lines",   "low.starts",   "high.lines",
    "high.starts", "rows.starts", "labels.bytes", "labels.places"};

void RequireUnreadable(const zhiwen::Error& error) {
  Require(error.code == ErrorCode::kUnreadable || error.code == ErrorCode::kConflict);
}

std::string WriteRows(const zhiwen::SegmentRows& rows) {
  std::string bytes;
  const auto written = zhiwen::WriteCodeSegment(rows, [&](std::string_view piece) {
    bytes += piece;
    return Status();
  });
  if (!written) RequireUnreadable(written.error());
  return written ? bytes : "";
}

// A segment whose sections can be changed.
const std::string& SomeSegment() {
  static const std::string segment = [] {
    std::vector<zhiwen::CodeRow> rows;
    for (uint64_t i = 0; i < 40; ++i) {
      rows.push_back({i % 30 * 0x9E3779B97F4A7C15, i % 3 == 0 ? "" : i < 20 ? "a" : "文一"});
    }
    return WriteRows(zhiwen::SortedRows(std::move(rows), 64));
  }();
  return segment;
}

// With one section changed as `change` says, and checksums that hold.
std::string ForgeSegment(std::string_view change) {
  zhiwen::InMemoryFileSystem files;
  files.Put("whole", SomeSegment());
  const auto whole = zhiwen::BlockFile::Open(files, "whole", zhiwen::kCodeSegmentKind);
  std::string forged;
  zhiwen::BlockFileWriter writer(zhiwen::kCodeSegmentKind, [&](std::string_view piece) {
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

void UseSegment(const std::string& bytes) {
  zhiwen::InMemoryFileSystem files;
  files.Put("segment", bytes);
  files.Put("whole", SomeSegment());
  const auto segment = CodeSegment::Open(files, "segment");
  if (!segment) return RequireUnreadable(segment.error());
  const auto whole = CodeSegment::Open(files, "whole");
  const CodeSegment& codes = **segment;
  const std::array<uint64_t, 3> queries = {0, 0x9E3779B97F4A7C15, 77};
  for (const uint32_t radius : {0U, 3U, 30U}) {
    zhiwen::HammingAnswer answer;
    if (const Status found = codes.hamming().Query(queries, radius, answer); !found) {
      RequireUnreadable(found.error());
    }
  }
  for (const uint64_t query : queries) {
    const auto rows = codes.RowsOfCode(query);
    if (!rows || rows->size() == 0) continue;
    Require(rows->begin < rows->end && rows->end <= codes.rows());
    (void)codes.FindLabel(*rows, "a");
  }
  for (uint32_t row = 0; row < codes.rows() && row < 64; ++row) {
    (void)codes.CodeOf(row);
    (void)codes.LabelOf(row);
  }
  if (const Status checked = codes.CheckAll(zhiwen::Cancellation()); !checked)
    RequireUnreadable(checked.error());
  zhiwen::RowBitmap deleted(codes.rows());
  if (codes.rows() > 2) deleted.Set(1);
  const zhiwen::RowBitmap none;
  const zhiwen::Cancellation never;
  const auto merged = zhiwen::MergedRows::Create({{&codes, &deleted}, {whole->get(), &none}},
                                                 zhiwen::NoProgress(), never);
  if (merged) WriteRows(**merged);
}

void UseLog(std::string bytes) {
  zhiwen::InMemoryFileSystem files;
  files.Put("log", std::move(bytes));
  const uint64_t size = files.Files().at("log").size();
  const auto end = zhiwen::ReadLogFile(files, "log", 1, 0, [](std::string_view record) {
    return zhiwen::VisitChanges(record, [](const zhiwen::CodeChange& /*change*/) {});
  });
  if (!end) return RequireUnreadable(end.error());
  Require(end->bytes <= size);
}

// As one record of a log.
std::string LogOf(std::string_view record) {
  zhiwen::InMemoryFileSystem files;
  const auto log = zhiwen::LogFile::Create(files, "log", 1);
  Require((*log)->Append(record).has_value());
  return files.Files().at("log");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
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
