#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/compress/stored_zip.h"
#include "base/files/output_file.h"
#include "base/json/json_writer.h"
#include "base/utf8/ascii.h"
#include "document/parse_date.h"
#include "pipeline/evidence/manifest.h"
#include "pipeline/evidence/packed_source.h"
#include "pipeline/library/code_schemes.h"
#include "pipeline/library/match_passages.h"
#include "zhiwen/evidence.h"
#include "zhiwen/language.h"
#include "zhiwen/library.h"
#include "zhiwen/named_text.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr size_t kMostEndingLetters = 8;

Result<bool> IsPackage(std::unique_ptr<ReadableFile> file) {
  // The manifest is the first member, behind 30 bytes and its path.
  std::string head(30 + kManifestFile.size() + kManifestBeginning.size(), '\0');
  ZHIWEN_ASSIGN_OR_RETURN(const size_t size, file->ReadAt(0, head));
  return size == head.size() && head.starts_with("PK\x03\x04") &&
         head.ends_with(std::string(kManifestFile) + std::string(kManifestBeginning));
}

// Returns the ending of a file's name, ".html.gz", in ASCII; ".bin" where it has none that says
// something.
std::string EndingOf(std::string_view path) {
  std::string ending;
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (int part = 0; part < 2; ++part) {
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) break;
    const std::string last = LowerAsciiOf(name.substr(dot + 1));
    const bool is_plain =
        !last.empty() && last.size() <= kMostEndingLetters &&
        std::ranges::all_of(last, [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; });
    if (!is_plain) break;
    ending.insert(0, last).insert(0, ".");
    name = name.substr(0, dot);
    if (last != "gz" && last != "zst") break;
  }
  return ending.empty() ? ".bin" : ending;
}

bool IsWebPage(const std::string& path, std::string_view bytes) {
  const auto shown = DetectDocumentType(bytes.substr(0, kTypeHeadBytes));
  return shown.value_or(DocumentTypeOfPath(path).value_or(DocumentType::kText)) ==
         DocumentType::kHtml;
}

std::string WorkToJson(const WorkLabels& work) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("name").String(work.name).Key("title").String(work.title);
  json.Key("author").String(work.author).Key("owner").String(work.owner);
  json.Key("licence").String(work.licence);
  json.Key("first_publication").String(work.first_publication).EndObject();
  return out;
}

// Returns the channels on which the passages of a check were looked for.
Result<std::vector<std::string>> PassageChannels(const std::vector<std::string>& searched,
                                                 const LanguageSource& language) {
  std::vector<std::string> names;
  for (const std::string& name : searched) {
    if (name == ExactChannel().name()) continue;  // equal texts alone
    if (FamilyOfName(name) != "initials_dna") {
      names.push_back(name);
      continue;
    }
    ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<Scheme> scheme,
                            CreateLibraryScheme(name, language));
    names.push_back(static_cast<const GranuleScheme&>(*scheme).channel().name());
  }
  return names;
}

class EvidencePacker {
 public:
  // Both must outlive the object.
  EvidencePacker(const EvidenceOptions& options, const BatchEnvironment& environment)
      : options_(options), environment_(environment) {}

  Result<EvidenceSummary> Run();

 private:
  Status ReadSuspect();
  Status CheckSuspect();
  Status PackMatches();
  Result<bool> PackMatch(const CheckMatch& match, uint64_t number, PassageSearch& search);
  Result<std::string> DescribeOriginal(const CheckMatch& match) const;
  Status Describe();
  Result<std::string> PackFiles();

  const EvidenceOptions& options_;
  const BatchEnvironment& environment_;
  std::unique_ptr<Library> library_;
  std::map<std::string, std::string, std::less<>> files_;  // bytes by path
  EvidenceManifest manifest_;
  EvidenceSummary summary_;
};

