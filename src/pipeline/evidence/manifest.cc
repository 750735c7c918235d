#include "pipeline/evidence/manifest.h"

#include <initializer_list>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/digest.h"
#include "base/json/json_reader.h"
#include "base/json/json_writer.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr uint64_t kFormatVersion = 1;
constexpr size_t kHexDigits = 64;
constexpr std::string_view kBetween = "  ";  // a hash and a path

// Reads the fields of a manifest; the first one that is not as it should be is the error.
class ManifestFields {
 public:
  explicit ManifestFields(std::string_view json) : padded_(json) {
    padded_.resize(json.size() + JsonReader::kPadding);
    const auto fault = reader_.Parse(std::string_view(padded_).substr(0, json.size()));
    if (fault) Refuse(fault->message);
  }

  std::string String(std::initializer_list<std::string> path) {
    const auto field = Find(path, JsonType::kString);
    return field ? std::string(field->string) : std::string();
  }

  uint64_t Unsigned(std::initializer_list<std::string> path) {
    const auto field = Find(path, JsonType::kNumber);
    if (!field) return 0;
    const bool is_whole = field->number >= 0 && field->number < 1e15 && !field->is_float;
    if (!is_whole) Refuse(fmt::format("\"{}\" is no count", fmt::join(path, ".")));
    return is_whole ? static_cast<uint64_t>(field->number) : 0;
  }

  double Number(std::initializer_list<std::string> path) {
    const auto field = Find(path, JsonType::kNumber);
    return field ? field->number : 0;
  }

  // Returns whether there is a field that the first manifests have not.
  bool Has(const std::string& name) const {
    return why_.empty() && reader_.Find(std::vector{name}).has_value();
  }

  // Reads such a field.
  void LaterNumber(const std::string& name, double& number) {
    if (Has(name)) number = Number({name});
  }

  std::vector<std::string> Strings(std::initializer_list<std::string> path) {
    if (!why_.empty()) return {};
    std::vector<std::string_view> found;
    const std::vector<std::string> names(path);
    if (!reader_.FindStrings(names, found)) {
      Refuse(fmt::format("\"{}\" is no list of strings", fmt::join(path, ".")));
    }
    return {found.begin(), found.end()};
  }

  void Refuse(std::string why) {
    if (why_.empty()) why_ = std::move(why);
  }

  Status Check() const {
    if (why_.empty()) return {};
    return Fail(ErrorCode::kUnreadable, fmt::format("{} cannot be read: {}", kManifestFile, why_));
  }

 private:
  std::optional<JsonField> Find(std::initializer_list<std::string> path, JsonType type) {
    if (!why_.empty()) return std::nullopt;
    const std::vector<std::string> names(path);
    const std::optional<JsonField> field = reader_.Find(names);
    if (field && field->type == type) return field;
    Refuse(fmt::format("\"{}\" is missing or of another type", fmt::join(path, ".")));
    return std::nullopt;
  }

  std::string padded_;
  JsonReader reader_;
  std::string why_;  // empty: everything was as it should be so far
};

void ParseFiles(ManifestFields& fields, std::vector<PackedFileHash>& files) {
  for (const std::string& line : fields.Strings({"files"})) {
    const bool is_line = line.size() > kHexDigits + kBetween.size() &&
                         line.find_first_not_of("0123456789abcdef") == kHexDigits &&
                         line.substr(kHexDigits).starts_with(kBetween);
    if (!is_line)
      return fields.Refuse(fmt::format("\"{}\" in \"files\" is no hash and path", line));
    files.push_back({line.substr(kHexDigits + kBetween.size()), line.substr(0, kHexDigits)});
  }
}

void ParseSource(ManifestFields& fields, EvidenceManifest& manifest) {
  manifest.suspect = fields.String({"suspect", "name"});
  manifest.source = fields.String({"suspect", "source"});
  const auto format = ParseDocumentFormat(fields.String({"suspect", "format"}));
  format ? void(manifest.format = *format) : fields.Refuse(format.error().message);
  const auto encoding = ParseTextEncoding(fields.String({"suspect", "encoding"}));
  encoding ? void(manifest.encoding = *encoding) : fields.Refuse(encoding.error().message);
}

}  // namespace

void WriteStrings(JsonWriter& json, std::string_view key, const std::vector<std::string>& values) {
  json.Key(key).BeginArray();
  for (const std::string& value : values) json.String(value);
  json.EndArray();
}

