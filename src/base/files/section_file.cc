#include "base/files/section_file.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/fixed_name.h"
#include "base/hash.h"

namespace zhiwen {
namespace {

constexpr std::string_view kSectionFileMagic = "zhiwen\x1a\n";
constexpr size_t kAlignment = 64;
constexpr uint32_t kMostSectionsOfFile = 1024;

struct SectionFileHeader {
  char magic[8];
  char kind[16];
  uint32_t version;
  uint32_t sections;
  uint64_t table_hash;  // of the entries
};

struct SectionFileEntry {
  char name[32];
  uint64_t offset;
  uint64_t size;
  uint64_t hash;  // XXH3 of the bytes
};

size_t Aligned(size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

std::string AdviceOnDamage(const SectionFileKind& kind) {
  if (kind.part_of.empty()) return "make or install it again";
  return fmt::format("restore the {} from a copy", kind.part_of);
}

Result<uint64_t> WriteSections(const SectionFileKind& kind,
                               std::span<const SectionContent> sections, const SectionSink& take) {
  std::vector<SectionFileEntry> entries(sections.size());
  size_t offset = Aligned(sizeof(SectionFileHeader) + entries.size() * sizeof(SectionFileEntry));
  for (size_t i = 0; i < entries.size(); ++i) {
    StreamHash64 hash;
    ZHIWEN_RETURN_IF_ERROR(sections[i].read([&](std::string_view bytes) {
      hash.Add(bytes);
      return Status();
    }));
    CopyName(sections[i].name, entries[i].name);
    entries[i].offset = offset;
    entries[i].size = sections[i].size;
    entries[i].hash = hash.Finish();
    offset = Aligned(offset + sections[i].size);
  }
  SectionFileHeader header = {};
  CopyName(kSectionFileMagic, header.magic);
  CopyName(kind.name, header.kind);
  header.version = kind.version;
  header.sections = static_cast<uint32_t>(entries.size());
  header.table_hash = HashBytes64(BytesOfValues(entries));
  ZHIWEN_RETURN_IF_ERROR(take(BytesOfValue(header)));
  ZHIWEN_RETURN_IF_ERROR(take(BytesOfValues(entries)));
  size_t written = sizeof(SectionFileHeader) + entries.size() * sizeof(SectionFileEntry);
  for (size_t i = 0; i < entries.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(take(std::string(entries[i].offset - written, '\0')));
    ZHIWEN_RETURN_IF_ERROR(sections[i].read(take));
    written = entries[i].offset + sections[i].size;
  }
  return header.table_hash;
}

bool IsOfKind(std::string_view head, const SectionFileKind& kind) {
  SectionFileHeader header = {};
  static_assert(offsetof(SectionFileHeader, version) == kSectionHeadBytes);
  if (head.size() < kSectionHeadBytes) return false;
  std::memcpy(&header, head.data(), kSectionHeadBytes);
  return std::string_view(header.magic, sizeof(header.magic)) == kSectionFileMagic &&
         NameIn(header.kind) == kind.name;
}

tl::unexpected<Error> OtherVersion(std::string_view path, const SectionFileKind& kind,
                                   uint32_t version) {
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot read \"{}\": it is a {} file of version {}, and this program "
                          "reads version {}; {}",
                          path, kind.name, version, kind.version,
                          kind.part_of.empty() ? "make it again with this program"
                                               : "use the program that wrote it"));
}

void SectionWriter::Add(std::string_view name, std::string_view bytes) {
  sections_.push_back({std::string(name), std::string(bytes)});
}

std::vector<SectionContent> SectionWriter::contents() const {
  std::vector<SectionContent> contents;
  contents.reserve(sections_.size());
  for (const Section& section : sections_) {
    contents.push_back({section.name, section.bytes.size(),
                        [&section](const SectionSink& take) { return take(section.bytes); }});
  }
  return contents;
}

std::string SectionWriter::Finish(const SectionFileKind& kind) const {
  std::string out;
  (void)WriteSections(kind, contents(), [&](std::string_view bytes) {
    out += bytes;
    return Status();
  });
  return out;
}

Result<SectionFile> SectionFile::Open(FileSystem& files, const std::string& path,
                                      const SectionFileKind& kind) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  SectionFile result;
  ZHIWEN_ASSIGN_OR_RETURN(result.file_, file->Map());
  result.bytes_ = result.file_->bytes();
  result.path_ = path;
  ZHIWEN_RETURN_IF_ERROR(result.Read(kind));
  return result;
}

