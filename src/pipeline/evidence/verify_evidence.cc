#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/compress/stored_zip.h"
#include "base/json/json_reader.h"
#include "pipeline/evidence/manifest.h"
#include "pipeline/evidence/packed_source.h"
#include "pipeline/evidence/time_stamp.h"
#include "pipeline/library/match_passages.h"
#include "zhiwen/evidence.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

// Returns a string of a JSON file that zhiwen wrote; empty where there is none.
std::string FieldOf(std::string_view json, const std::vector<std::string>& path) {
  std::string padded(json);
  padded.resize(json.size() + JsonReader::kPadding);
  JsonReader reader;
  if (reader.Parse(std::string_view(padded).substr(0, json.size()))) return "";
  const std::optional<JsonField> field = reader.Find(path);
  return field && field->type == JsonType::kString ? std::string(field->string) : std::string();
}

class PackageCheck {
 public:
  PackageCheck(std::string_view package, const BatchEnvironment& environment)
      : package_(package), environment_(environment) {}

  Result<EvidenceReport> Run(std::string_view expected_hash,
                             const std::optional<std::string>& authorities);

 private:
  Status ReadMembers();
  void CheckManifestHash(std::string_view expected_hash);
  Status CheckTimestamp(const std::optional<std::string>& authorities);
  void CheckFiles();
  std::string_view FileOf(std::string_view path) const;
  Result<std::string> WhyNotRepeated() const;
  Status RepeatText();
  Status RepeatPassages();
  Status RepeatMatch(uint64_t number, MatchPassages& passages, PassageSearch& search);
  void Add(std::string_view file, EvidenceFault fault, std::string message) {
    report_.problems.push_back({std::string(file), fault, std::move(message)});
  }

  const std::string_view package_;
  const BatchEnvironment& environment_;
  std::map<std::string_view, StoredMember> members_;
  EvidenceManifest manifest_;
  std::vector<bool> is_matched_;  // of the symbols of the text; what is found again marks them
  EvidenceReport report_;
};

Status PackageCheck::ReadMembers() {
  const auto is_package = [](std::string_view bytes) {
    return bytes.substr(0, 64).find(kManifestFile) != std::string_view::npos;
  };
  Result<std::vector<StoredMember>> members = ReadStoredZip(package_);
  if (!members) {
    return Fail(members.error().code,
                is_package(package_)
                    ? members.error().message
                    : "it is no evidence package of zhiwen: " + members.error().message);
  }
  for (const StoredMember& member : *members) members_.emplace(member.path, member);
  if (members_.contains(kManifestFile)) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("it is no evidence package of zhiwen: {} is missing", kManifestFile));
}

// Returns the bytes of a file; none where it is missing.
std::string_view PackageCheck::FileOf(std::string_view path) const {
  const auto found = members_.find(path);
  return found == members_.end() ? std::string_view() : found->second.bytes;
}

void PackageCheck::CheckManifestHash(std::string_view expected_hash) {
  report_.manifest_hash = Sha256Hex(FileOf(kManifestFile));
  if (!expected_hash.empty() && expected_hash != report_.manifest_hash) {
    Add(kManifestFile, EvidenceFault::kDiffers,
        fmt::format("{} has the SHA-256 {}, not the one that was given: it was changed, or this is "
                    "another package",
                    kManifestFile, report_.manifest_hash));
  }
  if (!members_.contains(kManifestHashFile)) {
    return Add(kManifestHashFile, EvidenceFault::kMissing,
               fmt::format("{} is missing", kManifestHashFile));
  }
  const std::string line = HashLine({std::string(kManifestFile), report_.manifest_hash}) + "\n";
  if (FileOf(kManifestHashFile) == line) return;
  Add(kManifestFile, EvidenceFault::kDiffers,
      fmt::format("{} and {} do not agree: one of them was changed", kManifestFile,
                  kManifestHashFile));
}

// Checks the time stamp of the manifest that is there, not of the one that should be.
Status PackageCheck::CheckTimestamp(const std::optional<std::string>& authorities) {
  if (!members_.contains(kTimestampFile)) {
    if (authorities) {
      Add(kTimestampFile, EvidenceFault::kMissing,
          fmt::format("{} is missing: the package has no time stamp", kTimestampFile));
    }
    return {};
  }
  std::string_view chain = FileOf(kTimestampChainFile);
  if (members_.contains(kTimestampChainFile)) {
    const Result<std::string> certificates = CertificatesOf(chain);
    if (!certificates || *certificates != chain) {
      Add(kTimestampChainFile, EvidenceFault::kMalformed,
          fmt::format("{} has something else than certificates", kTimestampChainFile));
      chain = {};
    }
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      TimeStampCheck check,
      CheckTimeStamp(FileOf(kTimestampFile), report_.manifest_hash, chain, authorities));
  report_.timestamp = std::move(check.stamp);
  for (const TimeStampProblem& problem : check.problems) {
    Add(kTimestampFile, problem.fault, fmt::format("{} {}", kTimestampFile, problem.message));
  }
  return {};
}

