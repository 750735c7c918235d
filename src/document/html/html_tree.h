#ifndef ZHIWEN_DOCUMENT_HTML_HTML_TREE_H_
#define ZHIWEN_DOCUMENT_HTML_HTML_TREE_H_

// The open elements of a page while it is read, and the nodes that they become.
//
// In          start tags and end tags, in their order
// Out         nodes of a page; what is said about the text at this place
// Guarantees  each call takes constant time, apart from the elements that it closes; end tags that
//             HTML lets authors leave out are implied: of p before a block, li, dt, dd, tr, td, th,
//             table sections and headings. The end tag of an inline element closes no block
// Threads     one at a time

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "document/html/html_page.h"
#include "document/html/html_scanner.h"

namespace zhiwen {

// Whether an element says of itself that its text is not shown.
bool HidesText(HtmlTag tag, const HtmlAttributes& attributes);

class HtmlTree {
 public:
  // Adds nodes to `page`, which must outlive the object.
  explicit HtmlTree(HtmlPage& page);

  // Closes what a start tag of `tag` ends. A block ends before.
  void ImplyEnds(HtmlTag tag);

  void Open(HtmlTag tag, const HtmlAttributes& attributes);
  void Close(HtmlTag tag);
  // Closes everything; the nodes are complete then.
  void Finish();

  uint32_t node() const { return nodes_.back(); }
  bool is_open(HtmlTag tag) const { return last_[Number(tag)] != 0; }
  bool is_link() const { return states_[kIsLink] > 0; }
  bool is_bold() const { return states_[kIsBold] > 0; }
  bool is_emphasis() const { return states_[kIsEmphasis] > 0; }
  bool is_strong() const { return is_bold() || is_emphasis() || style().is_strong; }
  bool is_button() const { return states_[kIsButton] > 0; }
  bool is_label() const { return states_[kIsLabel] > 0; }
  bool is_hidden() const { return states_[kIsHidden] > 0; }
  // What the attributes of the open elements say of letters.
  const BlockStyle& style() const { return styles_.back().style; }
  bool has_style() const { return styles_.size() > 1; }

 private:
  enum State : uint8_t { kIsLink, kIsBold, kIsEmphasis, kIsButton, kIsLabel, kIsHidden, kStates };

  struct OpenElement {
    HtmlTag tag = HtmlTag::kOther;
    bool is_ended = false;      // by an end tag that came in a block inside
    uint8_t states = 0;         // bits of State
    uint16_t same_before = 0;   // index of the open element of this tag below it
    uint16_t block_before = 0;  // index of the topmost block below it
  };

  struct OpenStyle {
    uint16_t element = 0;  // index of the one that says it
    BlockStyle style = {};
  };

  // A class of elements, and what it says; most elements have the class of an earlier one.
  struct KnownClass {
    std::string_view names;
    uint32_t words = 0;  // FindPlaceWords
    uint64_t hash = 1;   // without digits
  };

  static size_t Number(HtmlTag tag) { return static_cast<size_t>(tag); }
  uint16_t LastOf(std::initializer_list<HtmlTag> tags) const;
  // The cell or table that no implied end reaches out of.
  uint16_t Barrier() const;
  void CloseTo(uint16_t index);
  void CloseAbove(uint16_t index, uint16_t barrier) {
    if (index > barrier) CloseTo(index);
  }
  void Pop();
  void EndStates(OpenElement& element);
  void EndStyle(uint16_t index);
  void AddNode(HtmlTag tag, const HtmlAttributes& attributes);
  const KnownClass& ClassOf(std::string_view names);

  HtmlPage& page_;
  std::vector<OpenElement> open_;  // [0] is the page
  std::vector<uint32_t> nodes_;    // of the open blocks
  std::vector<OpenStyle> styles_;  // [0] says nothing
  std::array<uint16_t, kHtmlTagCount> last_ = {};
  std::array<uint16_t, kStates> states_ = {};
  uint16_t top_block_ = 0;
  std::array<KnownClass, 1 + 128> classes_ = {};  // [0] has no names; by their hash
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_HTML_TREE_H_
