#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_METADATA_FIELDS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_METADATA_FIELDS_H_

// Which fields of records are title, author, dates, keywords and abstract.

#include <string>
#include <string_view>
#include <vector>

#include "command_line/command.h"
#include "commands/document_batches.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

class MetadataFields {
 public:
  // Of records whose fields are called as ours: title, author, published or date, …
  MetadataFields();

  // --metadata; the object must outlive the option.
  OptionSpec Option();

  // Lets `options` read the fields.
  void AddTo(DocumentBatchOptions& options) const;

  // The fields of a document that was read with them; of several the first with a value. The views
  // live as long as `document`.
  DocumentFields Of(const SourceDocument& document) const;

  // "title, author, published, date, …": the names of the fields.
  std::string Names() const;

 private:
  struct Field {
    std::string_view DocumentFields::*target;
    std::string name;
    bool is_typed = false;
  };
  Status Take(const std::string& typed);

  std::vector<Field> fields_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_METADATA_FIELDS_H_
