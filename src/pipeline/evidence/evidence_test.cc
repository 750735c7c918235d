// A package agrees with itself, is the same bytes for the same inputs, and shows each change; one
// that was made anew with other passages is not what zhiwen computes.

#include "zhiwen/evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/compress/stored_zip.h"
#include "base/utf8/utf8.h"
#include "pipeline/batches/batch_test_support.h"
#include "pipeline/evidence/manifest.h"
#include "support/temporary_folder.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

constexpr std::string_view kTale =
    "少年负手而立，目光越过千重峰峦，落在极远处那座孤零零的石塔上面。风很大，他把衣领竖了起来，"
    "想起三年前离家的那个清晨，母亲站在桥头，一句话也没有说。";
constexpr std::string_view kOther =
    "长老们在殿中争论了整整一夜，谁也没有想到会是这样的结果。天亮的时候，最年长的一位站起来，"
    "把手里的灯吹灭，说此事到此为止。";

// A manifest of version 1, as it was first written.
constexpr std::string_view kFirstManifest = R"({
  "format": "zhiwen evidence",
  "version": 1,
  "zhiwen": "0.1.0",
  "unicode": "15.0.0",
  "opencc": "1.1.6",
  "language": "0123456789abcdef",
  "made": "2026-11-27T08:00:00Z",
  "command": ["zhiwen", "evidence"],
  "library": {"id": "00112233445566778899aabbccddeeff", "profile": "news", "sequence": 7},
  "suspect": {"name": "a.txt", "source": "suspect/source.txt", "format": "text",
              "encoding": "gb18030"},
  "verdict": "near",
  "channels": ["exact.v1", "folded.v3"],
  "passage_channels": ["folded.v3"],
  "least_score": 8.5,
  "originals": 1,
  "not_packed": ["x"],
  "incomplete": [],
  "files": ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  suspect/source.txt"]
}
)";

EvidenceManifest FirstManifest() {
  return {.zhiwen = "0.1.0",
          .language = "0123456789abcdef",
          .made = "2026-11-27T08:00:00Z",
          .command = {"zhiwen", "evidence"},
          .library = "00112233445566778899aabbccddeeff",
          .profile = "news",
          .sequence = 7,
          .suspect = "a.txt",
          .source = "suspect/source.txt",
          .format = DocumentFormat::kText,
          .encoding = TextEncoding::kGb18030,
          .verdict = "near",
          .channels = {"exact.v1", "folded.v3"},
          .passage_channels = {"folded.v3"},
          .least_score = 8.5,
          .originals = 1,
          .not_packed = {"x"},
          .files = {{"suspect/source.txt", Sha256Hex("")}}};
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(EvidenceManifestText, OfTheFirstVersionIsRead) {
  EXPECT_EQ(ParseManifest(kFirstManifest).value(), FirstManifest());
  EXPECT_EQ(ParseManifest(ManifestToJson(FirstManifest())).value(), FirstManifest());
  EXPECT_TRUE(ManifestToJson(FirstManifest()).starts_with(kManifestBeginning));
}

TEST(EvidenceManifestText, IsRefusedWithTheFieldThatIsWrong) {
  const std::string good(kFirstManifest);
  for (const auto& [from, to, words] : std::vector<std::array<std::string, 3>>{
           {"\"made\"", "\"maid\"", "\"made\""},
           {"\"sequence\": 7", "\"sequence\": -7", "library.sequence"},
           {"\"least_score\": 8.5", "\"least_score\": \"8\"", "least_score"},
           {"[\"x\"]", "[1]", "not_packed"},
           {"\"format\": \"text\"", "\"format\": \"clay\"", "clay"},
           {"e3b0", "E3b0", "no hash and path"},
           {"zhiwen evidence", "other evidence", "no evidence"},
           {"{", "[", "cannot be read"}}) {
    const auto manifest = ParseManifest(Replaced(good, from, to));
    ASSERT_FALSE(manifest) << to;
    EXPECT_EQ(manifest.error().code, ErrorCode::kUnreadable) << to;
    EXPECT_NE(manifest.error().message.find(words), std::string::npos) << manifest.error().message;
  }
  const auto later = ParseManifest(Replaced(good, "\"version\": 1", "\"version\": 2"));
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, ErrorCode::kConflict);
}

