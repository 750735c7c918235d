#include "zhiwen/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8/utf8.h"
#include "pipeline/library/library_folder.h"
#include "pipeline/library/near_index.h"
#include "pipeline/library/text_check.h"
#include "pipeline/library/text_sketcher.h"

namespace zhiwen {
namespace {

// Returns the bytes of all files in a folder, at any depth.
Result<uint64_t> BytesBelow(FileSystem& files, const std::string& folder) {
  uint64_t bytes = 0;
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(folder));
  for (const DirectoryEntry& entry : entries) {
    const std::string path = folder + "/" + entry.name;
    if (entry.is_directory) {
      ZHIWEN_ASSIGN_OR_RETURN(const uint64_t below, BytesBelow(files, path));
      bytes += below;
    } else if (entry.is_file) {
      ZHIWEN_ASSIGN_OR_RETURN(const auto file, files.OpenForRead(path));
      ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file->Identity());
      bytes += identity.size;
    }
  }
  return bytes;
}

class OpenLibrary final : public Library {
 public:
  OpenLibrary(FileSystem& files, std::string folder, std::unique_ptr<CorpusStore> store,
              std::unique_ptr<MinHashIndex> near, uint64_t documents)
      : files_(files),
        folder_(std::move(folder)),
        store_(std::move(store)),
        near_(std::move(near)),
        documents_(documents) {}

  Result<LibraryFacts> Facts() const override;
  Result<std::vector<StoredDocument>> FindVersions(std::string_view id) const override {
    return store_->FindVersions(id);
  }
  Result<std::string> ReadText(const StoredDocument& document) const override {
    return store_->ReadText(document.text);
  }
  Status VisitDocuments(LibraryVersions versions,
                        const std::function<Status(const StoredDocument&)>& visit) const override {
    using Which = CorpusStore::Which;
    const Which which = versions == LibraryVersions::kLive ? Which::kLive : Which::kAll;
    return store_->VisitDocuments(which, 0, visit);
  }
  Result<CheckedText> Check(std::string_view text, const TextCheckOptions& options) const override;

 private:
  uint64_t IndexSequence() const { return near_ == nullptr ? 0 : near_->stats().sequence; }

  FileSystem& files_;
  const std::string folder_;
  const std::unique_ptr<CorpusStore> store_;
  const std::unique_ptr<MinHashIndex> near_;  // null: nothing was added yet
  const uint64_t documents_;                  // live, when it was opened
};

Result<LibraryFacts> OpenLibrary::Facts() const {
  ZHIWEN_ASSIGN_OR_RETURN(const CatalogFacts catalog, store_->Facts());
  const CatalogSettings& settings = store_->settings();
  LibraryFacts facts = {.id = settings.id,
                        .profile = settings.profile,
                        .near_scheme = settings.near_scheme,
                        .near_threshold = settings.near_threshold,
                        .documents = catalog.live,
                        .superseded = catalog.superseded,
                        .removed = catalog.removed,
                        .texts = catalog.texts,
                        .text_bytes = catalog.text_bytes,
                        .stored_bytes = catalog.stored_bytes,
                        .sequence = catalog.sequence,
                        .index_sequence = IndexSequence()};
  if (near_ != nullptr) facts.index_bytes = near_->stats().bytes();
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t all, BytesBelow(files_, folder_));
  facts.catalog_bytes = all - std::min(all, facts.index_bytes);
  return facts;
}

Result<CheckedText> OpenLibrary::Check(std::string_view text,
                                       const TextCheckOptions& options) const {
  if (const size_t invalid = FindInvalidUtf8(text); invalid < text.size()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("the text is not valid UTF-8 at byte {}", invalid));
  }
  ZHIWEN_ASSIGN_OR_RETURN(CheckedText checked, CheckText(*store_, near_.get(), text, options));
  checked.documents = documents_;
  checked.sequence = IndexSequence();
  return checked;
}

}  // namespace

Result<std::unique_ptr<Library>> Library::Open(FileSystem& files, const std::string& folder) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<CorpusStore> store,
                          OpenCatalog(files, folder, CatalogAccess::kRead));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t live, store->CountLive());
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t incarnation, store->Incarnation());
  std::unique_ptr<MinHashIndex> near;
  if (incarnation != 0) {
    auto opened = MinHashIndex::Open(files, NearIndexFolder(folder, incarnation));
    if (!opened) {
      return Fail(opened.error().code,
                  fmt::format("{}; zhiwen library compact {} makes the index anew from the catalog",
                              opened.error().message, folder));
    }
    near = *std::move(opened);
  }
  return std::unique_ptr<Library>(
      std::make_unique<OpenLibrary>(files, folder, std::move(store), std::move(near), live));
}

}  // namespace zhiwen
