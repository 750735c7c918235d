#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_INPUT_SAMPLE_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_INPUT_SAMPLE_H_

// Chooses and reads a bounded part of a run's inputs, in several places. Blocks of records are
// chosen by their place, never by their content.
//
// In          files with their sizes, and how many bytes of records to read
// Out         stretches of some blocks, spread evenly over the bytes of all files: in plain JSON
//             Lines anywhere; in files that are only read from front to back (compressed, CSV,
//             Parquet) from their start, longer where more of the sample falls into one file
// Guarantees  the same stretches for the same files and options. Blocks end where records end, and
//             a later reader that skips to the offset of a block gets it again
// Cost        reads what is chosen, and up to a block more at each place
// Threads     Narrow, and what it returns: one at a time
// Fails       as FileBlocks

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "pipeline/reader/record_blocks.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"

namespace zhiwen {

struct InputStretch {
  uint64_t begin = 0;  // in the stream of the file; the first record after it is the first one
  uint64_t bytes = 0;  // of records to read at least
};

// The stretches of a sample, by file.
struct SampleChoice {
  std::vector<uint32_t> files;                       // indices, ascending
  std::vector<std::vector<InputStretch>> stretches;  // of each of `files`, by place
};

enum class PlaceEnd : uint8_t {
  kBlock,  // with the block that fills it
  // With the last record that begins in it: whether a record is in the sample does not hang on its
  // length, as it does where blocks end with what fits. Blocks may end earlier than those of a run.
  kRecord,
};

struct SampleOptions {
  uint64_t bytes = uint64_t{128} << 20;
  uint64_t stretch_bytes = uint64_t{512} << 10;
  // How a place of a plain file ends.
  PlaceEnd end = PlaceEnd::kBlock;
};

// Bytes of records in the files, as far as their sizes tell.
uint64_t UsualStreamBytes(const std::vector<InputFile>& files);

// Whether ChooseSample takes all of every file.
bool TakesEverything(const std::vector<InputFile>& files, const SampleOptions& options);

SampleChoice ChooseSample(const std::vector<InputFile>& files, const SampleOptions& options);

// How much was taken of a file, as the first pass over it went.
struct SampledFile {
  uint64_t stream_bytes = 0;  // of records; Parquet: rows
  uint64_t blocks = 0;
  bool is_whole = false;
  // For files that are compressed: so many bytes of the stream came from so many of the file.
  uint64_t measured_stream = 0, measured_file = 0;
};

// All that opens a file, so that it can be opened again at another place.
struct BlocksOrigin {
  FileSystem& files;
  const InputFile& input;
  uint32_t file;
  const BlockOptions& options;
};

class InputSample {
 public:
  // `stretches`: by file of the run.
  InputSample(std::vector<std::vector<InputStretch>> stretches, const Clock& clock,
              PlaceEnd end = PlaceEnd::kBlock)
      : stretches_(std::move(stretches)), clock_(clock), end_(end), taken_(stretches_.size()) {}

  // Blocks of the stretches of origin.file, from `all` of its blocks, which were just opened. After
  // SkipTo they are those of `all`.
  std::unique_ptr<FileBlocks> Narrow(const BlocksOrigin& origin, std::unique_ptr<FileBlocks> all);

  // By file of the run, after the first pass.
  const std::vector<SampledFile>& taken() const { return taken_; }
  // Seconds that reading and decompressing took, without parsing records.
  double read_seconds() const { return std::chrono::duration<double>(read_time_).count(); }
  // So far, for progress; from any thread. Of Parquet in bytes about.
  uint64_t bytes() const { return bytes_; }

 private:
  friend class SampledBlocks;
  const std::vector<std::vector<InputStretch>> stretches_;
  const Clock& clock_;
  const PlaceEnd end_;
  std::chrono::nanoseconds read_time_{0};
  std::atomic<uint64_t> bytes_ = 0;
  std::vector<SampledFile> taken_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_INPUT_SAMPLE_H_
