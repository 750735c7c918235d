#include "pipeline/reader/code_lines.h"

#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/json/json_reader.h"
#include "base/utf8/text_encoding.h"
#include "document/record.h"

namespace zhiwen {
namespace {

static_assert(LineReader::kPadding >= JsonReader::kPadding);

struct FieldPath {
  std::string name;
  std::vector<std::string> parts;
};

Result<FieldPath> MakePath(const std::string& name) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseFieldPath(name));
  return FieldPath{name, std::move(parts)};
}

// "a.b" is the b in a, or else the field that is really called a.b.
std::optional<JsonField> FindField(const JsonReader& json, const FieldPath& path) {
  std::optional<JsonField> field = json.Find(path.parts);
  return field || path.parts.size() == 1 ? field : json.Find(std::span(&path.name, 1));
}

class CodeLines final : public CodeSource {
 public:
  CodeLines(LineReader lines, const CodeReaderOptions& options, FieldPath code, FieldPath id)
      : lines_(std::move(lines)),
        format_(options.format),
        rows_(options.rows),
        bits_(options.code_bits),
        needs_id_(options.id_field.has_value() || options.rows == CodeRows::kLabels),
        code_(std::move(code)),
        id_(std::move(id)),
        scheme_(options) {}

  Result<bool> Next(CodeBatch& batch) override;
  uint64_t rows_without_code() const override { return passed_over_; }
  std::string_view scheme() const override { return scheme_.chosen(); }
  uint64_t bytes_read() const override { return lines_.bytes_read(); }

 private:
  Status ChooseFormat(std::string_view line);
  Status TakeText(std::string_view line, CodeBatch& batch);
  Status TakeJson(std::string_view line, CodeBatch& batch);
  Result<bool> TakeCode(CodeBatch& batch);
  Status TakeId();
  tl::unexpected<Error> Wrong(std::string_view what) const;
  tl::unexpected<Error> Missing(const FieldPath& field, Advice advice) const;

  LineReader lines_;
  std::optional<CodeFormat> format_;
  CodeRows rows_;
  uint32_t bits_;
  bool needs_id_;
  FieldPath code_, id_;
  const std::vector<std::string> scheme_path_ = {"scheme"};
  SchemeChoice scheme_;
  JsonReader json_;
  LabelCopies labels_;  // of JSON
  uint64_t passed_over_ = 0;
};

tl::unexpected<Error> CodeLines::Wrong(std::string_view what) const {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": line {} {}", lines_.name(), lines_.number(), what));
}

tl::unexpected<Error> CodeLines::Missing(const FieldPath& field, Advice advice) const {
  return Fail(ErrorCode::kNotFound,
              fmt::format("cannot read \"{}\": line {} has no field \"{}\"; name another one",
                          lines_.name(), lines_.number(), field.name),
              {advice});
}

// By the first line that is not blank.
Status CodeLines::ChooseFormat(std::string_view line) {
  if (BeginsAsUtf16(line)) return Wrong(fmt::format("is {}", kUtf16Advice));
  if (line.starts_with("PAR1")) {
    return Fail(
        ErrorCode::kUnreadable,
        fmt::format("cannot read \"{}\": it is a Parquet file; name it *.parquet", lines_.name()));
  }
  if (!format_) format_ = line.starts_with('{') ? CodeFormat::kJsonLines : CodeFormat::kText;
  return {};
}

Status CodeLines::TakeText(std::string_view line, CodeBatch& batch) {
  const size_t tab = line.find('\t');
  const bool has_tab = tab != std::string_view::npos;
  if (rows_ == CodeRows::kLabels) {
    if (has_tab) return Wrong("has a tab: each line is one id here, without its code");
    batch.labels.push_back(line);
  } else {
    const std::string_view label = has_tab ? line.substr(tab + 1) : std::string_view();
    if (label.find('\t') != std::string_view::npos) {
      return Wrong("has more than two columns; keep the code and one id, as cut -f1,2 does");
    }
    if (!label.empty() && IsBlankLine(label)) {
      return Wrong("has an id of blanks alone; leave out the tab of a row without an id");
    }
    uint64_t code = 0;
    if (const std::string fault = CodeOfHex(line.substr(0, tab), bits_, code); !fault.empty()) {
      return Wrong(fault + "; correct it (an id stands behind a tab)");
    }
    batch.codes.push_back(code);
    batch.labels.push_back(label);
  }
  const std::string fault = FaultOfLabel(batch.labels.back());
  return fault.empty() ? Status() : Status(Wrong(fault));
}

