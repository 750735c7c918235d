#ifndef ZHIWEN_PIPELINE_EXTRACT_SITE_TEMPLATES_H_
#define ZHIWEN_PIPELINE_EXTRACT_SITE_TEMPLATES_H_

// Paragraphs that many pages of one site have: its template. They are learned from the pages.
//
// In          the extracted text of each page, and its site
// Out         which of its lines are template: those that at least kLeastTemplatePages pages of the
//             site have, and kLeastTemplateShare of all
// Guarantees  a page of which hardly anything else is left keeps all its lines, because it is
//             rather a copy of other pages. Equal pages give equal answers in any order
// Cost        8 bytes for each line of a page while it is learned, twice at the end; lines beyond
//             kMostTemplateLines do not count
// Threads     SiteTemplateCounts: one at a time; SiteTemplates: const, share freely

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/large_memory.h"
#include "zhiwen/extract_files.h"

namespace zhiwen {

inline constexpr uint64_t kLeastTemplatePages = 5;
inline constexpr double kLeastTemplateShare = 0.05;
inline constexpr size_t kLeastOwnText = 20;  // characters that are no blanks
inline constexpr size_t kMostTemplateLines = size_t{1} << 27;

// The site of a document: the host of its address, or else the folder of its file.
std::string_view SiteOf(std::string_view url, std::string_view file);

// What is counted of a page.
struct SitePage {
  uint64_t site = 0;            // a hash
  std::vector<uint64_t> lines;  // hashes of its different lines, with the site
};
SitePage MakeSitePage(std::string_view site, const ExtractedDocument& document);

class SiteTemplates {
 public:
  // Takes the template out of the text and the blocks of a document. Returns what was taken out.
  std::vector<DroppedLine> DropFrom(std::string_view site, ExtractedDocument& document) const;

 private:
  friend class SiteTemplateCounts;
  struct Shared {
    uint64_t line = 0, pages = 0;
  };
  uint64_t PagesWith(uint64_t line) const;

  std::unordered_map<uint64_t, uint64_t> pages_;  // of each site
  std::vector<Shared> shared_;                    // ascending by line
};

class SiteTemplateCounts {
 public:
  void Add(const SitePage& page);
  bool is_full() const { return lines_.size() >= kMostTemplateLines; }
  // Once only.
  SiteTemplates Finish();

 private:
  LargeVector<uint64_t> lines_;
  SiteTemplates templates_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EXTRACT_SITE_TEMPLATES_H_
