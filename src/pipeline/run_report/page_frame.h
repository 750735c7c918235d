#ifndef ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FRAME_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FRAME_H_

// A page of its own file: its places filled in, with the style and the script of page/ and nothing
// else from anywhere.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace zhiwen {

using PagePlaces = std::map<std::string, std::function<std::string()>, std::less<>>;

// Puts the places, written {{name}}, of the page in; policy, style, script and version are known.
// What is put in is not looked at again.
std::string FillPage(std::string_view page, PagePlaces places);

// The command as it can be pasted, with a button that copies it.
std::string RenderCommand(std::span<const std::string> command);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_PAGE_FRAME_H_
