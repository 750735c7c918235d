#ifndef ZHIWEN_BASE_SCRATCH_SCRATCH_DAMAGE_H_
#define ZHIWEN_BASE_SCRATCH_SCRATCH_DAMAGE_H_

// Checks whether saved data are still on disk as they were saved, before a file is cut and
// continued (Spool::Reopen).
//
// Out         nothing, or what is wrong, naming the file: it is gone, too short, has a changed
//             byte, or cannot be read
// Guarantees  no file is changed. What an earlier process appended after the mark does not matter
// Cost        one read of the file up to its mark, front to back; memory: a frame, at least 1 MiB
// Fails       as opening the file does, except kNotFound (permissions, a limit of open files), and
//             as `step` does; then the state of the file is unknown

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/scratch/mapped_spool.h"
#include "base/scratch/scratch.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

using ScratchDamage = std::optional<std::string>;  // what is wrong

// Called after each piece of the file with its size. An error ends the reading.
using ReadStep = std::function<Status(uint64_t bytes)>;

// Checks the file of a Spool or a PartitionedSpool.
Result<ScratchDamage> FindSpoolDamage(FileSystem& files, const std::string& path,
                                      const SpoolMark& mark, const ReadStep& step);

// Checks the file of a MappedSpool. `hash` must be new, and takes in the bytes of the file.
Result<ScratchDamage> FindMappedDamage(FileSystem& files, const std::string& path,
                                       const MappedMark& mark, const ReadStep& step,
                                       StreamHash128& hash);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_SCRATCH_DAMAGE_H_
