#include "document/foreign/ole_directory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace zhiwen {
namespace {

constexpr std::string_view kOleMagic = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
constexpr size_t kHeaderBytes = 512, kEntryBytes = 128, kSmallSectorBytes = 64;
constexpr size_t kMostEntries = size_t{1} << 16;
// Where a header says what, and an entry of the directory.
constexpr size_t kSectorShiftAt = 30, kDirectoryAt = 48, kTableSectorsAt = 76;
constexpr size_t kTableSectors = 109;  // that the header names; of files of 7 MB and more not all
constexpr size_t kSmallTableAt = 60;
constexpr size_t kTypeAt = 66, kFirstSectorAt = 116, kStreamBytesAt = 120;
constexpr uint32_t kStreamType = 2, kRootType = 5;
constexpr uint32_t kLeastStream = 4096;  // smaller ones are in the stream of the root
constexpr size_t kNameBytesAt = 64, kLeftAt = 68, kRightAt = 72, kChildAt = 76;

class OleFile {
 public:
  explicit OleFile(std::string_view bytes)
      : bytes_(bytes), sector_bytes_(ReadOleNumber(bytes, kSectorShiftAt, 2) == 12 ? 4096 : 512) {}

  // A sector is in one chain, and once: no two sectors and no two streams are followed by it.
  bool HasCircle(std::string_view directory) const {
    std::vector<bool> is_followed(bytes_.size() / sector_bytes_ + 1);
    const auto leads_to = [&](uint32_t sector) {
      if (sector >= is_followed.size()) return false;
      const bool was = is_followed[sector];
      is_followed[sector] = true;
      return was;
    };
    const size_t in_tables = kTableSectors * sector_bytes_ / 4;
    const auto sectors = static_cast<uint32_t>(std::min(is_followed.size(), in_tables));
    for (uint32_t sector = 0; sector < sectors; ++sector) {
      const std::optional<uint32_t> next = Next(sector);
      if (next && (*next == sector || leads_to(*next))) return true;
    }
    if (leads_to(ReadOleNumber(bytes_, kDirectoryAt, 4))) return true;
    if (leads_to(ReadOleNumber(bytes_, kSmallTableAt, 4))) return true;
    for (size_t at = 0; at + kEntryBytes <= directory.size(); at += kEntryBytes) {
      const std::string_view entry = directory.substr(at, kEntryBytes);
      const uint32_t type = ReadOleNumber(entry, kTypeAt, 1);
      const uint32_t size = ReadOleNumber(entry, kStreamBytesAt, 4);
      const bool has_chain =
          type == kRootType ? size > 0 : type == kStreamType && size >= kLeastStream;
      if (has_chain && leads_to(ReadOleNumber(entry, kFirstSectorAt, 4))) return true;
    }
    return false;
  }

  // The entries of the directory, one behind another.
  std::string Directory() const {
    return Chain(ReadOleNumber(bytes_, kDirectoryAt, 4),
                 std::min(bytes_.size(), kMostEntries * kEntryBytes));
  }

  // The beginning of the stream of an entry.
  std::string Stream(std::string_view entry, std::string_view directory) const {
    const uint32_t first = ReadOleNumber(entry, kFirstSectorAt, 4);
    const uint32_t size = ReadOleNumber(entry, kStreamBytesAt, 4);
    const size_t most = std::min<size_t>(size, kMostOleStreamBytes);
    std::string stream = size < kLeastStream ? SmallChain(first, most, directory)
                                             : Chain(first, std::min(bytes_.size(), most));
    stream.resize(std::min(stream.size(), most));
    return stream;
  }

 private:
  std::string_view Sector(uint32_t number) const {
    const size_t at = (size_t{number} + 1) * sector_bytes_;
    return at < bytes_.size() ? bytes_.substr(at, sector_bytes_) : std::string_view();
  }

  // The sector behind another one in its chain; nothing where the table does not tell.
  std::optional<uint32_t> Next(uint32_t number) const {
    const size_t in_sector = sector_bytes_ / 4;
    const size_t part = number / in_sector;
    if (part >= kTableSectors) return std::nullopt;
    const std::string_view table = Sector(ReadOleNumber(bytes_, kTableSectorsAt + 4 * part, 4));
    const size_t at = number % in_sector * 4;
    if (at + 4 > table.size()) return std::nullopt;
    return ReadOleNumber(table, at, 4);
  }

