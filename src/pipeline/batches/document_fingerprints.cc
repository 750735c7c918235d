#include <algorithm>
#include <atomic>
#include <utility>

#include "base/for_each_until_error.h"
#include "zhiwen/document_results.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/picture.h"

namespace zhiwen {
namespace {

constexpr size_t kFingerprintedAtOnce = 4;  // documents

bool IsOfPictures(std::span<const std::unique_ptr<Scheme>> schemes) {
  return std::ranges::all_of(schemes, [](const auto& scheme) { return scheme->is_of_pictures(); });
}

class DocumentFingerprinter {
 public:
  // Both must outlive the object.
  DocumentFingerprinter(const FingerprintDocumentsOptions& options,
                        const BatchEnvironment& environment)
      : options_(options), environment_(environment) {}

  Result<FingerprintedDocuments> Run();

 private:
  DocumentFields FieldsOf(const SourceDocument& document) const;
  // Returns the values of a document, in the order of the schemes.
  Result<std::vector<Fingerprint>> Compute(const SourceDocument& document);
  std::string ToLines(const SourceDocument& document, std::span<const Fingerprint> values) const;
  Status TakeBatch(std::span<const SourceDocument> batch);
  Status CheckPicture(SourceDocument& document) const;

  const FingerprintDocumentsOptions& options_;
  const BatchEnvironment& environment_;
  std::unique_ptr<FingerprintFile> file_;  // null: lines are given
  std::atomic<uint64_t> without_value_ = 0;
  uint64_t documents_ = 0;
};

DocumentFields DocumentFingerprinter::FieldsOf(const SourceDocument& document) const {
  DocumentFields fields = {.text = document.text};
  for (size_t i = 0; i < options_.fields.size(); ++i) {
    std::string_view& target = fields.*options_.fields[i].target;
    if (target.empty()) target = document.values[i];
  }
  return fields;
}

Result<std::vector<Fingerprint>> DocumentFingerprinter::Compute(const SourceDocument& document) {
  std::vector<Fingerprint> values;
  values.reserve(options_.schemes.size());
  for (const auto& scheme : options_.schemes) {
    ZHIWEN_ASSIGN_OR_RETURN(Fingerprint value, scheme->uses_fields()
                                                   ? scheme->ComputeDocument(FieldsOf(document))
                                                   : scheme->Compute(document.text));
    if (!HasValue(value)) without_value_.fetch_add(1);
    values.push_back(std::move(value));
  }
  return values;
}

std::string DocumentFingerprinter::ToLines(const SourceDocument& document,
                                           std::span<const Fingerprint> values) const {
  std::string lines;
  for (size_t k = 0; k < values.size(); ++k) {
    if (options_.form == FingerprintLines::kJson) {
      lines += FingerprintToJson(document.id, options_.schemes[k]->canonical_name(), values[k]);
    } else if (const std::string value = FingerprintValueToJson(values[k]); HasValue(values[k])) {
      const bool is_hex = value.starts_with('"');
      lines += is_hex ? value.substr(1, value.size() - 2) : value;
    } else {
      continue;
    }
    lines += '\n';
  }
  return lines;
}

// What is no picture has no value of schemes that are made of pictures.
Status DocumentFingerprinter::CheckPicture(SourceDocument& document) const {
  if (!document.fault.empty() || ParsePicture(FieldsOf(document).picture)) return {};
  document.fault = "no_picture";
  document.fault_detail = "the scheme is made of pictures, and this is none";
  return {};
}

Status DocumentFingerprinter::TakeBatch(std::span<const SourceDocument> batch) {
  std::vector<std::string> lines(batch.size());                // without a file
  std::vector<std::vector<Fingerprint>> values(batch.size());  // for the file
  const auto compute = [&](size_t, size_t i) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<Fingerprint> computed, Compute(batch[i]));
    if (file_ == nullptr) {
      lines[i] = ToLines(batch[i], computed);
    } else {
      values[i] = std::move(computed);
    }
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(
      ForEachUntilError(environment_.executor, batch.size(), kFingerprintedAtOnce, compute));
  documents_ += batch.size();
  for (size_t i = 0; i < batch.size(); ++i) {
    if (file_ == nullptr) ZHIWEN_RETURN_IF_ERROR(options_.lines(lines[i]));
    for (size_t k = 0; k < values[i].size(); ++k) {
      const std::string& name = options_.schemes[k]->canonical_name();
      ZHIWEN_RETURN_IF_ERROR(file_->Add(batch[i].id, name, values[i][k]));
    }
  }
  return {};
}

Result<FingerprintedDocuments> DocumentFingerprinter::Run() {
  DocumentInputs inputs = options_.inputs;
  for (const FieldSource& source : options_.fields) {
    inputs.documents.value_fields.push_back(source.field);
  }
  const bool has_file = !options_.output.path.empty();
  DocumentWork work = {
      .stage = Stage::kCompute, .outcome = "fingerprint", .done = has_file ? "" : "printed"};
  if (IsOfPictures(options_.schemes)) {
    work.check = [this](SourceDocument& document) { return CheckPicture(document); };
  }
  DocumentBatches batches(std::move(inputs), std::move(work), environment_);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());
  if (has_file) {
    ZHIWEN_ASSIGN_OR_RETURN(file_, FingerprintFile::Create(environment_.files, options_.output));
  }
  ZHIWEN_RETURN_IF_ERROR(
      batches.ForEach([&](std::span<const SourceDocument> batch) { return TakeBatch(batch); }));
  return FingerprintedDocuments{.documents = documents_,
                                .without_value = without_value_,
                                .found = batches.found(),
                                .file = std::move(file_)};
}

}  // namespace

Result<FingerprintedDocuments> FingerprintDocuments(const FingerprintDocumentsOptions& options,
                                                    const BatchEnvironment& environment) {
  return DocumentFingerprinter(options, environment).Run();
}

}  // namespace zhiwen
