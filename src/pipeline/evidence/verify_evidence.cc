#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/compress/stored_zip.h"
#include "base/json/json_reader.h"
#include "pipeline/evidence/capture_facts.h"
#include "pipeline/evidence/manifest.h"
#include "pipeline/evidence/match_figures.h"
#include "pipeline/evidence/packed_source.h"
#include "pipeline/evidence/time_stamp.h"
#include "pipeline/library/match_exclusions.h"
#include "pipeline/library/match_passages.h"
#include "zhiwen/evidence.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

// A JSON file of a package, as zhiwen wrote it or not.
class PackedJson {
 public:
  explicit PackedJson(std::string_view json) : json_(json), padded_(json) {
    padded_.resize(json.size() + JsonReader::kPadding);
    is_valid_ = !reader_.Parse(std::string_view(padded_).substr(0, json.size()));
  }

  // Returns a string, or a number as it is written; empty where there is none.
  std::string FieldOf(const std::vector<std::string>& path) const {
    const std::optional<JsonField> field = is_valid_ ? reader_.Find(path) : std::nullopt;
    if (!field) return "";
    return std::string(field->type == JsonType::kString ? field->string : field->raw);
  }

  std::vector<std::string> Names() const {
    return is_valid_ ? reader_.Names() : std::vector<std::string>();
  }

  // Returns whether `part` stands in the object itself, behind these fields of it.
  bool HasBehind(const std::vector<std::string>& names, const std::string& part) const {
    const size_t at = json_.find("," + part);
    return at != std::string_view::npos &&
           PackedJson(std::string(json_.substr(0, at)) + "}").Names() == names;
  }

 private:
  const std::string_view json_;
  std::string padded_;
  JsonReader reader_;
  bool is_valid_ = false;
};

std::string FieldOf(std::string_view json, const std::vector<std::string>& path) {
  return PackedJson(json).FieldOf(path);
}

const std::vector<std::string> kNamesOfMatch = {
    "document",    "relation",    "channel",
    "resemblance", "containment", "containment_of_original",
    "matched",     "longest_run", "excluded_as",
    "share",       "before",      "precedence",
    "dates",       "excluded",    "how",
    "renamed",     "passages"};

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
  Exclusions ReadExclusions();
  StoredDocument OriginalOf(uint64_t number) const;
  Status RepeatText();
  void RepeatCapture();
  Status RepeatPassages();
  struct Repeater;
  Status RepeatMatch(uint64_t number, Repeater& repeater);
  Status RepeatFigures(uint64_t number, Repeater& repeater, CheckMatch& match);
  void RepeatCheck(uint64_t units);
  void AddNotRepeated(std::string_view file, std::string_view what) {
    Add(file, EvidenceFault::kNotRepeated, fmt::format("{} {}", file, what));
  }
  void Add(std::string_view file, EvidenceFault fault, std::string message) {
    report_.problems.push_back({std::string(file), fault, std::move(message)});
  }

  const std::string_view package_;
  const BatchEnvironment& environment_;
  std::map<std::string_view, StoredMember> members_;
  EvidenceManifest manifest_;
  std::vector<std::string> forms_;  // form texts
  // What is found again.
  UnionOfMatches union_{0};  // of the matches that were repeated
  Relation verdict_ = Relation::kNone;
  std::string matches_;  // of check.json
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
  if (IsReadByOthers(manifest_.source, manifest_.format, bytes)) {
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
    AddNotRepeated(kTextFile,
                   fmt::format("is not the text that zhiwen reads in {}", manifest_.source));
    return {};
  }
  const std::string places = HasPlaces(*document) ? PlacesToJson(*document) : std::string();
  if (places == FileOf(kPlacesFile)) return {};
  AddNotRepeated(kPlacesFile,
                 fmt::format("does not say where the text stands in {}", manifest_.source));
  return {};
}

// Reads again from the records how the suspect was captured.
void PackageCheck::RepeatCapture() {
  std::vector<std::string_view> paths;
  paths.reserve(members_.size());
  for (const auto& [path, member] : members_) paths.push_back(path);
  const std::optional<CaptureFacts> facts = DescribePackedCapture(
      manifest_, paths, [this](std::string_view path) { return FileOf(path); });
  if ((facts ? facts->json : "") != FileOf(kCaptureFile)) {
    AddNotRepeated(kCaptureFile, "does not say what the packed records and files say");
  }
  if (facts && facts->incomplete != manifest_.incomplete) {
    AddNotRepeated(kManifestFile, "has other parts of the capture as incomplete than are missing");
  }
}

