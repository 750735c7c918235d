#ifndef ZHIWEN_DOCUMENT_HTML_PLACE_WORDS_H_
#define ZHIWEN_DOCUMENT_HTML_PLACE_WORDS_H_

// Words by which pages name their parts, and words by which readers know parts that are no body.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "document/html/html_tag.h"

namespace zhiwen {

inline constexpr size_t kPlaceGroups = 32;
inline constexpr size_t kPhraseGroups = 22;

// The bits of the places of comments, and of links to other articles.
inline constexpr uint32_t kCommentPlaces = uint32_t{1} << 14, kRelatedPlaces = uint32_t{1} << 15;

// Returns the groups of words in a class, an id or a role: bit i for the i-th group.
uint32_t FindPlaceWords(std::string_view names);

// Returns the groups that the name of an element says by itself: nav, header, footer, aside,
// article, main, and captions.
uint32_t PlaceWordsOf(HtmlTag tag);

// Returns the groups of set phrases in a short text: "版权所有", "next page" …
uint32_t FindPhrases(std::string_view text);

// Return the names of groups: "nav", "copyright".
std::string_view PlaceGroupName(size_t group);
std::string_view PhraseGroupName(size_t group);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_PLACE_WORDS_H_
