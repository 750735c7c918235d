#ifndef ZHIWEN_DOCUMENT_HTML_ARTICLE_BOUNDS_H_
#define ZHIWEN_DOCUMENT_HTML_ARTICLE_BOUNDS_H_

// Leaves out of a body what the page itself puts outside of its article.
//
// The model of bodies judges how a text looks, and comments, teasers and the next article look like
// the article. Where a page says what is what, the page is right. Six kinds of text are outside:
//   - what stands in <aside>, <footer> or <nav>;
//   - what stands in a part whose class says "related" or "recommended", in Chinese or in English;
//   - what is not in the element with itemprop=articleBody, where there is one;
//   - what is not in the <article> whose heading is the title, where the page says that it is an
//     article (og:type, linked data of schema.org, itemprop=articleBody);
//   - what is not in the only <article> of such a page, where no heading tells which one it is, and
//     where at least half of the body is in it;
//   - what stands in a part whose class says "comment", where linked data or elements mark the
//     article. og:type alone does not do: blogs that only have it may count comments as their text.
//
// In          a page, the counts and features of its blocks, and their probabilities of being body
// Out         probabilities of 0 for the blocks outside
// Guarantees  forums stay as they are: their posts look like comments. A kind that would leave less
//             than 20 tokens of body is not applied
// Cost        linear in the blocks and nodes
// Threads     free function

#include <span>

#include "document/html/block_features.h"
#include "document/html/block_statistics.h"
#include "document/html/html_page.h"

namespace zhiwen {

void LeaveOutOutsideOfArticle(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                              const BlockFeatures& features, std::span<float> probabilities);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_ARTICLE_BOUNDS_H_
