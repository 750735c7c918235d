#include <fmt/format.h>

#include <array>

#include "base/json/json_writer.h"
#include "match/passages/passages_json.h"
#include "pipeline/library/owner_overlaps.h"
#include "zhiwen/check.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/library.h"
#include "zhiwen/library_files.h"
#include "zhiwen/library_query.h"

namespace zhiwen {
namespace {

constexpr int kDecimals = 6;
constexpr std::array<std::string_view, 6> kRelationNames = {"same",      "near",     "contains",
                                                            "contained", "passages", "none"};

void WriteExposure(JsonWriter& json, const StoredDocument& document) {
  json.Key("exposed").BeginObject().Key("from").String(document.labels.exposed_from);
  json.Key("until").String(document.labels.exposed_until).EndObject();
}

void WriteDocument(JsonWriter& json, const StoredDocument& document) {
  json.Key("id").String(document.id).Key("version").Unsigned(document.version);
  json.Key("title").String(document.labels.title).Key("author").String(document.labels.author);
  json.Key("date").String(document.labels.date).Key("url").String(document.labels.url);
  json.Key("work").String(document.work.name).Key("part").String(document.labels.part);
  json.Key("owner").String(document.work.owner);
  json.Key("work_title").String(document.work.title);
  json.Key("work_author").String(document.work.author);
  json.Key("kind").String(DocumentKindName(document.labels.kind));
  json.Key("decoy").Bool(document.labels.kind == DocumentKind::kDecoy);
  if (document.labels.has_exposure()) WriteExposure(json, document);
}

void WriteDate(JsonWriter& json, std::string_view key, std::string_view date,
               std::string_view from) {
  json.Key(key).BeginObject().Key("date").String(date).Key("from");
  from.empty() ? json.Null() : json.String(from);
  json.EndObject();
}

std::string_view NameOf(DateOrigin origin) {
  return origin == DateOrigin::kDocument ? "document" : origin == DateOrigin::kWork ? "work" : "";
}

void WriteFigures(JsonWriter& json, const CheckMatch& match) {
  json.Key("relation").String(RelationName(match.relation)).Key("channel").String(match.channel);
  json.Key("resemblance").Fixed(match.resemblance, kDecimals);
  json.Key("containment").Fixed(match.containment, kDecimals);
  json.Key("containment_of_original").Fixed(match.containment_of_original, kDecimals);
  json.Key("matched").Unsigned(match.matched).Key("longest_run").Unsigned(match.longest_run);
}

void WritePictures(JsonWriter& json, const CheckMatch& match) {
  json.Key("pictures").BeginArray();
  for (const PictureSimilarity& one : match.pictures) {
    json.BeginObject().Key("scheme").String(one.scheme).Key("measure").String(one.measure);
    json.Key("similarity").Fixed(one.similarity, kDecimals).EndObject();
  }
  json.EndArray();
}

// Writes symbols of a text of so many units, and their share, as members of an object.
void WriteShare(JsonWriter& json, uint64_t symbols, uint64_t units) {
  json.Key("matched").Unsigned(symbols).Key("share").Fixed(ShareOf(symbols, units), kDecimals);
}

// Writes what of a match counts, and what it would be without exclusions.
void WriteCounted(JsonWriter& json, const CheckMatch& match, uint64_t units) {
  json.Key("excluded_as");
  match.excluded_as ? json.String(ExclusionReasonName(*match.excluded_as)) : json.Null();
  uint64_t before = match.matched;
  for (const ExcludedPassage& one : match.excluded) before += one.passage.matched;
  json.Key("share").Fixed(ShareOf(match.matched, units), kDecimals).Key("before").BeginObject();
  WriteShare(json, before, units);
  json.EndObject();
}

void WriteEndOfMatch(JsonWriter& json, const CheckMatch& match) {
  constexpr SideNames kNames = {.a = "suspect", .b = "original"};
  WriteExcluded(json, match.excluded, kNames);
  WriteHow(json, match.edits, match.renamed);
  json.Key("passages").BeginArray();
  for (const CopiedPassage& passage : match.passages) WritePassage(json, passage, kNames);
  json.EndArray();
}

void WriteMatch(JsonWriter& json, const CheckMatch& match, const CheckedText& checked) {
  json.BeginObject();
  json.Key("document").BeginObject();
  WriteDocument(json, match.document);
  if (!match.member.empty()) json.Key("member").String(match.member);
  json.EndObject();
  WriteFigures(json, match);
  WriteCounted(json, match, checked.units);
  json.Key("precedence").String(PrecedenceName(match.precedence)).Key("dates").BeginObject();
  WriteDate(json, "ours", match.date, NameOf(match.date_origin));
  WriteDate(json, "theirs", checked.date, checked.date.empty() ? "" : "record");
  json.EndObject();
  if (!match.pictures.empty()) WritePictures(json, match);
  WriteEndOfMatch(json, match);
  json.EndObject();
}

void WriteIndexes(JsonWriter& json, std::string_view key,
                  const std::vector<LibraryChannelFacts>& indexes) {
  json.Key(key).BeginArray();
  for (const LibraryChannelFacts& index : indexes) {
    json.BeginObject().Key("index").String(index.index).Key("scheme").String(index.scheme);
    json.Key("bytes").Unsigned(index.bytes).EndObject();
  }
  json.EndArray();
}

// Begins the object, and does not end it.
void WriteFacts(JsonWriter& json, const LibraryFacts& facts, std::string_view folder) {
  json.BeginObject().Key("library").String(folder).Key("id").String(facts.id);
  json.Key("profile").String(facts.profile);
  json.Key("near").BeginObject().Key("scheme").String(facts.near_scheme);
  json.Key("threshold").Double(facts.near_threshold).EndObject();
  json.Key("documents").Unsigned(facts.documents);
  json.Key("superseded").Unsigned(facts.superseded).Key("removed").Unsigned(facts.removed);
  json.Key("works").Unsigned(facts.works).Key("owners").Unsigned(facts.owners);
  json.Key("texts").Unsigned(facts.texts).Key("text_bytes").Unsigned(facts.text_bytes);
  json.Key("stored_bytes").Unsigned(facts.stored_bytes);
  json.Key("catalog_bytes").Unsigned(facts.catalog_bytes);
  json.Key("near_bytes").Unsigned(facts.near_bytes);
  json.Key("passage_bytes").Unsigned(facts.passage_bytes);
  json.Key("resource_bytes").Unsigned(facts.resource_bytes);
  WriteIndexes(json, "channels", facts.channels);
  WriteIndexes(json, "schemes", facts.schemes);
  json.Key("sequence").Unsigned(facts.sequence);
  json.Key("index_sequence").Unsigned(facts.index_sequence);
}

}  // namespace

std::string_view PrecedenceName(Precedence precedence) {
  switch (precedence) {
    case Precedence::kOurs:
      return "ours";
    case Precedence::kTheirs:
      return "theirs";
    case Precedence::kUnknown:
      break;
  }
  return "unknown";
}

const CheckMatch* StrongestMatch(const CheckedText& checked) {
  const auto match = std::ranges::find(checked.matches, checked.verdict, &CheckMatch::relation);
  return match == checked.matches.end() ? nullptr : &*match;
}

bool MayHideCopy(const CheckedText& checked) {
  constexpr double kLittle = 0.5;
  return checked.verdict == Relation::kNone && checked.extracted.value_or(1) < kLittle;
}

double ShareOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

const CheckMatch* DecoyMatch(const CheckedText& checked) {
  const auto match = std::ranges::find_if(checked.matches, [](const CheckMatch& one) {
    return !one.excluded_as && one.document.labels.kind == DocumentKind::kDecoy;
  });
  return match == checked.matches.end() ? nullptr : &*match;
}

size_t CountedMatches(const CheckedText& checked) {
  return static_cast<size_t>(std::ranges::count_if(
      checked.matches, [](const CheckMatch& match) { return !match.excluded_as; }));
}

std::string_view RelationName(Relation relation) {
  return kRelationNames[static_cast<size_t>(relation)];
}

std::string MatchToJson(const CheckMatch& match, const CheckedText& checked) {
  std::string out;
  JsonWriter json(out);
  WriteMatch(json, match, checked);
  return out;
}

std::string UnionToJson(const CheckedText& checked) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  WriteShare(json, checked.union_matched, checked.units);
  json.Key("before").BeginObject();
  WriteShare(json, checked.union_before, checked.units);
  json.EndObject().EndObject();
  return out;
}

