#ifndef ZHIWEN_STORE_SQLITE_CATALOG_ROWS_H_
#define ZHIWEN_STORE_SQLITE_CATALOG_ROWS_H_

// The rows of a catalog as values. Every row of documents, works and texts has a CRC-32C of its
// other columns, apart from a text's number of users, which is counted again when a catalog is
// checked. The one of a row of sources is in the row of its document.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "store/corpus_store.h"
#include "store/sqlite/database.h"
#include "zhiwen/result.h"
#include "zhiwen/stored_document.h"

namespace zhiwen {

using SettingValues = std::map<std::string, std::string, std::less<>>;

// Settings whose names begin so count the incarnations of an index: "incarnation.near".
inline constexpr std::string_view kIncarnationOf = "incarnation.";
// And those that have what is selected for an index.
inline constexpr std::string_view kChannelSchemeOf = "channel_scheme.";

// The setting that has the scheme of an index of codes begins so.
inline constexpr std::string_view kCodeSchemeOf = "code_scheme.";
// And the one that has its files.
inline constexpr std::string_view kCodeFilesOf = "code_files.";

// Queries of one number.
inline constexpr std::string_view kCountLive =
    "SELECT coalesce(max(number), 0) - (SELECT count(*) FROM document WHERE state <> 0) FROM "
    "document";
inline constexpr std::string_view kCountWorks =
    "SELECT count(*) FROM work w WHERE name <> '' AND EXISTS "
    "(SELECT 1 FROM document d WHERE d.work = w.key AND d.state = 0)";
inline constexpr std::string_view kCountOwners =
    "SELECT count(DISTINCT owner) FROM work w WHERE owner <> '' AND EXISTS "
    "(SELECT 1 FROM document d WHERE d.work = w.key AND d.state = 0)";
inline constexpr std::string_view kLastDocument = "SELECT max(number) FROM document";
inline constexpr std::string_view kLastSequence = "SELECT max(sequence) FROM change";

// Returns a hash as 16 bytes, the high half first.
std::string BlobOf(const Hash128& hash);

// Return the checksums of rows.
int64_t ChecksumOf(const StoredDocument& document);
int64_t ChecksumOf(const TextToStore& text);
int64_t ChecksumOf(uint64_t work_key, const WorkLabels& work);
uint32_t ChecksumOf(uint32_t document, const SourceToStore& source);
// Returns the checksum of the settings, apart from its own and from incarnations, which change.
std::string ChecksumOf(const SettingValues& settings);

// Returns a query of documents with their works and what their texts say, in a catalog of any
// schema; `rest` is its conditions and order.
std::string SelectDocuments(int64_t schema, std::string_view rest);
// Reads a row of SelectDocuments. Fails: kUnreadable when the checksum is wrong.
Result<StoredDocument> ReadDocumentRow(const Database& database, const Statement& row);

// Writes the settings of a new catalog, whose id is drawn, in a transaction of the caller's.
Status WriteNewSettings(const Database& database, const CatalogSettings& settings);
// Replaces the settings of CatalogSettings::code_schemes and code_files, likewise.
Status WriteCodeSchemes(const Database& database, const std::map<std::string, std::string>& schemes,
                        const std::map<std::string, std::string>& files);

// Returns the settings of a catalog. Fails: kUnreadable when their checksum is wrong.
Result<CatalogSettings> ReadSettings(const Database& database);

// Returns the counts of a catalog, of one moment.
Result<CatalogFacts> ReadFacts(const Database& database, int64_t schema);

struct WorkRow {
  uint64_t key = 0;
  WorkLabels labels = {};
};

// Returns a query of works, with `more` columns; likewise.
std::string SelectWorks(std::string_view more, std::string_view rest);
Result<WorkRow> ReadWorkRow(const Database& database, const Statement& row);
// The place of the first of `more`.
inline constexpr int kMoreOfWork = 8;

struct TextRow {
  uint64_t key = 0;
  int64_t users = 0;
  TextToStore text;
};

// Returns a query of texts, likewise.
std::string SelectTexts(std::string_view rest);
Result<TextRow> ReadTextRow(const Database& database, const Statement& row);

// Returns a query of documents `d` with their sources; likewise.
std::string SelectSources(std::string_view rest);
// Reads a row of SelectSources whose document has a source. Its column 1 is null where it has none.
Result<DocumentSource> ReadSourceRow(const Database& database, const Statement& row);

// Returns whether both are the same text, byte for byte. Equal hashes do not say so: whoever
// writes a text can choose its hash.
Result<bool> IsSameText(const TextToStore& a, const TextToStore& b);

// Completes what a document says by what the live version of its id says, where it is silent of
// work, part, owner and kind. A document that names another work has the owner of that work.
DocumentToStore CompleteFrom(const StoredDocument& before, const DocumentToStore& said);

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_CATALOG_ROWS_H_
