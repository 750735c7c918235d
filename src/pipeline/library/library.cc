#include "zhiwen/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "pipeline/library/derived_index.h"
#include "pipeline/library/every_document.h"
#include "pipeline/library/granule_matches.h"
#include "pipeline/library/library_folder.h"
#include "pipeline/library/match_passages.h"
#include "pipeline/library/picture_matches.h"
#include "pipeline/library/precedence.h"
#include "pipeline/library/resource_copies.h"
#include "pipeline/library/scheme_matches.h"
#include "pipeline/library/similar_documents.h"
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
      const auto file = files.OpenForRead(path);
      if (!file && file.error().code == ErrorCode::kNotFound) continue;  // a writer removed it
      if (!file) return tl::unexpected(file.error());
      ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, (*file)->Identity());
      bytes += identity.size;
    }
  }
  return bytes;
}

// Returns the last change that an index has; null: none.
template <typename Index>
uint64_t SequenceOf(const Index* index) {
  return index == nullptr ? 0 : index->stats().sequence;
}

// Returns the bytes of an index on the disk; null: none.
template <typename Index>
uint64_t BytesOf(const Index* index) {
  return index == nullptr ? 0 : index->stats().bytes();
}

class OpenLibrary final : public Library {
 public:
  OpenLibrary(FileSystem& files, std::string folder, std::unique_ptr<CorpusStore> store,
              Result<std::vector<PassageChannel>> channels,
              Result<std::vector<CodeScheme>> granules, IndexReaders indexes, uint64_t documents,
              uint64_t sequence, LanguageSource language)
      : files_(files),
        folder_(std::move(folder)),
        store_(std::move(store)),
        channels_(std::move(channels)),
        granules_(std::move(granules)),
        indexes_(std::move(indexes)),
        documents_(documents),
        sequence_(sequence),
        language_(std::move(language)) {}

  const std::string& profile() const override { return store_->settings().profile; }
  Result<LibraryFacts> Facts() const override;
  Result<std::vector<StoredDocument>> FindVersions(std::string_view id) const override {
    return store_->FindVersions(id);
  }
  Result<uint64_t> CountOwners() const override { return store_->CountOwners(); }
  Result<std::optional<StoredDocument>> Find(uint32_t number) const override {
    return store_->Find(number);
  }
  Result<std::vector<StoredDocument>> FindParts(std::string_view work) const override {
    return store_->FindParts(work);
  }
  Status VisitWorks(const std::function<Status(const StoredWork&)>& visit) const override {
    return store_->VisitWorks(visit);
  }
  Result<std::string> ReadText(const StoredDocument& document) const override {
    return store_->ReadText(document.text);
  }
  Result<std::optional<DocumentSource>> ReadSource(const StoredDocument& document) const override {
    return store_->ReadSource(document.number);
  }
  Status VisitDocuments(LibraryVersions versions,
                        const std::function<Status(const StoredDocument&)>& visit) const override {
    using Which = CorpusStore::Which;
    const Which which = versions == LibraryVersions::kLive ? Which::kLive : Which::kAll;
    return store_->VisitDocuments(which, 0, visit);
  }
  Result<CheckedText> Check(std::string_view text, const TextCheckOptions& options) const override;
  Result<CheckedText> CheckPicture(std::string_view keys,
                                   const TextCheckOptions& options) const override;
  Result<SimilarDocuments> FindSimilar(std::string_view text,
                                       const SimilarityOptions& options) const override;
  Result<SimilarDocuments> CompareWithAll(std::string_view text, const SimilarityOptions& options,
                                          const PhonemePrefilter* prefilter,
                                          const BatchEnvironment& environment) const override;
  Result<SchemeMatches> FindByScheme(std::string_view text,
                                     const SchemeQuery& query) const override;

 private:
  // Returns the pictures of the library, which are read when they are first needed.
  const Result<LibraryPictures>& pictures() const {
    std::call_once(pictures_read_, [&] { pictures_ = LibraryPictures::Read(*store_); });
    return *pictures_;
  }

  // Returns the schemes of the library's codes, which are made when they are first needed.
  const Result<std::vector<CodeScheme>>& schemes() const {
    std::call_once(schemes_made_, [&] {
      schemes_ = OpenCodeSchemes(files_, folder_, store_->settings(), language_);
    });
    return schemes_;
  }

  // Returns which of the indexes of its kind the library has under this name.
  size_t PartOf(std::string_view index) const {
    const std::vector<DerivedIndex> indexes = DerivedIndexesOf(store_->settings());
    return std::ranges::find(indexes, index, &DerivedIndex::name)->part;
  }

