#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "pipeline/library/check_contents.h"
#include "pipeline/library/derived_index.h"
#include "pipeline/library/library_folder.h"
#include "pipeline/library/resource_copies.h"
#include "zhiwen/code_index.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

constexpr size_t kMostNamed = 10;  // documents, of one kind of fault

// Returns the documents that the index has to have: those that the changes up to `sequence` leave.
Result<std::unordered_set<uint64_t>> DocumentsAt(const CorpusStore& store, uint64_t sequence) {
  std::unordered_set<uint64_t> documents;
  ZHIWEN_RETURN_IF_ERROR(store.VisitChanges(0, [&](const CatalogChange& change) -> Status {
    if (change.sequence > sequence) return {};
    if (change.kind == CatalogChangeKind::kAdd) {
      documents.insert(change.document);
    } else {
      documents.erase(change.document);
    }
    return {};
  }));
  return documents;
}

void NameDocuments(const std::unordered_set<uint64_t>& documents, std::string_view what,
                   std::vector<std::string>& problems) {
  size_t named = 0;
  for (const uint64_t document : documents) {
    if (named++ == kMostNamed) break;
    problems.push_back(fmt::format("{} document {}", what, document));
  }
  if (documents.size() > kMostNamed) {
    problems.push_back(fmt::format("{} {} more", what, documents.size() - kMostNamed));
  }
}

// Compares the documents of an index with those that it has to have. Of postings, whose documents
// cannot be listed, it compares the number, and CheckContents does the rest; of codes, which some
// documents have none of, that they are no more.
Status CompareDocuments(FileSystem& files, const std::string& folder, DerivedContent content,
                        std::unordered_set<uint64_t> wanted, std::vector<std::string>& problems) {
  if (content == DerivedContent::kSelected || content == DerivedContent::kGranules) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto index, PostingsIndex::Open(files, folder));
    const uint64_t documents = index->statistics().documents;
    if (documents != wanted.size()) {
      problems.push_back(fmt::format("\"{}\" has {} documents, and the catalog {}", folder,
                                     documents, wanted.size()));
    }
    return {};
  }
  if (content == DerivedContent::kCodes) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto index, CodeIndex::Open(files, folder));
    const CodeIndexStats stats = index->stats();
    if (stats.counts_once() && stats.rows() > wanted.size()) {
      problems.push_back(fmt::format("\"{}\" has {} documents, and the catalog {}", folder,
                                     stats.rows(), wanted.size()));
    }
    return {};
  }
  ZHIWEN_ASSIGN_OR_RETURN(const auto index, MinHashIndex::Open(files, folder));
  std::unordered_set<uint64_t> unexpected;
  ZHIWEN_RETURN_IF_ERROR(index->VisitDocuments([&](uint64_t document) -> Status {
    if (wanted.erase(document) == 0) unexpected.insert(document);
    return {};
  }));
  NameDocuments(wanted, fmt::format("\"{}\" lacks", folder), problems);
  NameDocuments(unexpected, fmt::format("\"{}\" has, and the catalog has not,", folder), problems);
  return {};
}

// Checks the files of an index, and which documents it has. Adds it to `whole` when both are right.
Status CheckIndex(const CorpusStore& store, const std::string& library, const DerivedIndex& index,
                  const BatchEnvironment& environment, LibraryCheck& found,
                  std::vector<IndexToCompare>& whole) {
  std::vector<std::string>& problems = found.problems;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store.Incarnation(index.name));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store.LastSequence());
  const bool has_codes = index.kind->content == DerivedContent::kCodes;
  // Nothing was added yet, or no writer came since the scheme was chosen.
  if (incarnation == 0 && (last == 0 || index.is_chosen_later())) {
    found.behind = last;
    return {};
  }
  const std::string folder = DerivedIndexFolder(library, store.settings(), index.name, incarnation);
  const auto check =
      index.kind->check(environment.files, folder, environment.progress, environment.cancellation);
  if (!check && check.error().code != ErrorCode::kNotFound) {
    return Fail(Result<DerivedIndexCheck>(check));
  }
  if (!check) {
    problems.push_back(check.error().message);
    return {};
  }
  const size_t before = problems.size();
  problems.insert(problems.end(), check->problems.begin(), check->problems.end());
  if (check->sequence > last) {
    problems.push_back(
        fmt::format("\"{}\" is ahead of the catalog, which was restored from a copy", folder));
  }
  if (!check->problems.empty() || check->sequence > last) return {};
  found.behind = std::max(found.behind, last - check->sequence);
  ZHIWEN_ASSIGN_OR_RETURN(std::unordered_set<uint64_t> wanted, DocumentsAt(store, check->sequence));
  ZHIWEN_RETURN_IF_ERROR(
      CompareDocuments(environment.files, folder, index.kind->content, wanted, problems));
  if (problems.size() == before && !has_codes) whole.push_back({index, folder, std::move(wanted)});
  return {};
}

}  // namespace

Result<LibraryCheck> CheckLibrary(const std::string& folder, const BatchEnvironment& environment) {
  FileSystem& files = environment.files;
  // A writer would change what was read. Where nothing can be written, nobody writes.
  const auto lock = LockLibrary(files, folder);
  if (!lock &&
      (lock.error().code == ErrorCode::kConflict || lock.error().code == ErrorCode::kNotFound)) {
    return tl::unexpected(lock.error());
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<CorpusStore> store,
                          OpenCatalog(files, folder, CatalogAccess::kRead));
  LibraryCheck check;
  ZHIWEN_RETURN_IF_ERROR(
      store->Check([&](std::string problem) { check.problems.push_back(std::move(problem)); },
                   environment.progress, environment.cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(check.documents, store->CountLive());
  for (const auto& [index, scheme] : store->settings().code_schemes) {
    const auto copies = FindResources(files, folder, store->settings(), index);
    if (!copies) check.problems.push_back(copies.error().message);
  }
  std::vector<IndexToCompare> whole;
  for (const DerivedIndex& index : DerivedIndexesOf(store->settings())) {
    ZHIWEN_RETURN_IF_ERROR(CheckIndex(*store, folder, index, environment, check, whole));
  }
  ZHIWEN_RETURN_IF_ERROR(
      CheckContents(folder, *store, std::move(whole), environment, check.problems));
  return check;
}

}  // namespace zhiwen