Status EvidencePacker::ReadSuspect() {
  FileSystem& files = environment_.files;
  const std::string& path = options_.suspect;
  if (path == kStandardInput) {
    return Fail(ErrorCode::kInvalidArgument,
                "a package has the bytes of a file; save what comes as one, and name it");
  }
  const bool is_there = files.Exists(path).value_or(false);
  const bool is_folder = files.IsDirectory(path).value_or(false);
  const Result<NamedText> named = ParseNamedText(files, path, options_.format);
  if (is_folder || (!is_there && named && named->is_record())) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is {}, and a package is made of a file that is one document, "
                            "such as a saved page; save the document as a file of its own",
                            path, is_folder ? "a folder" : "a record of a file"));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const DocumentFiles listed,
                          ListDocumentFiles(files, {path},
                                            {.format = options_.format,
                                             .otherwise = DocumentFormat::kText,
                                             .syntax = options_.syntax}));
  const DocumentFile& file = listed.files.front();
  if (!IsWholeFile(file.format)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" has several documents ({}), and a package is made of one; save "
                            "it as a file of its own",
                            path, DocumentFormatName(file.format)));
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::string bytes, ReadWholeFile(files, path, kMostZipBytes));
  manifest_.suspect = path;
  manifest_.command = options_.command;
  manifest_.source = "suspect/source" + EndingOf(path);
  manifest_.format = file.format;
  manifest_.encoding = file.syntax.encoding;
  // A saved page does not say when, and from where, it was fetched.
  if (IsWebPage(path, bytes)) manifest_.incomplete.emplace_back("capture log");
  ZHIWEN_ASSIGN_OR_RETURN(summary_.document, ReadPackedDocument(bytes, manifest_.source,
                                                                file.format, file.syntax.encoding));
  summary_.document.id = path;
  files_[manifest_.source] = std::move(bytes);
  files_[std::string(kTextFile)] = summary_.document.text;
  if (HasPlaces(summary_.document)) {
    files_[std::string(kPlacesFile)] = PlacesToJson(summary_.document);
  }
  return {};
}

Status EvidencePacker::CheckSuspect() {
  TextCheckOptions check = {.date = options_.date,
                            .set_phrases = SetPhrases::kKeepInMatches,
                            .cancellation = &environment_.cancellation};
  if (const std::string& said = DateOf(summary_.document); !said.empty()) check.date = said;
  ZHIWEN_ASSIGN_OR_RETURN(CheckedText checked, library_->Check(summary_.document.text, check));
  LocateIn(summary_.document, checked);
  manifest_.least_score = LeastPassageScore(checked.units);
  manifest_.channels = checked.channels;
  manifest_.sequence = checked.sequence;
  manifest_.verdict = RelationName(checked.verdict);
  files_[std::string(kCheckFile)] = CheckToJson(checked, options_.suspect, options_.folder) + "\n";
  summary_.checked = std::move(checked);
  return {};
}

// Returns what the library knows of an original: all its versions, its work, and who was first.
Result<std::string> EvidencePacker::DescribeOriginal(const CheckMatch& match) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<StoredDocument> versions,
                          library_->FindVersions(match.document.id));
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("document").Raw(StoredDocumentToJson(match.document, nullptr));
  json.Key("work").Raw(WorkToJson(match.document.work));
  json.Key("precedence").String(PrecedenceName(match.precedence));
  json.Key("versions").BeginArray();
  for (const StoredDocument& version : versions) json.Raw(StoredDocumentToJson(version, nullptr));
  json.EndArray().EndObject();
  return out + "\n";
}

