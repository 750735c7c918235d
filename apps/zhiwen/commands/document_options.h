#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_OPTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_OPTIONS_H_

// Options of the commands that read documents.

#include <string>
#include <vector>

#include "command_line/command.h"
#include "zhiwen/document_batches.h"

namespace zhiwen {

// Returns --text-field, --id-field, --format, --separator, --encoding and --max-failed, which fill
// `inputs`; messages about `inputs` name these options. `separator` is the name to use where
// --separator is taken.
std::vector<OptionSpec> DocumentInputSpecs(DocumentInputs& inputs,
                                           std::string separator = "--separator");

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_OPTIONS_H_
