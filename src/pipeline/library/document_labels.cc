#include "pipeline/library/document_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "pipeline/library/picture_matches.h"
#include "zhiwen/picture.h"

namespace zhiwen {
namespace {

// More documents than can be read and not yet stored: those of three batches.
constexpr size_t kUnstored = 4096;

enum LabelValue : uint8_t {
  kTitle,
  kAuthor,
  kDate,
  kUrl,
  kWork,
  kPart,
  kOwner,
  kPlaces,
  kMember,
  kPicture,
  kKind,
  kState,
  kKeys,
  kExposedFrom,
  kExposedUntil
};

// Returns a path without its ending: ".txt", also before ".gz" or ".zst".
std::string_view WithoutEnding(std::string_view path) {
  constexpr size_t kMostEnding = 5;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  const size_t point = path.rfind('.');
  const size_t name = path.rfind('/') + 1;  // 0 without one
  if (point == std::string_view::npos || point <= name) return path;
  const std::string_view ending = path.substr(point + 1);
  const bool is_ending =
      !ending.empty() && ending.size() <= kMostEnding &&
      std::ranges::all_of(ending, [](unsigned char c) { return std::isalnum(c) != 0; });
  return is_ending ? path.substr(0, point) : path;
}

// Returns the kind of a name in JSON; of another one, that of originals.
DocumentKind KindOfName(std::string_view name) {
  for (const DocumentKind kind : {DocumentKind::kDecoy, DocumentKind::kLicensedCopy}) {
    if (DocumentKindName(kind) == name) return kind;
  }
  return DocumentKind::kOriginal;
}

}  // namespace

std::vector<std::string> DocumentLabeller::ValueFields() const {
  const LabelFields& labels = options_.labels;
  std::vector<std::string> fields = {labels.title, labels.author, labels.date, labels.url,
                                     labels.work,  labels.part,   labels.owner};
  fields.emplace_back(kSourcePlacesField);
  fields.emplace_back(kSourceMemberField);
  fields.emplace_back(kPictureField);
  if (!options_.restores) return fields;
  fields.emplace_back(kKindField);
  fields.emplace_back(kStateField);
  fields.emplace_back(kPictureKeysField);
  fields.emplace_back(kExposedFromField);
  fields.emplace_back(kExposedUntilField);
  return fields;
}

bool DocumentLabeller::IsOfHistory(const SourceDocument& document) const {
  return options_.restores && document.record != 0 && !document.values[kState].empty();
}

bool DocumentLabeller::WasRemoved(const SourceDocument& document) const {
  return options_.restores && document.record != 0 &&
         document.values[kState] == DocumentStateName(DocumentState::kRemoved);
}

// Returns the path of a text file below the folder that was given; empty where it was given itself.
std::string DocumentLabeller::PathBelowInput(std::string_view path) const {
  for (const std::string& input : options_.inputs.paths) {
    if (!path.starts_with(input)) continue;
    const std::string_view below = path.substr(input.size());
    const size_t begin = below.find_first_not_of('/');
    if (begin == std::string_view::npos || (begin == 0 && !input.ends_with('/'))) continue;
    return std::string(below.substr(begin));
  }
  return "";
}

std::vector<std::string> DocumentLabeller::PathsOf(const SourceDocument& document) const {
  if (document.record != 0) return {};
  std::vector<std::string> paths = {document.id};
  std::string below = PathBelowInput(document.id);
  if (!below.empty()) paths.push_back(std::move(below));
  return paths;
}

std::string DocumentLabeller::OwnerByManifest(const SourceDocument& document,
                                              const std::string& work) {
  WorkLabels labels = {.name = work};
  manifest_.Complete(PathsOf(document), labels);
  return labels.owner;
}

LibraryDocument DocumentLabeller::Label(const SourceDocument& document) {
  LibraryDocument labelled = {
      .id = document.id,
      .text = document.text,
      .places = document.values[kPlaces],
      .member = document.values[kMember],
      .picture = document.values[kPicture],
      .unsaid = options_.restores ? UnsaidLabels::kEmpty : UnsaidLabels::kKeep};
  const std::vector<std::string> paths = PathsOf(document);
  const std::vector<std::string>& values = document.values;
  if (document.record != 0) {
    labelled.labels = {.title = values[kTitle],
                       .author = values[kAuthor],
                       .date = values[kDate],
                       .url = values[kUrl],
                       .part = values[kPart]};
    labelled.work = {.name = values[kWork], .owner = values[kOwner]};
  } else if (paths.size() > 1) {
    const std::string_view below = paths.back();
    if (const size_t slash = below.find('/'); slash != std::string_view::npos) {
      labelled.work.name = below.substr(0, slash);
      labelled.labels.part = WithoutEnding(below.substr(slash + 1));
    }
  }
  const bool is_restored = options_.restores && document.record != 0;
  labelled.labels.kind = is_restored ? KindOfName(values[kKind]) : options_.kind;
  labelled.labels.exposed_from = is_restored ? values[kExposedFrom] : options_.exposed_from;
  labelled.labels.exposed_until = is_restored ? values[kExposedUntil] : options_.exposed_until;
  manifest_.Complete(paths, labelled.work);
  if (labelled.work.owner.empty()) labelled.work.owner = options_.owner;
  return labelled;
}

std::string DocumentLabeller::WorkOfRecent(std::string_view id) const {
  for (const auto& works : {std::cref(recent_[1]), std::cref(recent_[0])}) {
    if (const auto work = works.get().find(id); work != works.get().end()) return work->second;
  }
  return "";
}

void DocumentLabeller::NoteWork(const LibraryDocument& document) {
  if (document.work.name.empty()) return;
  if (recent_[1].size() == kUnstored) recent_[0] = std::exchange(recent_[1], {});
  recent_[1].insert_or_assign(std::string(document.id), document.work.name);
}

auto DocumentLabeller::OwnerOf(const LibraryDocument& document) -> Result<WorkOwner*> {
  const bool may_keep_work = document.unsaid == UnsaidLabels::kKeep;
  std::string name = document.work.name;
  if (name.empty() && may_keep_work) name = WorkOfRecent(document.id);
  std::optional<WorkLabels> stored;
  if (name.empty() ? may_keep_work : !owners_.contains(name)) {
    ZHIWEN_ASSIGN_OR_RETURN(stored, find_(name, std::string(document.id)));
    if (name.empty() && stored) name = stored->name;
  }
  if (name.empty()) return nullptr;
  const bool is_stored = stored && !stored->owner.empty();
  const KnownOwner owner = {is_stored ? stored->owner : document.work.owner, is_stored};
  return &*owners_.try_emplace(std::move(name), owner).first;
}

Status DocumentLabeller::Check(SourceDocument& document) {
  const auto fail = [&](std::string_view fault, std::string detail) -> Status {
    document.fault = fault;
    document.fault_detail = std::move(detail);
    return {};
  };
  if (document.id.empty()) return fail("empty_id", "the id is empty");
  KeepPictureKeys(document, kPicture);
  if (options_.restores && document.record != 0 && document.text.empty()) {
    document.values[kPicture] = PictureKeysOfHex(document.values[kKeys]);
    if (document.values[kPicture].empty() && !document.values[kKeys].empty()) {
      return fail("unreadable_keys", fmt::format("its {} are damaged", kPictureKeysField));
    }
  }
  const LibraryDocument labelled = Label(document);
  NoteWork(labelled);
  const std::string& owner = labelled.work.owner;
  if (owner.empty()) return {};
  ZHIWEN_ASSIGN_OR_RETURN(WorkOwner* const of_work, OwnerOf(labelled));
  if (of_work == nullptr || of_work->second.name == owner) return {};
  auto& [work, known] = *of_work;
  if (known.is_stored && OwnerByManifest(document, labelled.work.name) == owner) {
    known = {.name = owner};
    return {};
  }
  return fail(
      "another_owner",
      known.is_stored
          ? fmt::format("its work \"{}\" belongs to \"{}\" in the library, and not to \"{}\"; "
                        "a manifest changes the owner of a work",
                        work, known.name, owner)
          : fmt::format("its work \"{}\" belongs to \"{}\", as an earlier document says, and "
                        "not to \"{}\"",
                        work, known.name, owner));
}

}  // namespace zhiwen
