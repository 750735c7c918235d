#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_INDEX_ACTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_INDEX_ACTIONS_H_

// The actions of `zhiwen index`, a function each; index_command.cc describes their options.

#include <cstdint>
#include <string>
#include <string_view>

#include "command_line/command.h"
#include "commands/code_files.h"
#include "zhiwen/code_index.h"

namespace zhiwen {

// Says how a line of `index remove` names what it removes: a row, a code or an id.
enum class RemovedBy : uint8_t { kRow, kCode, kId };

enum class MergeChoice : uint8_t { kAsNeeded, kAll, kNone };

struct IndexActionOptions {
  std::string folder;
  CodeFileOptions files;
  CodeIndexOptions kind;                        // create
  RemovedBy by = RemovedBy::kRow;               // remove
  CodeQuery query;                              // query and join
  MergeChoice merges = MergeChoice::kAsNeeded;  // add, remove, merge
  bool acknowledges = false;                    // add
  bool json = false;
};

// Whether CodeIndexStats::rows counts each row once: one that was added again is a second time in
// the log or another segment until they are merged.
bool CountsOnce(const CodeIndexStats& stats);
// "3 rows, 1 segment, 4.2 KB", or "at most 3 rows" and so on.
std::string FormatContent(const CodeIndexStats& stats);

// Prints what a change of the index came to, unless asked to be quiet: JSON is asked for. Who
// cannot be told must still know that all is `done`: 'added in "idx"'.
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