// Noon, always.
class StandingClock final : public Clock {
 public:
  std::chrono::nanoseconds Monotonic() const override { return {}; }
  std::chrono::nanoseconds ProcessorTime() const override { return {}; }
  std::chrono::sys_seconds Now() const override {
    return std::chrono::sys_seconds(std::chrono::seconds(1'800'000'000));
  }
};

using Files = std::vector<std::pair<std::string, std::string>>;

class Evidence : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Library::Create(PosixFileSystem(), library_, "news"));
    const std::string tale = std::string(kTale) + std::string(kOther);
    AddToLibrary(
        {{.id = "tale",
          .text = tale,
          .work = {.name = "石塔", .owner = "甲", .licence = "独家", .first_publication = "2024"}},
         {.id = "other", .text = kOther}});
    Write(suspect_, "林中\n" + std::string(kTale) + "\n未完");
    options_ = {.folder = library_, .suspect = suspect_, .package = package_};
  }

  void AddToLibrary(const std::vector<LibraryDocument>& documents) {
    const auto writer = LibraryWriter::Open(library_, surroundings_.environment(PosixFileSystem()));
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE((*writer)->Add(documents));
    ASSERT_TRUE((*writer)->Close());
  }

  static void Write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  static std::string Read(const std::string& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
  }

  EvidenceSummary Pack() {
    const BatchEnvironment& usual = surroundings_.environment(PosixFileSystem());
    const BatchEnvironment standing = {usual.files,    usual.executor, clock_,
                                       usual.progress, usual.log,      usual.cancellation};
    auto summary = WriteEvidence(options_, standing);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary ? *std::move(summary) : EvidenceSummary();
  }

  Result<EvidenceReport> Verify(std::string_view hash = "") {
    return VerifyEvidence({.package = package_, .hash = std::string(hash)},
                          surroundings_.environment(PosixFileSystem()));
  }

  Files Unpack() const {
    const std::string bytes = Read(package_);
    Files files;
    const std::vector<StoredMember> members = ReadStoredZip(bytes).value();
    for (const StoredMember& member : members) {
      files.emplace_back(member.path, member.bytes);
    }
    return files;
  }

  void Repack(const Files& files) const {
    std::vector<StoredMember> members;
    for (const auto& [path, bytes] : files) members.push_back({path, bytes});
    Write(package_, WriteStoredZip(members).value());
  }

  static std::string& BytesOf(Files& files, std::string_view path) {
    const auto file = std::ranges::find(files, path, &Files::value_type::first);
    EXPECT_NE(file, files.end()) << path;
    return file == files.end() ? files.front().second : file->second;
  }

  // Makes manifest and hash anew, as a forger does.
  static void Seal(Files& files) {
    EvidenceManifest manifest = ParseManifest(BytesOf(files, kManifestFile)).value();
    manifest.files.clear();
    for (const auto& [path, bytes] : files) {
      if (path == kManifestFile || path == kManifestHashFile) continue;
      manifest.files.push_back({path, Sha256Hex(bytes)});
    }
    std::string& json = BytesOf(files, kManifestFile);
    json = ManifestToJson(manifest);
    BytesOf(files, kManifestHashFile) =
        HashLine({std::string(kManifestFile), Sha256Hex(json)}) + "\n";
  }

  TemporaryFolder folder_;
  const std::string library_ = folder_ / "lib", suspect_ = folder_ / "copy.txt";
  const std::string package_ = folder_ / "case.zip";
  StandingClock clock_;
  BatchSurroundings surroundings_;
  EvidenceOptions options_;
};

TEST_F(Evidence, AgreesAndIsComputedAgain) {
  const EvidenceSummary summary = Pack();
  EXPECT_EQ(summary.originals, 1U);
  EXPECT_EQ(summary.checked.verdict, Relation::kContained);
  const auto report = Verify(summary.manifest_hash);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->agrees());
  EXPECT_EQ(report->not_repeated, "");
  EXPECT_EQ(report->manifest_hash, summary.manifest_hash);
  EXPECT_EQ(report->made, "2027-01-15T08:00:00Z");
  Files files = Unpack();
  EXPECT_EQ(report->files, files.size());
  EXPECT_EQ(BytesOf(files, "suspect/source.txt"), Read(suspect_));
  EXPECT_EQ(BytesOf(files, "originals/1/text.txt"), std::string(kTale) + std::string(kOther));
  for (const char* const words : {"\"licence\":\"独家\"", "\"first_publication\":\"2024\""}) {
    EXPECT_NE(BytesOf(files, "originals/1/document.json").find(words), std::string::npos) << words;
  }
  EXPECT_NE(BytesOf(files, "matches/1.html").find("少年负手而立"), std::string::npos);
  EXPECT_NE(BytesOf(files, kCheckFile).find("\"verdict\":\"contained\""), std::string::npos);
}

