#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "pipeline/library/library_folder.h"
#include "pipeline/library/near_index.h"
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

Status CompareIndex(const CorpusStore& store, FileSystem& files, const std::string& folder,
                    std::vector<std::string>& problems) {
  const auto index = MinHashIndex::Open(files, folder);
  if (!index) {
    problems.push_back(index.error().message);
    return {};
  }
  const uint64_t sequence = (*index)->stats().sequence;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store.LastSequence());
  if (sequence > last) {
    problems.push_back(
        fmt::format("\"{}\" is ahead of the catalog, which was restored from a copy", folder));
    return {};
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::unordered_set<uint64_t> missing, DocumentsAt(store, sequence));
  std::unordered_set<uint64_t> unexpected;
  const Status visited = (*index)->VisitDocuments([&](uint64_t document) -> Status {
    if (missing.erase(document) == 0) unexpected.insert(document);
    return {};
  });
  if (!visited) problems.push_back(visited.error().message);
  NameDocuments(missing, fmt::format("\"{}\" lacks", folder), problems);
  NameDocuments(unexpected, fmt::format("\"{}\" has, and the catalog has not,", folder), problems);
  return {};
}

}  // namespace

Result<LibraryCheck> CheckLibrary(const std::string& folder, const BatchEnvironment& environment) {
  FileSystem& files = environment.files;
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<CorpusStore> store,
                          OpenCatalog(files, folder, CatalogAccess::kRead));
  LibraryCheck check;
  ZHIWEN_RETURN_IF_ERROR(
      store->Check([&](std::string problem) { check.problems.push_back(std::move(problem)); },
                   environment.progress, environment.cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(check.documents, store->CountLive());
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store->Incarnation());
  if (incarnation == 0) return check;  // nothing was added yet
  const std::string index = NearIndexFolder(folder, incarnation);
  const auto of_index =
      CheckMinHashIndex(files, index, environment.progress, environment.cancellation);
  if (!of_index && of_index.error().code != ErrorCode::kNotFound) {
    return Fail(Result<MinHashIndexCheck>(of_index));
  }
  if (!of_index) {
    check.problems.push_back(of_index.error().message);
    return check;
  }
  check.problems.insert(check.problems.end(), of_index->problems.begin(), of_index->problems.end());
  if (!check.problems.empty()) return check;
  ZHIWEN_RETURN_IF_ERROR(CompareIndex(*store, files, index, check.problems));
  return check;
}

}  // namespace zhiwen
