#include "match/passages/passages_json.h"

#include <string_view>

namespace zhiwen {
namespace {

constexpr int kDecimalsOfPassages = 4;

void WriteBytes(JsonWriter& json, std::string_view key, const ByteSpan& bytes) {
  json.Key(key).BeginArray().Unsigned(bytes.begin.value).Unsigned(bytes.end.value).EndArray();
}

void WritePlace(JsonWriter& json, std::string_view key, const ByteSpan& bytes,
                const Span<CodePointOffset>& points, const std::optional<ByteSpan>& source) {
  json.Key(key).BeginObject();
  json.Key("begin").Unsigned(points.begin.value);
  json.Key("end").Unsigned(points.end.value);
  WriteBytes(json, "bytes", bytes);
  if (source) WriteBytes(json, "source", *source);
  json.EndObject();
}

void WriteMatched(JsonWriter& json, uint64_t a, uint64_t b) {
  json.Key("matched").BeginObject().Key("a").Unsigned(a).Key("b").Unsigned(b).EndObject();
}

void WritePassage(JsonWriter& json, const CopiedPassage& passage) {
  json.BeginObject();
  WritePlace(json, "a", passage.a_bytes, passage.a_points, passage.a_source);
  WritePlace(json, "b", passage.b_bytes, passage.b_points, passage.b_source);
  json.Key("channel").String(passage.channel);
  json.Key("kind").String(PassageKindName(passage.kind));
  json.Key("matched").Unsigned(passage.matched);
  json.Key("similarity").Fixed(passage.similarity, kDecimalsOfPassages);
  json.Key("score").Fixed(passage.score, kDecimalsOfPassages);
  WriteEdits(json, passage, {});
  json.EndObject();
}

}  // namespace

void WriteExcludedPassages(JsonWriter& json, const PassageComparison& comparison) {
  json.Key("before").BeginObject();
  WriteMatched(json, comparison.a_matched_before, comparison.b_matched_before);
  json.EndObject().Key("excluded").BeginArray();
  for (const ExcludedPassage& one : comparison.excluded) {
    json.BeginObject().Key("reason").String(ExclusionReasonName(one.reason)).Key("passage");
    WritePassage(json, one.passage);
    json.EndObject();
  }
  json.EndArray();
}

void WritePassages(JsonWriter& json, const PassageComparison& comparison) {
  WriteMatched(json, comparison.a_matched, comparison.b_matched);
  WriteHow(json, comparison.edits, comparison.renamed);
  json.Key("passages").BeginArray();
  for (const CopiedPassage& passage : comparison.passages) WritePassage(json, passage);
  json.EndArray();
}

void WriteHow(JsonWriter& json, const EditCounts& edits, std::span<const Renaming> renamed) {
  json.Key("how").BeginObject();
  for (size_t i = 0; i < kEditKinds; ++i) {
    json.Key(EditKindName(static_cast<EditKind>(i))).Unsigned(edits[i]);
  }
  json.EndObject();
  json.Key("renamed").BeginArray();
  for (const Renaming& renaming : renamed) {
    json.BeginArray().String(renaming.in_b).String(renaming.in_a).Unsigned(renaming.count);
    json.EndArray();
  }
  json.EndArray();
}

void WriteEdits(JsonWriter& json, const CopiedPassage& passage, const SideNames& names) {
  json.Key("pieces").BeginArray();
  for (const PassagePiece& piece : passage.pieces) {
    json.BeginObject();
    WriteBytes(json, names.a, piece.a_bytes);
    WriteBytes(json, names.b, piece.b_bytes);
    json.EndObject();
  }
  json.EndArray();
  json.Key("edits").BeginArray();
  for (const PassageEdit& edit : passage.edits) {
    json.BeginObject();
    json.Key("kind").String(EditKindName(edit.kind));
    WriteBytes(json, names.a, edit.a_bytes);
    WriteBytes(json, names.b, edit.b_bytes);
    json.Key("symbols").Unsigned(edit.symbols);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace zhiwen