  // Returns the last change that the indexes have by which checks find documents.
  uint64_t TextSequence() const {
    uint64_t sequence = SequenceOf(indexes_.near.get());
    for (const auto& index : indexes_.selected) {
      sequence = std::min(sequence, SequenceOf(index.get()));
    }
    return sequence;
  }

  // Returns the last change that all indexes have.
  uint64_t IndexSequence() const {
    uint64_t sequence = TextSequence();
    for (const auto& index : indexes_.granules) {
      sequence = std::min(sequence, SequenceOf(index.get()));
    }
    for (const auto& index : indexes_.codes) {
      sequence = std::min(sequence, SequenceOf(index.get()));
    }
    return sequence;
  }

  // Returns about how many symbols the texts have, by the blocks that winnowing selected: of a
  // window and one more, two.
  uint64_t SearchedSymbols() const {
    if (indexes_.selected.empty() || indexes_.selected.front() == nullptr) return 0;
    const PostingsIndexStats stats = indexes_.selected.front()->stats();
    uint64_t blocks = stats.log.postings;
    for (const PostingsSegmentStats& segment : stats.segments) {
      blocks += segment.statistics.postings;
    }
    constexpr uint64_t kWindow = kPassageRun - kPassageBlock + 1;
    return blocks * (kWindow + 1) / 2;
  }

  // Returns how many changes an index lacks that the catalog had when the library was opened.
  uint64_t Lacking(uint64_t sequence) const { return sequence_ - std::min(sequence_, sequence); }

  FileSystem& files_;
  const std::string folder_;
  const std::unique_ptr<CorpusStore> store_;
  // Without language data that they need everything works but checks, or passages of granules.
  const Result<std::vector<PassageChannel>> channels_;
  const Result<std::vector<CodeScheme>> granules_;
  const IndexReaders indexes_;
  const uint64_t documents_, sequence_;  // live ones, and the last change, when it was opened
  const LanguageSource language_;
  mutable std::once_flag schemes_made_;
  mutable Result<std::vector<CodeScheme>> schemes_;
  mutable std::once_flag pictures_read_;
  mutable std::optional<Result<LibraryPictures>> pictures_;
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
                        .works = catalog.works,
                        .owners = catalog.owners,
                        .texts = catalog.texts,
                        .text_bytes = catalog.text_bytes,
                        .stored_bytes = catalog.stored_bytes,
                        .sequence = catalog.sequence,
                        .index_sequence = IndexSequence()};
  if (indexes_.near != nullptr) facts.near_bytes = indexes_.near->stats().bytes();
  uint64_t code_bytes = 0;
  for (const DerivedIndex& index : DerivedIndexesOf(settings)) {
    if (index.kind->content == DerivedContent::kSignatures) continue;
    LibraryChannelFacts channel{.index = index.name, .scheme = index.scheme};
    if (index.is_chosen_later()) {
      channel.bytes = index.kind->content == DerivedContent::kCodes
                          ? BytesOf(indexes_.codes[index.part].get())
                          : BytesOf(indexes_.granules[index.part].get());
      code_bytes += channel.bytes;
      facts.schemes.push_back(std::move(channel));
      continue;
    }
    channel.bytes = BytesOf(indexes_.selected[index.part].get());
    facts.passage_bytes += channel.bytes;
    facts.channels.push_back(std::move(channel));
  }
  auto copies = BytesBelow(files_, ResourceFolder(folder_));
  if (!copies && copies.error().code != ErrorCode::kNotFound) return Fail(std::move(copies));
  facts.resource_bytes = copies.value_or(0);
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t all, BytesBelow(files_, folder_));
  facts.catalog_bytes = all - std::min(all, facts.near_bytes + facts.passage_bytes + code_bytes +
                                                facts.resource_bytes);
  return facts;
}

Status CheckTextIsUtf8(std::string_view text) {
  const size_t invalid = FindInvalidUtf8(text);
  if (invalid == text.size()) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("the text is not valid UTF-8 at byte {}", invalid));
}