// Returns whether the match is packed: an original that was purged meanwhile is not.
Result<bool> EvidencePacker::PackMatch(const CheckMatch& match, uint64_t number,
                                       PassageSearch& search) {
  ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
  Result<std::string> original = library_->ReadText(match.document);
  if (!original && original.error().code == ErrorCode::kNotFound) return false;
  if (!original) return Fail(std::move(original));
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<DocumentSource> source,
                          library_->ReadSource(match.document));
  ZHIWEN_ASSIGN_OR_RETURN(files_[PathOf("matches", number, ".html")],
                          RenderMatchPage(manifest_, summary_.document.text, match.document.id,
                                          *original, match, search, environment_.cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(files_[PathOf("originals", number, "/document.json")],
                          DescribeOriginal(match));
  files_[PathOf("matches", number, ".json")] = MatchToJson(match, summary_.checked) + "\n";
  if (source && !source->places.empty()) {
    files_[PathOf("originals", number, "/places.json")] =
        PlacesToJson(source->places, source->member);
  }
  files_[PathOf("originals", number, "/text.txt")] = *std::move(original);
  return true;
}

Status EvidencePacker::PackMatches() {
  ZHIWEN_ASSIGN_OR_RETURN(manifest_.passage_channels,
                          PassageChannels(manifest_.channels, environment_.language));
  const std::vector<CheckMatch>& matches = summary_.checked.matches;
  if (matches.empty()) return {};
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<Channel> channels,
                          OpenPackedChannels(manifest_.passage_channels, environment_.language));
  ZHIWEN_ASSIGN_OR_RETURN(
      PassageSearch search,
      PassageSearch::Create(summary_.document.text, {.channels = std::move(channels),
                                                     .least_score = manifest_.least_score}));
  for (size_t i = 0; i < matches.size(); ++i) {
    environment_.progress.Advance(Stage::kCompare, i, matches.size());
    bool is_packed = false;
    if (manifest_.originals < kPackedOriginals) {
      ZHIWEN_ASSIGN_OR_RETURN(is_packed, PackMatch(matches[i], manifest_.originals + 1, search));
    }
    if (is_packed) {
      ++manifest_.originals;
    } else {
      manifest_.not_packed.push_back(matches[i].document.id);
    }
  }
  return {};
}

Status EvidencePacker::Describe() {
  ZHIWEN_ASSIGN_OR_RETURN(const LibraryFacts facts, library_->Facts());
  ZHIWEN_ASSIGN_OR_RETURN(manifest_.language, LanguageId(environment_.language));
  manifest_.zhiwen = Version();
  manifest_.made = FormatUtc(environment_.clock.Now());
  manifest_.library = facts.id;
  manifest_.profile = facts.profile;
  for (const auto& [path, bytes] : files_) manifest_.files.push_back({path, Sha256Hex(bytes)});
  return {};
}

Result<std::string> EvidencePacker::PackFiles() {
  const std::string manifest = ManifestToJson(manifest_);
  summary_.manifest_hash = Sha256Hex(manifest);
  const std::string hash = HashLine({std::string(kManifestFile), summary_.manifest_hash}) + "\n";
  std::vector<StoredMember> members = {{kManifestFile, manifest}, {kManifestHashFile, hash}};
  for (const auto& [path, bytes] : files_) members.push_back({path, bytes});
  return WriteStoredZip(members);
}

Result<EvidenceSummary> EvidencePacker::Run() {
  if (!options_.date.empty() && !ParseDate(options_.date)) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("\"{}\" is no date; write it as 2024-05-06, 2024-05 or 2024", options_.date));
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      library_, Library::Open(environment_.files, options_.folder, environment_.language));
  ZHIWEN_RETURN_IF_ERROR(ReadSuspect());
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::unique_ptr<OutputFile> output,
      OutputFile::Create(environment_.files, {"evidence", IsPackage},
                         {.path = options_.package, .overwrite = options_.overwrite}));
  environment_.progress.Advance(Stage::kCheck, 0, 0);
  ZHIWEN_RETURN_IF_ERROR(CheckSuspect());
  ZHIWEN_RETURN_IF_ERROR(PackMatches());
  ZHIWEN_RETURN_IF_ERROR(Describe());
  ZHIWEN_ASSIGN_OR_RETURN(const std::string package, PackFiles());
  summary_.originals = manifest_.originals;
  summary_.bytes = package.size();
  ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
  ZHIWEN_RETURN_IF_ERROR(output->PublishBytes(package));
  return std::move(summary_);
}

}  // namespace

Result<EvidenceSummary> WriteEvidence(const EvidenceOptions& options,
                                      const BatchEnvironment& environment) {
  return EvidencePacker(options, environment).Run();
}

}  // namespace zhiwen
