#include "match/passages/passages_json.h"

#include <string_view>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr int kDecimalsOfPassages = 4;
constexpr int kDigitsOfExpected = 3;

void WriteMatched(JsonWriter& json, uint64_t a, uint64_t b, const SideNames& names) {
  json.Key("matched").BeginObject();
  json.Key(names.a).Unsigned(a).Key(names.b).Unsigned(b).EndObject();
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

}  // namespace

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

void WritePassage(JsonWriter& json, const CopiedPassage& passage, const SideNames& names) {
  json.BeginObject();
  WritePlace(json, names.a, passage.a_bytes, passage.a_points, passage.a_source);
  WritePlace(json, names.b, passage.b_bytes, passage.b_points, passage.b_source);
  json.Key("channel").String(passage.channel);
  json.Key("kind").String(PassageKindName(passage.kind));
  json.Key("matched").Unsigned(passage.matched);
  if (passage.rare) json.Key("rare").Unsigned(*passage.rare);
  json.Key("similarity").Fixed(passage.similarity, kDecimalsOfPassages);
  json.Key("score").Fixed(passage.score, kDecimalsOfPassages);
  if (passage.expected) {
    json.Key("expected").Raw(fmt::format("{:.{}g}", *passage.expected, kDigitsOfExpected));
  }
  if (names.are_one_text) {
    if (const auto period = PeriodOf(passage)) json.Key("period").Unsigned(*period);
  }
  WriteEdits(json, passage, names);
  json.EndObject();
}

void WriteSearched(JsonWriter& json, const SearchedChannels& searched) {
  json.Key("searched").BeginObject().Key("channels").BeginArray();
  for (const std::string& channel : searched.channels) json.String(channel);
  json.EndArray();
  WriteNotSearched(json, searched.not_searched);
  json.EndObject();
}

void WriteNotSearched(JsonWriter& json, std::span<const UnsearchedChannel> channels) {
  json.Key("not_searched").BeginArray();
  for (const UnsearchedChannel& one : channels) {
    json.BeginObject().Key("channel").String(one.channel);
    json.Key("reason").String(NotSearchedName(one.reason)).EndObject();
  }
  json.EndArray();
}

void WriteExcluded(JsonWriter& json, std::span<const ExcludedPassage> excluded,
                   const SideNames& names) {
  json.Key("excluded").BeginArray();
  for (const ExcludedPassage& one : excluded) {
    json.BeginObject().Key("reason").String(ExclusionReasonName(one.reason)).Key("passage");
    WritePassage(json, one.passage, names);
    json.EndObject();
  }
  json.EndArray();
}

void WriteExcludedPassages(JsonWriter& json, const PassageComparison& comparison) {
  json.Key("before").BeginObject();
  WriteMatched(json, comparison.a_matched_before, comparison.b_matched_before, {});
  json.EndObject();
  WriteExcluded(json, comparison.excluded, {});
}

void WritePassages(JsonWriter& json, const PassageComparison& comparison, const SideNames& names) {
  WriteMatched(json, comparison.a_matched, comparison.b_matched, names);
  WriteHow(json, comparison.edits, comparison.renamed);
  json.Key("passages").BeginArray();
  for (const CopiedPassage& passage : comparison.passages) WritePassage(json, passage, names);
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

}  // namespace zhiwen
