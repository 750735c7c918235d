#include "pipeline/columnar/column_plan.h"

#include <arrow/extension_type.h>
#include <arrow/util/checked_cast.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/json/json_reader.h"

namespace zhiwen {
namespace {

using Path = std::vector<std::string>;
using parquet::arrow::SchemaField;

const SchemaField* FindChild(const std::vector<SchemaField>& fields, const std::string& name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const SchemaField& field) {
    return field.field->name() == name;
  });
  return found == fields.end() ? nullptr : &*found;
}

const SchemaField* FindPath(const std::vector<SchemaField>& roots, const Path& path) {
  const std::vector<SchemaField>* fields = &roots;
  const SchemaField* found = nullptr;
  for (const std::string& part : path) {
    if (fields == nullptr) return nullptr;
    found = FindChild(*fields, part);
    if (found == nullptr) return nullptr;
    const bool is_struct = found->field->type()->id() == arrow::Type::STRUCT;
    fields = is_struct ? &found->children : nullptr;
  }
  return found;
}

bool IsListOfLeaves(const SchemaField& field) {
  const arrow::Type::type type = field.field->type()->id();
  const bool is_list = arrow::is_list(type) || arrow::is_list_view(type);
  return is_list && field.children.size() == 1 && field.children.front().is_leaf();
}

enum class ListUse : uint8_t { kNone, kJoin };

class Planner {
 public:
  explicit Planner(const parquet::arrow::SchemaManifest& manifest) : manifest_(manifest) {}

  Result<PlannedField> Plan(const std::string& name, ListUse lists = ListUse::kNone) {
    ZHIWEN_ASSIGN_OR_RETURN(Path path, ParseFieldPath(name));
    const SchemaField* field = FindPath(manifest_.schema_fields, path);
    if (field == nullptr) {
      path = {name};
      field = FindChild(manifest_.schema_fields, name);
    }
    PlannedField planned{.name = name};
    if (field == nullptr) return planned;
    const SchemaField* leaf = field;
    if (lists == ListUse::kJoin && IsListOfLeaves(*field)) leaf = &field->children.front();
    if (leaf->is_leaf()) {
      planned.kind = PlannedField::Kind::kColumn;
      planned.column = static_cast<size_t>(leaf->column_index);
      paths_.emplace(leaf->column_index, std::move(path));
    } else {
      planned.kind = field->field->type()->id() == arrow::Type::STRUCT ? PlannedField::Kind::kObject
                                                                       : PlannedField::Kind::kList;
    }
    return planned;
  }

  // Turns indices of the schema into indices of what is read.
  void Finish(ColumnPlan& plan) {
    for (auto& [leaf, path] : paths_) {
      plan.leaves.push_back(leaf);
      plan.paths.push_back(std::move(path));
    }
    const auto renumber = [&](PlannedField& field) {
      if (field.kind != PlannedField::Kind::kColumn) return;
      const auto at =
          std::lower_bound(plan.leaves.begin(), plan.leaves.end(), static_cast<int>(field.column));
      field.column = static_cast<size_t>(at - plan.leaves.begin());
    };
    std::for_each(plan.text.begin(), plan.text.end(), renumber);
    renumber(plan.id);
    std::for_each(plan.policy.begin(), plan.policy.end(), renumber);
  }

 private:
  const parquet::arrow::SchemaManifest& manifest_;
  std::map<int, Path> paths_;
};

std::shared_ptr<arrow::Array> WithoutExtension(std::shared_ptr<arrow::Array> array) {
  while (array->type_id() == arrow::Type::EXTENSION) {
    array = arrow::internal::checked_cast<const arrow::ExtensionArray&>(*array).storage();
  }
  return array;
}

}  // namespace

Result<ColumnPlan> PlanColumns(const RecordFields& fields,
                               const parquet::arrow::SchemaManifest& manifest) {
  if (fields.text.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "no text field is named; name one, such as text");
  }
  Planner planner(manifest);
  ColumnPlan plan;
  for (const std::string& name : fields.text) {
    ZHIWEN_ASSIGN_OR_RETURN(PlannedField field, planner.Plan(name));
    plan.found_texts.push_back(field.kind == PlannedField::Kind::kAbsent ? 0 : 1);
    plan.text.push_back(std::move(field));
  }
  if (plan.text.size() == 1) plan.found_texts.clear();
  ZHIWEN_ASSIGN_OR_RETURN(plan.id, planner.Plan(fields.id));
  const ListUse lists = fields.joins_lists ? ListUse::kJoin : ListUse::kNone;
  for (const std::string& name : fields.policy) {
    ZHIWEN_ASSIGN_OR_RETURN(PlannedField field, planner.Plan(name, lists));
    plan.found_policy.push_back(field.kind == PlannedField::Kind::kAbsent ? 0 : 1);
    plan.policy.push_back(std::move(field));
  }
  planner.Finish(plan);
  for (const SchemaField& field : manifest.schema_fields) {
    plan.columns.push_back(field.field->name());
  }
  return plan;
}

arrow::Result<arrow::ArrayVector> ColumnsOf(const arrow::RecordBatch& batch, const ColumnPlan& plan,
                                            arrow::MemoryPool* pool) {
  arrow::ArrayVector columns;
  for (const Path& path : plan.paths) {
    // Only chosen columns are in the batch: the first of a name is the one that was meant.
    const std::vector<int> roots = batch.schema()->GetAllFieldIndices(path.front());
    if (roots.empty()) return arrow::Status::Invalid("column ", path.front(), " was not read");
    auto array = WithoutExtension(batch.column(*std::min_element(roots.begin(), roots.end())));
    for (size_t part = 1; part < path.size(); ++part) {
      if (array->type_id() != arrow::Type::STRUCT) {
        return arrow::Status::Invalid("column ", path[part], " was not read");
      }
      const auto& parent = arrow::internal::checked_cast<const arrow::StructArray&>(*array);
      const std::vector<int> children = parent.struct_type()->GetAllFieldIndices(path[part]);
      if (children.empty()) return arrow::Status::Invalid("column ", path[part], " was not read");
      ARROW_ASSIGN_OR_RAISE(array, parent.GetFlattenedField(
                                       *std::min_element(children.begin(), children.end()), pool));
      array = WithoutExtension(std::move(array));
    }
    columns.push_back(std::move(array));
  }
  return columns;
}

}  // namespace zhiwen