// Compares all files with the manifest.
void PackageCheck::CheckFiles() {
  std::set<std::string_view> named = {kManifestFile, kManifestHashFile};
  for (const PackedFileHash& file : manifest_.files) {
    named.insert(file.path);
    if (!members_.contains(file.path)) {
      Add(file.path, EvidenceFault::kMissing,
          fmt::format("{} is missing, and the manifest names it", file.path));
    } else if (Sha256Hex(FileOf(file.path)) != file.sha256) {
      Add(file.path, EvidenceFault::kDiffers,
          fmt::format("{} is not the file of the manifest: its SHA-256 differs", file.path));
    }
  }
  if (members_.contains(kTimestampFile)) named.insert({kTimestampFile, kTimestampChainFile});
  for (const auto& [path, member] : members_) {
    if (!named.contains(path)) {
      Add(path, EvidenceFault::kAdded,
          fmt::format("{} was added: the manifest does not name it", path));
    }
  }
  for (const auto& [path, member] : members_) {
    const auto is_known = [&](const EvidenceProblem& problem) { return problem.file == path; };
    if (member.has_checksum || std::ranges::any_of(report_.problems, is_known)) continue;
    Add(path, EvidenceFault::kDiffers,
        fmt::format("{} has another checksum than the archive states", path));
  }
}

// Returns why zhiwen cannot compute again what the package says; empty: it can.
Result<std::string> PackageCheck::WhyNotRepeated() const {
  if (!report_.problems.empty()) return std::string("files do not agree with the manifest");
  if (manifest_.zhiwen != Version()) {
    return fmt::format("the package was made by zhiwen {}, and this is {}", manifest_.zhiwen,
                       Version());
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::string language, LanguageId(environment_.language));
  if (manifest_.language == language) return std::string();
  const auto name = [](const std::string& id) { return id.empty() ? "none" : id; };
  return fmt::format("the package was made with the language data {}, and here is {}",
                     name(manifest_.language), name(language));
}

// Reads the text again from the bytes of the document.
Status PackageCheck::RepeatText() {
  const std::string_view bytes = FileOf(manifest_.source);
  if (IsReadByOthers(manifest_.source, bytes)) {
    report_.text_not_repeated =
        fmt::format("another program reads {}, perhaps of another version", manifest_.source);
    return {};
  }
  const Result<SourceDocument> document = ReadPackedDocument(std::string(bytes), manifest_.source,
                                                             manifest_.format, manifest_.encoding);
  if (!document && document.error().code != ErrorCode::kUnreadable) {
    return tl::unexpected(document.error());
  }
  if (!document || document->text != FileOf(kTextFile)) {
    Add(kTextFile, EvidenceFault::kNotRepeated,
        fmt::format("{} is not the text that zhiwen reads in {}", kTextFile, manifest_.source));
    return {};
  }
  const std::string places = HasPlaces(*document) ? PlacesToJson(*document) : std::string();
  if (places == FileOf(kPlacesFile)) return {};
  Add(kPlacesFile, EvidenceFault::kNotRepeated,
      fmt::format("{} does not say where the text stands in {}", kPlacesFile, manifest_.source));
  return {};
}

