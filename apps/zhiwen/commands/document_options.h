#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_OPTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_OPTIONS_H_

// The options of commands that read documents.

#include <vector>

#include "command_line/command.h"
#include "zhiwen/document_batches.h"

namespace zhiwen {

// Returns --text-field, --id-field, --format and --max-failed; messages about `inputs` name them.
std::vector<OptionSpec> DocumentInputSpecs(DocumentInputs& inputs);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_DOCUMENT_OPTIONS_H_