// False: the row does not count.
Result<bool> CodeLines::TakeCode(CodeBatch& batch) {
  bool is_value = false;
  if (scheme_.is_asked()) {
    const std::optional<JsonField> scheme = json_.Find(scheme_path_);
    is_value = scheme && scheme->type == JsonType::kString;
    if (!scheme_.Takes(is_value ? scheme->string : std::string_view())) {
      passed_over_ += is_value ? 0 : 1;
      return false;
    }
  }
  const std::optional<JsonField> field = FindField(json_, code_);
  if (!field) return Missing(code_, Advice::kNameCodeField);
  uint64_t code = 0;
  std::string fault = "is no code; a scheme of one code each is simhash64";
  if (field->type == JsonType::kNull) {
    ++passed_over_;
    return false;
  }
  if (field->type == JsonType::kString) {
    fault =
        is_value ? CodeOfValue(field->string, bits_, code) : CodeOfHex(field->string, bits_, code);
  } else if (field->type == JsonType::kNumber) {
    fault = field->is_float ? std::string(kInexactNumber) : CodeOfNumber(field->raw, bits_, code);
  }
  if (!fault.empty()) return Wrong(fmt::format("is wrong: field \"{}\" {}", code_.name, fault));
  batch.codes.push_back(code);
  return true;
}

Status CodeLines::TakeId() {
  const std::optional<JsonField> field = FindField(json_, id_);
  std::string_view label;
  if (!field || field->type == JsonType::kNull) {
    if (field && needs_id_) return Wrong(fmt::format("is wrong: field \"{}\" is null", id_.name));
    if (needs_id_) return Missing(id_, Advice::kNameIdField);
  } else if (field->type == JsonType::kArray || field->type == JsonType::kObject) {
    return Wrong(fmt::format("is wrong: field \"{}\" is no id but holds several values", id_.name));
  } else {
    label = field->type == JsonType::kString ? field->string : field->raw;
    if (label.empty() && rows_ == CodeRows::kLabels) {
      return Wrong(fmt::format("is wrong: field \"{}\" {}", id_.name, kNoId));
    }
  }
  if (const std::string fault = FaultOfLabel(label); !fault.empty()) return Wrong(fault);
  labels_.Add(label);
  return {};
}

Status CodeLines::TakeJson(std::string_view line, CodeBatch& batch) {
  if (const std::optional<JsonFault> fault = json_.Parse(line)) {
    return Wrong("is no JSON: " + fault->message);
  }
  if (!json_.root_is_object()) return Wrong("is no JSON object");
  if (rows_ == CodeRows::kCodes) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool counts, TakeCode(batch));
    if (!counts) return {};
  }
  return TakeId();
}

Result<bool> CodeLines::Next(CodeBatch& batch) {
  batch.codes.clear();
  batch.labels.clear();
  labels_.Clear();
  if (!lines_.has_lines()) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, lines_.Fill());
    if (!more) {
      ZHIWEN_RETURN_IF_ERROR(scheme_.CheckFound(lines_.name()));
      return false;
    }
  }
  std::string_view line;
  for (size_t i = 0; i < kMostCodeRows && lines_.Take(line); ++i) {
    if (IsBlankLine(line)) continue;
    if (lines_.number() == 1 || !format_) ZHIWEN_RETURN_IF_ERROR(ChooseFormat(line));
    ZHIWEN_RETURN_IF_ERROR(format_ == CodeFormat::kJsonLines ? TakeJson(line, batch)
                                                             : TakeText(line, batch));
  }
  ZHIWEN_RETURN_IF_ERROR(scheme_.CheckOne(lines_.name()));
  if (format_ == CodeFormat::kJsonLines) labels_.Finish(batch.labels);
  return true;
}

}  // namespace

Result<std::unique_ptr<CodeSource>> OpenCodeLines(LineReader lines,
                                                  const CodeReaderOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(FieldPath code, MakePath(options.code_field));
  ZHIWEN_ASSIGN_OR_RETURN(FieldPath id, MakePath(options.id_field.value_or("id")));
  return std::make_unique<CodeLines>(std::move(lines), options, std::move(code), std::move(id));
}

}  // namespace zhiwen