TEST_F(Evidence, OfTheSameInputsIsTheSame) {
  Pack();
  const std::string first = Read(package_);
  std::filesystem::remove(package_);
  Pack();
  EXPECT_EQ(Read(package_), first);
}

TEST_F(Evidence, OfATextThatIsNotKnownSaysSo) {
  Write(suspect_, "此文与书无关，全不相干，谁也不曾见过。");
  EXPECT_EQ(Pack().originals, 0U);
  const auto report = Verify();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->agrees());
  EXPECT_EQ(report->verdict, "none");
}

TEST_F(Evidence, OfAShortTextThatIsTheSameIsComputedAgain) {
  AddToLibrary({{.id = "short", .text = "风很大"}});
  Write(suspect_, "风很大！");
  EXPECT_EQ(Pack().checked.verdict, Relation::kSame);
  const auto report = Verify();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->problems, std::vector<EvidenceProblem>());
  EXPECT_EQ(report->not_repeated, "");
}

TEST_F(Evidence, NamesFilesThatDifferAreMissingOrWereAdded) {
  Pack();
  const Files files = Unpack();
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& path = files[i].first;
    Files changed = files;
    changed[i].second[changed[i].second.size() / 2] ^= 1;
    Repack(changed);
    const auto differs = Verify();
    ASSERT_TRUE(differs) << differs.error().message;
    EXPECT_FALSE(differs->agrees()) << path;
    EXPECT_NE(differs->problems.front().message.find(path), std::string::npos) << path;
    EXPECT_EQ(differs->problems.front().fault, EvidenceFault::kDiffers) << path;
    EXPECT_NE(differs->not_repeated, "") << path;
    if (path == kManifestFile) continue;
    Files without = files;
    without.erase(without.begin() + static_cast<int64_t>(i));
    Repack(without);
    const auto missing = Verify();
    ASSERT_TRUE(missing) << missing.error().message;
    ASSERT_EQ(missing->problems.size(), 1U) << path;
    EXPECT_EQ(missing->problems.front().file, path);
    EXPECT_EQ(missing->problems.front().fault, EvidenceFault::kMissing) << path;
  }
  Files more = files;
  more.emplace_back("suspect/extra.txt", "x");
  Repack(more);
  const auto added = Verify();
  ASSERT_TRUE(added && added->problems.size() == 1U);
  EXPECT_EQ(added->problems.front().file, "suspect/extra.txt");
  EXPECT_EQ(added->problems.front().fault, EvidenceFault::kAdded);
}

TEST_F(Evidence, ThatWasMadeAnewIsNotWhatZhiwenComputes) {
  const std::string noted = Pack().manifest_hash;
  const Files files = Unpack();
  for (const auto& [path, from, to, named] : std::vector<std::array<std::string, 4>>{
           {"matches/1.json", "\"matched\":", "\"matched\":9", "matches/1.json"},
           {"suspect/text.txt", "少年", "老人", "suspect/text.txt"},
           {"suspect/source.txt", "少年", "老人", "suspect/text.txt"},
           {"originals/1/text.txt", "少年", "老人", "matches/1.json"},
           {"matches/1.html", "少年", "老人", "matches/1.html"},
           {"check.json", "\"longest_run\":", "\"longest_run\":9", "check.json"}}) {
    Files forged = files;
    std::string& bytes = BytesOf(forged, path);
    const size_t at = bytes.rfind(from);
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, from.size(), to);
    Seal(forged);
    Repack(forged);
    const auto report = Verify();
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->agrees()) << path;
    EXPECT_EQ(report->problems.front().file, named) << path;
    EXPECT_EQ(report->problems.front().fault, EvidenceFault::kNotRepeated) << path;
    const auto with_hash = Verify(noted);
    ASSERT_TRUE(with_hash);
    EXPECT_EQ(with_hash->problems.front().file, kManifestFile);
  }
}

