#include "store/sqlite/catalog_rows.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "base/coding.h"
#include "base/compress/zstd_frame.h"
#include "store/sqlite/schema.h"

namespace zhiwen {
namespace {

Hash128 HashOf(std::string_view blob) {
  if (blob.size() != 16) return {};
  Hash128 hash;
  for (size_t i = 0; i < 8; ++i) {
    hash.high = hash.high << 8 | static_cast<uint8_t>(blob[i]);
    hash.low = hash.low << 8 | static_cast<uint8_t>(blob[8 + i]);
  }
  return hash;
}

// Reads the columns of a work, of which the first is `at`.
Result<WorkRow> ReadWorkAt(const Database& database, const Statement& row, int at) {
  WorkRow work;
  work.key = static_cast<uint64_t>(row.Integer(at));
  for (std::string* label :
       {&work.labels.name, &work.labels.title, &work.labels.author, &work.labels.owner,
        &work.labels.licence, &work.labels.first_publication}) {
    *label = row.Text(++at);
  }
  if (row.Integer(at + 1) != ChecksumOf(work.key, work.labels)) {
    return database.FailDamaged(fmt::format("the row of work {}", work.key));
  }
  return work;
}

// Reads all settings, incarnations included.
Result<SettingValues> ReadSettingValues(const Database& database) {
  SettingValues values;
  ZHIWEN_ASSIGN_OR_RETURN(Statement rows, database.Prepare("SELECT name, value FROM setting"));
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, rows.Next());
    if (!has_row) return values;
    values.emplace(rows.Text(0), rows.Text(1));
  }
}

Status WriteSettings(const Database& database, const SettingValues& values) {
  ZHIWEN_ASSIGN_OR_RETURN(Statement insert,
                          database.Prepare("INSERT INTO setting (name, value) VALUES (?, ?)"));
  for (const auto& [name, value] : values) {
    ZHIWEN_RETURN_IF_ERROR(
        insert.Begin().Bind(std::string_view(name)).Bind(std::string_view(value)).Run());
  }
  return {};
}

}  // namespace

std::string BlobOf(const Hash128& hash) {
  std::string blob(16, '\0');
  for (size_t i = 0; i < 8; ++i) {
    blob[i] = static_cast<char>(hash.high >> (56 - 8 * i));
    blob[8 + i] = static_cast<char>(hash.low >> (56 - 8 * i));
  }
  return blob;
}

int64_t ChecksumOf(const StoredDocument& document) {
  std::string bytes;
  AppendVarint(bytes, document.number);
  AppendVarint(bytes, document.version);
  AppendVarint(bytes, static_cast<uint64_t>(document.state));
  AppendVarint(bytes, document.text);
  AppendVarint(bytes, static_cast<uint64_t>(document.added.time_since_epoch().count()));
  AppendString(bytes, document.id);
  AppendString(bytes, document.labels.title);
  AppendString(bytes, document.labels.author);
  AppendString(bytes, document.labels.date);
  AppendString(bytes, document.labels.url);
  const bool is_original = document.labels.kind == DocumentKind::kOriginal;
  const bool has_source = document.source.has_value();
  const bool has_exposure = document.labels.has_exposure();
  if (document.work_key != 0 || !document.labels.part.empty() || !is_original || has_source ||
      has_exposure) {
    AppendVarint(bytes, document.work_key);
    AppendString(bytes, document.labels.part);
    AppendVarint(bytes, static_cast<uint64_t>(document.labels.kind));
  }
  if (has_source || has_exposure) AppendVarint(bytes, document.source.value_or(0));
  if (has_exposure) {
    AppendString(bytes, document.labels.exposed_from);
    AppendString(bytes, document.labels.exposed_until);
  }
  return Crc32c(bytes);
}

uint32_t ChecksumOf(uint32_t document, const SourceToStore& source) {
  std::string bytes;
  AppendVarint(bytes, document);
  AppendString(bytes, source.member);
  AppendVarint(bytes, source.bytes);
  AppendString(bytes, source.picture);
  return Crc32c(source.zstd, Crc32c(bytes));
}