std::string ExcludedToJson(const CheckedText& checked) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  for (const auto& [reason, symbols] : checked.excluded) {
    json.Key(ExclusionReasonName(reason)).Unsigned(symbols);
  }
  json.EndObject();
  return out;
}

std::string MatchFiguresToJson(const CheckMatch& match, uint64_t units) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  WriteFigures(json, match);
  WriteCounted(json, match, units);
  return out.substr(1);
}

std::string MatchEndToJson(const CheckMatch& match) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  WriteEndOfMatch(json, match);
  json.EndObject();
  return out.substr(1);
}

std::string CheckToJson(const CheckedText& checked, std::string_view id, std::string_view source) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("id").String(id).Key("source").String(source);
  if (!checked.member.empty()) json.Key("member").String(checked.member);
  if (checked.is_picture) json.Key("picture").Bool(true);
  json.Key("units").Unsigned(checked.units);
  json.Key("verdict").String(RelationName(checked.verdict)).Key("lead");
  const CheckMatch* const decoy = DecoyMatch(checked);
  decoy == nullptr ? json.Null() : json.String("decoy");
  if (decoy != nullptr && decoy->document.labels.has_exposure())
    WriteExposure(json, decoy->document);
  json.Key("precedence").String(PrecedenceName(checked.precedence));
  json.Key("matches").BeginArray();
  for (const CheckMatch& match : checked.matches) WriteMatch(json, match, checked);
  json.EndArray().Key("below_least").Unsigned(checked.below_least);
  json.Key("of_set_phrases").Unsigned(checked.of_set_phrases);
  json.Key("union").Raw(UnionToJson(checked));
  json.Key("excluded").Raw(ExcludedToJson(checked));
  json.Key("not_seen").BeginObject().Key("pictures").Unsigned(checked.pictures);
  json.Key("obfuscated").Unsigned(checked.obfuscated);
  if (checked.extracted) json.Key("extracted").Fixed(*checked.extracted, 3);
  json.EndObject();
  json.Key("searched").BeginObject().Key("documents").Unsigned(checked.documents);
  json.Key("symbols").Unsigned(checked.symbols).Key("channels").BeginArray();
  for (const std::string& channel : checked.channels) json.String(channel);
  json.EndArray();
  json.Key("sequence").Unsigned(checked.sequence).Key("lacking").Unsigned(checked.lacking);
  json.Key("common_blocks").Unsigned(checked.common_blocks);
  json.Key("common_keys").Unsigned(checked.common_keys);
  json.Key("granules_lacking").Unsigned(checked.granules_lacking);
  json.Key("granules_not_searched").String(checked.granules_not_searched).EndObject();
  json.Key("truncated").Bool(checked.truncated).EndObject();
  return out;
}

