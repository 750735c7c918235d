#ifndef ZHIWEN_PIPELINE_COLUMNAR_COLUMN_PLAN_H_
#define ZHIWEN_PIPELINE_COLUMNAR_COLUMN_PLAN_H_

// Where the fields of a document are in the schema of a file.
//
// Guarantees  of columns with equal names the first counts; "a.b" is the child b of the struct a,
//             or else the column that is really called a.b

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <parquet/arrow/schema.h>

#include <memory>
#include <string>
#include <vector>

#include "document/record.h"

namespace zhiwen {

struct PlannedField {
  enum class Kind : uint8_t {
    kAbsent,
    kList,    // holds lists or maps that are not read
    kObject,  // holds structs
    kColumn,  // values, or lists of them where these are read (RecordFields::joins_lists)
  };
  std::string name;  // as the options spell it
  Kind kind = Kind::kAbsent;
  size_t column = 0;  // kColumn: index into ColumnPlan::leaves
};

struct ColumnPlan {
  std::vector<PlannedField> text;
  std::vector<uint8_t> found_texts;  // in the schema, by `text`; none for one text field
  PlannedField id;
  std::vector<PlannedField> policy;
  std::vector<uint8_t> found_policy;  // in the schema, by `policy`

  std::vector<std::string> columns;             // names of the file's columns, for messages
  std::vector<int> leaves;                      // ascending; what is read of a file
  std::vector<std::vector<std::string>> paths;  // of the leaves
};

// Fails: kInvalidArgument for an empty or malformed field name, or no text field.
Result<ColumnPlan> PlanColumns(const RecordFields& fields,
                               const parquet::arrow::SchemaManifest& manifest);

// Returns the arrays of the leaves, as long as the batch, a null struct having null children;
// extension types are taken off.
arrow::Result<arrow::ArrayVector> ColumnsOf(const arrow::RecordBatch& batch, const ColumnPlan& plan,
                                            arrow::MemoryPool* pool);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_COLUMN_PLAN_H_
