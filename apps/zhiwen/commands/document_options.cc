#include "commands/document_options.h"

#include <utility>

#include "command_line/option_values.h"

namespace zhiwen {

std::vector<OptionSpec> DocumentInputSpecs(DocumentInputs& inputs, std::string separator) {
  inputs.names = {.text_field = "--text-field",
                  .text_format = "--text-format",
                  .id_field = "--id-field",
                  .format = "--format",
                  .max_failed = "--max-failed"};
  return {
      TextFieldOption(inputs.documents.text_fields),
      TextTypeOption(inputs.documents.text_type),
      IdFieldOption(inputs.documents.id_field),
      FormatOption(inputs.format),
      SeparatorOption(std::move(separator), inputs.documents.syntax),
      EncodingOption(inputs.documents.syntax),
      ParsedOption("--max-failed", "N|P%",
                   "Failed records to allow before exit 3 (default 1%, at least 100, at most half)",
                   inputs.max_failed, ParseFailureLimit)};
}

}  // namespace zhiwen