// Replaces in all JSON files of a package, as a forger does who knows where figures stand twice.
void ForgeAll(Files& files, std::string_view from, std::string_view to) {
  for (auto& [path, bytes] : files) {
    if (!path.ends_with(".json")) continue;
    for (size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at)) {
      bytes.replace(at, from.size(), to);
      at += to.size();
    }
  }
}

TEST_F(Evidence, WithAForgedVerdictOrShareIsNotWhatZhiwenComputes) {
  Pack();
  const Files files = Unpack();
  for (const auto& [from, to, named] : std::vector<std::array<std::string, 3>>{
           {"\"verdict\":\"contained\"", "\"verdict\":\"same\"", "check.json"},
           {"\"verdict\": \"contained\"", "\"verdict\": \"same\"", "manifest.json"},
           {"\"relation\":\"contained\"", "\"relation\":\"near\"", "matches/1.json"},
           {"\"resemblance\":0.", "\"resemblance\":0.9", "matches/1.json"},
           {"\"containment\":0.", "\"containment\":0.9", "matches/1.json"},
           {"\"containment_of_original\":0.", "\"containment_of_original\":0.9", "matches/1.json"},
           {"\"channel\":\"folded.v3\",\"resemblance\"", "\"channel\":\"exact.v1\",\"resemblance\"",
            "matches/1.json"},
           {"\"precedence\":\"unknown\",\"dates\"",
            "\"precedence\":\"unknown\",\"resemblance\":0.99,\"dates\"", "matches/1.json"},
           {"\"units\":", "\"units\":1", "check.json"},
           {"\"union\":{\"matched\":", "\"union\":{\"matched\":1", "check.json"},
           {"\"truncated\":false", "\"truncated\":false,\"verdict\":\"same\"", "check.json"},
           {"\"below_least\"", "\"matches\":[],\"below_least\"", "check.json"}}) {
    Files forged = files;
    ForgeAll(forged, from, to);
    ASSERT_NE(forged, files) << from;
    Seal(forged);
    Repack(forged);
    const auto report = Verify();
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->agrees()) << from;
    EXPECT_EQ(report->problems.front().file, named) << from;
    EXPECT_EQ(report->problems.front().fault, EvidenceFault::kNotRepeated) << from;
  }
}

TEST_F(Evidence, OfExcludedPassagesIsComputedAgainAndCannotBeForged) {
  const std::string form = std::string(kOther);
  const std::vector<std::string> forms = {form};
  AddToLibrary({{.id = "mine",
                 .text = std::string(kTale) + "完",
                 .labels = {.author = "王一"},
                 .work = {.name = "旧作"}}});
  Write(suspect_, "林中\n" + std::string(kTale) + "\n" + form + "\n未完");
  options_.exclude = {ExclusionReason::kOwnWork, ExclusionReason::kBoilerplate};
  options_.exclusions = {.boilerplate = forms, .author = "王一"};
  const EvidenceSummary summary = Pack();
  ASSERT_EQ(summary.checked.matches.size(), 3U);
  EXPECT_EQ(CountedMatches(summary.checked), 1U);
  const auto report = Verify();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->problems, std::vector<EvidenceProblem>());
  EXPECT_EQ(report->not_repeated, "");
  const Files files = Unpack();
  Files unpacked = files;
  EXPECT_EQ(BytesOf(unpacked, "forms/1.txt"), form);
  const std::string& check = BytesOf(unpacked, kCheckFile);
  EXPECT_NE(check.find("\"reason\":\"own_work\""), std::string::npos);
  EXPECT_NE(check.find("\"reason\":\"boilerplate\""), std::string::npos);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"reason\":\"own_work\"", "\"reason\":\"quotation\""},
           {"\"excluded_as\":\"own_work\"", "\"excluded_as\":null"},
           {"\"author\": \"王一\"", "\"author\": \"王二\""},
           {"\"boilerplate\":", "\"boilerplate\":1"},
           {"", ""}}) {
    Files forged = files;
    if (from.empty()) {
      BytesOf(forged, "forms/1.txt") = "另一份表格";
    } else {
      ForgeAll(forged, from, to);
    }
    ASSERT_NE(forged, files) << from;
    Seal(forged);
    Repack(forged);
    const auto of_forged = Verify();
    ASSERT_TRUE(of_forged) << of_forged.error().message;
    EXPECT_FALSE(of_forged->agrees()) << from;
  }
}

