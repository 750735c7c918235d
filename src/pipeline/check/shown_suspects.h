#ifndef ZHIWEN_PIPELINE_CHECK_SHOWN_SUSPECTS_H_
#define ZHIWEN_PIPELINE_CHECK_SHOWN_SUSPECTS_H_

// The documents of a check that a page or a table shows: the kShownSuspects that match most.
//
// Cost        holds what is shown of these; a document is rendered when it is among them so far
// Threads     one at a time

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "zhiwen/check_files.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A document as it is shown.
struct ShownSuspect {
  Relation verdict = Relation::kNone;
  uint64_t matched = 0;  // symbols
  uint64_t order = 0;    // among the inputs
  std::string row = {}, article = {};
};

class ShownSuspects {
 public:
  // Takes the document that is the `order`th of the inputs. `render`, which returns a Status, sets
  // what is shown of it, and is called where it is to be shown.
  template <typename Render>
  Status Add(const CheckedText& checked, uint64_t order, const Render& render) {
    if (checked.matches.empty()) return {};
    const auto rank = [](const ShownSuspect& suspect) {
      return std::tuple(suspect.verdict, ~suspect.matched, suspect.order);
    };
    ShownSuspect suspect = {
        .verdict = checked.verdict, .matched = checked.union_matched, .order = order};
    const auto place = std::ranges::upper_bound(worst_first_, rank(suspect), {}, rank);
    if (place - worst_first_.begin() == std::ptrdiff_t{kShownSuspects}) return {};
    ZHIWEN_RETURN_IF_ERROR(render(suspect));
    worst_first_.insert(place, std::move(suspect));
    if (worst_first_.size() > kShownSuspects) worst_first_.pop_back();
    return {};
  }

  const std::vector<ShownSuspect>& worst_first() const { return worst_first_; }

 private:
  std::vector<ShownSuspect> worst_first_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CHECK_SHOWN_SUSPECTS_H_
