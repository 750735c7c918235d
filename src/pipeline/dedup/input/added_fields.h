#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_ADDED_FIELDS_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_ADDED_FIELDS_H_

#include <optional>
#include <string>

namespace zhiwen {

// What changes in the records of kept/: names of the fields that every one of them gets, none of
// which is in the inputs; and the text that loses passages.
struct AddedFields {
  std::optional<std::string> mark;          // true for removed records, which are then kept too
  std::optional<std::string> mark_keeper;   // names the keeper of removed records; with `mark`
  bool marks_references = false;            // those alone that a reference removed
  std::optional<std::string> cluster_size;  // documents of the record's cluster
  std::optional<std::string> cut_text;      // this field loses what references are found in it

  // Whether fields are added.
  bool any() const { return mark.has_value() || cluster_size.has_value(); }
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_ADDED_FIELDS_H_
