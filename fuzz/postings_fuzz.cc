// Segments of postings with the right checksums and any content, logs, and changes: what opens can
// be asked, checked and merged, whatever it is. The first byte chooses: a forged segment without
// positions, one with them, a log, or changes of a log.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/block_file.h"
#include "index/durable/log_file.h"
#include "index/postings/joined_lists.h"
#include "index/postings/merged_postings.h"
#include "index/postings/postings_changes.h"
#include "index/postings/postings_parts.h"
#include "index/postings/postings_segment.h"
#include "require.h"
#include "section_change.h"
#include "support/in_memory_file_system.h"

namespace {

using zhiwen::ErrorCode;
using zhiwen::FeatureAt;
using zhiwen::MemoryDocuments;
using zhiwen::PostingsContent;
using zhiwen::PostingsSegment;
using zhiwen::Require;
using zhiwen::Status;

constexpr std::array<std::string_view, 7> kSections = {
    "documents", "lists", "features", "directory", "summary", "positions", "position_starts"};
constexpr uint64_t kFeatures = 24;

uint64_t FeatureOf(uint64_t i) { return i * 0x9E3779B97F4A7C15; }

void RequireUnreadable(const zhiwen::Error& error) {
  Require(error.code == ErrorCode::kUnreadable || error.code == ErrorCode::kConflict);
}

std::string WriteRows(const zhiwen::SegmentPostings& rows) {
  std::string bytes;
  const auto written = zhiwen::WritePostingsSegment(rows, [&](std::string_view piece) {
    bytes += piece;
    return Status();
  });
  if (!written) RequireUnreadable(written.error());
  return written ? bytes : "";
}

// A segment whose sections can be changed: lists of three blocks, of one, and single documents.
const std::string& SomeSegment(PostingsContent content) {
  const auto make = [](PostingsContent made) {
    MemoryDocuments documents({.content = made});
    for (uint32_t i = 0; i < 300; ++i) {
      std::vector<FeatureAt> features = {{1000 + i, i}};
      for (uint64_t f = 0; f < kFeatures; ++f) {
        if (i % (f * f + 1) != 0) continue;
        for (uint32_t k = 0; k <= i % 3; ++k) features.push_back({FeatureOf(f), k * 90 + i});
      }
      documents.postings().Insert(i * 7, features);
    }
    return WriteRows(documents);
  };
  static const std::array<std::string, 2> segments = {make(PostingsContent::kDocuments),
                                                      make(PostingsContent::kPositions)};
  return segments[content == PostingsContent::kPositions ? 1 : 0];
}

// With one section changed as `change` says, and checksums that hold.
std::string ForgeSegment(PostingsContent content, std::string_view change) {
  zhiwen::InMemoryFileSystem files;
  files.Put("whole", SomeSegment(content));
  const auto whole = zhiwen::BlockFile::Open(files, "whole", zhiwen::kPostingsSegmentKind);
  std::string forged;
  zhiwen::BlockFileWriter writer(zhiwen::kPostingsSegmentKind, [&](std::string_view piece) {
    forged += piece;
    return Status();
  });
  const unsigned how = change.empty() ? 0 : static_cast<uint8_t>(change[0]);
  if (!change.empty()) change.remove_prefix(1);
  const unsigned count = content == PostingsContent::kPositions ? 7 : 5;
  for (unsigned i = 0; i < count; ++i) {
    const auto section = *(*whole)->Section(kSections[i]);
    Require(section.Touch(0, section.size()));
    std::string bytes(reinterpret_cast<const char*>(section.data()), section.size());
    if (i == how % count) bytes = zhiwen::ChangeSection(bytes, how / count % 3, change);
    Require(writer.StartSection(kSections[i]) && writer.Append(bytes));
  }
  Require(writer.Finish().has_value());
  return forged;
}

// Asks a segment alone, and beside a whole one with deleted documents of both.
void AskSegment(const PostingsSegment& segment, const PostingsSegment& whole) {
  zhiwen::RowBitmap deleted(segment.rows()), some(whole.rows());
  if (segment.rows() > 2) deleted.Set(1);
  some.Set(7);
  MemoryDocuments memory({.content = segment.content()});
  memory.postings().Insert(5, std::vector<FeatureAt>{{FeatureOf(1), 3}, {FeatureOf(2), 4}});
  const zhiwen::PostingsParts parts({{&segment, &deleted}, {&whole, &some}}, memory.postings());
  std::vector<uint64_t> query = {1000, 1299, 77};
  for (uint64_t f = 0; f < kFeatures; ++f) query.push_back(FeatureOf(f));
  for (const size_t count : {1, 10}) {
    const auto alone = segment.postings().Query(query, {.count = count});
    if (!alone) RequireUnreadable(alone.error());
    const auto answer = parts.Query(query, {.count = count, .max_frequency = 400});
    if (!answer) RequireUnreadable(answer.error());
    Require(!answer || answer->matches.size() <= count);
  }
  for (const uint64_t feature : query) {
    std::vector<uint32_t> found;
    if (const Status status = parts.FindDocuments(feature, found); !status) {
      RequireUnreadable(status.error());
    }
    const uint32_t document = found.empty() ? 14 : found[found.size() / 2];
    if (const Status status = parts.FindPositions(feature, document, found); !status) {
      RequireUnreadable(status.error());
    }
  }
}

void UseSegment(PostingsContent content, const std::string& bytes) {
  zhiwen::InMemoryFileSystem files;
  files.Put("segment", bytes);
  files.Put("whole", SomeSegment(content));
  const auto segment = PostingsSegment::Open(files, "segment");
  if (!segment) return RequireUnreadable(segment.error());
  const zhiwen::Cancellation never;
  if (const Status checked = (*segment)->CheckAll(never); !checked) {
    RequireUnreadable(checked.error());
  }
  const auto whole = PostingsSegment::Open(files, "whole");
  if ((*segment)->content() != content) return;
  AskSegment(**segment, **whole);
  zhiwen::RowBitmap deleted((*segment)->rows()), none;
  if ((*segment)->rows() > 2) deleted.Set(1);
  const auto merged =
      zhiwen::MergedPostings::Create({{segment->get(), &deleted}}, zhiwen::NoProgress(), never);
  if (merged) {
    WriteRows(**merged);
  } else {
    RequireUnreadable(merged.error());
  }
  const auto both = zhiwen::MergedPostings::Create(
      {{segment->get(), &deleted}, {whole->get(), &none}}, zhiwen::NoProgress(), never);
  if (both) WriteRows(**both);
}

void UseLog(std::string bytes) {
  zhiwen::InMemoryFileSystem files;
  files.Put("log", std::move(bytes));
  const uint64_t size = files.Files().at("log").size();
  zhiwen::MemoryPostings postings(PostingsContent::kPositions);
  const auto end = zhiwen::ReadLogFile(files, "log", 1, 0, [&](std::string_view record) {
    return zhiwen::VisitChanges(record, [&](const zhiwen::PostingsChange& change) {
      postings.Remove(change.document);
      if (change.action != zhiwen::PostingsAction::kRemove) {
        Require(postings.Insert(change.document, change.features));
      }
      return Status();
    });
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
  switch (data[0] % 4) {
    case 0:
      UseSegment(PostingsContent::kDocuments, ForgeSegment(PostingsContent::kDocuments, rest));
      break;
    case 1:
      UseSegment(PostingsContent::kPositions, ForgeSegment(PostingsContent::kPositions, rest));
      break;
    case 2:
      UseLog(std::string(rest));
      break;
    default:
      UseLog(LogOf(rest));
  }
  return 0;
}
