// Any bytes are an archive, or are refused: what is read of them is whole tar entries, the same in
// pieces of any size, within the bound of a member.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "document/archive/archive_source.h"
#include "document/archive/tar_entry.h"
#include "require.h"

namespace {

using namespace zhiwen;

constexpr ArchiveOptions kOptions = {.max_member_bytes = 1 << 16, .free_bytes = 1 << 22};

std::string ReadAll(const std::string& bytes, size_t piece_bytes) {
  const auto opened =
      OpenArchive(OpenBytes(bytes, "a"), Compression::kNone, bytes.size(), kOptions);
  Require(opened.has_value());
  ByteSource& source = **opened;
  std::string all, piece(piece_bytes, '\0');
  while (true) {
    const Result<size_t> count = source.Read(piece);
    if (!count) Require(!count.error().message.empty());
    all.append(piece, 0, count ? *count : source.before_failure().bytes);
    if (!count || *count < piece.size()) return all;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string all = ReadAll(bytes, 1 << 20);
  Require(ReadAll(bytes, 777) == all);
  size_t at = 0;
  TarCutter cutter(all);
  for (std::string_view entry = cutter.Next(); !entry.empty(); entry = cutter.Next()) {
    const TarEntry member = ParseTarEntry(entry);
    Require(member.content.size() <= kOptions.max_member_bytes);
    Require(!member.fault || member.content.empty());
    at += entry.size();
  }
  Require(at == all.size());
  ParseTarEntry(bytes);
  return 0;
}
