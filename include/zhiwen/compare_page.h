#ifndef ZHIWEN_COMPARE_PAGE_H_
#define ZHIWEN_COMPARE_PAGE_H_

// The page of a comparison: both texts whole and side by side, with their passages and what was
// changed in each.
//
// In          two texts, their comparison and their passages
// Out         one HTML file that asks for nothing. With a script it scrolls both texts together,
//             leads from passage to passage, shows each edit beside what it was, filters passages,
//             and keeps the view in its address; without one it has the same texts and marks
// Guarantees  no byte of a text is read as HTML; as base/files/output_file.h
// Cost        linear in the texts and the passages; the page is held in memory
// Threads     free function
// Fails       as OutputFile

#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/compare.h"
#include "zhiwen/file_system.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ComparePageOptions {
  std::string path = {};
  bool overwrite = false;
  std::vector<std::string> command = {};  // that the page tells
  SearchedChannels searched = {};         // for passages
};

struct ComparedDocument {
  std::string_view name, text;
};

// Returns the page; of `options` the command and the channels count.
std::string RenderComparePage(const ComparedDocument& a, const ComparedDocument& b,
                              const Comparison& comparison, const PassageComparison& passages,
                              const ComparePageOptions& options);

Status WriteComparePage(FileSystem& files, const ComparedDocument& a, const ComparedDocument& b,
                        const Comparison& comparison, const PassageComparison& passages,
                        const ComparePageOptions& options);

// Writes such a page of one text that repeats itself (PassageSearch::FindRepeats): it stands there
// twice, as what comes again and as what stands before.
Status WriteRepeatsPage(FileSystem& files, const ComparedDocument& text,
                        const PassageComparison& repeats, const ComparePageOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_COMPARE_PAGE_H_
