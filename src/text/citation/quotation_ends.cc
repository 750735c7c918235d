#include "text/citation/quotation_ends.h"

#include "text/citation/citation_marks.h"
#include "text/citation/quotations.h"

namespace zhiwen {
namespace {

constexpr size_t kNone = std::u32string_view::npos;

}  // namespace

QuotationEnds::QuotationEnds(std::u32string_view text, const QuotePair& pair)
    : text_(text), pair_(pair) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == pair.close) {
      marks_.push_back({.at = at, .step = -1});
    } else if (text[at] == pair.open) {
      marks_.push_back({.at = at, .step = BeginsLine(at) ? 0 : 1});
    }
  }
  PairMarks();
}

size_t QuotationEnds::EndOf(size_t at) {
  while (marks_[next_].at < at) ++next_;
  const size_t close = marks_[next_].close;
  if (close == kNone || close - at >= kMostQuoted) return at;
  // A straight mark may be a sign of inches, and a title may not be closed.
  const bool is_of_line = pair_.open == U'"' || pair_.open == U'《';
  if (is_of_line && line_end_ <= at) line_end_ = text_.find(U'\n', at);
  return is_of_line && line_end_ < close ? at : close + 1;
}

bool QuotationEnds::BeginsLine(size_t at) const {
  while (at > 0 && IsLineBlank(text_[at - 1])) --at;
  return at > 0 && text_[at - 1] == U'\n';
}

// Finds for each mark the next one behind which one quotation less is open than behind itself.
void QuotationEnds::PairMarks() {
  const size_t most = marks_.size();
  std::vector<size_t> next_at(2 * most + 2, kNone);  // by how many are open, from -`most` on
  size_t open = most + 1;
  for (const Mark& mark : marks_) open += static_cast<size_t>(mark.step);
  for (size_t i = most; i-- > 0;) {
    marks_[i].close = next_at[open - 1];
    next_at[open] = marks_[i].at;
    open -= static_cast<size_t>(marks_[i].step);
  }
}

}  // namespace zhiwen