namespace {

void WritePrefilter(JsonWriter& json, const PrefilterReport& report) {
  json.Key("prefilter").BeginObject().Key("texts").Unsigned(report.texts);
  json.Key("excluded").Unsigned(report.excluded).Key("sampled").Unsigned(report.sampled);
  json.Key("lost").Unsigned(report.lost).Key("seconds").Fixed(report.seconds, kDecimals);
  json.Key("comparison_seconds").Fixed(report.comparison_seconds, kDecimals);
  json.Key("excluded_seconds").Fixed(report.excluded_seconds, kDecimals).EndObject();
}

}  // namespace

std::string SimilarDocumentsToJson(const SimilarDocuments& similar, std::string_view id,
                                   std::string_view source) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("id").String(id).Key("source").String(source);
  json.Key("units").Unsigned(similar.units).Key("documents").BeginArray();
  uint64_t rank = 0;
  for (const SimilarDocumentOfText& one : similar.documents) {
    json.BeginObject().Key("rank").Unsigned(++rank).Key("document").BeginObject();
    WriteDocument(json, one.document);
    json.EndObject();
    json.Key("resemblance").Fixed(one.resemblance, kDecimals);
    json.Key("containment").Fixed(one.containment, kDecimals);
    json.Key("containment_of_original").Fixed(one.containment_of_original, kDecimals);
    json.EndObject();
  }
  json.EndArray().Key("searched").BeginObject().Key("documents").Unsigned(similar.searched);
  json.Key("channel").String(FoldedChannel().name());
  json.Key("sequence").Unsigned(similar.sequence).Key("lacking").Unsigned(similar.lacking);
  json.Key("common_blocks").Unsigned(similar.common_blocks);
  json.Key("compared").Unsigned(similar.compared).EndObject();
  json.Key("truncated").Bool(similar.truncated);
  if (similar.prefilter) WritePrefilter(json, *similar.prefilter);
  json.EndObject();
  return out;
}

