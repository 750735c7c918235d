#ifndef ZHIWEN_LIBRARY_H_
#define ZHIWEN_LIBRARY_H_

// A library: a folder that keeps documents and answers whether a text is known. The catalog
// (catalog.sqlite) is the truth; indexes (index/) are derived from it, follow its changes, and are
// made anew when they are missing, or ahead of the catalog.
//
// In          documents: an id, a text in UTF-8, labels, and what is said of the work
// Out         matches of a text, each verified against the stored text (zhiwen/check.h)
// Guarantees  documents for which Add returned survive a crash. An id has at most one live
//             document; its own text, labels and work change nothing, others make a new version.
//             What is said of a work, such as its owner, changes the work and no document. Nothing
//             is reported that was not compared with the stored text
// Cost        a LibraryWriter holds what 16,384 documents are found by in memory, some 100 MB for
//             texts of 2 KB; a Library maps its files (bench/library.py measures both)
// Threads     a Library: any number at once. A LibraryWriter: one at a time. One process
//             writes to a library, any number read it
// Fails       kNotFound: there is no library · kConflict: another process writes to it, or it has
//             another format version · kUnreadable: damage; zhiwen library fsck reports all of it ·
//             kExhausted: the disk is full
// Persisted   docs/formats/catalog.md, docs/formats/minhash_index.md

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/check.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/language.h"
#include "zhiwen/library_query.h"
#include "zhiwen/result.h"
#include "zhiwen/stored_document.h"

namespace zhiwen {

// A profile says what a library keeps of each document, and finds with that.
struct LibraryProfile {
  std::string_view name;      // "news"
  std::string_view meaning;   // for help
  double near_threshold = 0;  // least resemblance of near-duplicates, in 5-shingles
  // Channels on which passages are found, too, beside the folded one: "pinyin".
  std::span<const std::string_view> channels = {};
  // Why passages are excluded unless a check says otherwise. Who copies whole texts can put them
  // between quotation marks: only where texts may quote, quotations are excluded.
  ExclusionReasons exclusions = {ExclusionReason::kSetPhrase};
};

// Returns the reasons of the profile with this name; of one that is not known, those of the
// default.
ExclusionReasons ExclusionsOfProfile(std::string_view name);

// The profiles, the default first.
std::span<const LibraryProfile> LibraryProfiles();

// The part of a document that an index of a library holds.
struct LibraryChannelFacts {
  std::string index;   // "passages", "pinyin", "scheme1"
  std::string scheme;  // canonical name of what is selected of each text, or computed
  uint64_t bytes = 0;
};

struct LibraryFacts {
  std::string id;  // 32 hex digits
  std::string profile;
  std::string near_scheme;  // canonical name of the signatures
  double near_threshold = 0;
  uint64_t documents = 0, superseded = 0, removed = 0;
  uint64_t works = 0, owners = 0;
  uint64_t texts = 0;  // equal ones count once
  uint64_t text_bytes = 0, stored_bytes = 0;
  uint64_t catalog_bytes = 0, near_bytes = 0, passage_bytes = 0;  // files of each
  std::vector<LibraryChannelFacts> channels = {};                 // of passage_bytes
  std::vector<LibraryChannelFacts> schemes = {};                  // zhiwen/library_derive.h
  uint64_t resource_bytes = 0;                                    // copies of files that these have
  uint64_t sequence = 0;                                          // of the last change
  uint64_t index_sequence = 0;  // of the last change that all indexes have
};

enum class LibraryVersions : uint8_t { kLive, kAll };

// A library open for reading.
class Library {
 public:
  // Makes a library without documents in a new or empty folder. Fails: kConflict when something
  // else is there; kInvalidArgument for an unknown profile, naming those there are; kNotFound when
  // the profile needs language data and there is none.
  static Status Create(FileSystem& files, const std::string& folder, std::string_view profile,
                       const LanguageSource& language = {});

  // Opens a library. Checks find the documents that its index has by then; those that are removed
  // later are not reported. `files` must outlive the object. When the library needs language data,
  // and there is none or other than it was made with, only Check fails.
  static Result<std::unique_ptr<Library>> Open(FileSystem& files, const std::string& folder,
                                               const LanguageSource& language = {});

  virtual ~Library() = default;

  virtual const std::string& profile() const = 0;