Result<SectionFile> SectionFile::Of(std::string_view bytes, const std::string& path,
                                    const SectionFileKind& kind) {
  SectionFile result;
  result.bytes_ = bytes;
  if (!bytes.empty() && reinterpret_cast<uintptr_t>(bytes.data()) % kMappedAlignment != 0) {
    result.copy_.resize((bytes.size() + sizeof(uint64_t) - 1) / sizeof(uint64_t));
    std::memcpy(result.copy_.data(), bytes.data(), bytes.size());
    result.bytes_ = {reinterpret_cast<const char*>(result.copy_.data()), bytes.size()};
  }
  result.path_ = path;
  ZHIWEN_RETURN_IF_ERROR(result.Read(kind));
  return result;
}

Status SectionFile::Read(const SectionFileKind& kind) {
  advice_ = AdviceOnDamage(kind);
  SectionFileHeader header = {};
  if (bytes_.size() >= sizeof(header)) std::memcpy(&header, bytes_.data(), sizeof(header));
  if (std::string_view(header.magic, sizeof(header.magic)) != kSectionFileMagic ||
      NameIn(header.kind) != kind.name) {
    const std::string advice =
        kind.part_of.empty() ? fmt::format("zhiwen {} makes one", kind.name) : AdviceOnDamage(kind);
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": it is no {} file of zhiwen; {}", path_, kind.name,
                            advice));
  }
  if (header.version != kind.version) {
    return OtherVersion(path_, kind, header.version);
  }
  if (header.sections > kMostSectionsOfFile ||
      bytes_.size() - sizeof(header) < header.sections * sizeof(SectionFileEntry)) {
    return Damaged("table", "it ends early");
  }
  std::vector<SectionFileEntry> entries(header.sections);
  if (!entries.empty()) {
    std::memcpy(entries.data(), bytes_.data() + sizeof(header),
                entries.size() * sizeof(SectionFileEntry));
  }
  if (HashBytes64(BytesOfValues(entries)) != header.table_hash) {
    return Damaged("table", "its checksum is wrong");
  }
  identity_ = header.table_hash;
  for (size_t i = 0; i < entries.size(); ++i) {
    const SectionFileEntry& entry = entries[i];
    // Names are views of the mapping.
    const char* name = bytes_.data() + sizeof(header) + i * sizeof(SectionFileEntry);
    const std::string_view view(name, NameIn(entry.name).size());
    if (entry.offset % kAlignment != 0 || entry.offset > bytes_.size() ||
        entry.size > bytes_.size() - entry.offset) {
      return Damaged(view, "it lies outside the file");
    }
    const std::string_view bytes = bytes_.substr(entry.offset, entry.size);
    if (HashBytes64(bytes) != entry.hash) return Damaged(view, "its checksum is wrong");
    sections_.push_back({view, bytes});
  }
  return {};
}

bool SectionFile::Has(std::string_view name) const {
  return std::ranges::find(sections_, name, &Section::name) != sections_.end();
}

Result<std::string_view> SectionFile::Bytes(std::string_view name) const {
  const auto section = std::ranges::find(sections_, name, &Section::name);
  if (section == sections_.end()) return Damaged(name, "it is not there");
  return section->bytes;
}

tl::unexpected<Error> SectionFile::Damaged(std::string_view name, std::string_view what) const {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": section \"{}\": {}; the file is damaged, {}", path_,
                          name, what, advice_));
}

}  // namespace zhiwen
