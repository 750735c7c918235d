#ifndef ZHIWEN_BASE_SCRATCH_MAPPED_SPOOL_H_
#define ZHIWEN_BASE_SCRATCH_MAPPED_SPOOL_H_

// Bytes that are appended front to back and read in place, mapped: they are never in anonymous
// memory, and any number of them costs one file and one mapping.
//
// Guarantees  bytes appended in pieces of 8 are aligned to 8 when they are read. While they are
//             read no checksum is looked at: who appends them keeps one, and its place, in a Spool
// Cost        memory: none of its own; each Append is a write
// Threads     one at a time; the mapping is read by any number
// Fails       as base/scratch/scratch.h. A mapped file that loses its end, or whose disk fails,
//             ends the process (SIGBUS): no other program may write to the folder
// Persisted   mapped scratch, version 1 (docs/formats/scratch.md)

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/scratch/scratch.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Where a saved one ends.
struct MappedMark {
  uint64_t bytes = 0;     // appended
  uint64_t checksum = 0;  // low half of HashBytes128 of them; 0 without bytes

  friend bool operator==(const MappedMark&, const MappedMark&) = default;
};

class MappedSpool {
 public:
  // In front of the bytes in the file.
  static constexpr std::string_view kHeader{"zwm1\0\0\0\0", 8};

  // Opens what an earlier process saved, and drops what it appended afterwards; with an empty mark
  // a new one, whose file is made when it is needed. Reads all of it. Fails also: kUnreadable when
  // the file is gone or not what `mark` says, and stays as it is.
  static Result<std::unique_ptr<MappedSpool>> Reopen(Scratch& scratch, const std::string& name,
                                                     const MappedMark& mark);
  // Removes its file.
  ~MappedSpool();
  MappedSpool(const MappedSpool&) = delete;
  MappedSpool& operator=(const MappedSpool&) = delete;

  // Not after Map. After a failure nothing can be appended any more.
  Status Append(std::string_view bytes);
  uint64_t size() const { return size_; }
  // HashBytes128 of everything appended.
  Hash128 checksum() const { return hash_.Finish(); }

  // Everything appended so far survives the process (not a power cut).
  MappedMark Save() const;
  // Leaves the file to a later process when this object goes.
  void Keep() { keep_ = true; }

  // Everything appended, for as long as this object lives.
  Result<std::string_view> Map();

 private:
  MappedSpool(Scratch& scratch, const std::string& name);
  Status Open();

  Scratch& scratch_;
  const std::string path_;
  bool keep_ = false;
  bool created_ = false;  // the file is there, and ours
  bool failed_ = false;   // a write: where the file ends is not known
  uint64_t size_ = 0;     // without the header
  StreamHash128 hash_;    // of everything appended
  std::unique_ptr<WritableFile> writer_;
  std::unique_ptr<MappedFile> mapped_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_MAPPED_SPOOL_H_
