#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/library/code_schemes.h"
#include "pipeline/library/library_folder.h"
#include "pipeline/library/resource_copies.h"
#include "zhiwen/library.h"
#include "zhiwen/library_derive.h"
#include "zhiwen/phoneme_snapshot.h"
#include "zhiwen/scheme_files.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

// Returns the first name of an index that no scheme ever had: "scheme1", "scheme2", … The folder of
// an earlier one may still be there, where its removal was stopped.
Result<std::string> FreeIndexName(const Scheme& scheme, const CorpusStore& store) {
  for (size_t number = 1;; ++number) {
    std::string name = fmt::format("{}{}", IndexNameOf(scheme), number);
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store.Incarnation(name));
    if (incarnation == 0 && !store.settings().code_schemes.contains(name)) return name;
  }
}

// Returns the indexes of a family's schemes that can no longer be made, and those that are of
// another kind than today's.
std::vector<std::string> FindStale(std::string_view family, const std::string& folder,
                                   const CatalogSettings& settings,
                                   const BatchEnvironment& environment) {
  std::vector<std::string> stale;
  for (const auto& [index, name] : settings.code_schemes) {
    if (FamilyOfName(name) != family) continue;
    const auto made =
        OpenCodeScheme(environment.files, folder, settings, index, environment.language);
    if (made ? !index.starts_with(IndexNameOf(*made->scheme))
             : made.error().code == ErrorCode::kConflict) {
      stale.push_back(index);
    }
  }
  return stale;
}

// Fails when a file is given that the scheme was not made with.
Status RefuseIdleFiles(const SchemeFiles& given, const SchemeResources& resources,
                       const std::string& scheme) {
  const auto refuse = [&](const std::string& path, const std::string& name) -> Status {
    if (path.empty() || scheme.find(name) != std::string::npos) return {};
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the values of {} are not made with \"{}\"; leave the file out, or "
                            "name a scheme that uses it",
                            scheme, path));
  };
  if (!given.df.empty()) ZHIWEN_RETURN_IF_ERROR(refuse(given.df, resources.snapshot->id()));
  if (!given.phonemes.empty()) {
    ZHIWEN_RETURN_IF_ERROR(refuse(given.phonemes, resources.phonemes->id()));
  }
  if (!given.stop_words.empty()) {
    ZHIWEN_RETURN_IF_ERROR(refuse(given.stop_words, resources.stop_words->id()));
  }
  if (!given.has_words()) return {};
  return refuse(given.synonyms.empty() ? given.dictionaries.front() : given.synonyms,
                resources.terms->name());
}

// A catalog, and the lock of its library.
struct LockedCatalog {
  std::unique_ptr<FileLock> lock;
  std::unique_ptr<CorpusStore> store;
};

Result<LockedCatalog> OpenLockedCatalog(const std::string& folder,
                                        const BatchEnvironment& environment) {
  LockedCatalog locked;
  ZHIWEN_ASSIGN_OR_RETURN(locked.lock, LockLibrary(environment.files, folder));
  ZHIWEN_ASSIGN_OR_RETURN(locked.store,
                          OpenCatalog(environment.files, folder, CatalogAccess::kWrite));
  return locked;
}

// Removes the folders of indexes that the catalog no longer has.
Status RemoveFolders(const std::string& folder, const std::vector<std::string>& indexes,
                     FileSystem& files) {
  const std::string parent = folder + "/index";
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(parent));
  if (!exists) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(parent));
  for (const DirectoryEntry& entry : entries) {
    for (const std::string& index : indexes) {
      if (!entry.name.starts_with(index + "-")) continue;
      ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(parent + "/" + entry.name));
    }
  }
  return {};
}

// Sets the schemes of a catalog and their files, and removes the indexes and the copies of files of
// those that go.
Status ChangeSchemes(const std::string& folder, const CatalogSettings& wanted, CorpusStore& store,
                     FileSystem& files) {
  std::vector<std::string> gone;
  for (const auto& [index, scheme] : store.settings().code_schemes) {
    if (!wanted.code_schemes.contains(index)) gone.push_back(index);
  }
  ZHIWEN_RETURN_IF_ERROR(store.SetCodeSchemes(wanted.code_schemes, wanted.code_files));
  ZHIWEN_RETURN_IF_ERROR(RemoveFolders(folder, gone, files));
  return RemoveIdleResources(files, folder, store.settings());
}

