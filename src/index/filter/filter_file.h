#ifndef ZHIWEN_INDEX_FILTER_FILTER_FILE_H_
#define ZHIWEN_INDEX_FILTER_FILTER_FILE_H_

// Reads and writes the file of a filter (docs/formats/filters.md).

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/files/section_file.h"
#include "index/filter/filter_table.h"
#include "zhiwen/filter.h"

namespace zhiwen {

inline constexpr SectionFileKind kFilterFile = {.name = "filter", .version = 1};
inline constexpr std::string_view kFilterAbout = "about";
inline constexpr std::string_view kFilterShape = "shape";
inline constexpr std::string_view kFilterTable = "table";

// The content of the section "about".
struct FilterAbout {
  uint64_t kind = 0, form = 0;
  uint64_t keys = 0;           // number of keys in the filter
  uint64_t made_for = 0;       // number of keys it was made for
  double false_positives = 0;  // rate it was made for
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_FILTER_FILTER_FILE_H_
