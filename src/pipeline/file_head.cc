#include "pipeline/file_head.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/compress/byte_source.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "document/csv_record.h"
#include "document/csv_scanner.h"
#include "pipeline/reader/document_input.h"

namespace zhiwen {
namespace {

DocumentCompression CompressionOf(std::string_view head) {
  switch (DetectCompression(head)) {
    case Compression::kGzip:
      return DocumentCompression::kGzip;
    case Compression::kZstd:
      return DocumentCompression::kZstd;
    case Compression::kNone:
      break;
  }
  return DocumentCompression::kNone;
}

bool IsAllAscii(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Reads the first decompressed bytes; of a compressed file all that there are before a damage.
// Returns whether there may be more. Fails: as reading plain bytes does.
Result<HeadEnd> ReadDecompressed(std::unique_ptr<ReadableFile> file, FileHead& head) {
  auto source = OpenByteSource(std::move(file), ToCompression(head.compression));
  if (!source) return HeadEnd::kCut;
  for (size_t wanted = kHeadBytes; true; wanted = kMostHeadBytes) {
    const size_t have = head.bytes.size();
    head.bytes.resize(wanted);
    const Result<size_t> count = (*source)->Read(std::span<char>(head.bytes).subspan(have));
    head.bytes.resize(have + (count ? *count : (*source)->before_failure().bytes));
    if (!count && head.compression == DocumentCompression::kNone) return Fail(Result(count));
    if (!count) return HeadEnd::kCut;
    if (head.bytes.size() < wanted) return HeadEnd::kFile;
    if (wanted == kMostHeadBytes || !IsAllAscii(head.bytes)) return HeadEnd::kCut;
  }
}

// Finds the encoding, and turns the bytes into UTF-8.
Status Decode(HeadEnd end, std::optional<TextEncoding> asked, FileHead& head) {
  head.encoding = ChooseTextEncoding(head.bytes, end, asked);
  head.has_other_mark = asked && head.encoding != ChooseTextEncoding({}, end, asked) &&
                        !(*asked == TextEncoding::kUtf16 && IsUtf16(head.encoding));
  if (head.encoding == TextEncoding::kUtf8) return {};
  ZHIWEN_ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::Create(head.encoding));
  std::string decoded;
  decoder.Decode(head.bytes, decoded);
  head.bytes = std::move(decoded);
  return {};
}

}  // namespace

Result<FileHead> ReadFileHead(FileSystem& files, const std::string& path,
                              std::optional<TextEncoding> encoding) {
  FileHead head;
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  ZHIWEN_ASSIGN_OR_RETURN(head.identity, file->Identity());
  head.stored.resize(kHeadBytes);
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(0, head.stored));
  head.stored.resize(count);
  head.compression = CompressionOf(head.stored);
  ZHIWEN_ASSIGN_OR_RETURN(const HeadEnd end, ReadDecompressed(std::move(file), head));
  head.extracted = DetectExtractedFormat(head.bytes);
  ZHIWEN_RETURN_IF_ERROR(Decode(end, encoding, head));
  return head;
}

Result<FileHead> HeadOfBytes(std::string_view first, std::optional<TextEncoding> encoding) {
  FileHead head;
  head.stored = first;
  head.compression = CompressionOf(first);
  ZHIWEN_ASSIGN_OR_RETURN(const HeadEnd end, ReadDecompressed(OpenBytes(head.stored, {}), head));
  head.extracted = DetectExtractedFormat(head.bytes);
  ZHIWEN_RETURN_IF_ERROR(Decode(end, encoding, head));
  return head;
}

bool BeginsWithBracket(std::string_view head) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '[';
}

char SeparatorOfHead(std::string_view head, std::optional<char> asked,
                     std::span<const std::string> text_fields) {
  if (asked) return *asked;
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  CsvCutter lines(head, ',');
  std::string_view line = lines.Next();
  while (line == "\n" || line == "\r\n") line = lines.Next();
  return FindSeparator(line, text_fields);
}

}  // namespace zhiwen