// What is computed of the text once for all matches.
struct PackageCheck::Repeater {
  MatchPassages passages;
  MatchFigures figures;
  MatchExclusions exclusions;
  uint64_t units = 0;
};

// Returns what does not count, as the manifest says.
Exclusions PackageCheck::ReadExclusions() {
  for (uint64_t number = 1;; ++number) {
    const auto form = members_.find(fmt::format("{}{}.txt", kFormsFolder, number));
    if (form == members_.end()) break;
    forms_.emplace_back(form->second.bytes);
  }
  Exclusions exclusions = {
      .boilerplate = forms_, .author = manifest_.author, .licences = manifest_.licences};
  for (const std::string& name : manifest_.excluded_reasons) {
    const Result<ExclusionReasons> reason = ParseExclusionReasons(name);
    if (reason) exclusions.reasons.Add(*reason);
    if (reason && !reason->Has(ExclusionReason::kSetPhrase)) continue;
    AddNotRepeated(kManifestFile, fmt::format("excludes passages as \"{}\", which zhiwen does not "
                                              "do in packages",
                                              name));
  }
  return exclusions;
}

// Returns what the package says of an original, as far as exclusions depend on it.
StoredDocument PackageCheck::OriginalOf(uint64_t number) const {
  const PackedJson json(FileOf(PathOf("originals", number, "/document.json")));
  StoredDocument original;
  original.labels.author = json.FieldOf({"document", "author"});
  original.work.author = json.FieldOf({"work", "author"});
  original.work.licence = json.FieldOf({"work", "licence"});
  if (json.FieldOf({"document", "kind"}) == DocumentKindName(DocumentKind::kLicensedCopy)) {
    original.labels.kind = DocumentKind::kLicensedCopy;
  }
  return original;
}

// Computes the relation, the shares and the passages of a match again.
Status PackageCheck::RepeatFigures(uint64_t number, Repeater& repeater, CheckMatch& match) {
  const std::string path = PathOf("matches", number, ".json");
  const std::string original(FileOf(PathOf("originals", number, "/text.txt")));
  const PackedJson json(FileOf(path));
  const std::string channel = json.FieldOf({"channel"});
  if (std::ranges::find(manifest_.channels, channel) == manifest_.channels.end()) {
    AddNotRepeated(path, "names a channel that was not searched");
    return {};
  }
  ZHIWEN_RETURN_IF_ERROR(
      repeater.figures.Compute(channel, original, environment_.cancellation, match));
  const ByteSpan whole = {{0}, {FileOf(kTextFile).size()}};
  ZHIWEN_RETURN_IF_ERROR(
      repeater.passages.Find(original, {&whole, 1}, environment_.cancellation, match));
  ZHIWEN_RETURN_IF_ERROR(
      repeater.exclusions.ExcludePlacesOf(original, manifest_.least_score, match));
  match.document = OriginalOf(number);
  repeater.exclusions.Finish(match);
  union_.Add(repeater.passages, match);
  if (!match.excluded_as) verdict_ = std::min(verdict_, match.relation);
  if (json.Names() != kNamesOfMatch ||
      !json.HasBehind({"document"}, MatchFiguresToJson(match, repeater.units) + ",")) {
    AddNotRepeated(path, "has another relation, or other shares, than the packed texts");
  }
  return {};
}

