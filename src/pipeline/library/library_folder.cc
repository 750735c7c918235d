#include "pipeline/library/library_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "pipeline/library/text_sketcher.h"
#include "store/sqlite/sqlite_corpus_store.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

constexpr std::array<std::string_view, 1> kEssayChannels = {"pinyin"};
constexpr std::array<std::string_view, 3> kNovelChannels = {"pinyin", "shape", "initials"};
constexpr std::array<LibraryProfile, 3> kProfiles = {
    {{"news", "news and web pages: equal texts, near-duplicates from 0.8 on, and passages", 0.8},
     {"novel", "novels: also passages in homophones, spelled, of look-alikes, of split characters",
      0.8, kNovelChannels},
     {"essay",
      "essays: as news, and passages in homophones or spelled; quotations, references and own "
      "work do not count",
      0.8,
      kEssayChannels,
      {ExclusionReason::kSetPhrase, ExclusionReason::kQuotation, ExclusionReason::kReferences,
       ExclusionReason::kBoilerplate, ExclusionReason::kOwnWork, ExclusionReason::kLicensed}}}};

std::string LockPath(const std::string& folder) { return folder + "/lock"; }

// Fails when `folder` holds anything but the beginning of a library whose creation was cut short.
Status CheckPlace(FileSystem& files, const std::string& folder) {
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(folder));
  if (!exists) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(folder));
  const auto fail = [&](std::string_view why) {
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot make a library in \"{}\": {}; name a new or empty folder",
                            folder, why));
  };
  if (!is_folder) return fail("it is a file");
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(folder));
  for (const DirectoryEntry& entry : entries) {
    if (entry.name == "lock") continue;
    if (!entry.name.starts_with("catalog.sqlite")) return fail("it is not empty");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_catalog, files.Exists(CatalogPath(folder)));
  if (has_catalog && !SqliteCorpusStore::IsUnfinished(CatalogPath(folder))) {
    return fail("there is one already");
  }
  return {};
}

Status CheckIsLibrary(FileSystem& files, const std::string& folder) {
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(CatalogPath(folder)));
  if (!exists) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("\"{0}\" is no library; zhiwen library create {0} makes one", folder));
  }
  return {};
}

}  // namespace

std::span<const LibraryProfile> LibraryProfiles() { return kProfiles; }

ExclusionReasons ExclusionsOfProfile(std::string_view name) {
  const auto* const found = std::ranges::find(kProfiles, name, &LibraryProfile::name);
  return (found == kProfiles.end() ? kProfiles.front() : *found).exclusions;
}

std::string CatalogPath(const std::string& folder) { return folder + "/catalog.sqlite"; }

Status Library::Create(FileSystem& files, const std::string& folder, std::string_view profile,
                       const LanguageSource& language) {
  const auto* const found = std::ranges::find(kProfiles, profile, &LibraryProfile::name);
  if (found == kProfiles.end()) {
    std::vector<std::string_view> names;
    names.reserve(kProfiles.size());
    for (const LibraryProfile& known : kProfiles) names.push_back(known.name);
    return Fail(ErrorCode::kInvalidArgument, fmt::format("there is no profile \"{}\"; there is {}",
                                                         profile, fmt::join(names, ", ")));
  }
  CatalogSettings settings = {.profile = std::string(found->name),
                              .near_scheme = SignatureScheme(),
                              .near_threshold = found->near_threshold,
                              .passage_scheme = PassageScheme()};
  ZHIWEN_ASSIGN_OR_RETURN(settings.channel_schemes, ChannelSchemes(found->channels, language));
  ZHIWEN_RETURN_IF_ERROR(CheckPlace(files, folder));
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(folder));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock, files.Lock(LockPath(folder)));
  ZHIWEN_RETURN_IF_ERROR(SqliteCorpusStore::Create(CatalogPath(folder), settings));
  return files.SyncDirectory(folder);
}

Result<std::unique_ptr<FileLock>> LockLibrary(FileSystem& files, const std::string& folder) {
  ZHIWEN_RETURN_IF_ERROR(CheckIsLibrary(files, folder));
  auto lock = files.Lock(LockPath(folder));
  if (lock || lock.error().code != ErrorCode::kConflict) return lock;
  return Fail(
      ErrorCode::kConflict,
      fmt::format("another process is writing to the library \"{}\"; wait until it ends", folder));
}

Result<std::unique_ptr<CorpusStore>> OpenCatalog(FileSystem& files, const std::string& folder,
                                                 CatalogAccess access) {
  ZHIWEN_RETURN_IF_ERROR(CheckIsLibrary(files, folder));
  using Access = SqliteCorpusStore::Access;
  ZHIWEN_ASSIGN_OR_RETURN(
      std::unique_ptr<CorpusStore> store,
      SqliteCorpusStore::Open(CatalogPath(folder),
                              access == CatalogAccess::kWrite ? Access::kWrite : Access::kRead));
  const CatalogSettings& settings = store->settings();
  for (const auto& [has, computes] : {std::pair(settings.near_scheme, SignatureScheme()),
                                      std::pair(settings.passage_scheme, PassageScheme())}) {
    if (has == computes) continue;
    return Fail(ErrorCode::kConflict,
                fmt::format("the library \"{}\" has values of {}, and this version of zhiwen "
                            "computes {}; add its documents to a new library",
                            folder, has, computes));
  }
  return store;
}

}  // namespace zhiwen
