#ifndef ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FRAME_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FRAME_H_

// A page of the skeleton page/page.html: its places filled in, with the style and the script of
// page/ and nothing else from anywhere.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace zhiwen {

using PagePlaces = std::map<std::string, std::function<std::string()>, std::less<>>;

// What one kind of page has, and the skeleton has places for.
struct PageKind {
  std::string_view title_en, title_zh;
  std::string_view figures_en, figures_zh;  // where programs find what the page shows
  std::string_view sections;                // HTML with places
};

// Puts the places, written {{name}}, of the skeleton and of the sections in: `headline` and those
// of the sections. What is put in is not looked at again.
std::string FillPage(const PageKind& kind, PagePlaces places);

// How every page of the kind begins, and none of another.
std::string BeginningOf(const PageKind& kind);

// The command as it can be pasted, with a button that copies it.
std::string RenderCommand(std::span<const std::string> command);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FRAME_H_