int64_t ChecksumOf(uint64_t work_key, const WorkLabels& work) {
  std::string bytes;
  AppendVarint(bytes, work_key);
  for (const std::string* label : {&work.name, &work.title, &work.author, &work.owner,
                                   &work.licence, &work.first_publication}) {
    AppendString(bytes, *label);
  }
  return Crc32c(bytes);
}

int64_t ChecksumOf(const TextToStore& text) {
  std::string bytes = BlobOf(text.content) + BlobOf(text.exact);
  if (text.units != 0) bytes += BlobOf(text.folded);
  AppendVarint(bytes, text.units);
  AppendVarint(bytes, text.bytes);
  return Crc32c(text.zstd, Crc32c(bytes));
}

std::string ChecksumOf(const SettingValues& settings) {
  std::string bytes;
  for (const auto& [name, value] : settings) {
    if (name == "checksum" || name.starts_with(kIncarnationOf)) continue;
    AppendString(bytes, name);
    AppendString(bytes, value);
  }
  return fmt::format("{:08x}", Crc32c(bytes));
}

std::string SelectDocuments(int64_t schema, std::string_view rest) {
  const bool has_works = schema >= kSchemaOfWorks;
  return fmt::format(
      "SELECT d.number, d.id, d.version, d.state, d.text, d.title, d.author, d.date, d.url, "
      "d.added, d.checksum, t.bytes, t.units, {}, {}, {} "
      "FROM document d LEFT JOIN text t ON t.key = d.text {} {}",
      schema >= kSchemaOfSources ? "d.source" : "NULL",
      schema >= kSchemaOfExposures ? "d.exposed_from, d.exposed_until" : "'', ''",
      has_works ? "d.part, d.kind, d.work, w.key, w.name, w.title, w.author, w.owner, w.licence, "
                  "w.first_publication, w.checksum"
                : "'', 0, NULL",
      has_works ? "LEFT JOIN work w ON w.key = d.work" : "", rest);
}

std::string SelectWorks(std::string_view more, std::string_view rest) {
  return fmt::format(
      "SELECT w.key, w.name, w.title, w.author, w.owner, w.licence, w.first_publication, "
      "w.checksum{}{} FROM work w {}",
      more.empty() ? "" : ", ", more, rest);
}

Result<WorkRow> ReadWorkRow(const Database& database, const Statement& row) {
  return ReadWorkAt(database, row, 0);
}

Result<StoredDocument> ReadDocumentRow(const Database& database, const Statement& row) {
  StoredDocument document;
  document.number = static_cast<uint32_t>(row.Integer(0));
  document.id = row.Text(1);
  document.version = static_cast<uint32_t>(row.Integer(2));
  document.state = static_cast<DocumentState>(row.Integer(3));
  document.text = static_cast<uint64_t>(row.Integer(4));
  document.labels = {.title = std::string(row.Text(5)),
                     .author = std::string(row.Text(6)),
                     .date = std::string(row.Text(7)),
                     .url = std::string(row.Text(8)),
                     .part = std::string(row.Text(16)),
                     .kind = static_cast<DocumentKind>(row.Integer(17)),
                     .exposed_from = std::string(row.Text(14)),
                     .exposed_until = std::string(row.Text(15))};
  document.work_key = static_cast<uint64_t>(row.Integer(18));
  document.added = std::chrono::sys_seconds(std::chrono::seconds(row.Integer(9)));
  document.bytes = static_cast<uint64_t>(row.Integer(11));
  document.units = static_cast<uint64_t>(row.Integer(12));
  if (!row.IsNull(13)) document.source = static_cast<uint32_t>(row.Integer(13));
  // The checksum does not see what these integers have beyond their width.
  const bool is_within = row.Integer(0) == document.number && row.Integer(2) == document.version &&
                         row.Integer(3) == static_cast<int64_t>(document.state) &&
                         row.Integer(17) == static_cast<int64_t>(document.labels.kind) &&
                         row.Integer(13) == document.source.value_or(0);
  if (!is_within || row.Integer(10) != ChecksumOf(document)) {
    return database.FailDamaged(fmt::format("the row of document {}", row.Integer(0)));
  }
  if (document.text != 0 && row.IsNull(11)) {
    return database.FailDamaged(fmt::format("there is no text for document {}", document.number));
  }
  if (document.work_key == 0) return document;
  if (row.IsNull(19)) {
    return database.FailDamaged(fmt::format("there is no work for document {}", row.Integer(0)));
  }
  ZHIWEN_ASSIGN_OR_RETURN(WorkRow work, ReadWorkAt(database, row, 19));
  document.work = std::move(work.labels);
  return document;
}

