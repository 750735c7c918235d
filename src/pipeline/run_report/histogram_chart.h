#ifndef ZHIWEN_PIPELINE_RUN_REPORT_HISTOGRAM_CHART_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_HISTOGRAM_CHART_H_

// A histogram as a labelled SVG, drawn twice (a wide and a narrow one, of which the page shows what
// fits), with the same figures in a table behind it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/run_report/page_words.h"

namespace zhiwen {

// Series are stacked from the bottom.
struct ChartSeries {
  Words name;
  std::string css_class;
  std::vector<uint64_t> counts;  // documents, one a bin
};

struct HistogramChart {
  std::string id;                 // of the element, unique in the page
  Words title, summary;           // the text alternative: what it is, what it shows
  Words x_axis, y_axis;           // with the unit
  Words bin_header;               // of the first column of the table, with the unit
  std::vector<std::string> bins;  // what each bin is called in the table
  std::vector<std::pair<size_t, std::string>> x_ticks;  // at the left edge of a bin, or its end
  std::vector<ChartSeries> series;
  std::string heading = {};  // the id of the heading above, where there are charts of one title
};

// Returns the HTML of a <figure>.
std::string RenderHistogram(const HistogramChart& chart);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_HISTOGRAM_CHART_H_
