#include "document/html/html_tree.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "document/html/letter_style.h"
#include "document/html/place_words.h"

namespace zhiwen {
namespace {

using enum HtmlTag;

bool HidesByStyle(std::string_view style) {
  const size_t display = style.find("display");
  if (display != std::string_view::npos) {
    std::string_view value = style.substr(display + 7);
    value.remove_prefix(std::min(value.find_first_not_of(" :"), value.size()));
    if (value.starts_with("none")) return true;
  }
  return style.find("visibility:hidden") != std::string_view::npos ||
         style.find("visibility: hidden") != std::string_view::npos;
}

// Not of blocks: around others a size of 0 takes away the gaps between boxes, which have
// sizes of their own.
bool HasSizeZero(std::string_view style) {
  constexpr std::string_view kName = "font-size";
  const size_t at = style.find(kName);
  if (at == std::string_view::npos) return false;
  std::string_view value = style.substr(at + kName.size());
  value.remove_prefix(std::min(value.find_first_not_of(" :"), value.size()));
  if (!value.starts_with('0')) return false;
  value.remove_prefix(std::min(value.find_first_not_of("0."), value.size()));
  return value.empty() || value.front() < '1' || value.front() > '9';
}

constexpr uint64_t kMixer = 0x9E3779B97F4A7C15U;

// A hash of a class without its digits, which number what a template repeats.
uint64_t HashClass(std::string_view names) {
  uint64_t hash = 1;
  for (const char c : names) {
    if (c >= '0' && c <= '9') continue;
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3U;
  }
  return hash;
}

uint64_t MixSignature(uint64_t around, HtmlTag tag, uint64_t of_class) {
  const uint64_t hash = ((around + static_cast<uint64_t>(tag)) * kMixer ^ of_class) * kMixer;
  return hash ^ hash >> 29;
}

}  // namespace

bool HidesText(HtmlTag tag, const HtmlAttributes& attributes) {
  if (attributes.hidden || attributes.aria_hidden) return true;
  if (attributes.style.empty()) return false;
  return HidesByStyle(attributes.style) ||
         (KindOf(tag) != HtmlTagKind::kBlock && HasSizeZero(attributes.style));
}

HtmlTree::HtmlTree(HtmlPage& page) : page_(page), open_(1) {
  open_.reserve(kMostDepth);
  page_.nodes.emplace_back();
  nodes_.push_back(0);
  styles_.emplace_back();
}

uint16_t HtmlTree::LastOf(std::initializer_list<HtmlTag> tags) const {
  uint16_t last = 0;
  for (const HtmlTag tag : tags) last = std::max(last, last_[Number(tag)]);
  return last;
}

uint16_t HtmlTree::Barrier() const { return LastOf({kTd, kTh, kCaption, kTable}); }

void HtmlTree::ImplyEnds(HtmlTag tag) {
  const uint16_t table = last_[Number(kTable)];
  switch (tag) {
    case kTd:
    case kTh:
      return CloseAbove(LastOf({kTd, kTh}), std::max(table, LastOf({kTr})));
    case kTr:
      return CloseAbove(LastOf({kTr}), std::max(table, LastOf({kTbody, kThead, kTfoot})));
    case kTbody:
    case kThead:
    case kTfoot:
      CloseAbove(LastOf({kTr}), table);
      return CloseAbove(LastOf({kTbody, kThead, kTfoot, kCaption}), table);
    default:
      break;
  }
  const uint16_t barrier = Barrier();
  CloseAbove(last_[Number(kP)], barrier);
  if (tag == kLi) {
    CloseAbove(last_[Number(kLi)], std::max(barrier, LastOf({kUl, kOl, kMenu, kDir})));
  } else if (tag == kDt || tag == kDd) {
    CloseAbove(LastOf({kDt, kDd}), std::max(barrier, last_[Number(kDl)]));
  } else if (HeadingLevel(tag) > 0) {
    CloseAbove(LastOf({kH1, kH2, kH3, kH4, kH5, kH6}), barrier);
  }
}

void HtmlTree::Open(HtmlTag tag, const HtmlAttributes& attributes) {
  if (tag == kA && last_[Number(kA)] > Barrier()) Close(kA);  // links do not nest
  if (open_.size() == kMostDepth) Pop();
  OpenElement element{.tag = tag};
  const auto is = [&](State state, bool is_so) {
    if (!is_so) return;
    element.states |= static_cast<uint8_t>(1 << state);
    ++states_[state];
  };
  is(kIsLink, tag == kA && attributes.href.data() != nullptr);
  is(kIsBold, tag == kB || tag == kStrong);
  is(kIsEmphasis, tag == kI || tag == kEm);
  is(kIsButton, tag == kButton || attributes.role == "button");
  is(kIsLabel, tag == kLabel);
  is(kIsHidden, HidesText(tag, attributes));
  const auto index = static_cast<uint16_t>(open_.size());
  element.same_before = std::exchange(last_[Number(tag)], index);
  element.block_before = top_block_;
  open_.push_back(element);
  if (tag == kFont || !attributes.style.empty()) {
    const BlockStyle style = ReadLetterStyle(tag, attributes, styles_.back().style);
    if (style != styles_.back().style) styles_.push_back({.element = index, .style = style});
  }
  if (KindOf(tag) != HtmlTagKind::kBlock) return;
  top_block_ = index;
  AddNode(tag, attributes);
}

const HtmlTree::KnownClass& HtmlTree::ClassOf(std::string_view names) {
  if (names.empty()) return classes_.front();
  KnownClass& known = classes_[1 + HashBytes64(names) % (classes_.size() - 1)];
  if (known.names != names) known = {names, FindPlaceWords(names), HashClass(names)};
  return known;
}

void HtmlTree::AddNode(HtmlTag tag, const HtmlAttributes& attributes) {
  const uint32_t parent_index = nodes_.back();
  if (page_.nodes.size() >= kMostBlocks) return nodes_.push_back(parent_index);
  const HtmlNode& parent = page_.nodes[parent_index];
  HtmlNode node{.parent = parent_index,
                .block_begin = static_cast<uint32_t>(page_.blocks.size()),
                .depth = static_cast<uint16_t>(parent.depth + 1),
                .tag = tag,
                .is_hidden = states_[kIsHidden] > 0,
                .is_in_form = parent.is_in_form || tag == kForm,
                .is_article_body = parent.is_article_body || attributes.itemprop == "articleBody"};
  node.own_words = PlaceWordsOf(tag);
  for (const std::string_view names : {attributes.id, attributes.role}) {
    if (!names.empty()) node.own_words |= FindPlaceWords(names);
  }
  const KnownClass& of_class = ClassOf(attributes.class_names);
  node.own_words |= of_class.words;
  node.signature = MixSignature(parent.signature, tag, of_class.hash);
  nodes_.push_back(static_cast<uint32_t>(page_.nodes.size()));
  page_.nodes.push_back(node);
}

void HtmlTree::Close(HtmlTag tag) {
  const uint16_t index = last_[Number(tag)];
  if (HeadingLevel(tag) > 0) {
    return CloseAbove(LastOf({kH1, kH2, kH3, kH4, kH5, kH6}), Barrier());
  }
  if (index == 0) return;
  if (KindOf(tag) != HtmlTagKind::kBlock) {
    if (index > top_block_) return CloseTo(index);
    // A block inside of it is open: what the element says ends here, the block goes on.
    OpenElement& element = open_[index];
    EndStates(element);
    EndStyle(index);
    element.is_ended = true;
    last_[Number(tag)] = element.same_before;
    return;
  }
  switch (tag) {
    case kForm:
      if (index == top_block_) CloseTo(index);
      return;
    case kLi:
      return CloseAbove(index, std::max(Barrier(), LastOf({kUl, kOl, kMenu, kDir})));
    case kTable:
    case kBody:
      return CloseTo(index);
    case kTd:
    case kTh:
    case kTr:
    case kCaption:
    case kTbody:
    case kThead:
    case kTfoot:
      return CloseAbove(index, last_[Number(kTable)]);
    default:
      return CloseAbove(index, Barrier());
  }
}

void HtmlTree::EndStates(OpenElement& element) {
  for (size_t state = 0; state < kStates; ++state) states_[state] -= element.states >> state & 1;
  element.states = 0;
}

void HtmlTree::EndStyle(uint16_t index) {
  if (styles_.back().element < index) return;
  for (size_t i = styles_.size() - 1; styles_[i].element >= index; --i) {
    if (styles_[i].element != index) continue;
    styles_.erase(styles_.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
}

void HtmlTree::Pop() {
  OpenElement& element = open_.back();
  EndStates(element);
  EndStyle(static_cast<uint16_t>(open_.size() - 1));
  if (!element.is_ended) last_[Number(element.tag)] = element.same_before;
  if (KindOf(element.tag) == HtmlTagKind::kBlock) {
    page_.nodes[nodes_.back()].block_end = static_cast<uint32_t>(page_.blocks.size());
    nodes_.pop_back();
  }
  top_block_ = element.block_before;
  open_.pop_back();
}

void HtmlTree::CloseTo(uint16_t index) {
  while (open_.size() > index) Pop();
}

void HtmlTree::Finish() {
  CloseTo(1);
  page_.nodes.front().block_end = static_cast<uint32_t>(page_.blocks.size());
}

}  // namespace zhiwen
