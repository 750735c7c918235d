#ifndef ZHIWEN_STORED_DOCUMENT_H_
#define ZHIWEN_STORED_DOCUMENT_H_

// A document of a library, and the work that it belongs to, as the catalog knows them.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace zhiwen {

// The numbers are persisted.
enum class DocumentState : uint8_t {
  kLive = 0,        // checks find it
  kSuperseded = 1,  // a newer version has its id
  kRemoved = 2,
};

// "live", "superseded", "removed": in JSON.
std::string_view DocumentStateName(DocumentState state);

// The kind of a document in its library. The numbers are persisted.
enum class DocumentKind : uint8_t {
  kOriginal = 0,
  kDecoy = 1,         // published so that whoever copies it shows it
  kLicensedCopy = 2,  // published by somebody who may
};

// "original", "decoy", "licensed": in JSON.
std::string_view DocumentKindName(DocumentKind kind);

// Holds what a document says of itself, word for word; an empty label is unknown.
struct DocumentLabels {
  std::string title = {}, author = {}, date = {}, url = {};
  std::string part = {};  // of its work: "第12章"
  DocumentKind kind = DocumentKind::kOriginal;
  // The first and the last day on which a decoy was published; empty: it is not known.
  std::string exposed_from = {}, exposed_until = {};

  bool has_exposure() const { return !exposed_from.empty() || !exposed_until.empty(); }

  friend bool operator==(const DocumentLabels&, const DocumentLabels&) = default;
};

// Returns the days on which a decoy was published: "2024-03-01 – 2024-03-05", "2024-03-01 –" or
// "– 2024-03-05"; empty where neither is known.
std::string ExposureOf(const DocumentLabels& decoy);

// What becomes of a document's work, part, owner and kind where a new version says nothing of them:
// the live document's are kept, or the new version has none and is an original.
enum class UnsaidLabels : uint8_t { kKeep, kEmpty };

// Holds what is known of a work, word for word; an empty label is unknown. The name identifies a
// work in a library: documents name it. A work without a name stands for the documents of an owner
// that belong to no work.
struct WorkLabels {
  std::string name = {}, title = {}, author = {}, owner = {}, licence = {};
  std::string first_publication = {};  // a date

  friend bool operator==(const WorkLabels&, const WorkLabels&) = default;
};

// What a document keeps of the bytes that it was made of: those of a web page, an office file, a
// capture or a record tell where its text stands in them, those of a picture what it looks like.
struct DocumentSource {
  std::string places = {};   // SourcePlaces::FieldOf
  std::string member = {};   // of an archive such as DOCX, in which the places count; empty: none
  std::string picture = {};  // PictureKeys (zhiwen/library.h); such a document has an empty text
};

struct StoredDocument {
  uint32_t number = 0;  // from 1, in the order of arrival; never used again
  std::string id = {};
  uint32_t version = 1;  // of this id: 1, 2, …
  DocumentState state = DocumentState::kLive;
  DocumentLabels labels = {};
  uint64_t work_key = 0;  // 0: it belongs to no work, and nobody says whose it is
  WorkLabels work = {};
  uint64_t text = 0;   // key of its text; 0 when the text is purged
  uint64_t bytes = 0;  // of the text
  uint64_t units = 0;  // symbols of the text on the folded channel
  // The checksum of the row that has its DocumentSource; nothing where that would be empty.
  std::optional<uint32_t> source = {};
  std::chrono::sys_seconds added = {};

  // Texts with a source are not empty.
  bool is_picture() const { return source && text != 0 && bytes == 0; }
};

// A work, and its live documents.
struct StoredWork {
  WorkLabels labels = {};
  uint64_t documents = 0;
  uint64_t units = 0;  // of their texts
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORED_DOCUMENT_H_
