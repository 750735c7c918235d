#include "pipeline/library/resource_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "base/hash.h"

namespace zhiwen {
namespace {

constexpr std::string_view kDictionaryWord = "dictionary";

struct ResourceKind {
  std::string_view word;
  std::string SchemeFiles::*path;
};

constexpr ResourceKind kResourceKinds[] = {{"df", &SchemeFiles::df},
                                           {"phonemes", &SchemeFiles::phonemes},
                                           {"stop_words", &SchemeFiles::stop_words},
                                           {"synonyms", &SchemeFiles::synonyms}};

std::string HashName(std::string_view bytes) {
  const Hash128 hash = HashBytes128(bytes);
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

Result<std::unique_ptr<MappedFile>> MapResource(FileSystem& files, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  return file->Map();
}

// Fails: kNotFound; kUnreadable when the bytes are not those of the name.
Status CheckCopy(FileSystem& files, const std::string& path, std::string_view name) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<MappedFile> copy, MapResource(files, path));
  if (HashName(copy->bytes()) == name) return {};
  return Fail(ErrorCode::kUnreadable, fmt::format("\"{}\" is damaged", path));
}

// Copies one file. Returns the name of the copy.
Result<std::string> CopyResource(FileSystem& files, const std::string& library,
                                 const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<MappedFile> source, MapResource(files, path));
  std::string name = HashName(source->bytes());
  const std::string folder = ResourceFolder(library);
  const std::string copy = folder + "/" + name;
  if (CheckCopy(files, copy, name)) return name;
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(folder));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file,
                          files.OpenForWrite(copy + ".partial"));
  ZHIWEN_RETURN_IF_ERROR(file->Append(source->bytes()));
  ZHIWEN_RETURN_IF_ERROR(file->Sync());
  ZHIWEN_RETURN_IF_ERROR(file->Close());
  ZHIWEN_RETURN_IF_ERROR(files.Rename(copy + ".partial", copy));
  ZHIWEN_RETURN_IF_ERROR(files.SyncDirectory(folder));
  ZHIWEN_RETURN_IF_ERROR(files.SyncDirectory(library));
  return name;
}

// Calls visit(word, name of the copy) for the files of a setting.
template <typename Visit>
Status VisitSetting(std::string_view setting, const Visit& visit) {
  while (!setting.empty()) {
    const std::string_view one = setting.substr(0, setting.find(' '));
    setting.remove_prefix(std::min(setting.size(), one.size() + 1));
    const size_t equals = std::min(one.find('='), one.size() - 1);
    ZHIWEN_RETURN_IF_ERROR(visit(one.substr(0, equals), one.substr(equals + 1)));
  }
  return {};
}

}  // namespace

std::string ResourceFolder(const std::string& library) { return library + "/resources"; }

Result<std::string> CopyResources(FileSystem& files, const std::string& library,
                                  const SchemeFiles& given) {
  std::string setting;
  const auto copy = [&](std::string_view word, const std::string& path) -> Status {
    if (path.empty()) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const std::string name, CopyResource(files, library, path));
    setting += fmt::format("{}{}={}", setting.empty() ? "" : " ", word, name);
    return {};
  };
  for (const ResourceKind& kind : kResourceKinds) {
    ZHIWEN_RETURN_IF_ERROR(copy(kind.word, given.*kind.path));
  }
  for (const std::string& dictionary : given.dictionaries) {
    ZHIWEN_RETURN_IF_ERROR(copy(kDictionaryWord, dictionary));
  }
  return setting;
}

Result<SchemeFiles> FindResources(FileSystem& files, const std::string& library,
                                  const CatalogSettings& settings, const std::string& index) {
  SchemeFiles found;
  const auto setting = settings.code_files.find(index);
  if (setting == settings.code_files.end()) return found;
  const auto take = [&](std::string_view word, std::string_view name) -> Status {
    const std::string path = fmt::format("{}/{}", ResourceFolder(library), name);
    const Status whole = CheckCopy(files, path, name);
    if (!whole) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot use the library's copy of a file ({}) that {} was made with: "
                              "{}; zhiwen library derive makes the copy anew from the file, or "
                              "drops its values",
                              word, settings.code_schemes.at(index), whole.error().message));
    }
    if (word == kDictionaryWord) found.dictionaries.push_back(path);
    for (const ResourceKind& kind : kResourceKinds) {
      if (kind.word == word) found.*kind.path = path;
    }
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(VisitSetting(setting->second, take));
  return found;
}

Status RemoveIdleResources(FileSystem& files, const std::string& library,
                           const CatalogSettings& settings) {
  const std::string folder = ResourceFolder(library);
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(folder));
  if (!exists) return {};
  std::set<std::string, std::less<>> needed;
  for (const auto& [index, setting] : settings.code_files) {
    ZHIWEN_RETURN_IF_ERROR(VisitSetting(setting, [&](std::string_view, std::string_view name) {
      needed.emplace(name);
      return Status();
    }));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(folder));
  for (const DirectoryEntry& entry : entries) {
    if (needed.contains(entry.name)) continue;
    ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(folder + "/" + entry.name));
  }
  return files.RemoveEmptyFolder(folder);
}

}  // namespace zhiwen
