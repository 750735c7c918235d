#include "index/durable/log_file.h"

#include <algorithm>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "base/coding.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMagic = "zhiwen\x1a\x0c";
constexpr uint32_t kVersion = 1;
constexpr size_t kHeadBytes = 24;  // head of the file: magic, version, number, checksum
constexpr size_t kRecordHead = kRecordHeadBytes;  // size, number, two checksums

std::string HeadOf(uint64_t number) {
  std::string head(kMagic);
  AppendFixed32(head, kVersion);
  AppendFixed64(head, number);
  AppendFixed32(head, Crc32c(head));
  return head;
}

void AppendRecord(std::string& out, uint64_t number, std::string_view record) {
  std::string head;
  AppendFixed32(head, static_cast<uint32_t>(record.size()));
  AppendFixed32(head, static_cast<uint32_t>(number));
  AppendFixed32(head, Crc32c(record));
  AppendFixed32(head, Crc32c(head));
  out += head;
  out += record;
}

tl::unexpected<Error> Damaged(const std::string& path, uint64_t at) {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": it is damaged at byte {}; restore the index from a "
                          "copy",
                          path, at));
}

struct RecordHead {
  uint32_t size = 0, number = 0, checksum = 0;
  bool is_whole = false;
};

RecordHead ReadHead(std::string_view bytes) {
  Decoder decoder(bytes.substr(0, kRecordHead));
  RecordHead head;
  head.size = *decoder.Fixed32();
  head.number = *decoder.Fixed32();
  head.checksum = *decoder.Fixed32();
  head.is_whole = *decoder.Fixed32() == Crc32c(bytes.substr(0, kRecordHead - sizeof(uint32_t)));
  return head;
}

// Returns whether a record later than `number` is anywhere in `rest`.
bool HasLaterRecord(std::string_view rest, uint64_t number) {
  for (; rest.size() >= kRecordHead; rest.remove_prefix(1)) {
    const RecordHead head = ReadHead(rest);
    if (!head.is_whole || head.number <= number) continue;
    const std::string_view record = rest.substr(kRecordHead, head.size);
    if (record.size() == head.size && Crc32c(record) == head.checksum) return true;
  }
  return false;
}

// Returns whether an interrupted write of record `number` can have left `rest`: a part of the
// record, or a record whose first page was not written.
bool MayBeCutOff(std::string_view rest, uint64_t number) {
  if (rest.size() < kRecordHead) return true;
  const RecordHead head = ReadHead(rest);
  if (head.is_whole) return rest.size() <= kRecordHead + head.size;
  const auto is_zero = [](char byte) { return byte == 0; };
  return std::ranges::all_of(rest.substr(0, kRecordHead), is_zero) && !HasLaterRecord(rest, number);
}

Status CheckFileHead(std::string_view bytes, const std::string& path, uint64_t number) {
  if (bytes.size() < kHeadBytes || !bytes.starts_with(kMagic)) return Damaged(path, 0);
  Decoder decoder(bytes.substr(kMagic.size(), sizeof(uint32_t)));
  const uint32_t version = *decoder.Fixed32();
  if (version != kVersion) {
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot read \"{}\": it is a log of format version {}, and this "
                            "program reads version {}; use the program that wrote it",
                            path, version, kVersion));
  }
  return bytes.substr(0, kHeadBytes) == HeadOf(number) ? Status() : Damaged(path, 0);
}

}  // namespace

Result<std::unique_ptr<LogFile>> LogFile::Create(FileSystem& files, const std::string& path,
                                                 uint64_t number) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files.OpenForWrite(path));
  ZHIWEN_RETURN_IF_ERROR(file->Append(HeadOf(number)));
  ZHIWEN_RETURN_IF_ERROR(file->Sync());
  return std::unique_ptr<LogFile>(new LogFile(std::move(file), {.bytes = kHeadBytes}));
}

Result<std::unique_ptr<LogFile>> LogFile::Continue(FileSystem& files, const std::string& path,
                                                   const LogEnd& end) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files.OpenForAppend(path, end.bytes));
  return std::unique_ptr<LogFile>(new LogFile(std::move(file), end));
}

Status LogFile::Append(std::string_view record) {
  bytes_.clear();
  AppendRecord(bytes_, end_.records, record);
  ZHIWEN_RETURN_IF_ERROR(file_->Append(bytes_));
  ZHIWEN_RETURN_IF_ERROR(file_->Sync());
  end_.bytes += bytes_.size();
  ++end_.records;
  return {};
}

Result<LogEnd> ReadLogFile(FileSystem& files, const std::string& path, uint64_t number,
                           uint64_t acknowledged,
                           const std::function<Status(std::string_view record)>& visit) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(files, path, kMostLogBytes));
  ZHIWEN_RETURN_IF_ERROR(CheckFileHead(bytes, path, number));
  if (bytes.size() < acknowledged) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": it has {} bytes and had at least {}; restore the "
                            "index from a copy",
                            path, bytes.size(), acknowledged));
  }
  LogEnd end = {.bytes = kHeadBytes};
  while (end.bytes < bytes.size()) {
    const std::string_view rest = std::string_view(bytes).substr(end.bytes);
    const auto cut_off = [&]() -> Result<LogEnd> {
      if (end.bytes < acknowledged || !MayBeCutOff(rest, end.records))
        return Damaged(path, end.bytes);
      return end;
    };
    if (rest.size() < kRecordHead) return cut_off();
    const RecordHead head = ReadHead(rest);
    const std::string_view record = rest.substr(kRecordHead, head.size);
    if (!head.is_whole || record.size() < head.size || Crc32c(record) != head.checksum) {
      return cut_off();
    }
    if (head.number != static_cast<uint32_t>(end.records)) return Damaged(path, end.bytes);
    ZHIWEN_RETURN_IF_ERROR(visit(record));
    end.bytes += kRecordHead + record.size();
    ++end.records;
  }
  return end;
}

}  // namespace zhiwen
