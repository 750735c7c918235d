#include "zhiwen/documents.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/compress/byte_source.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "document/array_scanner.h"
#include "document/warc/warc_record.h"
#include "pipeline/file_head.h"
#include "pipeline/folder_files.h"
#include "pipeline/foreign_format.h"
#include "pipeline/reader/document_input.h"
#include "zhiwen/extract.h"
#include "zhiwen/figures.h"
#include "zhiwen/picture.h"

namespace zhiwen {
namespace {

constexpr std::array<std::pair<std::string_view, DocumentFormat>, 9> kNames = {{
    {"jsonl", DocumentFormat::kJsonLines},
    {"json", DocumentFormat::kJsonArray},
    {"csv", DocumentFormat::kCsv},
    {"tsv", DocumentFormat::kTsv},
    {"text", DocumentFormat::kText},
    {"parquet", DocumentFormat::kParquet},
    {"document", DocumentFormat::kDocument},
    {"warc", DocumentFormat::kWarc},
    {"archive", DocumentFormat::kArchive},
}};

constexpr size_t kPieceBytes = size_t{1} << 20;

// What is known of a format before a file is opened.
enum class FormatOrigin : uint8_t { kAsked, kNamed, kAssumed };

// Why a file is not read.
struct Refusal {
  std::string why;  // empty: it is read
  std::optional<Advice> advice = {};
};

// Why a file that was said to be UTF-8 is not read as such.
std::string NotAskedUtf8(std::string_view head) {
  const TextEncoding found = DetectTextEncoding(head, HeadEnd::kCut);
  if (found == TextEncoding::kUtf8) return "not UTF-8, as was said; name another encoding";
  return fmt::format("not UTF-8, as was said, but looks like {}; say that, or nothing",
                     TextEncodingName(found));
}

// Whether a file that was called an archive may be one. A tar archive without a member is zeros; of
// what is packed by xz or bzip2 nobody sees what it is.
bool MayBeArchive(const FileHead& head) {
  const bool is_empty = head.bytes.find_first_not_of('\0') == std::string::npos;
  return is_empty || head.extracted == DocumentFormat::kArchive || BeginsAsXz(head.bytes) ||
         BeginsAsBzip2(head.bytes);
}

// Says why the content does not fit what the name or the user says.
Refusal Mismatch(const DocumentFile& file, std::string_view head, FormatOrigin origin,
                 const ListOptions& options) {
  const bool is_parquet = head.starts_with("PAR1") || head.starts_with("PARE");
  const bool is_compressed = file.compression != DocumentCompression::kNone;
  const bool is_asked = origin == FormatOrigin::kAsked;
  if (file.format == DocumentFormat::kDocument || file.format == DocumentFormat::kArchive)
    return {};
  if (file.format == DocumentFormat::kWarc) {
    if (head.empty() || BeginsAsWarc(head)) return {};
    return {"no WARC file, which begins with WARC/1",
            is_asked ? std::optional(Advice::kNameFormat) : std::nullopt};
  }
  if (file.format == DocumentFormat::kParquet) {
    if (is_compressed) return {"a compressed file; Parquet compresses inside: decompress it first"};
    if (is_parquet || options.damaged == DamagedBeginning::kList) return {};
    return {"no Parquet file, which begins with PAR1",
            is_asked ? std::optional(Advice::kNameFormat) : std::nullopt};
  }
  if (is_parquet && !is_asked) return {"a Parquet file; name it *.parquet"};
  if (is_parquet) {
    return {"a Parquet file: say that it is parquet, or say nothing of formats",
            Advice::kNameFormat};
  }
  const std::string_view foreign = ForeignFormat(head, file.format);
  if (foreign == kArrayNoLines) return {std::string(foreign), Advice::kNameFormat};
  if (!foreign.empty()) return {std::string(foreign)};
  const bool may_fail = options.damaged == DamagedBeginning::kList;  // record by record
  if (file.format != DocumentFormat::kText && !may_fail && !ForeignEncoding(head).empty()) {
    return {options.syntax.encoding ? NotAskedUtf8(head) : std::string(kUnknownEncoding),
            Advice::kNameEncoding};
  }
  if (origin != FormatOrigin::kAssumed || file.format != DocumentFormat::kJsonLines) return {};
  return {std::string(NotJsonLines(head)), Advice::kNameFormat};
}

// The format of a file by its first bytes, where neither an option says it nor the bytes fit what
// its name says, or what is assumed.
DocumentFormat FormatOfContent(const DocumentFile& file, const FileHead& head, FormatOrigin origin,
                               const ListOptions& options) {
  if (origin == FormatOrigin::kAsked) return file.format;
  std::string_view bytes = head.bytes;
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  const bool is_lines = file.format == DocumentFormat::kJsonLines;
  if (file.format == DocumentFormat::kWarc && head.extracted == DocumentFormat::kDocument) {
    return DocumentFormat::kDocument;
  }
  if (file.format == DocumentFormat::kArchive && head.extracted == DocumentFormat::kDocument) {
    return DocumentFormat::kDocument;
  }
  if (origin == FormatOrigin::kNamed) {
    return is_lines && IsArrayNoLines(bytes) ? DocumentFormat::kJsonArray : file.format;
  }
  if (head.stored.starts_with("PAR1")) return DocumentFormat::kParquet;
  const bool is_compressed = file.compression != DocumentCompression::kNone;
  if (options.pictures != PictureTaking::kNone &&
      BeginsAsPicture(is_compressed ? head.bytes : head.stored)) {
    return DocumentFormat::kDocument;
  }
  if (head.extracted) return *head.extracted;
  const bool is_array = BeginsAsArrayOfObjects(bytes) ||
                        ((is_lines || IsJsonPath(file.path)) && BeginsWithBracket(bytes));
  return is_array ? DocumentFormat::kJsonArray : file.format;
}

// What a look at the beginning of a file found.
struct Look {
  Refusal refusal;
  bool has_other_mark = false;  // a byte order mark of another encoding than the one asked for
};

// Looks at a file whose format is the one of its name, or the one asked for, or assumed.
Result<Look> Inspect(FileSystem& files, FormatOrigin origin, const ListOptions& options,
                     DocumentFile& out) {
  ZHIWEN_ASSIGN_OR_RETURN(const FileHead head, ReadFileHead(files, out.path, out.syntax.encoding));
  out.identity = head.identity;
  out.compression = head.compression;
  out.syntax.encoding = head.encoding;
  out.format = FormatOfContent(out, head, origin, options);
  if (IsExtracted(ToRecordFormat(out.format))) out.syntax.encoding = options.syntax.encoding;
  if (out.format == DocumentFormat::kCsv) {
    out.syntax.separator = SeparatorOfHead(head.bytes, out.syntax.separator, options.text_fields);
  }
  Look look{Mismatch(out, head.bytes, origin, options), head.has_other_mark};
  std::string& why = look.refusal.why;
  if (out.format == DocumentFormat::kArchive && !MayBeArchive(head)) {
    why = "no archive that is read, which are zip, tar and 7z";
    if (origin == FormatOrigin::kAsked) look.refusal.advice = Advice::kNameFormat;
  }
  if (!why.empty()) why = fmt::format("cannot read \"{}\": it is {}", out.path, why);
  return look;
}

// Says that `file`, and `others` more, are read as their byte order marks say.
std::string DescribeOtherMark(const DocumentFile& file, TextEncoding asked, size_t others) {
  std::string text =
      fmt::format("\"{}\" is read as {}, as its byte order mark says, not as {}", file.path,
                  TextEncodingName(file.syntax.encoding.value_or(asked)), TextEncodingName(asked));
  if (others > 0)
    text += fmt::format("; {} such a mark, too",
                        FormatPlural(others, "other file") + (others == 1 ? " has" : " have"));
  return text;
}

// Looks at all of `out.files`, and leaves out what cannot be read where `damaged` allows it.
Status InspectAll(FileSystem& files, const ListOptions& options, DocumentFiles& out) {
  std::vector<DocumentFile> listed = std::exchange(out.files, {});
  std::vector<size_t> other_marks;  // of out.files
  for (DocumentFile& file : listed) {
    const std::optional<DocumentFormat> known =
        options.format ? options.format : FormatOfPath(file.path);
    file.format = known.value_or(options.otherwise);
    file.syntax = options.syntax;
    const FormatOrigin origin = options.format ? FormatOrigin::kAsked
                                : known        ? FormatOrigin::kNamed
                                               : FormatOrigin::kAssumed;
    ZHIWEN_ASSIGN_OR_RETURN(Look look, Inspect(files, origin, options, file));
    Refusal& refusal = look.refusal;
    if (refusal.why.empty()) {
      if (look.has_other_mark) other_marks.push_back(out.files.size());
      out.files.push_back(std::move(file));
    } else if (options.damaged == DamagedBeginning::kList) {
      out.left_out.push_back({std::move(file.path), std::move(refusal.why)});
    } else {
      std::vector<Advice> advice;
      if (refusal.advice) advice.push_back(*refusal.advice);
      return Fail(ErrorCode::kUnreadable, std::move(refusal.why), std::move(advice));
    }
  }
  if (other_marks.empty()) return {};
  out.warnings.push_back(DescribeOtherMark(out.files[other_marks.front()], *options.syntax.encoding,
                                           other_marks.size() - 1));
  return {};
}

// Fails when two of the files are one.
Status CheckDistinct(const std::vector<DocumentFile>& files) {
  std::map<std::pair<uint64_t, uint64_t>, const std::string*> seen;
  for (const DocumentFile& file : files) {
    const auto [at, is_new] =
        seen.try_emplace({file.identity.device, file.identity.inode}, &file.path);
    if (is_new) continue;
    return Fail(ErrorCode::kInvalidArgument,
                *at->second == file.path
                    ? fmt::format("the input \"{}\" is given twice", file.path)
                    : fmt::format("the inputs \"{}\" and \"{}\" are the same file; give it once",
                                  *at->second, file.path));
  }
  return {};
}

}  // namespace

std::vector<FormatDescription> DescribeFormats() {
  const std::string texts_read_by =
      "compare, dedup, fingerprint, inspect, phonemes, segment, terms";
  const std::string read_by =
      "dedup, eval, fingerprint, phonemes, segment, terms; one record: compare, inspect";
  const std::string unchanged = "dedup (kept/: the records' bytes unchanged)";
  const std::string in_a_field = "code in a field, id in another";
  return {
      {"jsonl", ".jsonl .ndjson, also .gz .zst", "one JSON object a line, text in a field", read_by,
       unchanged + ", fingerprint", "one JSON object a line, " + in_a_field},
      {"json", ".json, also .gz .zst",
       "one object of a JSON array, text in a field; known by the first bytes", read_by,
       unchanged + ", every command when asked for JSON (one object)", ""},
      {"csv", ".csv, also .gz .zst", "one record of RFC 4180; the first line names the fields",
       read_by, unchanged, ""},
      {"tsv", ".tsv, also .gz .zst", "the same with tabs, quotes included", read_by, unchanged, ""},
      {"text", ".txt, also .gz .zst", "the whole file", texts_read_by, unchanged,
       "one line of 1 to 16 hex digits, perhaps with a tab and an id; of whatever name"},
      {"document", fmt::format("{}, also .gz .zst", fmt::join(DocumentEndings(), " ")),
       "the whole file, its text extracted; known by the first bytes", texts_read_by, unchanged,
       ""},
      {"picture", fmt::format("{}, also .gz .zst", fmt::join(PictureEndings(), " ")),
       "the whole file, for schemes made of pictures; known by the first bytes",
       "compare, fingerprint", "", ""},
      {"warc", ".warc .wet, also .gz .zst", "one capture of a crawl, its text extracted", read_by,
       unchanged, ""},
      {"archive", ".zip .7z .tar .tgz .tzst .txz .tbz2, also .gz .zst, .tar.xz .tar.bz2",
       "one file in it, its text extracted", read_by,
       "dedup (kept/: a tar archive of the files unchanged)", ""},
      {"parquet", ".parquet", "one row, text in a column", read_by,
       "dedup (kept/: the same schema and values), fingerprint", "one row, " + in_a_field},
      {"bin", ".bin, also .gz .zst", "", "", "",
       "one little-endian number of 8 bytes, of 4 for hamming32; no ids"},
      {"jsonl.zst", ".jsonl.zst", "records of zstd frames of 8 MiB", read_by,
       "dedup (removed, clusters, failed), fingerprint", "as jsonl"},
  };
}

std::string_view DocumentFormatName(DocumentFormat format) {
  const auto* const found =
      std::ranges::find(kNames, format, &decltype(kNames)::value_type::second);
  return found->first;
}

Result<DocumentFormat> ParseDocumentFormat(std::string_view name) {
  std::string names;
  for (const auto& [known, format] : kNames) {
    if (known == name) return format;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known);
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is no format; there are {}", name, names));
}

Result<char> ParseSeparator(std::string_view text) {
  if (text == "tab" || text == "\\t") return '\t';
  constexpr std::string_view kTaken = "\"\r\n";
  const bool is_ascii = text.size() == 1 && text.front() >= '\t' && text.front() < '\x7f';
  if (is_ascii && std::isalnum(text.front()) == 0 &&
      kTaken.find(text.front()) == std::string_view::npos) {
    return text.front();
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" cannot separate fields; give one character, such as ; or |, or "
                          "tab",
                          text));
}

