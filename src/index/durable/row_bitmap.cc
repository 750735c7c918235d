#include "index/durable/row_bitmap.h"

#include <algorithm>
#include <bit>
#include <span>

#include "base/files/section_file.h"
#include "index/durable/synced_file.h"

namespace zhiwen {
namespace {

constexpr SectionFileKind kDeletedRowsKind = {
    .name = "deleted rows", .version = 1, .part_of = "index"};

}  // namespace

Result<RowBitmap> RowBitmap::Read(FileSystem& files, const std::string& path, uint64_t number,
                                  uint64_t rows) {
  ZHIWEN_ASSIGN_OR_RETURN(const SectionFile file, SectionFile::Open(files, path, kDeletedRowsKind));
  ZHIWEN_ASSIGN_OR_RETURN(const auto words, file.Values<uint64_t>("rows"));
  if (words.size() != (rows + 63) / 64 || (rows % 64 != 0 && words.back() >> rows % 64 != 0)) {
    return file.Damaged("rows", "it is of another segment");
  }
  if (file.Has("number")) {  // the first files had none
    ZHIWEN_ASSIGN_OR_RETURN(const auto numbers, file.Values<uint64_t>("number"));
    if (numbers.size() != 1 || numbers[0] != number) {
      return file.Damaged("number", "it is another file of deleted rows");
    }
  }
  RowBitmap bitmap(rows);
  bitmap.words_.assign(words.begin(), words.end());
  for (const uint64_t word : words) bitmap.count_ += static_cast<uint64_t>(std::popcount(word));
  return bitmap;
}

Status RowBitmap::Write(FileSystem& files, const std::string& path, uint64_t number) const {
  SectionWriter writer;
  std::vector<uint64_t> words = words_;
  words.resize((rows_ + 63) / 64);
  writer.AddValues("rows", std::span<const uint64_t>(words));
  writer.AddValues("number", std::span<const uint64_t>(&number, 1));
  const auto write = [&](const SectionSink& take) {
    return WriteSections(kDeletedRowsKind, writer.contents(), take);
  };
  ZHIWEN_RETURN_IF_ERROR(WriteSyncedFile(files, path, write));
  return {};
}

}  // namespace zhiwen