// Puts a scheme into `settings`, with copies of its files.
Status PutScheme(const std::string& folder, const std::string& scheme, const SchemeFiles& given,
                 const std::string& index, const BatchEnvironment& environment,
                 CatalogSettings& settings) {
  settings.code_schemes[index] = scheme;
  ZHIWEN_ASSIGN_OR_RETURN(std::string copies, CopyResources(environment.files, folder, given));
  settings.code_files.erase(index);
  if (!copies.empty()) settings.code_files.emplace(index, std::move(copies));
  auto made = OpenCodeScheme(environment.files, folder, settings, index, environment.language);
  if (made) return {};
  if (made.error().code != ErrorCode::kConflict) return Fail(std::move(made));
  return Fail(ErrorCode::kConflict,
              fmt::format("a file changed while it was read, or can be read only once: {}",
                          made.error().message));
}

}  // namespace

Result<DerivedScheme> DeriveScheme(const std::string& folder, std::string_view name,
                                   const BatchEnvironment& environment, const SchemeFiles& given) {
  ZHIWEN_ASSIGN_OR_RETURN(const SchemeResources resources,
                          OpenSchemeFiles(environment.files, given, environment.language));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<Scheme> scheme,
                          CreateLibraryScheme(name, environment.language, resources));
  DerivedScheme derived = {.scheme = scheme->canonical_name(), .replaced = {}};
  if (scheme->uses_fields()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the values of {} are made of fields, and a library finds documents by "
                            "values that are made of a text",
                            derived.scheme));
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleFiles(given, resources, derived.scheme));
  {
    ZHIWEN_ASSIGN_OR_RETURN(const LockedCatalog catalog, OpenLockedCatalog(folder, environment));
    CatalogSettings settings = catalog.store->settings();
    for (const std::string& index :
         FindStale(FamilyOfName(derived.scheme), folder, settings, environment)) {
      derived.replaced.push_back(settings.code_schemes.at(index));
      settings.code_schemes.erase(index);
      settings.code_files.erase(index);
    }
    const auto there = std::ranges::find(settings.code_schemes, derived.scheme,
                                         [](const auto& one) { return one.second; });
    derived.is_new = there == settings.code_schemes.end();
    ZHIWEN_ASSIGN_OR_RETURN(const std::string index, derived.is_new
                                                         ? FreeIndexName(*scheme, *catalog.store)
                                                         : Result<std::string>(there->first));
    ZHIWEN_RETURN_IF_ERROR(PutScheme(folder, derived.scheme, given, index, environment, settings));
    // The writer needs them all.
    auto all = OpenCodeSchemes(environment.files, folder, settings, environment.language);
    if (!all) return Fail(std::move(all));
    ZHIWEN_RETURN_IF_ERROR(ChangeSchemes(folder, settings, *catalog.store, environment.files));
  }
  // The writer makes the index, as it makes one that was lost.
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer, LibraryWriter::Open(folder, environment));
  ZHIWEN_RETURN_IF_ERROR(writer->Close());
  return derived;
}

Result<std::string> DropScheme(const std::string& folder, std::string_view name,
                               const BatchEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(const LockedCatalog catalog, OpenLockedCatalog(folder, environment));
  CatalogSettings settings = catalog.store->settings();
  // Without the copies of its files a scheme is dropped all the same.
  const auto open = OpenCodeSchemes(environment.files, folder, settings, environment.language);
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::string index,
      FindCodeScheme(settings, name, environment.language,
                     open ? std::span<const CodeScheme>(*open) : std::span<const CodeScheme>()));
  std::string dropped = settings.code_schemes.at(index);
  settings.code_schemes.erase(index);
  settings.code_files.erase(index);
  ZHIWEN_RETURN_IF_ERROR(ChangeSchemes(folder, settings, *catalog.store, environment.files));
  return dropped;
}

}  // namespace zhiwen
