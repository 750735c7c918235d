#ifndef ZHIWEN_FINGERPRINT_FILE_H_
#define ZHIWEN_FINGERPRINT_FILE_H_

// Fingerprints of documents as a file: Parquet, or JSON Lines, plain, gzip or zstd, as its name
// ends.
//
// Out         rows or lines in the order in which they are added
// Guarantees  what was there stays until the new file is whole and on the disk; without Publish
//             nothing is left. Equal values give equal bytes
// Cost        Parquet: memory of a row group, whose values take 32 MiB, three times over; lines:
//             that of two frames of 8 MiB
// Threads     one at a time
// Fails       see the functions
// Persisted   docs/formats/fingerprint.md

#include <memory>
#include <string>
#include <string_view>

#include "zhiwen/file_system.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct FingerprintFileOptions {
  std::string path;        // *.parquet, *.jsonl, *.jsonl.gz, *.jsonl.zst
  bool overwrite = false;  // a file of fingerprints, or an empty one, that is there; nothing else
};

class FingerprintFile {
 public:
  // `files` must outlive the object. Fails: kInvalidArgument for another ending; kConflict where
  // something is there that may not be replaced, or another process is at it; kUnavailable for
  // Parquet in a program without it.
  static Result<std::unique_ptr<FingerprintFile>> Create(FileSystem& files,
                                                         const FingerprintFileOptions& options);
  ~FingerprintFile();

  // Fails: kExhausted and what the disk says; then the object is of no further use.
  Status Add(std::string_view id, std::string_view canonical_name, const Fingerprint& value);

  // Writes the rest and gives the file its name. Fails as Add and Create.
  Status Publish();

 private:
  struct State;
  explicit FingerprintFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_FILE_H_
