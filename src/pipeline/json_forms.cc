#include "zhiwen/json_forms.h"

#include <utility>

#include <fmt/format.h>

#include "base/json/json_writer.h"
#include "zhiwen/channel.h"
#include "zhiwen/simd.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr int kDecimals = 6;

void WriteChannel(JsonWriter& json, const InspectedChannel& channel) {
  // One line each, however the rest is laid out.
  std::string symbols, names, spans;
  JsonWriter symbol_list(symbols), name_list(names), span_list(spans);
  symbol_list.BeginArray();
  name_list.BeginArray();
  span_list.BeginArray();
  for (size_t i = 0; i < channel.symbols.size(); ++i) {
    symbol_list.Unsigned(channel.symbols[i]);
    name_list.String(channel.names[i]);
    span_list.BeginArray().Unsigned(channel.spans[i].begin.value);
    span_list.Unsigned(channel.spans[i].end.value).EndArray();
  }
  symbol_list.EndArray();
  name_list.EndArray();
  span_list.EndArray();
  json.BeginObject();
  json.Key("name").String(channel.channel.name());
  json.Key("symbols").Raw(symbols);
  json.Key("names").Raw(names);
  json.Key("spans").Raw(spans);
  json.Key("disguise").BeginObject();
  for (const DisguiseKind& kind : DisguiseKinds()) {
    json.Key(kind.name).Unsigned(channel.disguise.*kind.count);
  }
  json.EndObject().EndObject();
}

void WriteIfKnown(JsonWriter& json, const std::optional<uint64_t>& figure) {
  if (figure) {
    json.Unsigned(*figure);
  } else {
    json.Null();
  }
}

std::string TokenToJson(const Token& token, std::string_view text) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("bytes").BeginArray().Unsigned(token.bytes.begin.value);
  json.Unsigned(token.bytes.end.value).EndArray();
  json.Key("text").String(text);
  json.Key("tag").String(token.tag);
  json.EndObject();
  return out;
}

std::string HexOf(uint64_t hash) { return fmt::format("{:016x}", hash); }

// Begin and end of an object that is open.
void WriteBytes(JsonWriter& json, const ByteSpan& bytes) {
  json.Key("begin").Unsigned(bytes.begin.value);
  json.Key("end").Unsigned(bytes.end.value);
}

void WritePlace(JsonWriter& json, const SelectedShingle& shingle) {
  json.Key("position").Unsigned(shingle.position);
  WriteBytes(json, shingle.source);
}

// One line each, as there may be many.
void WriteShared(JsonWriter& json, std::span<const SharedShingle> shared) {
  json.Key("shared").BeginArray();
  for (const SharedShingle& shingle : shared) {
    std::string line;
    JsonWriter places(line);
    places.BeginObject().Key("hash").String(HexOf(shingle.a.front().hash));
    for (const auto& [name, all] : {std::pair("a", &shingle.a), std::pair("b", &shingle.b)}) {
      places.Key(name).BeginArray();
      for (const SelectedShingle& place : *all) {
        places.BeginObject();
        WritePlace(places, place);
        places.EndObject();
      }
      places.EndArray();
    }
    places.EndObject();
    json.Raw(line);
  }
  json.EndArray();
}

void WriteGranules(JsonWriter& json, std::span<const ClosestGranule> granules) {
  json.Key("granules").BeginArray();
  for (const ClosestGranule& granule : granules) {
    std::string line;
    JsonWriter pair(line);
    pair.BeginObject();
    for (const auto& [name, bytes] : {std::pair("a", &granule.a), std::pair("b", &granule.b)}) {
      pair.Key(name).BeginObject();
      WriteBytes(pair, *bytes);
      pair.EndObject();
    }
    pair.Key("distance").Unsigned(granule.distance).EndObject();
    json.Raw(line);
  }
  json.EndArray();
}

// The value of a fingerprint.
class ValueToJson {
 public:
  explicit ValueToJson(JsonWriter& json) : json_(json) {}

  void operator()(const NoFingerprint&) const { json_.Null(); }
  void operator()(const FingerprintBytes& bytes) const { json_.String(Hex(bytes)); }
  void operator()(const HashSet& set) const {
    json_.BeginArray();
    for (const uint64_t hash : set.hashes) json_.String(HexOf(hash));
    json_.EndArray();
  }
  void operator()(const CodeSequence& codes) const {
    json_.BeginArray();
    for (size_t i = 0; i < codes.size(); ++i) json_.String(Hex(codes[i]));
    json_.EndArray();
  }
  void operator()(const SelectedShingles& selected) const {
    json_.BeginArray();
    for (const SelectedShingle& shingle : selected) {
      json_.BeginObject();
      json_.Key("hash").String(HexOf(shingle.hash));
      WritePlace(json_, shingle);
      json_.EndObject();
    }
    json_.EndArray();
  }
  void operator()(const WeightedTerms& terms) const {
    json_.BeginArray();
    for (const auto& [term, weight] : terms) {
      json_.BeginObject().Key("term").String(term).Key("weight").Unsigned(weight).EndObject();
    }
    json_.EndArray();
  }

