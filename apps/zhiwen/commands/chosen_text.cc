#include "commands/chosen_text.h"

#include <utility>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "terminal/standard_input.h"
#include "zhiwen/body_tree.h"
#include "zhiwen/extract.h"
#include "zhiwen/named_text.h"
#include "zhiwen/picture.h"
#include "zhiwen/source_places.h"

namespace zhiwen {
namespace {

// The format of a file whose name says none.
constexpr DocumentFormat kUsualFormat = DocumentFormat::kJsonLines;

// Returns a record, or nothing where `typed` names a whole text.
Result<std::optional<ChosenDocument>> ReadNamedRecord(const std::string& typed,
                                                      const ChosenFields& chosen,
                                                      const Cancellation& cancellation) {
  std::optional<ChosenDocument> none;
  if (typed == kStandardInput) return none;
  FileSystem& files = PosixFileSystem();
  ZHIWEN_ASSIGN_OR_RETURN(const NamedText name, ParseNamedText(files, typed, chosen.format));
  if (!name.is_record()) return none;
  DocumentOptions options = chosen.documents;
  options.value_fields = {"levels", "sources"};
  ZHIWEN_ASSIGN_OR_RETURN(SourceDocument record,
                          ReadRecord(files, name, options, chosen.format, cancellation));
  if (record.fault.empty()) {
    return ChosenDocument{.text = std::move(record.text),
                          .levels = std::move(record.values.at(0)),
                          .sources = std::move(record.values.at(1))};
  }
  std::string message = fmt::format("cannot use record {} of \"{}\": {}: {}", record.record,
                                    name.path, record.fault, record.fault_detail);
  if (record.fault != "missing_field") return Fail(ErrorCode::kUnreadable, std::move(message));
  return Fail(ErrorCode::kNotFound, message + "; name the field with the text",
              {Advice::kNameTextField});
}

// Whether the text of `bytes`, which are those of the whole file `typed`, is extracted.
bool IsDocument(const std::string& typed, std::string_view bytes, const ChosenFields& chosen) {
  if (chosen.format) return *chosen.format == DocumentFormat::kDocument;
  const std::optional<DocumentFormat> named = FormatOfPath(typed);
  return named ? *named == DocumentFormat::kDocument : DetectDocumentType(bytes).has_value();
}

Result<ChosenDocument> ExtractText(const std::string& typed, std::string_view bytes,
                                   const ChosenFields& chosen) {
  const DocumentHints hints{.type = DocumentTypeOfPath(typed),
                            .asked_encoding = chosen.documents.syntax.encoding};
  Result<ExtractedDocument> document = ExtractDocument(bytes, hints);
  if (document) {
    std::string levels = BodyLevels(MakeBodyTree(*document));
    std::string sources = SourcePlaces::FieldOf(*document);
    return ChosenDocument{.text = std::move(document->text),
                          .levels = std::move(levels),
                          .sources = std::move(sources)};
  }
  return Fail(document.error().code,
              fmt::format("cannot read \"{}\": {}", typed, document.error().message));
}

Result<ChosenDocument> ReadPicture(const std::string& typed, std::string_view bytes) {
  Result<std::string> picture = DecodePicture(bytes);
  if (picture) return ChosenDocument{.text = {}, .levels = {}, .picture = *std::move(picture)};
  return Fail(picture.error().code,
              fmt::format("cannot read \"{}\": {}", typed, picture.error().message));
}

// Reads a file that is a document; nothing where it is a plain text.
Result<std::optional<ChosenDocument>> ReadDocument(const std::string& typed,
                                                   const ChosenFields& chosen) {
  std::optional<ChosenDocument> none;
  FileSystem& files = PosixFileSystem();
  const auto listed = ListDocumentFiles(
      files, {typed}, {.format = chosen.format, .otherwise = DocumentFormat::kText});
  if (!listed || listed->files.front().format != DocumentFormat::kDocument) return none;
  ZHIWEN_ASSIGN_OR_RETURN(std::string bytes, ReadWholeFile(files, typed, kMostDocumentBytes));
  ZHIWEN_ASSIGN_OR_RETURN(bytes, DecompressBytes(std::move(bytes), typed, kMostDocumentBytes));
  ZHIWEN_ASSIGN_OR_RETURN(ChosenDocument document, ExtractText(typed, bytes, chosen));
  return std::optional(std::move(document));
}

}  // namespace

std::vector<OptionSpec> ChosenFieldSpecs(ChosenFields& chosen) {
  return {TextFieldOption(chosen.documents.text_fields),
          TextTypeOption(chosen.documents.text_type),
          IdFieldOption(chosen.documents.id_field),
          FormatOption(chosen.format),
          SeparatorOption("--separator", chosen.documents.syntax),
          EncodingOption(chosen.documents.syntax)};
}

Result<ChosenFile> OpenChosenText(const std::string& typed, const ChosenFields& chosen,
                                  const Cancellation& cancellation) {
  const std::optional<TextEncoding> encoding = chosen.documents.syntax.encoding;
  if (typed == kStandardInput) return ChosenFile{OpenStandardInput(cancellation), encoding};
  ZHIWEN_ASSIGN_OR_RETURN(std::optional<ChosenDocument> record,
                          ReadNamedRecord(typed, chosen, cancellation));
  if (!record) {
    ZHIWEN_ASSIGN_OR_RETURN(record, ReadDocument(typed, chosen));
  }
  if (record) return ChosenFile{OpenBytes(std::move(record->text), typed), TextEncoding::kUtf8};
  ZHIWEN_ASSIGN_OR_RETURN(auto file, PosixFileSystem().OpenForRead(typed));
  return ChosenFile{std::move(file), encoding};
}

Result<ChosenDocument> ReadChosenDocument(const std::string& typed, const ChosenFields& chosen,
                                          uint64_t limit, const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(std::optional<ChosenDocument> record,
                          ReadNamedRecord(typed, chosen, cancellation));
  if (!record) {
    ZHIWEN_ASSIGN_OR_RETURN(std::string bytes, ReadInput(typed, limit, cancellation));
    ZHIWEN_ASSIGN_OR_RETURN(bytes, DecompressBytes(std::move(bytes), typed, limit));
    if (BeginsAsPicture(bytes)) {
      if (chosen.takes_pictures) return ReadPicture(typed, bytes);
      if (bytes.find('\0') != std::string::npos) {  // no text has one
        return Fail(ErrorCode::kUnreadable,
                    fmt::format("cannot read \"{}\": it is a picture, which has no text", typed));
      }
    }
    if (IsDocument(typed, bytes, chosen)) return ExtractText(typed, bytes, chosen);
    ZHIWEN_ASSIGN_OR_RETURN(std::string text,
                            DecodeText(std::move(bytes), typed, chosen.documents.syntax.encoding));
    return ChosenDocument{.text = std::move(text), .levels = {}};
  }
  if (record->text.size() <= limit) return *std::move(record);
  return Fail(ErrorCode::kExhausted,
              fmt::format("the text of \"{}\" is larger than {} bytes", typed, limit));
}

Result<std::string> ReadChosenText(const std::string& typed, const ChosenFields& chosen,
                                   uint64_t limit, const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(ChosenDocument document,
                          ReadChosenDocument(typed, chosen, limit, cancellation));
  return std::move(document.text);
}

std::string WarningOfRecords(const std::string& typed, std::string_view text,
                             const ChosenFields& chosen) {
  if (chosen.format || !LooksLikeRecords(text)) return "";
  if (typed == kStandardInput) {
    return "standard input is read as a text, but its first line is JSON; if its lines are "
           "records, save them as a file and name one, such as FILE:1; --format text says "
           "that it is one text";
  }
  const auto name = ParseNamedText(PosixFileSystem(), typed, {});
  if (!name || name->is_record() || FormatOfPath(typed)) return "";
  return fmt::format(
      "\"{0}\" is read as a text, but its first line is JSON; if its lines are records, name one, "
      "such as \"{0}:1\"; --format text says that it is one text",
      typed);
}

Status RefuseIdleFields(std::span<const std::string> typed, const ChosenFields& chosen) {
  bool has_record = false;
  std::vector<DocumentFormat> formats;
  for (const std::string& name : typed) {
    if (name == kStandardInput) {
      formats.push_back(DocumentFormat::kText);
      continue;
    }
    ZHIWEN_ASSIGN_OR_RETURN(const NamedText text,
                            ParseNamedText(PosixFileSystem(), name, chosen.format));
    has_record = has_record || text.is_record();
    formats.push_back(!text.is_record() ? DocumentFormat::kText
                      : chosen.format   ? *chosen.format
                                        : FormatOfPath(text.path).value_or(kUsualFormat));
  }
  constexpr std::string_view kWhy = "with whole texts, which have no fields";
  if (!has_record) {
    ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
        {{chosen.documents.text_fields != DocumentOptions().text_fields, "--text-field", kWhy},
         {chosen.documents.text_type.has_value(), "--text-format", kWhy},
         {chosen.documents.id_field.has_value(), "--id-field", kWhy}}));
  }
  return CheckSyntaxIsUsed(chosen.documents.syntax, formats);
}

}  // namespace zhiwen