Result<CheckedText> OpenLibrary::Check(std::string_view text,
                                       const TextCheckOptions& options) const {
  ZHIWEN_RETURN_IF_ERROR(CheckTextIsUtf8(text));
  if (!channels_) return tl::unexpected(channels_.error());
  std::vector<GranuleChannel> granules;
  uint64_t granules_lacking = 0;
  for (size_t i = 0; options.has_granules && granules_ && i < granules_->size(); ++i) {
    const CodeScheme& scheme = (*granules_)[i];
    if (!scheme.granules().tells_copies()) continue;
    const PostingsIndex* const index = indexes_.granules[PartOf(scheme.index)].get();
    granules_lacking = std::max(granules_lacking, Lacking(SequenceOf(index)));
    if (index != nullptr) granules.push_back({&scheme, index});
  }
  ZHIWEN_ASSIGN_OR_RETURN(CheckedText checked,
                          CheckText(*store_, *channels_, granules, indexes_, text, options));
  checked.documents = documents_;
  checked.symbols = SearchedSymbols();
  SetExpected(checked);
  checked.sequence = TextSequence();
  checked.lacking = Lacking(checked.sequence);
  checked.granules_lacking = granules_lacking;
  if (options.has_granules && !granules_) checked.granules_not_searched = granules_.error().message;
  AddPrecedence(options.date, checked);
  return checked;
}

Result<CheckedText> OpenLibrary::CheckPicture(std::string_view keys,
                                              const TextCheckOptions& options) const {
  if (!pictures()) return tl::unexpected(pictures().error());
  ZHIWEN_ASSIGN_OR_RETURN(CheckedText checked, pictures()->Check(*store_, keys, options));
  checked.documents = documents_;
  checked.sequence = sequence_;
  AddPrecedence(options.date, checked);
  return checked;
}

Result<SimilarDocuments> OpenLibrary::FindSimilar(std::string_view text,
                                                  const SimilarityOptions& options) const {
  ZHIWEN_RETURN_IF_ERROR(CheckTextIsUtf8(text));
  ZHIWEN_ASSIGN_OR_RETURN(SimilarDocuments similar,
                          FindSimilarDocuments(*store_, indexes_, text, options));
  similar.searched = documents_;
  similar.sequence = TextSequence();
  similar.lacking = Lacking(similar.sequence);
  return similar;
}

Result<SimilarDocuments> OpenLibrary::CompareWithAll(std::string_view text,
                                                     const SimilarityOptions& options,
                                                     const PhonemePrefilter* prefilter,
                                                     const BatchEnvironment& environment) const {
  ZHIWEN_RETURN_IF_ERROR(CheckTextIsUtf8(text));
  ZHIWEN_ASSIGN_OR_RETURN(SimilarDocuments similar,
                          CompareWithEvery(*store_, text, options, prefilter, environment));
  similar.searched = documents_;
  ZHIWEN_ASSIGN_OR_RETURN(similar.sequence, store_->LastSequence());
  return similar;
}

Result<SchemeMatches> OpenLibrary::FindByScheme(std::string_view text,
                                                const SchemeQuery& query) const {
  ZHIWEN_RETURN_IF_ERROR(CheckTextIsUtf8(text));
  const Result<std::vector<CodeScheme>>& all = schemes();
  Result<std::string> index =
      FindCodeScheme(store_->settings(), query.scheme, language_,
                     all ? std::span<const CodeScheme>(*all) : std::span<const CodeScheme>());
  if (!index) return all ? Fail(std::move(index)) : tl::unexpected(all.error());
  // A scheme that cannot be made is in the way of no other.
  std::optional<CodeScheme> alone;
  if (!all) {
    ZHIWEN_ASSIGN_OR_RETURN(alone,
                            OpenCodeScheme(files_, folder_, store_->settings(), *index, language_));
  }
  const CodeScheme* const scheme =
      alone ? &*alone : &*std::ranges::find(*all, *index, &CodeScheme::index);
  const size_t part = PartOf(*index);
  const CodeIndex* const codes = scheme->has_granules() ? nullptr : indexes_.codes[part].get();
  const PostingsIndex* const granules =
      scheme->has_granules() ? indexes_.granules[part].get() : nullptr;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store_->LastSequence());
  if (codes == nullptr && granules == nullptr && last > 0) {
    return Fail(ErrorCode::kConflict,
                fmt::format("the values of {} are not computed: zhiwen library derive {} was "
                            "stopped, or goes on; run it again, or let it end",
                            scheme->scheme->canonical_name(), folder_));
  }
  ZHIWEN_ASSIGN_OR_RETURN(SchemeMatches matches,
                          scheme->has_granules()
                              ? FindGranuleMatches(*store_, *scheme, granules, text, query)
                              : FindSchemeMatches(*store_, *scheme, codes, text, query));
  matches.searched = documents_;
  matches.sequence = std::max(SequenceOf(codes), SequenceOf(granules));
  matches.lacking = last - std::min(last, matches.sequence);
  return matches;
}

