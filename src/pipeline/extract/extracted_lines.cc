#include "base/json/json_writer.h"
#include "zhiwen/body_tree.h"
#include "zhiwen/extract_files.h"

namespace zhiwen {
namespace {

void SpanToJson(std::string_view key, ByteSpan span, JsonWriter& json) {
  json.Key(key).BeginObject();
  json.Key("begin").Unsigned(span.begin.value).Key("end").Unsigned(span.end.value);
  json.EndObject();
}

void FactsToJson(const ExtractedFrom& from, const ExtractedDocument& document, JsonWriter& json) {
  const bool is_picture = from.recognized == kRecognizedPicture;
  json.Key("url").String(document.url).Key("type");
  json.String(is_picture ? kRecognizedPicture : DocumentTypeName(document.type));
  json.Key("encoding").BeginObject().Key("name").String(document.encoding);
  json.Key("declared").String(document.declared_encoding);
  json.Key("errors").Unsigned(document.encoding_errors).EndObject();
  json.Key("title").String(document.title).Key("author").String(document.author);
  json.Key("date").String(document.date).Key("site").String(document.site);
  json.Key("language").String(document.language);
  if (!document.next.empty()) json.Key("next").String(document.next);
}

void BlocksToJson(const ExtractedDocument& document, JsonWriter& json) {
  json.Key("blocks").BeginArray();
  for (const ExtractedBlock& block : document.blocks) {
    json.BeginObject().Key("kind").String(BlockKindName(block.kind));
    json.Key("level").Unsigned(block.level);
    SpanToJson("text", block.text, json);
    SpanToJson("source", block.source, json);
    json.EndObject();
  }
  json.EndArray();
}

void DroppedToJson(std::span<const DroppedLine> dropped, JsonWriter& json) {
  json.Key("dropped").BeginArray();
  for (const DroppedLine& line : dropped) {
    json.BeginObject().Key("reason").String("site_template").Key("text").String(line.text);
    SpanToJson("source", line.source, json);
    json.Key("pages").Unsigned(line.pages).Key("site_pages").Unsigned(line.site_pages).EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string ExtractedToJson(const ExtractedFrom& from, const ExtractedDocument& document,
                            ShownBlocks blocks, std::span<const DroppedLine> dropped) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(from.id);
  json.Key("source").BeginObject().Key("file").String(from.file);
  if (from.record) json.Key("record").Unsigned(*from.record);
  if (!from.record_id.empty()) json.Key("record_id").String(from.record_id);
  if (!from.captured.empty()) json.Key("captured").String(from.captured);
  if (!document.member.empty()) json.Key("member").String(document.member);
  json.EndObject();
  FactsToJson(from, document, json);
  json.Key("kind").String(ExtractedKindName(document.kind));
  json.Key("share").Fixed(document.share, 3);
  if (!from.recognized.empty()) json.Key("recognized").String(from.recognized);
  json.Key("text").String(document.text);
  if (document.pictures > 0) json.Key("pictures").Unsigned(document.pictures);
  if (document.hidden > 0) json.Key("hidden").Unsigned(document.hidden);
  if (!document.notes.empty()) {
    json.Key("notes").BeginArray();
    for (const std::string& note : document.notes) json.String(note);
    json.EndArray();
  }
  if (!dropped.empty()) DroppedToJson(dropped, json);
  if (blocks == ShownBlocks::kShow) BlocksToJson(document, json);
  if (blocks == ShownBlocks::kTree) {
    const BodyTree tree = MakeBodyTree(document);
    json.Key("levels").String(BodyLevels(tree));
    json.Key("tree").Raw(BodyTreeToJson(tree, document.text));
  }
  json.EndObject();
  return line;
}

}  // namespace zhiwen
