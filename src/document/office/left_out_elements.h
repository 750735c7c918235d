#ifndef ZHIWEN_DOCUMENT_OFFICE_LEFT_OUT_ELEMENTS_H_
#define ZHIWEN_DOCUMENT_OFFICE_LEFT_OUT_ELEMENTS_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace zhiwen {

// Follows the elements of a part that are left out with all that is in them: those of certain
// names, and all but the first form of what stands in several forms (mc:AlternateContent).
class LeftOutElements {
 public:
  // `names` outlive the object.
  explicit LeftOutElements(std::span<const std::string_view> names) : names_(names) {}

  // Returns whether an element that begins is left out, or in one that is.
  bool Begin(std::string_view name) {
    if (depth_ == 0) {
      if (name == "mc:AlternateContent") has_form_.push_back(false);
      bool is_left_out = std::ranges::find(names_, name) != names_.end();
      if ((name == "mc:Choice" || name == "mc:Fallback") && !has_form_.empty()) {
        is_left_out = has_form_.back();
        has_form_.back() = true;
      }
      if (!is_left_out) return false;
    }
    ++depth_;
    return true;
  }

  // Returns whether an element that ends was left out.
  bool End(std::string_view name) {
    if (depth_ > 0) {
      --depth_;
      return true;
    }
    if (name == "mc:AlternateContent") has_form_.pop_back();
    return false;
  }

  bool is_inside() const { return depth_ > 0; }

 private:
  std::span<const std::string_view> names_;
  std::vector<bool> has_form_;  // of each mc:AlternateContent that is open: whether one was read
  size_t depth_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_LEFT_OUT_ELEMENTS_H_
