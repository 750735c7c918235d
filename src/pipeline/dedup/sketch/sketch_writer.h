#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCH_WRITER_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCH_WRITER_H_

// Appends the rows of blocks to the spools, in order, and counts them in the progress of the pass.

#include <string>
#include <vector>

#include "pipeline/dedup/sketch/sketcher.h"
#include "zhiwen/result.h"

namespace zhiwen {

class SketchWriter {
 public:
  // Both outlive it.
  SketchWriter(uint32_t bands, RunSpools& spools, SketchProgress& progress)
      : bands_(bands), spools_(spools), progress_(progress) {}

  // Comes to the first block of another file.
  void BeginFile(SketchJob& job);

  Status Append(SketchJob& job);

 private:
  Status AppendRows(SketchJob& job);
  Status AppendLabels(const BlockRow& row, const SketchJob& job);
  Status AppendFailures(const BlockRow& row, SketchJob& job);
  Status AppendSamples(SketchJob& job);
  Status AppendAgainst(const BlockRow& row, SketchJob& job);
  Status AppendBands(const SketchJob& job);

  const uint32_t bands_;
  RunSpools& spools_;
  SketchProgress& progress_;
  std::string bytes_;
  std::vector<uint64_t> column_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCH_WRITER_H_
