#ifndef ZHIWEN_LANGUAGE_H_
#define ZHIWEN_LANGUAGE_H_

// What zhiwen knows of languages: readings, shapes, words, regional vocabulary, the model of the
// segmenter. One file, compiled from data packages of others (`zhiwen language` lists them with
// their licences), mapped and used in place.
//
// Guarantees  the same bytes for the same packages; the id is part of the name of every channel and
//             scheme that uses it
// Threads     const after Open: share freely
// Persisted   docs/formats/language.md

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class SectionFile;

// A package that the data was compiled from.
struct LanguagePackage {
  std::string name;     // "jieba"
  std::string version;  // "0.42.1"
  std::string licence;  // SPDX: "MIT"
  std::string use;      // "dictionary, hidden Markov model and tags of the segmenter"
};

class Language {
 public:
  // Maps and verifies the file. Fails: kNotFound; kUnreadable when it is damaged or no such file;
  // kConflict when it is of another format version, saying what to do.
  static Result<std::shared_ptr<const Language>> Open(FileSystem& files, const std::string& path);

  ~Language();
  const std::string& id() const { return id_; }  // 16 hex digits of its checksum
  const std::string& path() const { return path_; }
  uint64_t size() const;  // bytes
  std::span<const LanguagePackage> packages() const { return packages_; }

  // Returns the sections of the file, for the modules that read them (base/files/section_file.h).
  const SectionFile& sections() const { return *sections_; }

 private:
  Language() = default;

  std::string id_, path_;
  std::unique_ptr<const SectionFile> sections_;
  std::vector<LanguagePackage> packages_;
};

// Opens the language data when it is first needed; empty: there is none.
using LanguageSource = std::function<Result<std::shared_ptr<const Language>>()>;

struct LanguageOutput {
  std::string path;
  bool overwrite = false;  // replace language data or an empty file that is there; nothing else
};

// Compiles the tables in `folder`, which tools/collect_language_tables.py wrote, into a file, which
// is on the disk when this succeeds. Work is done in "PATH.partial/", under a lock. Fails:
// kNotFound for a missing table, kUnreadable naming the table and the line, kConflict where
// something is at the path or another process works on it.
Status CompileLanguage(FileSystem& files, const std::string& folder, const LanguageOutput& output);

}  // namespace zhiwen

#endif  // ZHIWEN_LANGUAGE_H_
