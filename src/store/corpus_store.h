#ifndef ZHIWEN_STORE_CORPUS_STORE_H_
#define ZHIWEN_STORE_CORPUS_STORE_H_

// The catalog of a library: documents, their texts, and the sequence of their changes. It is the
// truth; indexes are derived from it and follow its changes.
//
// In          documents with their compressed texts, the hashes by which they are found, and what
//             they say of the works that they belong to
// Guarantees  a change of documents is one transaction: after a crash it is there whole or not at
//             all, and once the call returned it is on the disk. An id has at most one live
//             document. Equal texts are stored once. Every row is checked when it is read: damage
//             is an error, never another document. Numbers and sequences only grow
// Cost        see sqlite/sqlite_corpus_store.h
// Threads     any number at once; calls wait for each other. One process writes, any number read
// Fails       kUnreadable: damaged rows or files · kExhausted: the disk is full ·
//             kConflict: another process holds the catalog · otherwise as said below

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"
#include "zhiwen/stored_document.h"

namespace zhiwen {

struct TextToStore {
  Hash128 content;  // HashBytes128 of the text
  Hash128 exact;    // of its symbols on the channel exact.v1
  Hash128 folded;   // of its symbols on the folded channel; not looked up when it has none
  uint64_t units = 0;
  uint64_t bytes = 0;
  std::string zstd;  // the text as one frame
};

// A DocumentSource, with its places compressed.
struct SourceToStore {
  std::string member = {};
  uint64_t bytes = 0;        // of the places
  std::string zstd = {};     // the places as one frame; empty: none are known
  std::string picture = {};  // empty: it is none

  bool is_empty() const { return zstd.empty() && picture.empty(); }
};

struct StoredPicture {
  uint32_t document = 0;     // number
  std::string picture = {};  // DocumentSource::picture
};

struct DocumentToStore {
  std::string id;
  DocumentLabels labels;
  TextToStore text;
  SourceToStore source = {};  // another picture makes a new version; other places do not
  // What is said of its work: labels that are not empty change the work. Without a name and an
  // owner it belongs to none, or where `unsaid` keeps it, to that of the live document of its id.
  WorkLabels work = {};
  UnsaidLabels unsaid = UnsaidLabels::kEmpty;
};

enum class StoreOutcome : uint8_t {
  kAdded,
  kUpdated,    // another text, picture, labels or work: a new version; the one before is superseded
  kUnchanged,  // the live document of this id is the same; it gets a source where it had none
};

struct StoredChange {
  StoreOutcome outcome = StoreOutcome::kAdded;
  uint32_t number = 0;                           // of the document that is live now
  uint32_t superseded = 0;                       // of the one before; 0: none
  StoreOutcome work = StoreOutcome::kUnchanged;  // what came of the work, if it has a name
  bool has_work = false;                         // the document has a work or an owner
  bool has_named_work = false;                   // it belongs to a work with a name
  bool has_equal_text = false;  // it is new, and another live document has exactly its text
};

// The numbers are persisted.
enum class CatalogChangeKind : uint8_t { kAdd = 0, kRemove = 1 };

struct CatalogChange {
  uint64_t sequence = 0;  // from 1, without gaps
  CatalogChangeKind kind = CatalogChangeKind::kAdd;
  uint32_t document = 0;  // number
};

struct CatalogSettings {
  std::string id = {};           // 32 hex digits, drawn when the library was made
  std::string profile = {};      // "news"
  std::string near_scheme = {};  // canonical name
  double near_threshold = 0;
  std::string passage_scheme = {};  // canonical name
  // Canonical names of what is selected on further channels, by the names of their indexes.
  std::map<std::string, std::string> channel_schemes = {};
  // Canonical names of the schemes by whose values documents are found, likewise.
  std::map<std::string, std::string> code_schemes = {};
  // Which copies of files these were made with, likewise; only of those that were made with some.
  std::map<std::string, std::string> code_files = {};
};

struct CatalogFacts {
  uint64_t live = 0, superseded = 0, removed = 0;  // documents
  uint64_t texts = 0;
  uint64_t text_bytes = 0, stored_bytes = 0;  // of these, as they came and as they are stored
  uint64_t works = 0, owners = 0;             // with live documents
  uint64_t sequence = 0;                      // of the last change; 0: none
};

enum class TextHash : uint8_t { kExact, kFolded };

class CorpusStore {
 public:
  virtual ~CorpusStore() = default;

