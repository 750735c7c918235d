#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_LIBRARY_ACTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_LIBRARY_ACTIONS_H_

// The actions of `zhiwen library`, one function each. library_command.cc describes their options.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "command_line/command.h"
#include "commands/metadata_fields.h"
#include "commands/term_files.h"
#include "zhiwen/library_files.h"

namespace zhiwen {

struct LibraryActionOptions {
  std::string folder;
  std::string profile;                         // create
  AddFilesOptions add;                         // add
  std::vector<std::string> words;              // remove, show: ids
  std::string ids_file;                        // remove
  bool purges = false;                         // remove
  bool shows_all = false;                      // list, export: also other versions and removed ones
  bool lists_works = false;                    // list: works
  std::string work;                            // list, remove: the documents of this work alone
  bool leaves_overlaps = false;                // add
  bool is_decoy = false, is_licensed = false;  // add
  bool acknowledges = false;                   // add
  std::string scheme;                          // derive
  bool drops = false;                          // derive
  SchemeFiles scheme_files;                    // derive
  std::string output;                          // export; empty: standard output
  bool overwrites = false;                     // export
  std::string key_file;                        // verify; empty: without a key
  // verify; must be kept where it is. Names fields of the given record
  std::shared_ptr<MetadataFields> metadata = std::make_shared<MetadataFields>();
  uint64_t threads = 0;
  bool json = false;
};

// Returns all versions of an id, the newest first, which has a text. Fails: kNotFound when there is
// none, or when the document was purged.
Result<std::vector<StoredDocument>> FindStored(const Library& library, const std::string& folder,
                                               const std::string& id);

Status LibraryCreate(const LibraryActionOptions& options, CommandContext& context);
Status LibraryAdd(const LibraryActionOptions& options, CommandContext& context);
Status LibraryRemove(const LibraryActionOptions& options, CommandContext& context);
Status LibraryList(const LibraryActionOptions& options, CommandContext& context);
Status LibraryShow(const LibraryActionOptions& options, CommandContext& context);
Status LibraryStats(const LibraryActionOptions& options, CommandContext& context);
Status LibraryFsck(const LibraryActionOptions& options, CommandContext& context);
Status LibraryExport(const LibraryActionOptions& options, CommandContext& context);
Status LibraryImport(const LibraryActionOptions& options, CommandContext& context);
Status LibraryVerify(const LibraryActionOptions& options, CommandContext& context);
Status LibraryDerive(const LibraryActionOptions& options, CommandContext& context);
Status LibraryCompact(const LibraryActionOptions& options, CommandContext& context);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_LIBRARY_ACTIONS_H_