namespace {

void WriteGranulePlace(JsonWriter& json, std::string_view key, const GranulePlace& granule) {
  json.Key(key).BeginObject();
  json.Key("begin").Unsigned(granule.place.begin.value);
  json.Key("end").Unsigned(granule.place.end.value);
  WriteBytes(json, "bytes", granule.bytes);
  json.Key("code").Raw(FingerprintValueToJson(granule.code)).EndObject();
}

void WriteGranules(JsonWriter& json, const SchemeMatch& match) {
  json.Key("similarity").Fixed(match.similarity, kDecimals);
  json.Key("granules").Unsigned(match.granules);
  json.Key("granules_matched").Unsigned(match.granules_matched);
  json.Key("passages").BeginArray();
  for (const MatchedPassage& passage : match.passages) {
    json.BeginObject();
    WritePlace(json, "suspect", passage.text_bytes, passage.text, {});
    WritePlace(json, "original", passage.document_bytes, passage.document, {});
    json.Key("granules").BeginArray();
    for (const MatchedGranule& granule : passage.granules) {
      json.BeginObject();
      WriteGranulePlace(json, "suspect", granule.text);
      WriteGranulePlace(json, "original", granule.document);
      json.Key("distance").Unsigned(granule.distance);
      json.Key("similarity").Fixed(granule.similarity, kDecimals).EndObject();
    }
    json.EndArray().EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string SchemeMatchesToJson(const SchemeMatches& matches, std::string_view id,
                                std::string_view source) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("id").String(id).Key("source").String(source);
  json.Key("scheme").String(matches.scheme).Key("value");
  json.Raw(FingerprintValueToJson(matches.value));
  json.Key("documents").BeginArray();
  for (const SchemeMatch& match : matches.documents) {
    json.BeginObject().Key("document").BeginObject();
    WriteDocument(json, match.document);
    json.EndObject().Key("distance").Unsigned(match.distance);
    if (matches.has_granules) WriteGranules(json, match);
    json.EndObject();
  }
  json.EndArray().Key("searched").BeginObject().Key("documents").Unsigned(matches.searched);
  json.Key("sequence").Unsigned(matches.sequence);
  json.Key("lacking").Unsigned(matches.lacking);
  if (matches.has_granules) {
    json.Key("radius").Unsigned(matches.radius);
    json.Key("common_keys").Unsigned(matches.common_keys);
  }
  json.EndObject();
  json.Key("truncated").Bool(matches.truncated).EndObject();
  return out;
}

std::string StoredDocumentToJson(const StoredDocument& document, const std::string* text) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  WriteDocument(json, document);
  json.Key("number").Unsigned(document.number);
  json.Key("state").String(DocumentStateName(document.state));
  json.Key("added").String(FormatUtc(document.added));
  if (document.is_picture()) json.Key("picture").Bool(true);
  json.Key("bytes").Unsigned(document.bytes).Key("units").Unsigned(document.units);
  if (text != nullptr) json.Key("text").String(*text);
  json.EndObject();
  return out;
}

std::string OwnerOverlapToJson(const StoredDocument& document, const CheckMatch& match) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("id").String(document.id).Key("work").String(document.work.name);
  json.Key("part").String(document.labels.part).Key("owner").String(document.work.owner);
  WriteFigures(json, match);
  json.Key("document").BeginObject();
  WriteDocument(json, match.document);
  json.EndObject().EndObject();
  return out;
}

std::string StoredWorkToJson(const StoredWork& work) {
  std::string out;
  JsonWriter json(out);
  const WorkLabels& labels = work.labels;
  json.BeginObject().Key("work").String(labels.name).Key("title").String(labels.title);
  json.Key("author").String(labels.author).Key("owner").String(labels.owner);
  json.Key("licence").String(labels.licence);
  json.Key("first_publication").String(labels.first_publication);
  json.Key("parts").Unsigned(work.documents).Key("units").Unsigned(work.units).EndObject();
  return out;
}

std::string LibraryFactsToJson(const LibraryFacts& facts, std::string_view folder) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  WriteFacts(json, facts, folder);
  json.EndObject();
  return out;
}

std::string LibraryCheckToJson(const LibraryCheck& check, std::string_view folder) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject().Key("library").String(folder).Key("problems").BeginArray();
  for (const std::string& problem : check.problems) json.String(problem);
  json.EndArray().Key("documents").Unsigned(check.documents);
  json.Key("behind").Unsigned(check.behind).EndObject();
  return out;
}

std::string AddFilesSummaryToJson(const AddFilesSummary& summary, const LibraryFacts& facts,
                                  std::string_view folder) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  const AddedDocuments& documents = summary.documents;
  WriteFacts(json, facts, folder);
  json.Key("change").BeginObject().Key("added").Unsigned(documents.added);
  json.Key("updated").Unsigned(documents.updated);
  json.Key("unchanged").Unsigned(documents.unchanged).Key("removed").Unsigned(summary.removed);
  json.Key("works_added").Unsigned(documents.works_added);
  json.Key("works_updated").Unsigned(documents.works_updated);
  json.Key("equal_texts").Unsigned(documents.equal_texts);
  json.Key("empty").Unsigned(documents.empty);
  json.Key("repeated_ids").Unsigned(summary.repeated_ids);
  json.Key("first_repeated_id").String(summary.first_repeated_id);
  json.Key("texts_without_work").Unsigned(summary.texts_without_work);
  json.Key("contradicted_owners").Unsigned(summary.contradicted_owners);
  json.Key("first_contradicted_id").String(summary.first_contradicted_id);
  json.Key("overlaps").BeginObject().Key("compared").Unsigned(summary.compared);
  json.Key("overlapping").Unsigned(summary.overlapping);
  json.Key("truncated").Unsigned(summary.truncated).EndObject().EndObject().EndObject();
  return out;
}

}  // namespace zhiwen
