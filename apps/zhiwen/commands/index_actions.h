#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_INDEX_ACTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_INDEX_ACTIONS_H_

// The actions of `zhiwen index`, one function each. index_command.cc describes their options.

#include <cstdint>
#include <string>
#include <string_view>

#include "command_line/command.h"
#include "zhiwen/code_files.h"
#include "zhiwen/code_index.h"

namespace zhiwen {

enum class MergeChoice : uint8_t { kAsNeeded, kAll, kNone };

struct IndexActionOptions {
  std::string folder;
  CodeFileOptions files;
  CodeIndexOptions kind;                        // create
  CodeChange removal = CodeChange::kRemove;     // remove
  CodeQuery query;                              // query and join
  bool in_memory = false;                       // query
  MergeChoice merges = MergeChoice::kAsNeeded;  // add, remove, merge
  bool acknowledges = false;                    // add
  bool json = false;
};

// Returns "3 rows, 1 segment, 4.2 kB", or "at most 3 rows, …" when a row may count twice.
std::string FormatContent(const CodeIndexStats& stats);

// Prints the report of a change of the index. With --quiet only JSON is printed, because the user
// asked for it. When printing fails, the error says that the change is `done` all the same: 'added
// in "idx"'.
Status PrintDone(const std::string& report, std::string_view done,
                 const IndexActionOptions& options, CommandContext& context);

Status IndexCreate(const IndexActionOptions& options, CommandContext& context);
Status IndexAdd(const IndexActionOptions& options, CommandContext& context);
Status IndexRemove(const IndexActionOptions& options, CommandContext& context);
Status IndexQuery(const IndexActionOptions& options, CommandContext& context);
Status IndexJoin(const IndexActionOptions& options, CommandContext& context);
Status IndexStats(const IndexActionOptions& options, CommandContext& context);
Status IndexFsck(const IndexActionOptions& options, CommandContext& context);
Status IndexMerge(const IndexActionOptions& options, CommandContext& context);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_INDEX_ACTIONS_H_
