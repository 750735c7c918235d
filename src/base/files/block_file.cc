#include "base/files/block_file.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/coding.h"
#include "base/fixed_name.h"
#include "base/hash.h"

namespace zhiwen {
namespace {

constexpr std::string_view kBlockFileMagic = "zhiwen\x1a\x0b";
constexpr uint32_t kMostSections = 1024;

struct Header {
  char magic[8];
  char kind[16];
  uint32_t version;
  uint32_t block_bytes;
};

struct Entry {
  char name[32];
  uint64_t offset;
  uint64_t size;
};

struct Footer {
  uint64_t blocks;
  uint64_t sections;
  uint64_t hash;  // XXH3 of checksums, table and the two fields above
  char magic[8];
};

template <typename Value>
Value ReadValue(std::string_view bytes, uint64_t offset) {
  Value value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

}  // namespace

BlockFileWriter::BlockFileWriter(const SectionFileKind& kind, SectionSink take)
    : kind_(kind), take_(std::move(take)) {}

Status BlockFileWriter::Put(std::string_view bytes) {
  ZHIWEN_RETURN_IF_ERROR(take_(bytes));
  while (!bytes.empty()) {
    const uint64_t room = kBlockBytes - written_ % kBlockBytes;
    const std::string_view piece = bytes.substr(0, room);
    checksum_ = Crc32c(piece, checksum_);
    written_ += piece.size();
    bytes.remove_prefix(piece.size());
    if (written_ % kBlockBytes == 0) {
      checksums_.push_back(checksum_);
      checksum_ = 0;
    }
  }
  return {};
}

Status BlockFileWriter::FillBlock() {
  const uint64_t in_block = written_ % kBlockBytes;
  if (in_block == 0) return {};
  return Put(std::string(kBlockBytes - in_block, '\0'));
}

Status BlockFileWriter::StartSection(std::string_view name) {
  if (written_ == 0) {
    Header header = {};
    CopyName(kBlockFileMagic, header.magic);
    CopyName(kind_.name, header.kind);
    header.version = kind_.version;
    header.block_bytes = kBlockBytes;
    ZHIWEN_RETURN_IF_ERROR(Put(BytesOfValue(header)));
  }
  ZHIWEN_RETURN_IF_ERROR(FillBlock());
  sections_.push_back({std::string(name), written_, 0});
  return {};
}

Status BlockFileWriter::Append(std::string_view bytes) {
  sections_.back().size += bytes.size();
  return Put(bytes);
}

Result<uint64_t> BlockFileWriter::Finish() {
  ZHIWEN_RETURN_IF_ERROR(FillBlock());
  std::string tail(BytesOfValues(checksums_));
  for (const Section& section : sections_) {
    Entry entry = {};
    CopyName(section.name, entry.name);
    entry.offset = section.offset;
    entry.size = section.size;
    tail += BytesOfValue(entry);
  }
  AppendFixed64(tail, checksums_.size());
  AppendFixed64(tail, sections_.size());
  const uint64_t hash = HashBytes64(tail);
  AppendFixed64(tail, hash);
  tail += kBlockFileMagic;
  ZHIWEN_RETURN_IF_ERROR(take_(tail));
  return hash;
}

Result<std::unique_ptr<BlockFile>> BlockFile::Open(FileSystem& files, const std::string& path,
                                                   const SectionFileKind& kind) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  std::unique_ptr<BlockFile> result(new BlockFile);
  ZHIWEN_ASSIGN_OR_RETURN(result->file_, file->Map());
  result->bytes_ = result->file_->bytes();
  if (reinterpret_cast<uintptr_t>(result->bytes_.data()) % kBlockAlignment != 0) {
    result->copy_.resize((result->bytes_.size() + kBlockAlignment - 1) / kBlockAlignment);
    std::memcpy(result->copy_.data(), result->bytes_.data(), result->bytes_.size());
    result->bytes_ = {result->copy_.data()->bytes, result->bytes_.size()};
    result->file_.reset();
  }
  result->path_ = path;
  ZHIWEN_RETURN_IF_ERROR(result->Read(kind));
  return result;
}

Status BlockFile::Read(const SectionFileKind& kind) {
  advice_ = AdviceOnDamage(kind);
  Header header = {};
  if (bytes_.size() >= sizeof(header)) header = ReadValue<Header>(bytes_, 0);
  if (std::string_view(header.magic, sizeof(header.magic)) != kBlockFileMagic ||
      NameIn(header.kind) != kind.name) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": it is no {} file of zhiwen; {}", path_, kind.name,
                            advice_));
  }
  if (header.version != kind.version) {
    return OtherVersion(path_, kind, header.version);
  }
  if (bytes_.size() < kBlockBytes + sizeof(Footer)) return Damaged("it ends early");
  const auto footer = ReadValue<Footer>(bytes_, bytes_.size() - sizeof(Footer));
  if (std::string_view(footer.magic, sizeof(footer.magic)) != kBlockFileMagic) {
    return Damaged("it ends early, or its end is damaged");
  }
  if (footer.sections > kMostSections || footer.blocks > bytes_.size() / kBlockBytes ||
      bytes_.size() != footer.blocks * (kBlockBytes + sizeof(uint32_t)) +
                           footer.sections * sizeof(Entry) + sizeof(Footer)) {
    return Damaged("its size is not what its end says");
  }
  const uint64_t tail = footer.blocks * kBlockBytes;
  const uint64_t hashed = bytes_.size() - sizeof(Footer) + offsetof(Footer, hash) - tail;
  if (HashBytes64(bytes_.substr(tail, hashed)) != footer.hash) {
    return Damaged("the checksum of its checksums is wrong");
  }
  identity_ = footer.hash;
  checksums_.resize(footer.blocks);
  std::memcpy(checksums_.data(), bytes_.data() + tail, footer.blocks * sizeof(uint32_t));
  checked_ = std::vector<std::atomic<uint64_t>>(footer.blocks / 64 + 1);
  if (!CheckBlock(0)) return Damaged("the checksum of its first block is wrong");
  const uint64_t table = tail + footer.blocks * sizeof(uint32_t);
  for (uint64_t i = 0; i < footer.sections; ++i) {
    const auto entry = ReadValue<Entry>(bytes_, table + i * sizeof(Entry));
    if (entry.offset % kBlockBytes != 0 || entry.offset > tail ||
        entry.size > tail - entry.offset) {
      return Damaged("a section lies outside of it");
    }
    sections_.push_back({std::string(NameIn(entry.name)), entry.offset, entry.size});
  }
  return {};
}

