#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/compress/stored_zip.h"
#include "base/files/output_file.h"
#include "base/json/json_writer.h"
#include "base/utf8/ascii.h"
#include "document/parse_date.h"
#include "pipeline/evidence/capture_facts.h"
#include "pipeline/evidence/capture_records.h"
#include "pipeline/evidence/manifest.h"
#include "pipeline/evidence/package_file.h"
#include "pipeline/evidence/packed_source.h"
#include "pipeline/evidence/time_stamp.h"
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
    if (!IsGranuleScheme(name)) {
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
  Result<std::string> ReadSource();
  Result<std::string> ReadCapture(const NamedText& named, const DocumentFile& file);
  Status PackCaptureFiles();
  void DescribeSource();
  Exclusions ChooseExclusions();
  Status CheckSuspect();
  Status PackMatches();
  Result<bool> PackMatch(const CheckMatch& match, uint64_t number);
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

// Returns the bytes of the suspect, and says in the manifest how they are read.
Result<std::string> EvidencePacker::ReadSource() {
  FileSystem& files = environment_.files;
  const std::string& path = options_.suspect;
  if (path == kStandardInput) {
    return Fail(ErrorCode::kInvalidArgument,
                "a package has the bytes of a file; save what comes as one, and name it");
  }
  const bool is_there = files.Exists(path).value_or(false);
  const bool is_folder = files.IsDirectory(path).value_or(false);
  const Result<NamedText> named = ParseNamedText(files, path, options_.format);
  const bool is_record = !is_there && named && named->is_record();
  if (is_folder) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is a folder, and a package is made of one document; name a "
                            "file in it",
                            path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const DocumentFiles listed,
                          ListDocumentFiles(files, {is_record ? named->path : path},
                                            {.format = options_.format,
                                             .otherwise = DocumentFormat::kText,
                                             .syntax = options_.syntax}));
  const DocumentFile& file = listed.files.front();
  manifest_.format = file.format;
  manifest_.encoding = file.syntax.encoding;
  if (is_record && file.format == DocumentFormat::kWarc) return ReadCapture(*named, file);
  if (is_record) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is a record of a file, and a package is made of a file that is "
                            "one document, such as a saved page, or of a capture of a WARC file; "
                            "save the document as a file of its own",
                            path));
  }
  if (file.format == DocumentFormat::kWarc) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{0}\" has several captures, and a package is made of one; name it "
                            "as \"{0}:id=URL\" by its address, or as \"{0}:17\" by its number",
                            path));
  }
  if (!IsWholeFile(file.format)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" has several documents ({}), and a package is made of one; save "
                            "it as a file of its own",
                            path, DocumentFormatName(file.format)));
  }
  manifest_.source = "suspect/source" + EndingOf(path);
  return ReadWholeFile(files, path, kMostZipBytes);
}

// Returns the records of a capture, and packs what belongs to it.
Result<std::string> EvidencePacker::ReadCapture(const NamedText& named, const DocumentFile& file) {
  ZHIWEN_ASSIGN_OR_RETURN(const SourceDocument found,
                          ReadRecord(environment_.files, named, {.syntax = options_.syntax},
                                     options_.format, environment_.cancellation));
  if (!found.fault.empty()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": {}", options_.suspect, found.fault_detail));
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      CaptureRecords records,
      FindCaptureRecords(environment_.files, file, found.record, environment_.cancellation));
  manifest_.source = "suspect/source.warc";
  if (!records.redirects.empty()) {
    files_[std::string(kRedirectsFile)] = std::move(records.redirects);
  }
  if (!records.lookups.empty()) files_[std::string(kLookupsFile)] = std::move(records.lookups);
  return std::move(records.capture);
}

