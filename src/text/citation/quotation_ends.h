#ifndef ZHIWEN_TEXT_CITATION_QUOTATION_ENDS_H_
#define ZHIWEN_TEXT_CITATION_QUOTATION_ENDS_H_

// Finds where quotations end that open with one kind of marks. A quotation of the same marks within
// another is closed first, but for one that begins a line: the outer one goes on there.
//
// In          the code points of a text, a pair of marks, which may be the same one
// Guarantees  a quotation has kMostQuoted code points at most. One in straight marks, or a title in
//             《》, ends in the line in which it begins
// Cost        linear in the text, however many marks are open; 24 bytes a mark
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace zhiwen {

struct QuotePair {
  char32_t open, close;
};

class QuotationEnds {
 public:
  // `text` must outlive the object.
  QuotationEnds(std::u32string_view text, const QuotePair& pair);

  // Returns where the quotation ends that opens at `at`, an opening mark of the pair; `at` where it
  // does not end. `at` ascends from call to call.
  size_t EndOf(size_t at);

 private:
  struct Mark {
    size_t at = 0;
    size_t close = 0;  // of an opening one: where it is closed
    int32_t step = 0;  // by which it changes how many are open
  };

  bool BeginsLine(size_t at) const;
  void PairMarks();

  std::u32string_view text_;
  QuotePair pair_;
  std::vector<Mark> marks_;  // ascending
  size_t next_ = 0;          // the mark that was asked for last
  size_t line_end_ = 0;      // of the line of the mark that was asked for last
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_CITATION_QUOTATION_ENDS_H_
