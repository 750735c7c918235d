#include "pipeline/library/work_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "document/parse_date.h"
#include "pipeline/reader/document_input.h"
#include "zhiwen/documents.h"

namespace zhiwen {
namespace {

// The values that are read of a row.
enum ManifestValue : uint8_t {
  kOfWork,
  kOfPath,
  kOfTitle,
  kOfAuthor,
  kOfOwner,
  kOfLicence,
  kOfFirst
};

DocumentOptions ManifestFields() {
  DocumentOptions options;
  options.text_fields = {"work", "path"};  // a row needs one of them
  options.value_fields = {
      "work", "path", "title", "author", "owner", "licence", "first_publication"};
  return options;
}

// Fields beside the values that are read: a list of a library's works has them, which is a
// manifest.
constexpr std::array<std::string_view, 2> kListedFields = {"parts", "units"};

// Returns the names of the fields that are not read, in the order in which they come.
Result<std::vector<std::string>> FindIgnoredFields(FileSystem& files, const DocumentFile& file) {
  const DocumentOptions read = ManifestFields();
  BlockOptions options;
  options.fields.text = read.text_fields;
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<FileBlocks> blocks,
                          OpenFileBlocks(files, ToInputFile(file), 0, options));
  ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(options.fields));
  std::set<std::string> known(read.value_fields.begin(), read.value_fields.end());
  known.insert(kListedFields.begin(), kListedFields.end());
  std::vector<std::string> ignored;
  RecordBlock block;
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks->Next(block));
    if (!more) return ignored;
    parser.ParseAll(block, [&](const BlockRecord& record, ParsedRecord&&) {
      for (std::string& name : parser.FieldNames(block, record)) {
        if (!name.empty() && known.insert(name).second) ignored.push_back(std::move(name));
      }
    });
  }
}

// Returns a path in the form in which paths are compared.
std::string NormalPath(std::string_view path) {
  std::string normal = std::filesystem::path(path).lexically_normal().string();
  while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  return normal;
}

}  // namespace

Result<WorkManifest> WorkManifest::Read(FileSystem& files, const std::string& path) {
  const auto fail = [&](uint64_t record, std::string_view why) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot use record {} of the manifest \"{}\": {}", record, path, why));
  };
  const DocumentOptions options = ManifestFields();
  ZHIWEN_ASSIGN_OR_RETURN(const DocumentFiles listed,
                          ListDocumentFiles(files, {path}, {.text_fields = options.text_fields}));
  const DocumentFile& file = listed.files.front();
  if (IsWholeFile(file.format) || listed.files.size() > 1) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the manifest \"{}\" is no file of records; give JSON Lines or CSV, "
                            "with the ending that says so",
                            path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(DocumentReader reader, DocumentReader::Open(files, file, options));
  WorkManifest manifest;
  ZHIWEN_ASSIGN_OR_RETURN(manifest.ignored_fields_, FindIgnoredFields(files, file));
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<SourceDocument> next, reader.Next());
    if (!next && manifest.rows_.empty()) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("the manifest \"{}\" has no record, and says nothing of any work; "
                              "name the file that has them, or leave it out",
                              path));
    }
    if (!next) return manifest;
    if (!next->fault.empty()) return fail(next->record, next->fault_detail);
    std::vector<std::string>& values = next->values;
    Row row = {.path = values[kOfPath].empty() ? "" : NormalPath(values[kOfPath]),
               .work = {.name = values[kOfWork],
                        .title = values[kOfTitle],
                        .author = values[kOfAuthor],
                        .owner = values[kOfOwner],
                        .licence = values[kOfLicence],
                        .first_publication = values[kOfFirst]}};
    const Status added = manifest.Add(std::move(row));
    if (!added) return fail(next->record, added.error().message);
  }
}

Status WorkManifest::Add(Row row) {
  const auto fail = [](std::string why) { return Fail(ErrorCode::kUnreadable, std::move(why)); };
  if (row.path.empty() && row.work.name.empty()) return fail("it has neither a work nor a path");
  const std::string& date = row.work.first_publication;
  if (!date.empty() && !ParseDate(date)) {
    return fail(fmt::format("first_publication is \"{}\", which is no date", date));
  }
  const bool is_of_path = !row.path.empty();
  const auto [known, is_new] = is_of_path ? by_path_.try_emplace(row.path, rows_.size())
                                          : by_work_.try_emplace(row.work.name, rows_.size());
  if (!is_new) {
    return fail(fmt::format("an earlier record is about the {} \"{}\", too",
                            is_of_path ? "path" : "work", known->first));
  }
  rows_.push_back(std::move(row));
  return {};
}

// Returns the row of the path itself, or of the nearest folder above it.
WorkManifest::Row* WorkManifest::FindAbove(const std::string& path) {
  for (std::string above = NormalPath(path);;) {
    if (const auto found = by_path_.find(above); found != by_path_.end()) {
      return &rows_[found->second];
    }
    const size_t slash = above.rfind('/');
    if (slash == std::string::npos) return nullptr;
    above.resize(slash);
  }
}

void WorkManifest::Complete(const std::vector<std::string>& paths, WorkLabels& work) {
  const auto take = [&](Row& row) {
    row.is_used = true;
    for (const auto label : {&WorkLabels::title, &WorkLabels::author, &WorkLabels::owner,
                             &WorkLabels::licence, &WorkLabels::first_publication}) {
      if ((work.*label).empty()) work.*label = row.work.*label;
    }
  };
  for (const std::string& path : paths) {
    Row* const row = FindAbove(path);
    if (row == nullptr) continue;
    if (!row->work.name.empty()) work.name = row->work.name;
    if (work.name.empty()) work.name = row->path;
    take(*row);
    break;
  }
  if (const auto found = by_work_.find(work.name); found != by_work_.end()) {
    take(rows_[found->second]);
  }
}

uint64_t WorkManifest::CountWithoutOwner() const {
  return static_cast<uint64_t>(
      std::ranges::count_if(rows_, [](const Row& row) { return row.work.owner.empty(); }));
}

std::vector<std::string> WorkManifest::Unused() const {
  std::vector<std::string> unused;
  for (const Row& row : rows_) {
    if (!row.is_used) unused.push_back(row.path.empty() ? row.work.name : row.path);
  }
  return unused;
}

}  // namespace zhiwen
