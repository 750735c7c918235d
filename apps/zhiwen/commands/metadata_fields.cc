#include "commands/metadata_fields.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/option_values.h"

namespace zhiwen {
namespace {

using Target = std::string_view DocumentFields::*;

std::vector<Choice<Target>> Parts() {
  return {{"title", &DocumentFields::title},         {"author", &DocumentFields::author},
          {"published", &DocumentFields::published}, {"modified", &DocumentFields::modified},
          {"keywords", &DocumentFields::keywords},   {"abstract", &DocumentFields::abstract},
          {"levels", &DocumentFields::levels}};
}

}  // namespace

MetadataFields::MetadataFields() {
  for (const Choice<Target>& part : Parts()) {
    fields_.push_back({{part.value, part.name}});
    if (part.name == "published") fields_.push_back({{part.value, "date"}});
  }
}

OptionSpec MetadataFields::Option() {
  return Once({"--metadata", "PART=FIELD,...",
               "Fields with title, author, published, modified, keywords, abstract and levels "
               "(default: fields with these names, and date)",
               [this](const std::string& typed) { return Take(typed); }});
}

Status MetadataFields::Take(const std::string& typed) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<std::string> pairs, ParseNames(typed));
  for (const std::string& pair : pairs) {
    const size_t at = pair.find('=');
    if (at == std::string::npos || at + 1 == pair.size()) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("\"{}\" is no PART=FIELD, such as title=headline", pair));
    }
    ZHIWEN_ASSIGN_OR_RETURN(const Target target, ParseChoice(pair.substr(0, at), Parts()));
    // The first field typed for a part replaces the default fields of that part.
    std::erase_if(fields_, [&](const Field& field) {
      return field.source.target == target && !field.is_typed;
    });
    fields_.push_back({{target, pair.substr(at + 1)}, true});
  }
  return {};
}

void MetadataFields::AddTo(FingerprintDocumentsOptions& options) const {
  for (const Field& field : fields_) {
    options.fields.push_back(field.source);
    if (field.is_typed) options.inputs.named_fields.push_back({field.source.field, "--metadata"});
  }
}

std::string MetadataFields::Names() const {
  std::vector<std::string_view> names;
  names.reserve(fields_.size());
  for (const Field& field : fields_) names.push_back(field.source.field);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace zhiwen
