#ifndef ZHIWEN_PIPELINE_CHECK_SUSPECT_ARTICLE_H_
#define ZHIWEN_PIPELINE_CHECK_SUSPECT_ARTICLE_H_

// One checked document as HTML: the first glance, its matches, and of each the passages in both
// texts.
//
// Cost        the stored texts of the matches are read until the HTML has kMostArticleBytes; later
//             matches are rows of a table
// Threads     free functions
// Fails       as Library::ReadText; a text that was purged meanwhile is said to be

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/run_report/page_words.h"
#include "zhiwen/check_files.h"
#include "zhiwen/library.h"

namespace zhiwen {

inline constexpr size_t kMostArticleBytes = size_t{1} << 20;

// "a near copy"; "近似副本".
Words VerdictWords(Relation relation);

// Names what is counted: "near copies"; "近似副本".
Words CountedWords(Relation relation);

// Returns how a document of the library is called: by its title, where it has one, and its id.
std::string RenderName(const StoredDocument& document);

// The facts about a document of the library beside its name.
std::string RenderLabels(const StoredDocument& document);

// The first lines of a page. Rows without a figure are left out.
std::vector<GlanceRow> GlanceRows(const CheckedText& checked);

// How alike a document and an original are.
Words FiguresOf(const CheckedDocument& checked, const CheckMatch& match);

// The sentence about a document and the original that it shares most with.
Words VerdictSentence(const CheckedDocument& checked);

// The row of the table of all documents; `number` is that of the article, from 1.
std::string RenderSuspectRow(const CheckedDocument& checked, uint64_t number);

Result<std::string> RenderSuspect(const CheckedDocument& checked, uint64_t number,
                                  const Library& library);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CHECK_SUSPECT_ARTICLE_H_
