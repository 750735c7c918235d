#ifndef ZHIWEN_PIPELINE_LIBRARY_WORK_MANIFEST_H_
#define ZHIWEN_PIPELINE_LIBRARY_WORK_MANIFEST_H_

// A manifest says once what applies to all documents of a work.
//
// In          records of JSON Lines, a JSON array, CSV, TSV or Parquet with the fields work or path
//             or both, and any of title, author, owner, licence, first_publication (a date). A row
//             with a path is about the text files at or below it; with a work, too, it names their
//             work. A row with a work alone is about all documents of the work
// Guarantees  no row is passed over: a bad one is an error, and unused ones can be asked for
// Cost        all rows in memory; the file is read twice
// Threads     one
// Fails       kNotFound, kUnreadable: the file · kUnreadable: a bad row, by its number; no row

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"
#include "zhiwen/stored_document.h"

namespace zhiwen {

class WorkManifest {
 public:
  WorkManifest() = default;  // says nothing
  static Result<WorkManifest> Read(FileSystem& files, const std::string& path);

  // Adds to `work` what the manifest says of a document and `work` does not say itself: rows of
  // paths first. `paths` are those of a text file, as it was given and below its input; empty for a
  // record.
  void Complete(const std::vector<std::string>& paths, WorkLabels& work);

  // Returns the names of the fields that are not read, in the order in which they come.
  const std::vector<std::string>& ignored_fields() const { return ignored_fields_; }

  uint64_t CountRows() const { return rows_.size(); }
  uint64_t CountWithoutOwner() const;

  // Returns the works and paths of rows that were about no document so far, in their order.
  std::vector<std::string> Unused() const;

 private:
  struct Row {
    std::string path;
    WorkLabels work;
    bool is_used = false;
  };

  Status Add(Row row);
  Row* FindAbove(const std::string& path);

  std::vector<Row> rows_;
  std::vector<std::string> ignored_fields_;
  std::map<std::string, size_t> by_work_, by_path_;  // places of rows
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_WORK_MANIFEST_H_
