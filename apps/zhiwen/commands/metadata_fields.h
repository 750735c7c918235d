#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_METADATA_FIELDS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_METADATA_FIELDS_H_

// The fields of records that hold title, author, dates, keywords and abstract, as --metadata names
// them.

#include <string>
#include <vector>

#include "command_line/command.h"
#include "zhiwen/document_results.h"

namespace zhiwen {

class MetadataFields {
 public:
  // Starts with default field names: title, author, published or date, …
  MetadataFields();

  // Returns --metadata. This object must outlive the option.
  OptionSpec Option();

  // Adds the fields to `options`. Messages name the fields that were typed.
  void AddTo(FingerprintDocumentsOptions& options) const;

  // Returns the names of the fields: "title, author, published, date, …".
  std::string Names() const;

 private:
  struct Field {
    FieldSource source;
    bool is_typed = false;
  };
  Status Take(const std::string& typed);

  std::vector<Field> fields_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_METADATA_FIELDS_H_