  // Reads the whole catalog's sizes: a second for some millions of documents.
  virtual Result<LibraryFacts> Facts() const = 0;

  // Returns all versions of an id, the newest first; none for an unknown one.
  virtual Result<std::vector<StoredDocument>> FindVersions(std::string_view id) const = 0;

  // Returns the number of different owners, at once.
  virtual Result<uint64_t> CountOwners() const = 0;

  // Returns the document of a number, of any state.
  virtual Result<std::optional<StoredDocument>> Find(uint32_t number) const = 0;

  // Returns the live documents of a work by the natural order of their parts: 第2章, 第10章.
  virtual Result<std::vector<StoredDocument>> FindParts(std::string_view work) const = 0;

  // Calls visit(work) for all works with live documents, in the order of arrival. Reads what
  // documents say of their sizes: a second for some hundred thousand of them.
  virtual Status VisitWorks(const std::function<Status(const StoredWork& work)>& visit) const = 0;

  // Returns the text of a document. Fails also: kNotFound when it is purged.
  virtual Result<std::string> ReadText(const StoredDocument& document) const = 0;

  // Returns where the text of a document stands in what it was extracted from; nothing where that
  // is not known, or the document is purged.
  virtual Result<std::optional<DocumentSource>> ReadSource(
      const StoredDocument& document) const = 0;

  // Calls visit(document) for all documents by number.
  virtual Status VisitDocuments(
      LibraryVersions versions,
      const std::function<Status(const StoredDocument& document)>& visit) const = 0;

  // Finds the documents that a text equals or resembles. Fails: kUnreadable when `text` is not
  // valid UTF-8.
  virtual Result<CheckedText> Check(std::string_view text,
                                    const TextCheckOptions& options) const = 0;

  // Finds the pictures that a picture looks like, by its PictureKeys. All pictures of the library
  // are held in memory from the first call on, a kilobyte each. Fails: kConflict when the library
  // has pictures of another version of the schemes.
  virtual Result<CheckedText> CheckPicture(std::string_view keys,
                                           const TextCheckOptions& options) const = 0;

  // Ranks the documents that resemble a text. Fails as Check does.
  virtual Result<SimilarDocuments> FindSimilar(std::string_view text,
                                               const SimilarityOptions& options) const = 0;

  // Does the same by comparing the text with every document: nothing is missed, and `truncated`
  // never set. `prefilter` may be null. Fails also: as `cancellation` says.
  virtual Result<SimilarDocuments> CompareWithAll(std::string_view text,
                                                  const SimilarityOptions& options,
                                                  const PhonemePrefilter* prefilter,
                                                  const BatchEnvironment& environment) const = 0;

  // Finds the documents whose value of a scheme equals that of a text, or is near it. Fails as
  // Check does; kNotFound when the library has no values of the scheme, naming those it has;
  // kConflict when they are of other language data or of another version of zhiwen.
  virtual Result<SchemeMatches> FindByScheme(std::string_view text,
                                             const SchemeQuery& query) const = 0;
};

struct WorkDocuments {
  std::vector<std::string> ids = {};
  // Those that have an earlier version of the work, and whose newest is of another one or of none.
  std::vector<std::string> moved = {};
};

// Returns the ids of the live documents of a work, by part; with kAll those whose newest version is
// of the work, removed ones too, which reads all documents. `moved` is filled with kAll.
Result<WorkDocuments> FindDocumentsOfWork(const Library& library, std::string_view work,
                                          LibraryVersions versions);

// Returns what a library keeps of a picture, and finds it by: its values of the schemes phash64 and
// colour_grid, with their names. `pixels` are those of DecodePicture (zhiwen/picture.h); empty for
// other bytes.
std::string PictureKeys(std::string_view pixels);

struct LibraryDocument {
  std::string_view id, text;
  // Of DocumentSource. Both are kept with a new version, and with a document that has none yet,
  // where the places are two numbers for each line of the text; otherwise neither is.
  std::string_view places = {}, member = {};
  std::string_view picture = {};  // PictureKeys of a picture, whose text is empty
  DocumentLabels labels = {};
  WorkLabels work = {};  // labels that are not empty change what is known of the work
  // Keep: where nothing is said of work, part, owner or kind (an original), a live document of this
  // id keeps its own. Such a document leaves its work, or becomes an original, when it is removed
  // and added again.
  UnsaidLabels unsaid = UnsaidLabels::kKeep;
};

// The outcome of adding a document.
struct AddedDocument {
  uint32_t number = 0;          // of the live document of its id
  uint32_t superseded = 0;      // of the version before; 0: none
  bool has_named_work = false;  // it belongs to a work with a name
};

struct AddedDocuments {
  uint64_t added = 0;
  uint64_t updated = 0;      // new versions
  uint64_t unchanged = 0;    // the live document of the id is the same
  uint64_t equal_texts = 0;  // added or updated, and another live document had the text already
  uint64_t empty = 0;        // added or updated, no picture, and the text has no units
  uint64_t works_added = 0, works_updated = 0;
  std::vector<AddedDocument> each = {};   // by the order of the documents
  std::vector<uint32_t> with_works = {};  // numbers of those that have a work or an owner
};

// A library open for changes.
class LibraryWriter {
 public:
  // Opens a library; changes that its index lacks are applied first. `environment` must outlive the
  // object.
  static Result<std::unique_ptr<LibraryWriter>> Open(const std::string& folder,
                                                     const BatchEnvironment& environment);
  virtual ~LibraryWriter() = default;