 private:
  static std::string Hex(std::span<const uint8_t> bytes) {
    return fmt::format("{:02x}", fmt::join(bytes, ""));
  }

  JsonWriter& json_;
};

void AppendTriple(JsonWriter& json, std::string_view name, const PhonemeTriple& triple,
                  const double* sum) {
  json.Key(name).BeginObject();
  json.Key("initials").Fixed(triple[0], 6);
  json.Key("finals").Fixed(triple[1], 6);
  json.Key("tones").Fixed(triple[2], 6);
  if (sum != nullptr) json.Key("sum").Fixed(*sum, 6);
  json.EndObject();
}

void AppendTraining(JsonWriter& json, const PhonemeTraining& training) {
  json.Key("training");
  if (training.pairs == 0) {
    json.Null();
    return;
  }
  json.BeginObject();
  json.Key("reference").String(training.reference);
  json.Key("distance").Unsigned(kPhonemeDistance);
  json.Key("seed").Unsigned(training.seed);
  json.Key("texts").Unsigned(training.texts);
  json.Key("pairs").Unsigned(training.pairs);
  json.Key("characters").Unsigned(training.characters);
  json.Key("replacements").Unsigned(training.replacements);
  AppendTriple(json, "least", training.least.each, &training.least.sum);
  AppendTriple(json, "percentile", training.percentile.each, &training.percentile.sum);
  AppendTriple(json, "mean", training.mean.each, &training.mean.sum);
  AppendTriple(json, "deviation", training.deviation.each, &training.deviation.sum);
  json.EndObject();
}

}  // namespace

