#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "pipeline/library/code_schemes.h"
#include "pipeline/library/library_folder.h"
#include "zhiwen/library.h"
#include "zhiwen/library_derive.h"

namespace zhiwen {
namespace {

// Returns the first name of an index that no scheme ever had: "scheme1", "scheme2", … The folder of
// an earlier one may still be there, where its removal was stopped.
Result<std::string> FreeIndexName(const CorpusStore& store) {
  for (size_t number = 1;; ++number) {
    std::string name = fmt::format("scheme{}", number);
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store.Incarnation(name));
    if (incarnation == 0 && !store.settings().code_schemes.contains(name)) return name;
  }
}

// Takes out the schemes of a family that can no longer be made, and returns their names.
std::vector<std::string> TakeStale(std::string_view family, const LanguageSource& language,
                                   std::map<std::string, std::string>& schemes) {
  std::vector<std::string> stale;
  std::erase_if(schemes, [&](const auto& one) {
    if (FamilyOfName(one.second) != family) return false;
    const auto made = CreateLibraryScheme(one.second, language);
    if (made || made.error().code != ErrorCode::kConflict) return false;
    stale.push_back(one.second);
    return true;
  });
  return stale;
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

// Sets the schemes of a catalog, and removes the indexes of those that go.
Status ChangeSchemes(const std::string& folder, const std::map<std::string, std::string>& schemes,
                     CorpusStore& store, FileSystem& files) {
  std::vector<std::string> gone;
  for (const auto& [index, scheme] : store.settings().code_schemes) {
    if (!schemes.contains(index)) gone.push_back(index);
  }
  ZHIWEN_RETURN_IF_ERROR(store.SetCodeSchemes(schemes));
  return RemoveFolders(folder, gone, files);
}

}  // namespace

Result<DerivedScheme> DeriveScheme(const std::string& folder, std::string_view name,
                                   const BatchEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<Scheme> scheme,
                          CreateLibraryScheme(name, environment.language));
  DerivedScheme derived = {.scheme = scheme->canonical_name(), .replaced = {}};
  if (scheme->uses_fields()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the values of {} are made of fields, and a library finds documents by "
                            "values that are made of a text",
                            derived.scheme));
  }
  {
    ZHIWEN_ASSIGN_OR_RETURN(const LockedCatalog catalog, OpenLockedCatalog(folder, environment));
    std::map<std::string, std::string> schemes = catalog.store->settings().code_schemes;
    derived.replaced = TakeStale(FamilyOfName(derived.scheme), environment.language, schemes);
    derived.is_new = std::ranges::none_of(
        schemes, [&](const auto& one) { return one.second == derived.scheme; });
    if (derived.is_new) {
      ZHIWEN_ASSIGN_OR_RETURN(std::string index, FreeIndexName(*catalog.store));
      schemes.emplace(std::move(index), derived.scheme);
      ZHIWEN_RETURN_IF_ERROR(ChangeSchemes(folder, schemes, *catalog.store, environment.files));
    }
  }
  // The writer makes the index, as it makes one that was lost.
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer, LibraryWriter::Open(folder, environment));
  ZHIWEN_RETURN_IF_ERROR(writer->Close());
  return derived;
}

Result<std::string> DropScheme(const std::string& folder, std::string_view name,
                               const BatchEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(const LockedCatalog catalog, OpenLockedCatalog(folder, environment));
  const CatalogSettings& settings = catalog.store->settings();
  ZHIWEN_ASSIGN_OR_RETURN(const std::string index,
                          FindCodeScheme(settings, name, environment.language));
  std::map<std::string, std::string> schemes = settings.code_schemes;
  std::string dropped = schemes.at(index);
  schemes.erase(index);
  ZHIWEN_RETURN_IF_ERROR(ChangeSchemes(folder, schemes, *catalog.store, environment.files));
  return dropped;
}

}  // namespace zhiwen
