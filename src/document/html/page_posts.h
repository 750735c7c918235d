#ifndef ZHIWEN_DOCUMENT_HTML_PAGE_POSTS_H_
#define ZHIWEN_DOCUMENT_HTML_PAGE_POSTS_H_

// The posts of a forum: a question and its answers, a topic and its replies.
//
// Posts are children of one node, each with a line that says when it was written, or which floor it
// is on (3楼, #3), and with text of its own. The model of bodies judges lines one by one and misses
// short posts; here lines at the same place in different posts are judged together. What stands in
// front of the first one is the opening post.
//
// In          a page, the counts and the probabilities of its blocks, and its body
// Out         the posts, and the body as their text
// Guarantees  a page that is no forum has no posts, and its body stays as it is. A page is a forum
//             where its title, its address or its linked data say so, or where most of its body is
//             in several posts with replies
// Cost        linear in the blocks and nodes
// Threads     free function
// Not for     comments below an article: they are no body

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "document/html/block_statistics.h"
#include "document/html/html_page.h"

namespace zhiwen {

struct PagePost {
  uint32_t begin = 0, end = 0;  // blocks of the page; those of the body among them are its text
  std::string author = {}, date = {};
};

// Returns whether a page says of itself that it is a forum.
bool SaysForum(const HtmlPage& page);

// Returns the posts of a page, and takes their text into `body`; nothing where it is no forum.
std::vector<PagePost> FindPosts(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                                std::span<const float> probabilities, std::vector<uint32_t>& body);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_PAGE_POSTS_H_