Status EvidencePacker::ReadSuspect() {
  manifest_.suspect = options_.suspect;
  manifest_.command = options_.command;
  ZHIWEN_ASSIGN_OR_RETURN(std::string bytes, ReadSource());
  Result<SourceDocument> document =
      ReadPackedDocument(bytes, manifest_.source, manifest_.format, manifest_.encoding);
  if (!document) {  // the message is to name the file of the user
    std::string& message = document.error().message;
    const size_t name = message.find(manifest_.source);
    if (name != std::string::npos) {
      message.replace(name, manifest_.source.size(), options_.suspect);
    }
    return Fail(std::move(document));
  }
  summary_.document = *std::move(document);
  summary_.document.id = options_.suspect;
  files_[manifest_.source] = std::move(bytes);
  files_[std::string(kTextFile)] = summary_.document.text;
  if (HasPlaces(summary_.document)) {
    files_[std::string(kPlacesFile)] = PlacesToJson(summary_.document);
  }
  ZHIWEN_RETURN_IF_ERROR(PackCaptureFiles());
  DescribeSource();
  return {};
}

// Packs the files that the user gave for parts of the capture.
Status EvidencePacker::PackCaptureFiles() {
  std::set<std::string_view> parts;
  for (const CaptureFile& file : options_.capture_files) {
    const auto known = std::ranges::find(kCaptureParts, file.part);
    if (known == kCaptureParts.end()) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("\"{}\" is no part of a capture; these are {}", file.part,
                              fmt::join(kCaptureParts, ", ")));
    }
    if (!parts.insert(file.part).second) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("two files are given for \"{}\" of the capture; give one", file.part));
    }
    ZHIWEN_ASSIGN_OR_RETURN(
        files_[fmt::format("{}{}{}", kGivenFolder, file.part, EndingOf(file.path))],
        ReadWholeFile(environment_.files, file.path, kMostZipBytes));
  }
  return {};
}

// Says how the suspect was captured, and which parts nothing says.
void EvidencePacker::DescribeSource() {
  std::vector<std::string_view> paths;
  paths.reserve(files_.size());
  for (const auto& [path, bytes] : files_) paths.push_back(path);
  const auto bytes_of = [&](std::string_view path) -> std::string_view {
    const auto found = files_.find(path);
    return found == files_.end() ? std::string_view() : found->second;
  };
  std::optional<CaptureFacts> facts = DescribePackedCapture(manifest_, paths, bytes_of);
  if (!facts) return;
  manifest_.incomplete = facts->incomplete;
  files_[std::string(kCaptureFile)] = std::move(facts->json);
  summary_.capture = {.url = std::move(facts->url),
                      .fetched = std::move(facts->fetched),
                      .incomplete = std::move(facts->incomplete)};
}

// Says in the manifest what does not count, and packs form texts.
Exclusions EvidencePacker::ChooseExclusions() {
  Exclusions exclusions = options_.exclusions;
  exclusions.reasons = ExclusionsOfProfile(library_->profile());
  exclusions.reasons.Add(options_.exclude);
  exclusions.reasons.Remove(options_.count);
  exclusions.reasons.Remove({ExclusionReason::kSetPhrase});
  if (const std::string& said = AuthorOf(summary_.document); !said.empty()) {
    exclusions.author = said;
  }
  for (size_t i = 0; i < kExclusionReasons; ++i) {
    const auto reason = static_cast<ExclusionReason>(i);
    if (!exclusions.reasons.Has(reason)) continue;
    manifest_.excluded_reasons.emplace_back(ExclusionReasonName(reason));
  }
  manifest_.author = exclusions.author;
  manifest_.licences = {exclusions.licences.begin(), exclusions.licences.end()};
  for (size_t i = 0; i < exclusions.boilerplate.size(); ++i) {
    files_[fmt::format("{}{}.txt", kFormsFolder, i + 1)] = exclusions.boilerplate[i];
  }
  return exclusions;
}