// Fails when an index has changes that its catalog has not.
Status CheckNotAhead(const std::string& folder, std::string_view name, uint64_t sequence,
                     const CorpusStore& store) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store.LastSequence());
  if (sequence <= last) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("the index \"{}\" of \"{}\" is ahead of the catalog, which was restored "
                          "from a copy; zhiwen library compact {} makes the index anew",
                          name, folder, folder));
}

// Opens an index, which stays null when nothing was added yet. A writer may begin it anew at that
// moment: then it is looked up again.
template <typename Index>
Status OpenIndex(FileSystem& files, const std::string& folder, const CorpusStore& store,
                 const DerivedIndex& derived, std::unique_ptr<Index>& index) {
  const std::string& name = derived.name;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store.LastSequence());
  ZHIWEN_ASSIGN_OR_RETURN(uint64_t incarnation, store.Incarnation(name));
  // Indexes are begun before the first change, but for those that are chosen later.
  if (incarnation == 0 && last != 0 && !derived.is_chosen_later()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("\"{0}\" is damaged: it names no index \"{1}\"; zhiwen library compact "
                            "{2} makes the index anew",
                            CatalogPath(folder), name, folder));
  }
  for (uint64_t tried = 0; incarnation != tried;) {
    auto opened =
        Index::Open(files, DerivedIndexFolder(folder, store.settings(), name, incarnation));
    if (opened) {
      index = *std::move(opened);
      return CheckNotAhead(folder, name, index->stats().sequence, store);
    }
    tried = incarnation;
    ZHIWEN_ASSIGN_OR_RETURN(incarnation, store.Incarnation(name));
    if (incarnation != tried) continue;
    return Fail(opened.error().code,
                fmt::format("{}; zhiwen library compact {} makes the index anew from the catalog",
                            opened.error().message, folder));
  }
  return {};
}

Result<IndexReaders> OpenIndexes(FileSystem& files, const std::string& folder,
                                 const CorpusStore& store) {
  IndexReaders indexes;
  const auto open = [&](const DerivedIndex& index, auto& of_kind) {
    return OpenIndex(files, folder, store, index, of_kind.emplace_back());
  };
  for (const DerivedIndex& index : DerivedIndexesOf(store.settings())) {
    switch (index.kind->content) {
      case DerivedContent::kSignatures:
        ZHIWEN_RETURN_IF_ERROR(OpenIndex(files, folder, store, index, indexes.near));
        break;
      case DerivedContent::kSelected:
        ZHIWEN_RETURN_IF_ERROR(open(index, indexes.selected));
        break;
      case DerivedContent::kCodes:
        ZHIWEN_RETURN_IF_ERROR(open(index, indexes.codes));
        break;
      case DerivedContent::kGranules:
        ZHIWEN_RETURN_IF_ERROR(open(index, indexes.granules));
        break;
    }
  }
  return indexes;
}

}  // namespace

Result<std::unique_ptr<Library>> Library::Open(FileSystem& files, const std::string& folder,
                                               const LanguageSource& language) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<CorpusStore> store,
                          OpenCatalog(files, folder, CatalogAccess::kRead));
  auto indexes = OpenIndexes(files, folder, *store);
  while (!indexes) {
    // A scheme that was dropped meanwhile has no index any more.
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<CorpusStore> latest,
                            OpenCatalog(files, folder, CatalogAccess::kRead));
    if (latest->settings().code_schemes == store->settings().code_schemes) {
      return Fail(std::move(indexes));
    }
    store = std::move(latest);
    indexes = OpenIndexes(files, folder, *store);
  }
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t live, store->CountLive());
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t last, store->LastSequence());
  // Sequences have no gaps: a last change that does not follow the one before it is damage, and no
  // number of changes that an index lacks.
  ZHIWEN_RETURN_IF_ERROR(store->VisitChanges(last - std::min<uint64_t>(last, 2),
                                             [](const CatalogChange&) { return Status(); }));
  auto channels = OpenPassageChannels(store->settings(), language);
  auto granules = OpenGranuleSchemes(files, folder, store->settings(), language);
  return std::unique_ptr<Library>(std::make_unique<OpenLibrary>(
      files, folder, std::move(store), std::move(channels), std::move(granules),
      *std::move(indexes), live, last, language));
}

}  // namespace zhiwen