  virtual const CatalogSettings& settings() const = 0;
  // Changes `code_schemes` and `code_files` of the settings, in one transaction.
  virtual Status SetCodeSchemes(const std::map<std::string, std::string>& schemes,
                                const std::map<std::string, std::string>& files) = 0;
  // Reads all texts' sizes.
  virtual Result<CatalogFacts> Facts() const = 0;
  // Returns the number of live documents, at once.
  virtual Result<uint64_t> CountLive() const = 0;
  virtual Result<uint64_t> LastSequence() const = 0;
  // Return the numbers of works with a name, and of different owners, of live documents:
  // milliseconds for ten thousand works.
  virtual Result<uint64_t> CountWorks() const = 0;
  virtual Result<uint64_t> CountOwners() const = 0;

  // Returns the number of times that an index was begun; it names its folder.
  virtual Result<uint64_t> Incarnation(std::string_view index) const = 0;
  // Adds one to it, and returns it.
  virtual Result<uint64_t> BeginIncarnation(std::string_view index) = 0;

  // Adds documents, or new versions of them, in their order, and what they say of their works.
  // Where only that differs, the work changes and no document does. Fails also: kExhausted when the
  // 2³² numbers are used up.
  virtual Result<std::vector<StoredChange>> Add(std::span<const DocumentToStore> documents,
                                                std::chrono::sys_seconds now) = 0;

  // Removes the live documents of these ids. Returns the number of each, 0 where there is none.
  virtual Result<std::vector<uint32_t>> Remove(std::span<const std::string> ids) = 0;

  // Removes all versions of these ids, and deletes their labels, and their texts and works unless
  // another document has them, so that no byte of them is left in the files. Returns for each the
  // number of the document that was live, and whether there was any version. Pages as they were are
  // in the log until CutLog.
  struct Purged {
    uint32_t live = 0;  // 0: none
    bool existed = false;
  };
  virtual Result<std::vector<Purged>> Purge(std::span<const std::string> ids) = 0;
  // Fails: kConflict while others read.
  virtual Status CutLog() = 0;

  // Calls visit(change) for the changes after `sequence`, ascending.
  virtual Status VisitChanges(
      uint64_t sequence, const std::function<Status(const CatalogChange& change)>& visit) const = 0;

  // Calls visit(document) for documents by number, of all states or live ones only, from the one
  // after `number` on. `visit` may use the store.
  enum class Which : uint8_t { kLive, kAll };
  virtual Status VisitDocuments(
      Which which, uint64_t number,
      const std::function<Status(const StoredDocument& document)>& visit) const = 0;

  // Return the document of a number, and all versions of an id, the newest first.
  virtual Result<std::optional<StoredDocument>> Find(uint32_t number) const = 0;
  virtual Result<std::vector<StoredDocument>> FindVersions(std::string_view id) const = 0;

  // Returns the documents of numbers as they are at one moment, which is quicker than one by one.
  virtual Result<std::vector<std::optional<StoredDocument>>> FindAll(
      std::span<const uint32_t> numbers) const = 0;

  // Returns the live documents whose text has this hash, by number.
  virtual Result<std::vector<StoredDocument>> FindEqual(TextHash kind,
                                                        const Hash128& hash) const = 0;

  // Returns what is known of a work; nothing when it has no live document.
  virtual Result<std::optional<WorkLabels>> FindWork(std::string_view work) const = 0;

  // Returns the live documents of a work, by the natural order of their parts (part_order.h).
  virtual Result<std::vector<StoredDocument>> FindParts(std::string_view work) const = 0;

  // Calls visit(work) for all works that have live documents, in the order of arrival.
  virtual Status VisitWorks(const std::function<Status(const StoredWork& work)>& visit) const = 0;

  // Returns a text. Fails also: kNotFound when no text has this key.
  virtual Result<std::string> ReadText(uint64_t key) const = 0;

  // Calls take(key, text) for texts, which is quicker than one by one. A key that no text has is
  // passed over.
  virtual Status ReadTexts(
      std::span<const uint64_t> keys,
      const std::function<void(uint64_t key, std::string text)>& take) const = 0;

  // Returns what is known of the bytes that a document was made of; nothing where nothing is, or
  // the document was purged.
  virtual Result<std::optional<DocumentSource>> ReadSource(uint32_t number) const = 0;

  // Returns the pictures of documents of any state, by number.
  virtual Result<std::vector<StoredPicture>> ReadPictures() const = 0;

  // Reads and checks every row, and what rows say of each other. Calls problem(sentence) for each
  // fault. Fails: as `cancellation` says.
  virtual Status Check(const std::function<void(std::string problem)>& problem,
                       ProgressSink& progress, const Cancellation& cancellation) const = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_CORPUS_STORE_H_
