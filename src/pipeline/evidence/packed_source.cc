#include "pipeline/evidence/packed_source.h"

#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/json/json_writer.h"
#include "document/warc/warc_capture.h"
#include "match/passages/passage_parts.h"
#include "pipeline/check/source_facts.h"
#include "pipeline/library/code_schemes.h"
#include "zhiwen/compare.h"
#include "zhiwen/compare_page.h"
#include "zhiwen/source_places.h"

namespace zhiwen {
namespace {

// The fields of a document that are asked for, in this order.
enum PackedField : size_t {
  kPackedDate,
  kPackedSources,
  kPackedMember,
  kPackedPictures,
  kPackedObfuscated,
  kPackedAuthor,
  kPackedShare,
  kPackedFields
};

}  // namespace

Result<SourceDocument> ReadPackedDocument(std::string bytes, const std::string& name,
                                          DocumentFormat format,
                                          std::optional<TextEncoding> encoding) {
  DocumentOptions options;
  options.value_fields = {"date", "sources", "member", "pictures", "obfuscated", "author", "share"};
  options.syntax.encoding = encoding;
  ZHIWEN_ASSIGN_OR_RETURN(
      DocumentReader reader,
      DocumentReader::Create(OpenBytes(std::move(bytes), name), name, format, options));
  ZHIWEN_ASSIGN_OR_RETURN(std::optional<SourceDocument> document, reader.Next());
  if (document && document->fault.empty()) {
    document->values.resize(kPackedFields);  // a plain text has none
    return *std::move(document);
  }
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": {}", name,
                          document ? document->fault_detail : "it has no document"));
}

bool IsReadByOthers(const std::string& name, DocumentFormat format, std::string_view bytes) {
  const auto is_of_others = [&](std::string_view document) {
    const auto shown = DetectDocumentType(document.substr(0, kTypeHeadBytes));
    const auto type = shown ? shown : DocumentTypeOfPath(name);
    return type == DocumentType::kPdf || type == DocumentType::kDoc || type == DocumentType::kXls ||
           type == DocumentType::kPpt;
  };
  if (format != DocumentFormat::kWarc) return is_of_others(bytes);
  const auto capture = ParseCapture(bytes);
  return std::holds_alternative<WarcCapture>(capture) &&
         is_of_others(std::get<WarcCapture>(capture).payload());
}

const std::string& DateOf(const SourceDocument& document) { return document.values[kPackedDate]; }

const std::string& AuthorOf(const SourceDocument& document) {
  return document.values[kPackedAuthor];
}

SourceDocument DocumentOfPlaces(std::string_view text, std::string sources, std::string member) {
  SourceDocument document;
  document.text = text;
  document.values.resize(kPackedFields);
  document.values[kPackedSources] = std::move(sources);
  document.values[kPackedMember] = std::move(member);
  return document;
}

void LocateIn(const SourceDocument& document, CheckedText& checked) {
  AddSourceFacts(document.text,
                 {.sources = document.values[kPackedSources],
                  .member = document.values[kPackedMember],
                  .pictures = document.values[kPackedPictures],
                  .obfuscated = document.values[kPackedObfuscated],
                  .share = document.values[kPackedShare]},
                 checked);
}

void LocateInOriginal(std::string_view original, std::string_view places, CheckMatch& match) {
  const auto found = SourcePlaces::Parse(original, places);
  if (!found) return;
  LocatePassages(*found, PassageSide::kB, match.passages, match.excluded);
}

std::string PlacesToJson(std::string_view sources, std::string_view member) {
  std::string out;
  JsonWriter(out)
      .BeginObject()
      .Key("member")
      .String(member)
      .Key("sources")
      .String(sources)
      .EndObject();
  return out + "\n";
}

std::string PlacesToJson(const SourceDocument& document) {
  return PlacesToJson(document.values[kPackedSources], document.values[kPackedMember]);
}

bool HasPlaces(const SourceDocument& document) {
  return SourcePlaces::Parse(document.text, document.values[kPackedSources]).has_value();
}

Result<std::vector<Channel>> OpenPackedChannels(const std::vector<std::string>& names,
                                                const LanguageSource& language) {
  std::vector<Channel> channels;
  for (const std::string& name : names) {
    Result<Channel> channel = OpenChannel(name);
    if (!channel && channel.error().code == ErrorCode::kNotFound && language) {
      ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> data, language());
      channel = OpenChannel(name, data);
    }
    if (!channel) return Fail(std::move(channel));
    channels.push_back(*std::move(channel));
  }
  return channels;
}

bool IsGranuleScheme(std::string_view name) { return FamilyOfName(name) == "initials_dna"; }

Result<std::string> RenderMatchPage(const EvidenceManifest& manifest, std::string_view text,
                                    std::string_view id, std::string_view original,
                                    const CheckMatch& match) {
  ZHIWEN_ASSIGN_OR_RETURN(const Comparison comparison,
                          Compare(text, original, {.a_name = manifest.suspect}));
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols a, ComputeSymbols(FoldedChannel(), text));
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols b, ComputeSymbols(FoldedChannel(), original));
  std::vector<CopiedPassage> all = match.passages;
  for (const ExcludedPassage& one : match.excluded) all.push_back(one.passage);
  const PassageComparison found = {
      .passages = match.passages,
      .renamed = match.renamed,
      .edits = match.edits,
      .a_symbols = a.symbols.size(),
      .b_symbols = b.symbols.size(),
      .a_matched = CountMatchedSymbols(PassageSide::kA, match.passages, a.spans),
      .b_matched = CountMatchedSymbols(PassageSide::kB, match.passages, b.spans),
      .excluded = match.excluded,
      .a_matched_before = CountMatchedSymbols(PassageSide::kA, all, a.spans),
      .b_matched_before = CountMatchedSymbols(PassageSide::kB, all, b.spans)};
  return RenderComparePage({manifest.suspect, text}, {id, original}, comparison, found,
                           {.command = manifest.command, .searched = {manifest.passage_channels}});
}

Result<std::string> LanguageId(const LanguageSource& language) {
  if (!language) return std::string();
  const Result<std::shared_ptr<const Language>> data = language();
  if (data) return (*data)->id();
  if (data.error().code == ErrorCode::kNotFound) return std::string();
  return tl::unexpected(data.error());
}

}  // namespace zhiwen