Status CheckSyntaxIsUsed(const FileSyntax& asked, std::span<const DocumentFormat> formats) {
  if (asked.separator && std::ranges::find(formats, DocumentFormat::kCsv) == formats.end()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the separator \"{}\" does nothing, as no input is CSV; leave it out",
                            SeparatorName(*asked.separator)));
  }
  const auto is_parquet = [](DocumentFormat format) { return format == DocumentFormat::kParquet; };
  if (asked.encoding && std::ranges::all_of(formats, is_parquet)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the encoding {} does nothing, as Parquet has its own; leave it out",
                            TextEncodingName(*asked.encoding)));
  }
  return {};
}

std::string SeparatorName(char separator) {
  return separator == '\t' ? "tab" : std::string(1, separator);
}

Result<DocumentFiles> ListDocumentFiles(FileSystem& files, const std::vector<std::string>& inputs,
                                        const ListOptions& options) {
  DocumentFiles out;
  std::set<std::string> named;
  for (const std::string& path : inputs) named.insert(NormalPath(path));
  for (size_t input = 0; input < inputs.size(); ++input) {
    const std::string& path = inputs[input];
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(path));
    if (!is_folder) {
      out.files.push_back({.path = path, .input = input, .identity = {}});
      continue;
    }
    ZHIWEN_ASSIGN_OR_RETURN(FolderFiles found, ListFolderFiles(files, path, options, named));
    for (std::string& taken : found.taken) {
      out.files.push_back({.path = std::move(taken), .input = input, .identity = {}});
    }
    for (std::string& line : DescribePassedOver(found, path, options)) {
      out.warnings.push_back(std::move(line));
    }
  }
  ZHIWEN_RETURN_IF_ERROR(InspectAll(files, options, out));
  ZHIWEN_RETURN_IF_ERROR(CheckDistinct(out.files));
  return out;
}