// Finds the passages of a match again, in the packed texts, and renders its page.
Status PackageCheck::RepeatMatch(uint64_t number, Repeater& repeater) {
  ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
  const std::string path = PathOf("matches", number, ".json");
  const std::string_view text = FileOf(kTextFile), json = FileOf(path);
  const std::string_view original = FileOf(PathOf("originals", number, "/text.txt"));
  CheckedText checked;
  CheckMatch& match = checked.matches.emplace_back();
  ZHIWEN_RETURN_IF_ERROR(RepeatFigures(number, repeater, match));
  checked.units = repeater.units;
  checked.symbols = static_cast<uint64_t>(manifest_.symbols);
  SetExpected(checked);
  const std::string_view places = FileOf(kPlacesFile);
  LocateIn(DocumentOfPlaces(text, FieldOf(places, {"sources"}), FieldOf(places, {"member"})),
           checked);
  const std::string_view original_places = FileOf(PathOf("originals", number, "/places.json"));
  LocateInOriginal(original, FieldOf(original_places, {"sources"}), match);
  if (!json.ends_with("," + MatchEndToJson(match) + "\n")) {
    AddNotRepeated(path, "has other passages than zhiwen finds in the packed texts");
  }
  const std::string_view object = json.substr(0, json.size() - 1);
  matches_ += fmt::format("{}{}", matches_.empty() ? "" : ",", object);
  if (FileOf(kCheckFile).find(object) == std::string_view::npos) {
    AddNotRepeated(kCheckFile, fmt::format("has not the match of {}", path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::string page,
      RenderMatchPage(manifest_, text, FieldOf(json, {"document", "id"}), original, match));
  const std::string page_path = PathOf("matches", number, ".html");
  if (page != FileOf(page_path)) {
    AddNotRepeated(page_path, "is not the page that zhiwen makes of the packed texts");
  }
  return {};
}

// Compares what check.json says of the text as a whole with what was found again. Which documents
// match that are not packed, and what the library knows of each, it cannot tell.
void PackageCheck::RepeatCheck(uint64_t units) {
  const PackedJson check(FileOf(kCheckFile));
  std::vector<std::string> before = {"id", "source"};
  if (!check.FieldOf({"member"}).empty()) before.emplace_back("member");
  before.insert(before.end(), {"units", "verdict", "lead"});
  if (!check.FieldOf({"exposed"}).empty()) before.emplace_back("exposed");
  before.emplace_back("precedence");
  std::vector<std::string> names = before;
  names.insert(names.end(), {"matches", "below_least", "of_set_phrases", "union", "excluded",
                             "not_seen", "searched", "truncated"});
  const bool has_all = manifest_.not_packed.empty();
  if (check.Names() != names || check.FieldOf({"units"}) != std::to_string(units) ||
      (has_all && !check.HasBehind(before, fmt::format("\"matches\":[{}],", matches_)))) {
    AddNotRepeated(kCheckFile, "has other matches, or another length, than the packed texts");
  }
  if (check.FieldOf({"verdict"}) != RelationName(verdict_)) {
    AddNotRepeated(kCheckFile, "has another verdict than the packed texts");
  }
  if (manifest_.verdict != RelationName(verdict_)) {
    AddNotRepeated(kManifestFile, "has another verdict than the packed texts");
  }
  CheckedText found;
  found.units = units;
  union_.Count(found);
  const std::string common =
      fmt::format("\"union\":{},\"excluded\":{}", UnionToJson(found), ExcludedToJson(found));
  names.resize(before.size() + 3);
  if (has_all && !check.HasBehind(names, common + ",")) {
    AddNotRepeated(kCheckFile, "has another union of passages than the packed texts");
  }
}

Status PackageCheck::RepeatPassages() {
  const std::string_view text = FileOf(kTextFile);
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<Channel> channels,
                          OpenPackedChannels(manifest_.passage_channels, environment_.language));
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols units, ComputeSymbols(FoldedChannel(), text));
  if (LeastPassageScore(units.symbols.size()) != manifest_.least_score) {
    AddNotRepeated(kManifestFile, "has another \"least_score\" than passages of the text have");
  }
  ZHIWEN_ASSIGN_OR_RETURN(MatchPassages passages,
                          MatchPassages::Create(text, units.spans, std::move(channels)));
  ZHIWEN_ASSIGN_OR_RETURN(MatchFigures figures,
                          MatchFigures::Create(text, manifest_, environment_.language));
  const Exclusions exclusions = ReadExclusions();
  Repeater repeater = {std::move(passages), std::move(figures),
                       MatchExclusions(text, exclusions, environment_.cancellation),
                       units.symbols.size()};
  union_ = UnionOfMatches(units.symbols.size());
  for (uint64_t number = 1; number <= manifest_.originals; ++number) {
    if (const std::string path = PathOf("matches", number, ".json"); !members_.contains(path)) {
      Add(path, EvidenceFault::kMissing, fmt::format("{} is missing", path));
      return {};
    }
    environment_.progress.Advance(Stage::kCompare, number - 1, manifest_.originals);
    ZHIWEN_RETURN_IF_ERROR(RepeatMatch(number, repeater));
  }
  RepeatCheck(units.symbols.size());
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
  if (members_.contains(kCaptureFile)) {
    const PackedJson capture(FileOf(kCaptureFile));
    report_.capture = {.url = capture.FieldOf({"url"}),
                       .fetched = capture.FieldOf({"fetched"}),
                       .incomplete = manifest_.incomplete};
  }
  CheckFiles();
  ZHIWEN_ASSIGN_OR_RETURN(report_.not_repeated, WhyNotRepeated());
  if (!report_.not_repeated.empty()) return std::move(report_);
  ZHIWEN_RETURN_IF_ERROR(RepeatText());
  RepeatCapture();
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