std::string ManifestToJson(const EvidenceManifest& manifest) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject().Key("format").String("zhiwen evidence");
  json.Key("version").Unsigned(kFormatVersion);
  json.Key("zhiwen").String(manifest.zhiwen).Key("unicode").String(UnicodeVersion());
  json.Key("opencc").String(OpenccVersion()).Key("language").String(manifest.language);
  json.Key("made").String(manifest.made);
  WriteStrings(json, "command", manifest.command);
  json.Key("library").BeginObject().Key("id").String(manifest.library);
  json.Key("profile").String(manifest.profile);
  json.Key("sequence").Unsigned(manifest.sequence).EndObject();
  json.Key("suspect").BeginObject().Key("name").String(manifest.suspect);
  json.Key("source").String(manifest.source);
  json.Key("format").String(DocumentFormatName(manifest.format));
  json.Key("encoding").String(manifest.encoding ? TextEncodingName(*manifest.encoding) : "auto");
  json.EndObject();
  json.Key("verdict").String(manifest.verdict);
  WriteStrings(json, "channels", manifest.channels);
  WriteStrings(json, "passage_channels", manifest.passage_channels);
  json.Key("least_score").Double(manifest.least_score);
  json.Key("near_threshold").Double(manifest.near_threshold);
  json.Key("containment").Double(manifest.containment);
  json.Key("symbols").Double(manifest.symbols);
  json.Key("excluded").BeginObject();
  WriteStrings(json, "reasons", manifest.excluded_reasons);
  json.Key("author").String(manifest.author);
  WriteStrings(json, "licences", manifest.licences);
  json.EndObject();
  json.Key("originals").Unsigned(manifest.originals);
  WriteStrings(json, "not_packed", manifest.not_packed);
  WriteStrings(json, "incomplete", manifest.incomplete);
  json.Key("files").BeginArray();
  for (const PackedFileHash& file : manifest.files) json.String(HashLine(file));
  json.EndArray().EndObject();
  return out + "\n";
}

Result<EvidenceManifest> ParseManifest(std::string_view json) {
  ManifestFields fields(json);
  const std::string format = fields.String({"format"});
  const uint64_t version = fields.Unsigned({"version"});
  ZHIWEN_RETURN_IF_ERROR(fields.Check());
  if (format != "zhiwen evidence") {
    return Fail(ErrorCode::kUnreadable, fmt::format("{} is that of no evidence", kManifestFile));
  }
  if (version > kFormatVersion) {
    return Fail(ErrorCode::kConflict,
                fmt::format("its format has version {}, and this zhiwen reads {}; take a later "
                            "zhiwen",
                            version, kFormatVersion));
  }
  EvidenceManifest manifest = {.zhiwen = fields.String({"zhiwen"}),
                               .language = fields.String({"language"}),
                               .made = fields.String({"made"}),
                               .command = fields.Strings({"command"}),
                               .library = fields.String({"library", "id"}),
                               .profile = fields.String({"library", "profile"}),
                               .sequence = fields.Unsigned({"library", "sequence"}),
                               .verdict = fields.String({"verdict"}),
                               .channels = fields.Strings({"channels"}),
                               .passage_channels = fields.Strings({"passage_channels"}),
                               .originals = fields.Unsigned({"originals"}),
                               .not_packed = fields.Strings({"not_packed"}),
                               .incomplete = fields.Strings({"incomplete"})};
  manifest.least_score = fields.Number({"least_score"});
  fields.LaterNumber("near_threshold", manifest.near_threshold);
  fields.LaterNumber("containment", manifest.containment);
  fields.LaterNumber("symbols", manifest.symbols);
  if (fields.Has("excluded")) {
    manifest.excluded_reasons = fields.Strings({"excluded", "reasons"});
    manifest.author = fields.String({"excluded", "author"});
    manifest.licences = fields.Strings({"excluded", "licences"});
  }
  ParseSource(fields, manifest);
  ParseFiles(fields, manifest.files);
  ZHIWEN_RETURN_IF_ERROR(fields.Check());
  return manifest;
}

std::string Sha256Hex(std::string_view bytes) {
  return fmt::format("{:02x}", fmt::join(ComputeSha256(bytes), ""));
}

std::string HashLine(const PackedFileHash& file) {
  return fmt::format("{}{}{}", file.sha256, kBetween, file.path);
}

std::string PathOf(std::string_view folder, uint64_t number, std::string_view behind) {
  return fmt::format("{}/{}{}", folder, number, behind);
}

}  // namespace zhiwen