  // The sectors of a chain until they are `most` bytes; none grows without end in a circle.
  std::string Chain(uint32_t sector, size_t most) const {
    std::string chain;
    while (chain.size() < most) {
      const std::string_view content = Sector(sector);
      if (content.empty()) break;
      chain += content;
      const std::optional<uint32_t> next = Next(sector);
      if (!next || *next == sector) break;
      sector = *next;
    }
    return chain;
  }

  // The same with the small sectors in the stream of the root, the first entry.
  std::string SmallChain(uint32_t sector, size_t most, std::string_view directory) const {
    const std::string table = Chain(ReadOleNumber(bytes_, kSmallTableAt, 4), bytes_.size());
    const std::string all = Chain(ReadOleNumber(directory, kFirstSectorAt, 4), bytes_.size());
    std::string chain;
    while (chain.size() < most && size_t{sector} * kSmallSectorBytes < all.size()) {
      chain.append(all, size_t{sector} * kSmallSectorBytes, kSmallSectorBytes);
      if ((size_t{sector} + 1) * 4 > table.size()) break;
      sector = ReadOleNumber(table, size_t{sector} * 4, 4);
    }
    return chain;
  }

  std::string_view bytes_;
  size_t sector_bytes_;
};

std::string NameOfEntry(std::string_view entry) {
  const size_t units = std::min<size_t>(ReadOleNumber(entry, kNameBytesAt, 2) / 2, 32);
  std::string name;
  for (size_t i = 0; i + 1 < units; ++i) {
    const uint32_t unit = ReadOleNumber(entry, 2 * i, 2);
    name += unit >= 0x20 && unit < 0x7F ? static_cast<char>(unit) : '?';
  }
  return name;
}

// Calls visit(entry) for what stands in the root: a tree of siblings.
template <typename Visit>
void VisitRoot(std::string_view directory, const Visit& visit) {
  std::vector<bool> seen(directory.size() / kEntryBytes);
  std::vector<uint32_t> to_visit = {ReadOleNumber(directory, kChildAt, 4)};
  while (!to_visit.empty()) {
    const uint32_t number = to_visit.back();
    to_visit.pop_back();
    if (number >= seen.size() || seen[number]) continue;
    seen[number] = true;
    const std::string_view entry = directory.substr(number * kEntryBytes, kEntryBytes);
    visit(entry);
    to_visit.push_back(ReadOleNumber(entry, kLeftAt, 4));
    to_visit.push_back(ReadOleNumber(entry, kRightAt, 4));
  }
}

}  // namespace

uint32_t ReadOleNumber(std::string_view bytes, size_t at, size_t size) {
  uint32_t number = 0;
  if (at > bytes.size() || bytes.size() - at < size) return 0;
  for (size_t i = 0; i < size; ++i) {
    number |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])) << 8 * i;
  }
  return number;
}

bool BeginsAsOle(std::string_view head) { return head.starts_with(kOleMagic); }

bool HasCircleOfSectors(std::string_view bytes) {
  if (!BeginsAsOle(bytes) || bytes.size() < kHeaderBytes) return false;
  const OleFile file(bytes);
  return file.HasCircle(file.Directory());
}

std::vector<std::string> NamesInOleRoot(std::string_view bytes) {
  std::vector<std::string> names;
  if (!BeginsAsOle(bytes) || bytes.size() < kHeaderBytes) return names;
  VisitRoot(OleFile(bytes).Directory(),
            [&](std::string_view entry) { names.push_back(NameOfEntry(entry)); });
  return names;
}

std::string StreamInOleRoot(std::string_view bytes, std::string_view name) {
  std::string stream;
  if (!BeginsAsOle(bytes) || bytes.size() < kHeaderBytes) return stream;
  const OleFile file(bytes);
  const std::string directory = file.Directory();
  VisitRoot(directory, [&](std::string_view entry) {
    const bool is_it =
        ReadOleNumber(entry, kTypeAt, 1) == kStreamType && NameOfEntry(entry) == name;
    if (is_it && stream.empty()) stream = file.Stream(entry, directory);
  });
  return stream;
}

}  // namespace zhiwen