  // Adds documents in one transaction, in their order. When it returns they are on the disk. Fails:
  // kInvalidArgument for an empty id, a text, id or member that is not valid UTF-8, and a picture
  // with a text or with keys that cannot be read.
  virtual Result<AddedDocuments> Add(std::span<const LibraryDocument> documents) = 0;

  // Adds many documents, batch by batch: stores those of the call before, and meanwhile computes
  // what these are found by; the next call stores them, and a call without documents the last ones.
  // Returns what came of the documents that this call stored. Fails as Add does; the documents of
  // earlier calls that were not stored by then are lost.
  virtual Result<AddedDocuments> AddNext(std::span<const LibraryDocument> documents) = 0;

  // Removes the live documents of ids in one transaction. Returns whether each was there.
  virtual Result<std::vector<bool>> Remove(std::span<const std::string> ids) = 0;

  // Removes ids with all their versions, and takes their texts and labels out of the files. What is
  // left is that there was such an id, and until Compact hashes of parts of the texts. A text that
  // another document has stays. Returns as Remove does, also true for an id that was removed
  // before. Fails also: kConflict when others read the library, after the removal and before the
  // log that has the old pages could be cut; the next call, or closing, cuts it.
  virtual Result<std::vector<bool>> Purge(std::span<const std::string> ids) = 0;

  // Merges the files of the index into one.
  virtual Status Compact() = 0;

  // Writes what the index holds in memory. Without it, the next writer computes that again.
  virtual Status Close() = 0;
};

// One line of JSON: {"id","version","title","author","date","url","work","part","owner",
// "work_title","work_author","kind","decoy","number","state","added","bytes","units"}, and "text"
// when it is given; of a picture "picture" is true.
std::string StoredDocumentToJson(const StoredDocument& document, const std::string* text);

// One line of JSON:
// {"work","title","author","owner","licence","first_publication","parts","units"}.
std::string StoredWorkToJson(const StoredWork& work);

// {"library","id","profile","near":{"scheme","threshold"},"documents","superseded","removed",
// "works","owners","texts","text_bytes","stored_bytes","catalog_bytes","near_bytes",
// "passage_bytes","resource_bytes","channels":[{"index","scheme","bytes"}],"schemes":[likewise],
// "sequence","index_sequence"}.
std::string LibraryFactsToJson(const LibraryFacts& facts, std::string_view folder);

struct LibraryCheck {
  uint64_t documents = 0;             // live
  std::vector<std::string> problems;  // each names the file
  // Changes of the catalog that some index lacks; the next writer applies them. They are no damage.
  uint64_t behind = 0;
};

// Reads every byte of a library, and compares its indexes with its catalog. Fails: kConflict while
// another process writes to it; kNotFound when there is no library, and as `cancellation` says.
// Damage is reported, and is not a failure.
Result<LibraryCheck> CheckLibrary(const std::string& folder, const BatchEnvironment& environment);

// {"library","problems":[text],"documents","behind"}.
std::string LibraryCheckToJson(const LibraryCheck& check, std::string_view folder);

}  // namespace zhiwen

#endif  // ZHIWEN_LIBRARY_H_
