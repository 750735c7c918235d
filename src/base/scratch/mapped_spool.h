#ifndef ZHIWEN_BASE_SCRATCH_MAPPED_SPOOL_H_
#define ZHIWEN_BASE_SCRATCH_MAPPED_SPOOL_H_

// Bytes that are appended front to back and read in place through a mapping. They are never in
// anonymous memory, and any number of them costs one file and one mapping.
//
// Guarantees  bytes appended in pieces of 8 are aligned to 8 when they are read. Reading checks no
//             checksum: the user keeps one, with the place of the bytes, in a Spool
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

// Describes where a saved spool ends.
struct MappedMark {
  uint64_t bytes = 0;     // appended
  uint64_t checksum = 0;  // low half of their HashBytes128; 0 without bytes

  friend bool operator==(const MappedMark&, const MappedMark&) = default;
};

class MappedSpool {
 public:
  // The file begins with this header.
  static constexpr std::string_view kHeader{"zwm1\0\0\0\0", 8};

  // Opens a spool that an earlier process saved, and drops the bytes appended after the save. With
  // an empty mark, makes a new spool, whose file is made when it is needed. Reads the whole file.
  // Fails also: kUnreadable when the file is gone or does not match `mark`; the file is then
  // unchanged.
  static Result<std::unique_ptr<MappedSpool>> Reopen(Scratch& scratch, const std::string& name,
                                                     const MappedMark& mark);
  // Removes the file, unless Keep was called.
  ~MappedSpool();
  MappedSpool(const MappedSpool&) = delete;
  MappedSpool& operator=(const MappedSpool&) = delete;

  // Must not be called after Map. After a failure nothing can be appended.
  Status Append(std::string_view bytes);
  uint64_t size() const { return size_; }
  // Returns the HashBytes128 of everything appended.
  Hash128 checksum() const { return hash_.Finish(); }

  // Makes everything appended so far survive the process (not a power cut).
  MappedMark Save() const;
  // Leaves the file for a later process when this object is destroyed.
  void Keep() { keep_ = true; }

  // Maps everything appended. The view is valid as long as this object.
  Result<std::string_view> Map();

 private:
  MappedSpool(Scratch& scratch, const std::string& name);
  Status Open();

  Scratch& scratch_;
  const std::string path_;
  bool keep_ = false;
  bool created_ = false;  // the file exists and is ours
  bool failed_ = false;   // after a failed write the end of the file is unknown
  uint64_t size_ = 0;     // without the header
  StreamHash128 hash_;    // of everything appended
  std::unique_ptr<WritableFile> writer_;
  std::unique_ptr<MappedFile> mapped_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_MAPPED_SPOOL_H_
