#ifndef ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_CHECKPOINT_H_
#define ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_CHECKPOINT_H_

// A checkpoint: a small file that says how far a run is, so that a later process can go on from
// there. It holds what decides the result, the inputs as they were, the place in the pass, and the
// ends of the spools at that place.
//
// Guarantees  a checkpoint is whole or not there: it is renamed into place. What it describes is on
//             scratch before it is written
// Persisted   version 11 (docs/formats/checkpoint.md). It is also the version of every row in a
//             spool of RunSpools: whoever changes a row raises it
// Not for     surviving a power cut: neither it nor scratch files are synced

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/scratch/scratch.h"
#include "pipeline/dedup/decide/decide_similar.h"
#include "pipeline/dedup/decide/set_pass.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A place in the first pass.
struct SketchMark {
  SketchProgress progress;
  std::vector<SpoolMark> spools;  // RunSpools::Reopen; empty: nothing was saved yet
};

struct CheckpointInput {
  std::string name, kept_path;
  FileIdentity identity;
};

// The options that decide the result of a run: name and value, which is empty for an option that
// was not given. Limits of the machine (memory, threads) and of patience (failed records, bad
// files) decide nothing and are left out.
using Parameters = std::vector<std::pair<std::string, std::string>>;

struct Checkpoint {
  std::string program;  // its version
  Parameters parameters;
  std::vector<CheckpointInput> inputs;
  std::string scratch;          // its folder; empty: inside the output folder
  uint64_t standard_input = 0;  // checksum of its copy (DedupInputs); 0: it is not read
  uint64_t max_record_bytes = 0;
  uint64_t resumes = 0;  // of the run that wrote it
  SketchMark sketch;
  // At the beginning of a file, not after that of `sketch`: for when the file of `sketch`, of which
  // not all is read, is replaced.
  SketchMark file_start;
  bool sketched = false;  // the first pass is at its end
  // Places in the stages after the first pass, where they got so far. They hold for this
  // MemoryPlan::work alone: with another one the batches are others.
  uint64_t work_memory = 0;
  std::optional<SetMark> sets;
  std::optional<DecideMark> decided;
};

std::string EncodeCheckpoint(const Checkpoint& checkpoint);

// `path` is for messages. Fails: kUnreadable (damaged, which it says without advice), kConflict
// (another version).
Result<Checkpoint> DecodeCheckpoint(const std::string& path, std::string_view bytes);

// Replaces the checkpoint at `path`.
Status WriteCheckpoint(FileSystem& files, const std::string& path, const Checkpoint& checkpoint);

// Fails: as the file system does. What it gives is for DecodeCheckpoint.
Result<std::string> ReadCheckpointBytes(FileSystem& files, const std::string& path);

// Both.
Result<Checkpoint> ReadCheckpoint(FileSystem& files, const std::string& path);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_CHECKPOINT_H_