// Finds the passages of a match again, in the packed texts, and renders its page.
Status PackageCheck::RepeatMatch(uint64_t number, MatchPassages& passages, PassageSearch& search) {
  ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
  const std::string path = PathOf("matches", number, ".json");
  const std::string_view text = FileOf(kTextFile), json = FileOf(path);
  const std::string_view original = FileOf(PathOf("originals", number, "/text.txt"));
  CheckedText checked;
  CheckMatch& match = checked.matches.emplace_back();
  const bool is_same = FieldOf(json, {"relation"}) == RelationName(Relation::kSame);
  match.relation = is_same ? Relation::kSame : Relation::kPassages;
  ZHIWEN_RETURN_IF_ERROR(passages.Find(original, environment_.cancellation, match));
  passages.Mark(match, is_matched_);
  const std::string_view places = FileOf(kPlacesFile);
  LocateIn(DocumentOfPlaces(text, FieldOf(places, {"sources"}), FieldOf(places, {"member"})),
           checked);
  const std::string_view original_places = FileOf(PathOf("originals", number, "/places.json"));
  LocateInOriginal(original, FieldOf(original_places, {"sources"}), match);
  if (!json.ends_with("," + MatchEndToJson(match) + "\n")) {
    Add(path, EvidenceFault::kNotRepeated,
        fmt::format("{} has other passages than zhiwen finds in the packed texts", path));
  }
  if (FileOf(kCheckFile).find(json.substr(0, json.size() - 1)) == std::string_view::npos) {
    Add(kCheckFile, EvidenceFault::kNotRepeated,
        fmt::format("{} has not the match of {}", kCheckFile, path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::string page,
                          RenderMatchPage(manifest_, text, FieldOf(json, {"document", "id"}),
                                          original, match, search, environment_.cancellation));
  const std::string page_path = PathOf("matches", number, ".html");
  if (page == FileOf(page_path)) return {};
  Add(page_path, EvidenceFault::kNotRepeated,
      fmt::format("{} is not the page that zhiwen makes of the packed texts", page_path));
  return {};
}

Status PackageCheck::RepeatPassages() {
  if (manifest_.originals == 0) return {};
  const std::string_view text = FileOf(kTextFile);
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<Channel> channels,
                          OpenPackedChannels(manifest_.passage_channels, environment_.language));
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols units, ComputeSymbols(FoldedChannel(), text));
  ZHIWEN_ASSIGN_OR_RETURN(MatchPassages passages,
                          MatchPassages::Create(text, units.spans, channels));
  const double least_score = LeastPassageScore(units.symbols.size());
  if (least_score != manifest_.least_score) {
    Add(kManifestFile, EvidenceFault::kNotRepeated,
        fmt::format("{} has another \"least_score\" than passages of the text have",
                    kManifestFile));
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      PassageSearch search,
      PassageSearch::Create(text, {.channels = channels, .least_score = least_score}));
  is_matched_.resize(units.symbols.size());
  for (uint64_t number = 1; number <= manifest_.originals; ++number) {
    if (const std::string path = PathOf("matches", number, ".json"); !members_.contains(path)) {
      Add(path, EvidenceFault::kMissing, fmt::format("{} is missing", path));
      return {};
    }
    environment_.progress.Advance(Stage::kCompare, number - 1, manifest_.originals);
    ZHIWEN_RETURN_IF_ERROR(RepeatMatch(number, passages, search));
  }
  return {};
}

Result<EvidenceReport> PackageCheck::Run(std::string_view expected_hash,
                                         const std::optional<std::string>& authorities) {
  ZHIWEN_RETURN_IF_ERROR(ReadMembers());
  report_.files = members_.size();
  CheckManifestHash(expected_hash);
  ZHIWEN_RETURN_IF_ERROR(CheckTimestamp(authorities));
  Result<EvidenceManifest> manifest = ParseManifest(FileOf(kManifestFile));
  if (!manifest && manifest.error().code != ErrorCode::kUnreadable) {
    return Fail(std::move(manifest));
  }
  if (!manifest) {
    Add(kManifestFile, EvidenceFault::kDiffers, manifest.error().message);
    report_.not_repeated = "the manifest cannot be read";
    return std::move(report_);
  }
  manifest_ = *std::move(manifest);
  report_.zhiwen = manifest_.zhiwen;
  report_.language = manifest_.language;
  report_.made = manifest_.made;
  report_.suspect = manifest_.suspect;
  report_.verdict = manifest_.verdict;
  report_.originals = manifest_.originals;
  CheckFiles();
  ZHIWEN_ASSIGN_OR_RETURN(report_.not_repeated, WhyNotRepeated());
  if (!report_.not_repeated.empty()) return std::move(report_);
  ZHIWEN_RETURN_IF_ERROR(RepeatText());
  ZHIWEN_RETURN_IF_ERROR(RepeatPassages());
  return std::move(report_);
}

}  // namespace

Result<EvidenceReport> VerifyEvidence(const VerifyOptions& options,
                                      const BatchEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string bytes,
                          ReadWholeFile(environment.files, options.package, kMostZipBytes));
  std::optional<std::string> authorities;
  if (!options.authorities.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(authorities,
                            ReadCertificateFile(environment.files, options.authorities));
  }
  Result<EvidenceReport> report = PackageCheck(bytes, environment).Run(options.hash, authorities);
  if (report) return report;
  return Fail(report.error().code,
              fmt::format("cannot verify \"{}\": {}", options.package, report.error().message),
              report.error().advice);
}

}  // namespace zhiwen