bool BlockFile::CheckBlock(uint64_t block) const {
  if (Crc32c(bytes_.substr(block * kBlockBytes, kBlockBytes)) != checksums_[block]) return false;
  checked_[block / 64].fetch_or(uint64_t{1} << block % 64, std::memory_order_release);
  return true;
}

Result<BlockSection> BlockFile::Section(std::string_view name, uint64_t value_bytes) const {
  const auto place = std::ranges::find(sections_, name, &Place::name);
  if (place == sections_.end()) return Damaged(fmt::format("it has no section \"{}\"", name));
  if (place->size % value_bytes != 0) {
    return Damaged(fmt::format("section \"{}\" has a part of a value", name));
  }
  BlockSection section;
  section.file_ = this;
  section.name_ = place->name;
  section.offset_ = place->offset;
  section.size_ = place->size;
  section.data_ = reinterpret_cast<const uint8_t*>(bytes_.data()) + place->offset;
  return section;
}

Status BlockFile::CheckAll() const {
  for (const Place& place : sections_) {
    ZHIWEN_ASSIGN_OR_RETURN(const BlockSection section, Section(place.name));
    for (uint64_t begin = 0; begin < place.size; begin += kBlockBytes) {
      if (!section.Touch(begin, 1)) return section.Damaged(begin);
    }
  }
  return {};
}

tl::unexpected<Error> BlockFile::Damaged(std::string_view what) const {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": {}; the file is damaged, {}", path_, what, advice_));
}

tl::unexpected<Error> BlockSection::Damaged(uint64_t begin) const {
  const uint64_t block = (offset_ + begin) / kBlockBytes;
  return file_->Damaged(
      fmt::format("section \"{}\": the checksum of the 4 KiB at byte {} of the "
                  "file is wrong",
                  name_, block * kBlockBytes));
}

}  // namespace zhiwen
