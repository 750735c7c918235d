#ifndef ZHIWEN_PIPELINE_EVIDENCE_PACKED_SOURCE_H_
#define ZHIWEN_PIPELINE_EVIDENCE_PACKED_SOURCE_H_

// What is computed when a package is made, and once more when it is verified: the text of the
// document from its bytes, where passages stand, the page of a match.
//
// Threads     free functions

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/evidence/manifest.h"
#include "zhiwen/channel.h"
#include "zhiwen/check.h"
#include "zhiwen/documents.h"
#include "zhiwen/language.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the document that these bytes are; `name` ends as the name of its file does. Fails:
// kUnreadable, as DocumentReader does, also for an empty file.
Result<SourceDocument> ReadPackedDocument(std::string bytes, const std::string& name,
                                          DocumentFormat format,
                                          std::optional<TextEncoding> encoding);

// Whether a program of others reads such a document, whose versions may read other texts.
bool IsReadByOthers(const std::string& name, DocumentFormat format, std::string_view bytes);

// Returns the date, or the author, that such a document says; empty: none.
const std::string& DateOf(const SourceDocument& document);
const std::string& AuthorOf(const SourceDocument& document);

// Returns a document of this text, with what a file of places says.
SourceDocument DocumentOfPlaces(std::string_view text, std::string sources, std::string member);

// Adds to `checked` where passages stand in the document (pipeline/check/source_facts.h).
void LocateIn(const SourceDocument& document, CheckedText& checked);

// Adds to a match where its passages, also excluded ones, stand in what the original was extracted
// from; `places` are those of a DocumentSource.
void LocateInOriginal(std::string_view original, std::string_view places, CheckMatch& match);

// What suspect/places.json and originals/N/places.json are: {"member","sources"}.
std::string PlacesToJson(std::string_view sources, std::string_view member);
std::string PlacesToJson(const SourceDocument& document);

// Returns whether the places of the document's lines in its bytes are known.
bool HasPlaces(const SourceDocument& document);

// Opens channels by their canonical names.
Result<std::vector<Channel>> OpenPackedChannels(const std::vector<std::string>& names,
                                                const LanguageSource& language);

// Whether a name is that of a scheme of granules, by which passages are found, too.
bool IsGranuleScheme(std::string_view name);

// Returns the page of a match: both texts side by side, with its passages, which MatchPassages
// marked. `id` is the original's.
Result<std::string> RenderMatchPage(const EvidenceManifest& manifest, std::string_view text,
                                    std::string_view id, std::string_view original,
                                    const CheckMatch& match);

// Returns the id of the language data; empty where there is none.
Result<std::string> LanguageId(const LanguageSource& language);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVIDENCE_PACKED_SOURCE_H_