std::string SelectTexts(std::string_view rest) {
  return fmt::format(
      "SELECT key, users, content, exact, folded, units, bytes, zstd, checksum FROM text {}", rest);
}

Result<TextRow> ReadTextRow(const Database& database, const Statement& row) {
  TextRow read;
  read.key = static_cast<uint64_t>(row.Integer(0));
  read.users = row.Integer(1);
  read.text.content = HashOf(row.Blob(2));
  read.text.exact = row.IsNull(3) ? read.text.content : HashOf(row.Blob(3));
  read.text.folded = HashOf(row.Blob(4));
  read.text.units = static_cast<uint64_t>(row.Integer(5));
  read.text.bytes = static_cast<uint64_t>(row.Integer(6));
  read.text.zstd = row.Blob(7);
  if (row.Integer(8) != ChecksumOf(read.text)) {
    return database.FailDamaged(fmt::format("the row of text {}", read.key));
  }
  return read;
}

std::string SelectSources(std::string_view rest) {
  return fmt::format(
      "SELECT d.number, d.source, s.member, s.bytes, s.places, s.picture FROM document d "
      "LEFT JOIN source s ON s.document = d.number {}",
      rest);
}

Result<DocumentSource> ReadSourceRow(const Database& database, const Statement& row) {
  const auto number = static_cast<uint32_t>(row.Integer(0));
  const SourceToStore stored = {.member = std::string(row.Text(2)),
                                .bytes = static_cast<uint64_t>(row.Integer(3)),
                                .zstd = std::string(row.Blob(4)),
                                .picture = std::string(row.Blob(5))};
  if (row.IsNull(1) || row.IsNull(3) || row.Integer(1) != ChecksumOf(number, stored)) {
    return database.FailDamaged(fmt::format("the source of document {}", number));
  }
  DocumentSource source = {.member = stored.member, .picture = stored.picture};
  if (stored.zstd.empty()) return source;
  ZHIWEN_ASSIGN_OR_RETURN(
      source.places, DecompressZstdFrame(stored.zstd, stored.bytes,
                                         fmt::format("the source of document {} in \"{}\"", number,
                                                     database.path())));
  return source;
}

Result<bool> IsSameText(const TextToStore& a, const TextToStore& b) {
  if (a.content != b.content || a.bytes != b.bytes) return false;
  if (a.zstd == b.zstd) return true;  // the usual case: compression is deterministic
  ZHIWEN_ASSIGN_OR_RETURN(const std::string text_a, DecompressZstdFrame(a.zstd, a.bytes, "a text"));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string text_b, DecompressZstdFrame(b.zstd, b.bytes, "a text"));
  return text_a == text_b;
}

Status WriteNewSettings(const Database& database, const CatalogSettings& settings) {
  SettingValues values = {{"profile", settings.profile},
                          {"near_scheme", settings.near_scheme},
                          {"passage_scheme", settings.passage_scheme},
                          {"near_threshold", fmt::format("{}", settings.near_threshold)}};
  for (const auto& [index, scheme] : settings.channel_schemes) {
    values.emplace(fmt::format("{}{}", kChannelSchemeOf, index), scheme);
  }
  ZHIWEN_ASSIGN_OR_RETURN(Statement draw, database.Prepare("SELECT lower(hex(randomblob(16)))"));
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, draw.Next());
  if (has_row) values["id"] = draw.Text(0);
  values["checksum"] = ChecksumOf(values);
  return WriteSettings(database, values);
}

Status WriteCodeSchemes(const Database& database, const std::map<std::string, std::string>& schemes,
                        const std::map<std::string, std::string>& files) {
  ZHIWEN_ASSIGN_OR_RETURN(SettingValues values, ReadSettingValues(database));
  for (const auto& [prefix, wanted] :
       {std::pair(kCodeSchemeOf, &schemes), std::pair(kCodeFilesOf, &files)}) {
    std::erase_if(values, [&](const auto& setting) { return setting.first.starts_with(prefix); });
    for (const auto& [index, value] : *wanted) {
      values.emplace(fmt::format("{}{}", prefix, index), value);
    }
  }
  values["checksum"] = ChecksumOf(values);
  ZHIWEN_RETURN_IF_ERROR(database.Run("DELETE FROM setting"));
  return WriteSettings(database, values);
}