std::string FingerprintToJson(std::string_view id, std::string_view canonical_name,
                              const Fingerprint& value) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("id").String(id);
  json.Key("scheme").String(canonical_name);
  json.Key("value");
  std::visit(ValueToJson(json), value);
  const auto* const bytes = std::get_if<FingerprintBytes>(&value);
  if (bytes != nullptr && canonical_name.starts_with("colour_grid.")) {
    json.Key("letters").String({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  }
  json.EndObject();
  return out;
}

std::string FingerprintValueToJson(const Fingerprint& value) {
  std::string out;
  JsonWriter json(out);
  std::visit(ValueToJson(json), value);
  return out;
}

std::string SimilaritiesToJson(std::string_view a_name, std::string_view b_name,
                               std::span<const SchemeSimilarity> similarities) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("a").String(a_name);
  json.Key("b").String(b_name);
  json.Key("similarities").BeginArray();
  for (const SchemeSimilarity& similarity : similarities) {
    json.BeginObject();
    json.Key("scheme").String(similarity.scheme);
    json.Key("measure").String(similarity.measure);
    json.Key("similarity").Fixed(similarity.similarity, kDecimals);
    if (!similarity.parts.empty()) {
      json.Key("parts").BeginObject();
      for (size_t i = 0; i < similarity.parts.size(); ++i) {
        json.Key(kMetadataParts[i]).String(AgreementName(similarity.parts[i]));
      }
      json.EndObject();
    }
    if (similarity.shared) WriteShared(json, *similarity.shared);
    if (similarity.granules) WriteGranules(json, *similarity.granules);
    json.EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

SpansToJson::SpansToJson(std::string_view id, std::string_view name, std::string& out)
    : json_(std::make_unique<JsonWriter>(out)) {
  json_->BeginObject().Key("id").String(id).Key(name).BeginArray();
}

SpansToJson::~SpansToJson() = default;

void SpansToJson::Add(std::string_view text_of_span, ByteSpan bytes, std::string_view tag) {
  json_->BeginObject();
  json_->Key("text").String(text_of_span);
  WriteBytes(*json_, bytes);
  if (!tag.empty()) json_->Key("tag").String(tag);
  json_->EndObject();
}

void SpansToJson::Finish() { json_->EndArray().EndObject(); }

std::string KeywordsToJson(std::string_view id, std::span<const Keyword> keywords,
                           const TermSnapshot* snapshot) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("id").String(id);
  json.Key("keywords").BeginArray();
  for (const Keyword& keyword : keywords) {
    json.BeginObject();
    json.Key("term").String(keyword.term.text);
    json.Key("tag").String(keyword.term.tag);
    json.Key("count").Unsigned(keyword.term.count);
    if (snapshot != nullptr) {
      json.Key("documents");
      const bool is_unknown = snapshot->may_be_left_out(keyword.documents);
      is_unknown ? json.Null() : json.Unsigned(keyword.documents);
    }
    json.Key("weight").Fixed(keyword.weight, kDecimals);
    json.EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

std::string SnapshotToJson(const TermSnapshot& snapshot, size_t top) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("file").String(snapshot.path());
  json.Key("id").String(snapshot.id());
  json.Key("terms_name").String(snapshot.terms_name());
  json.Key("documents").Unsigned(snapshot.documents());
  json.Key("terms").Unsigned(snapshot.size());
  json.Key("least_documents").Unsigned(snapshot.least_documents());
  json.Key("most_frequent").BeginArray();
  for (const size_t index : MostFrequent(snapshot, top)) {
    json.BeginObject();
    json.Key("term").String(snapshot.term(index));
    json.Key("documents").Unsigned(snapshot.documents_with(index));
    json.EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

std::string PhonemesToJson(const PhonemeSnapshot& snapshot) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("file").String(snapshot.path());
  json.Key("id").String(snapshot.id());
  json.Key("channel").String(snapshot.channel_name());
  json.Key("texts").Unsigned(snapshot.texts());
  json.Key("characters").Unsigned(snapshot.characters());
  json.Key("phonemes").BeginArray();
  const auto characters = static_cast<double>(snapshot.characters());
  for (size_t i = 0; i < PhonemeNames().size(); ++i) {
    const uint64_t count = snapshot.counts()[i];
    json.BeginObject();
    json.Key("kind").String(PhonemeNames()[i].kind);
    json.Key("name").String(PhonemeNames()[i].name);
    json.Key("count").Unsigned(count);
    json.Key("share").Fixed(static_cast<double>(count) / characters, 6);
    json.EndObject();
  }
  json.EndArray();
  AppendTriple(json, "entropies", snapshot.entropies(), nullptr);
  AppendTriple(json, "weights", snapshot.weights(), nullptr);
  AppendTraining(json, snapshot.training());
  json.EndObject();
  return out;
}

std::string FilterToJson(const KeyFilter& filter, std::string_view path) {
  const FilterKindTraits& traits = TraitsOf(filter.kind());
  const FilterOptions& options = filter.options();
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("file").String(path);
  json.Key("id").String(filter.id());
  json.Key("kind").String(traits.name);
  json.Key("keys_are").String(options.form == KeyForm::kLine ? "lines" : "codes");
  json.Key("keys").Unsigned(filter.keys());
  json.Key("made_for").Unsigned(options.keys);
  json.Key("bytes").Unsigned(filter.bytes());
  json.Key("false_positives").Double(filter.false_positives());
  json.Key("made_for_false_positives").Double(options.false_positives);
  json.Key("can_add").Bool(traits.can_add);
  json.Key("can_remove").Bool(traits.can_remove);
  json.EndObject();
  return out;
}

std::string KeyLineToJson(std::string_view file, uint64_t line, std::string_view text) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("file").String(file).Key("line").Unsigned(line).Key("text").String(text);
  json.EndObject();
  return out;
}

std::string KeyCountsToJson(uint64_t lines, uint64_t maybe) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("lines").Unsigned(lines).Key("maybe").Unsigned(maybe);
  json.Key("absent").Unsigned(lines - maybe);
  json.EndObject();
  return out;
}

std::string InspectionToJson(const Inspection& inspection, const InspectOptions& options) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("name").String(options.name);
  WriteIfKnown(json.Key("bytes"), inspection.bytes);
  WriteIfKnown(json.Key("lines"), inspection.lines);
  json.Key("part").Raw(
      fmt::format("[{},{}]", inspection.part.begin.value, inspection.part.end.value));
  json.Key("first_line").Unsigned(inspection.first_line);
  json.Key("has_chinese").Bool(inspection.has_han);
  json.Key("channels").BeginArray();
  for (const InspectedChannel& channel : inspection.channels) WriteChannel(json, channel);
  json.EndArray();
  json.Key("tokens");
  if (options.segmenter == nullptr) {
    json.Null();
  } else {
    json.BeginArray();
    for (const Token& token : inspection.tokens)
      json.Raw(TokenToJson(token, inspection.TextOf(token.bytes)));
    json.EndArray();
  }
  json.EndObject();
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
    json.Key("input").String(scheme.input);
    json.Key("value").String(scheme.value);
    json.Key("distance").String(scheme.distance);
    json.Key("measure").String(scheme.measure);
    json.Key("threshold");
    scheme.threshold > 0 ? json.Double(scheme.threshold) : json.Null();
    json.Key("threshold_meaning").String(scheme.threshold_meaning);
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
    json.Key("codes").String(format.codes);
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