Status EvidencePacker::CheckSuspect() {
  TextCheckOptions check = {.date = options_.date,
                            .set_phrases = SetPhrases::kKeepInMatches,
                            .exclusions = ChooseExclusions(),
                            .cancellation = &environment_.cancellation};
  if (const std::string& said = DateOf(summary_.document); !said.empty()) check.date = said;
  ZHIWEN_ASSIGN_OR_RETURN(CheckedText checked, library_->Check(summary_.document.text, check));
  LocateIn(summary_.document, checked);
  manifest_.least_score = LeastPassageScore(checked.units);
  manifest_.containment = check.containment;
  manifest_.channels = checked.channels;
  manifest_.sequence = checked.sequence;
  manifest_.symbols = static_cast<double>(checked.symbols);
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
Result<bool> EvidencePacker::PackMatch(const CheckMatch& match, uint64_t number) {
  ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
  Result<std::string> original = library_->ReadText(match.document);
  if (!original && original.error().code == ErrorCode::kNotFound) return false;
  if (!original) return Fail(std::move(original));
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<DocumentSource> source,
                          library_->ReadSource(match.document));
  ZHIWEN_ASSIGN_OR_RETURN(
      files_[PathOf("matches", number, ".html")],
      RenderMatchPage(manifest_, summary_.document.text, match.document.id, *original, match));
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

// Packs the first matches, and the one that is the reason of the verdict.
Status EvidencePacker::PackMatches() {
  ZHIWEN_ASSIGN_OR_RETURN(manifest_.passage_channels,
                          PassageChannels(manifest_.channels, environment_.language));
  const std::vector<CheckMatch>& matches = summary_.checked.matches;
  const CheckMatch* strongest = StrongestMatch(summary_.checked);
  for (size_t i = 0; i < matches.size(); ++i) {
    environment_.progress.Advance(Stage::kCompare, i, matches.size());
    const bool is_strongest = &matches[i] == strongest;
    const uint64_t kept_free = strongest != nullptr && !is_strongest ? 1 : 0;
    bool is_packed = false;
    if (manifest_.originals + kept_free < kPackedOriginals) {
      ZHIWEN_ASSIGN_OR_RETURN(is_packed, PackMatch(matches[i], manifest_.originals + 1));
    }
    if (is_packed) {
      ++manifest_.originals;
    } else {
      manifest_.not_packed.push_back(matches[i].document.id);
    }
    if (!is_strongest) continue;
    strongest = nullptr;
    if (is_packed) continue;
    return Fail(ErrorCode::kConflict,
                fmt::format("the original \"{}\" was removed from \"{}\" meanwhile; pack again",
                            matches[i].document.id, options_.folder));
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
  manifest_.near_threshold = facts.near_threshold;
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
      OpenPackageOutput(environment_.files, options_.package, options_.overwrite));
  std::unique_ptr<OutputFile> request;
  if (!options_.request.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(
        request, OpenRequestOutput(environment_.files, options_.request, options_.overwrite));
  }
  environment_.progress.Advance(Stage::kCheck, 0, 0);
  ZHIWEN_RETURN_IF_ERROR(CheckSuspect());
  ZHIWEN_RETURN_IF_ERROR(PackMatches());
  ZHIWEN_RETURN_IF_ERROR(Describe());
  ZHIWEN_ASSIGN_OR_RETURN(const std::string package, PackFiles());
  summary_.originals = manifest_.originals;
  summary_.bytes = package.size();
  ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
  ZHIWEN_RETURN_IF_ERROR(output->PublishBytes(package));
  if (request != nullptr) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string asked, MakeTimeStampRequest(summary_.manifest_hash));
    ZHIWEN_RETURN_IF_ERROR(request->PublishBytes(asked));
  }
  return std::move(summary_);
}

}  // namespace

std::span<const std::string_view> CaptureParts() { return kCaptureParts; }

Result<EvidenceSummary> WriteEvidence(const EvidenceOptions& options,
                                      const BatchEnvironment& environment) {
  return EvidencePacker(options, environment).Run();
}

}  // namespace zhiwen