Result<CatalogSettings> ReadSettings(const Database& database) {
  ZHIWEN_ASSIGN_OR_RETURN(SettingValues values, ReadSettingValues(database));
  CatalogSettings settings = {
      .id = values["id"], .profile = values["profile"], .near_scheme = values["near_scheme"]};
  settings.passage_scheme = values["passage_scheme"];
  for (const auto& [name, value] : values) {
    if (name.starts_with(kChannelSchemeOf)) {
      settings.channel_schemes.emplace(name.substr(kChannelSchemeOf.size()), value);
    }
    if (name.starts_with(kCodeSchemeOf)) {
      settings.code_schemes.emplace(name.substr(kCodeSchemeOf.size()), value);
    }
    if (name.starts_with(kCodeFilesOf)) {
      settings.code_files.emplace(name.substr(kCodeFilesOf.size()), value);
    }
  }
  const std::string& threshold = values["near_threshold"];
  const char* const end = threshold.data() + threshold.size();
  const auto parsed = std::from_chars(threshold.data(), end, settings.near_threshold);
  if (values["checksum"] != ChecksumOf(values) || parsed.ec != std::errc() || parsed.ptr != end) {
    return database.FailDamaged("its settings");
  }
  return settings;
}

Result<CatalogFacts> ReadFacts(const Database& database, int64_t schema) {
  ZHIWEN_ASSIGN_OR_RETURN(const Transaction snapshot, Transaction::BeginReading(database));
  CatalogFacts facts;
  const auto read = [&](std::string_view sql, uint64_t& target) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const int64_t number, database.ReadNumber(sql));
    target = static_cast<uint64_t>(number);
    return {};
  };
  uint64_t documents = 0;
  ZHIWEN_RETURN_IF_ERROR(read(kLastDocument, documents));
  ZHIWEN_RETURN_IF_ERROR(
      read("SELECT count(*) FROM document WHERE state = 1 AND state <> 0", facts.superseded));
  ZHIWEN_RETURN_IF_ERROR(
      read("SELECT count(*) FROM document WHERE state = 2 AND state <> 0", facts.removed));
  facts.live = documents - facts.superseded - facts.removed;
  ZHIWEN_RETURN_IF_ERROR(read("SELECT count(*) FROM text", facts.texts));
  ZHIWEN_RETURN_IF_ERROR(read("SELECT sum(bytes) FROM text", facts.text_bytes));
  ZHIWEN_RETURN_IF_ERROR(read("SELECT sum(length(zstd)) FROM text", facts.stored_bytes));
  ZHIWEN_RETURN_IF_ERROR(read("SELECT max(sequence) FROM change", facts.sequence));
  if (schema < kSchemaOfWorks) return facts;
  ZHIWEN_RETURN_IF_ERROR(read(kCountWorks, facts.works));
  ZHIWEN_RETURN_IF_ERROR(read(kCountOwners, facts.owners));
  return facts;
}

DocumentToStore CompleteFrom(const StoredDocument& before, const DocumentToStore& said) {
  DocumentToStore whole = said;
  WorkLabels& work = whole.work;
  const bool is_same_work = work.name.empty() || work.name == before.work.name;
  if (work.name.empty()) work.name = before.work.name;
  if (work.name.empty() && work.owner.empty()) work.owner = before.work.owner;
  if (is_same_work && whole.labels.part.empty()) whole.labels.part = before.labels.part;
  if (whole.labels.kind == DocumentKind::kOriginal) whole.labels.kind = before.labels.kind;
  if (whole.labels.kind != before.labels.kind) return whole;
  for (std::string DocumentLabels::*const day :
       {&DocumentLabels::exposed_from, &DocumentLabels::exposed_until}) {
    if ((whole.labels.*day).empty()) whole.labels.*day = before.labels.*day;
  }
  return whole;
}

}  // namespace zhiwen