// Ideographs that no other seed has in this order.
std::string TextOfSeed(uint32_t seed, uint32_t characters) {
  std::string text;
  for (uint32_t i = 0; i < characters; ++i) {
    AppendUtf8(0x4E00 + (seed * 7919 + i * i * 131 + i) % 20000, text);
  }
  return text;
}

TEST_F(Evidence, HasTheOriginalThatIsTheReasonOfItsVerdict) {
  // Of each of 22 documents the suspect has more than of the one that is in it as a whole.
  const std::string small = TextOfSeed(2, 30);
  std::string suspect = small;
  std::vector<std::string> texts = {small};
  for (uint32_t i = 0; i < 22; ++i) {
    const std::string passage = TextOfSeed(100 + i, 60);
    texts.push_back(passage + TextOfSeed(10 + i, 300));
    suspect += passage;
  }
  std::vector<LibraryDocument> documents;
  std::vector<std::string> ids;
  for (size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(i));
  for (size_t i = 0; i < texts.size(); ++i) documents.push_back({.id = ids[i], .text = texts[i]});
  AddToLibrary(documents);
  Write(suspect_, suspect);
  const EvidenceSummary summary = Pack();
  ASSERT_GT(summary.checked.matches.size(), kPackedOriginals);
  EXPECT_EQ(summary.checked.matches.back().document.id, "0");
  EXPECT_EQ(summary.checked.verdict, Relation::kContains);
  EXPECT_EQ(summary.originals, kPackedOriginals);
  Files files = Unpack();
  EXPECT_EQ(BytesOf(files, "originals/20/text.txt"), small);
  const auto report = Verify();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->problems, std::vector<EvidenceProblem>());
  EXPECT_EQ(report->not_repeated, "");
}

TEST_F(Evidence, OfAnotherVersionIsNotComputedAgain) {
  Pack();
  Files files = Unpack();
  std::string& json = BytesOf(files, kManifestFile);
  json = Replaced(json, "\"zhiwen\": \"", "\"zhiwen\": \"9");
  Seal(files);
  Repack(files);
  const auto report = Verify();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->agrees());
  EXPECT_NE(report->not_repeated.find("was made by zhiwen 9"), std::string::npos);
}

TEST_F(Evidence, OfAFileThatAnotherProgramReadsHasItsPassagesComputedAgain) {
  Pack();
  Files files = Unpack();
  BytesOf(files, "suspect/source.txt") = "%PDF-1.4\n";  // as if the text had been read in it
  Seal(files);
  Repack(files);
  const auto report = Verify();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->agrees());
  EXPECT_EQ(report->not_repeated, "");
  EXPECT_NE(report->text_not_repeated.find("another program reads"), std::string::npos);
}

TEST_F(Evidence, IsNotReplacedUnlessAskedAndThenOnlyAPackage) {
  Pack();
  const auto& environment = surroundings_.environment(PosixFileSystem());
  const auto again = WriteEvidence(options_, environment);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kConflict);
  options_.overwrite = true;
  EXPECT_TRUE(WriteEvidence(options_, environment));
  Write(package_, "mine");
  EXPECT_FALSE(WriteEvidence(options_, environment));
  EXPECT_EQ(Read(package_), "mine");
}

TEST_F(Evidence, IsMadeOfAFileThatIsOneDocument) {
  Write(folder_ / "records.jsonl", "{\"text\":\"甲\"}\n");
  for (const std::string& suspect :
       {folder_ / "records.jsonl", folder_ / "records.jsonl:1", folder_.path(), std::string("-")}) {
    options_.suspect = suspect;
    const auto refused = WriteEvidence(options_, surroundings_.environment(PosixFileSystem()));
    ASSERT_FALSE(refused) << suspect;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument) << refused.error().message;
  }
  options_.suspect = folder_ / "absent.txt";
  const auto absent = WriteEvidence(options_, surroundings_.environment(PosixFileSystem()));
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(package_));
}

}  // namespace
}  // namespace zhiwen
