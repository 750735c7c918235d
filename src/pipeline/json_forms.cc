#include "zhiwen/json_forms.h"

#include <fmt/format.h>

#include "base/json/json_writer.h"
#include "zhiwen/simd.h"
#include "zhiwen/version.h"

namespace zhiwen {

std::string FingerprintToJson(std::string_view id, std::string_view canonical_name,
                              const Fingerprint& value) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("id").String(id);
  json.Key("scheme").String(canonical_name);
  json.Key("value");
  switch (value.kind) {
    case Fingerprint::Kind::kNone:
      json.Null();
      break;
    case Fingerprint::Kind::kBytes:
      json.String(fmt::format("{:02x}", fmt::join(value.bytes, "")));
      break;
    case Fingerprint::Kind::kSet:
      json.BeginArray();
      for (const uint64_t element : value.set) json.String(fmt::format("{:016x}", element));
      json.EndArray();
      break;
  }
  json.EndObject();
  return out;
}

std::string TokensToJson(std::string_view id, std::string_view text,
                         std::span<const Token> tokens) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("id").String(id).Key("tokens").BeginArray();
  for (const Token& token : tokens) {
    json.BeginObject();
    json.Key("text").String(text.substr(token.bytes.begin.value, token.bytes.size()));
    json.Key("begin").Unsigned(token.bytes.begin.value);
    json.Key("end").Unsigned(token.bytes.end.value);
    if (!token.tag.empty()) json.Key("tag").String(token.tag);
    json.EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

std::string SchemesToJson(std::span<const SchemeDescription> schemes) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginArray();
  for (const SchemeDescription& scheme : schemes) {
    json.BeginObject();
    json.Key("family").String(scheme.family);
    json.Key("default_name").String(scheme.default_name);
    json.Key("value").String(scheme.value);
    json.Key("distance").String(scheme.distance);
    json.Key("use_for").String(scheme.use_for);
    json.Key("not_for").String(scheme.not_for);
    json.Key("source").String(scheme.source);
    json.Key("parameters").BeginArray();
    for (const SchemeParameter& parameter : scheme.parameters) {
      json.BeginObject();
      json.Key("name").String(parameter.name);
      json.Key("type").String(parameter.type);
      json.Key("default").String(parameter.default_value);
      json.Key("meaning").String(parameter.meaning);
      json.EndObject();
    }
    json.EndArray().EndObject();
  }
  json.EndArray();
  return out;
}

std::string LanguageToJson(const Language& language) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("file").String(language.path());
  json.Key("id").String(language.id());
  json.Key("bytes").Unsigned(language.size());
  json.Key("packages").BeginArray();
  for (const LanguagePackage& package : language.packages()) {
    json.BeginObject();
    json.Key("name").String(package.name);
    json.Key("version").String(package.version);
    json.Key("licence").String(package.licence);
    json.Key("use").String(package.use);
    json.EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

std::string FormatsToJson(std::span<const FormatDescription> formats) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginArray();
  for (const FormatDescription& format : formats) {
    json.BeginObject();
    json.Key("name").String(format.name);
    json.Key("extensions").String(format.extensions);
    json.Key("documents").String(format.documents);
    json.Key("read_by").String(format.read_by);
    json.Key("written_by").String(format.written_by);
    json.EndObject();
  }
  json.EndArray();
  return out;
}

std::string VersionToJson() {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("version").String(Version());
  json.Key("unicode").String(UnicodeVersion());
  json.Key("opencc").String(OpenccVersion());
  json.Key("compiler").String(CompilerName());
  json.Key("simd").BeginObject();
  json.Key("selected").String(SimdLevelName(SelectedSimdLevel()));
  json.Key("supported").BeginArray();
  for (const SimdLevel level : SupportedSimdLevels()) json.String(SimdLevelName(level));
  json.EndArray().EndObject().EndObject();
  return out;
}

std::string_view CompilerName() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace zhiwen
