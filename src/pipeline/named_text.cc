#include "zhiwen/named_text.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "pipeline/file_head.h"
#include "pipeline/folder_files.h"

namespace zhiwen {
namespace {

constexpr std::string_view kIdPrefix = "id=";

// What stands behind the colon, as a record of `path`; nothing where that names no record.
std::optional<NamedText> ParseRecordName(std::string_view path, std::string_view behind) {
  NamedText name{.path = std::string(path)};
  if (behind.starts_with(kIdPrefix)) {
    name.id = behind.substr(kIdPrefix.size());
    return name;
  }
  const char* const end = behind.data() + behind.size();
  const auto [stop, error] = std::from_chars(behind.data(), end, name.record);
  if (error != std::errc() || stop != end || name.record == 0) return std::nullopt;
  return name;
}

// Whether a file is a JSON array by its name and its first bytes.
bool IsArrayFile(FileSystem& files, const std::string& path) {
  if (!IsJsonPath(path)) return false;
  const Result<FileHead> head = ReadFileHead(files, path, {});
  return head && BeginsWithBracket(head->bytes);
}

Status CheckWholeFile(FileSystem& files, const std::string& path,
                      std::optional<DocumentFormat> format) {
  const std::optional<DocumentFormat> known = format ? format : FormatOfPath(path);
  if (known ? IsWholeFile(*known) : !IsArrayFile(files, path)) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{0}\" is a file of records, and its text is one of them; name a "
                          "record as \"{0}:17\" by its number, or as \"{0}:id=ID\" by its id",
                          path));
}

tl::unexpected<Error> FailNoRecord(const NamedText& name, const DocumentOptions& options,
                                   uint64_t records, const FoundFields& found) {
  if (!name.id) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("\"{}\" has no record {}: it has {} {}", name.path, name.record,
                            records, records == 1 ? "record" : "records"));
  }
  std::string message = fmt::format("no record of \"{}\" has the id \"{}\"", name.path, *name.id);
  if (found.ids > 0) return Fail(ErrorCode::kNotFound, std::move(message));
  message += fmt::format(
      "; none has an id in the field \"{}\": name the field with the ids, or "
      "give the record's number",
      options.id_field.value_or("id"));
  return Fail(ErrorCode::kNotFound, std::move(message), {Advice::kNameIdField});
}

}  // namespace

Result<NamedText> ParseNamedText(FileSystem& files, const std::string& typed,
                                 std::optional<DocumentFormat> format) {
  // A name that cannot be looked up, such as a very long one, is no file.
  const auto exists = [&](const std::string& path) { return files.Exists(path).value_or(false); };
  if (exists(typed)) {
    ZHIWEN_RETURN_IF_ERROR(CheckWholeFile(files, typed, format));
    return NamedText{.path = typed};
  }
  std::optional<NamedText> absent;  // a record of a file that is not there
  for (size_t colon = typed.rfind(':'); colon != std::string::npos && colon > 0;
       colon = typed.rfind(':', colon - 1)) {
    std::string path = typed.substr(0, colon);
    const std::string_view behind = std::string_view(typed).substr(colon + 1);
    std::optional<NamedText> name = ParseRecordName(path, behind);
    if (!exists(path)) {
      if (name) absent = std::move(name);
      continue;
    }
    if (name) return *std::move(name);
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{0}\" names no record of \"{1}\"; give \"{1}:17\" for a record's "
                            "number, from 1, or \"{1}:id=ID\" for its id",
                            behind, path));
  }
  return absent ? *std::move(absent) : NamedText{.path = typed};
}

Result<SourceDocument> ReadRecord(FileSystem& files, const NamedText& name,
                                  const DocumentOptions& options,
                                  std::optional<DocumentFormat> format,
                                  const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(name.path));
  if (is_folder) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is a folder; name a record of a file in it", name.path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      const DocumentFiles listed,
      ListDocumentFiles(
          files, {name.path},
          {.format = format, .syntax = options.syntax, .text_fields = options.text_fields}));
  const DocumentFile& file = listed.files.front();
  if (IsWholeFile(file.format)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{0}\" is one document and has no records; give \"{0}\"", name.path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(DocumentReader reader, DocumentReader::Open(files, file, options));
  uint64_t records = 0;
  while (true) {
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<SourceDocument> next, reader.Next());
    if (!next) return FailNoRecord(name, options, records, reader.found_fields());
    records = next->record;
    const bool is_named =
        name.id ? next->fault.empty() && next->id == *name.id : next->record == name.record;
    if (is_named) return *std::move(next);
  }
}

}  // namespace zhiwen