Result<std::string> DecompressBytes(std::string bytes, const std::string& name, uint64_t limit) {
  const Compression compression = DetectCompression(bytes);
  if (compression == Compression::kNone) return bytes;
  ZHIWEN_ASSIGN_OR_RETURN(const auto source,
                          OpenByteSource(OpenBytes(std::move(bytes), name), compression));
  std::string out;
  while (true) {
    const size_t before = out.size();
    out.resize(before + kPieceBytes);
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, source->Read(std::span<char>(out).subspan(before)));
    out.resize(before + count);
    if (out.size() > limit) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("\"{}\" holds more than {} bytes when decompressed", name, limit));
    }
    if (count < kPieceBytes) return out;
  }
}

Result<std::string> DecodeText(std::string bytes, const std::string& name,
                               std::optional<TextEncoding> encoding) {
  const HeadEnd end = bytes.size() <= kMostHeadBytes ? HeadEnd::kFile : HeadEnd::kCut;
  const TextEncoding found =
      ChooseTextEncoding(std::string_view(bytes).substr(0, kMostHeadBytes), end, encoding);
  if (found == TextEncoding::kUtf8) return bytes;
  ZHIWEN_ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::Create(found));
  std::string text;
  const size_t decoded = decoder.Decode(bytes, text);
  if (decoded == bytes.size()) return text;
  return Fail(ErrorCode::kUnreadable, fmt::format("cannot read \"{}\": not valid {} at byte {}",
                                                  name, TextEncodingName(found), decoded));
}

}  // namespace zhiwen
