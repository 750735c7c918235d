#include <map>
#include <utility>

#include "zhiwen/library.h"

namespace zhiwen {

Result<WorkDocuments> FindDocumentsOfWork(const Library& library, std::string_view work,
                                          LibraryVersions versions) {
  WorkDocuments found;
  if (versions == LibraryVersions::kLive) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<StoredDocument> parts, library.FindParts(work));
    for (const StoredDocument& part : parts) found.ids.push_back(part.id);
    return found;
  }
  // Ids that have a version of the work, and whether the newest one is.
  std::map<std::string, bool> ids;
  ZHIWEN_RETURN_IF_ERROR(
      library.VisitDocuments(versions, [&](const StoredDocument& document) -> Status {
        if (!work.empty() && document.work.name == work) {
          ids[document.id] = true;
        } else if (const auto known = ids.find(document.id); known != ids.end()) {
          known->second = false;
        }
        return {};
      }));
  for (const auto& [id, is_of_work] : ids) (is_of_work ? found.ids : found.moved).push_back(id);
  return found;
}

}  // namespace zhiwen
