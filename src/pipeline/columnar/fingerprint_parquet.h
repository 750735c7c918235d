#ifndef ZHIWEN_PIPELINE_COLUMNAR_FINGERPRINT_PARQUET_H_
#define ZHIWEN_PIPELINE_COLUMNAR_FINGERPRINT_PARQUET_H_

// Fingerprints as rows of Parquet: a column for each kind of value, the others of a row null
// (docs/formats/fingerprint.md).

#include <cstddef>
#include <memory>
#include <string_view>

#include "zhiwen/file_system.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Where rows of fingerprints go. After a failure it is of no further use.
class FingerprintSink {
 public:
  virtual ~FingerprintSink() = default;
  virtual Status Add(std::string_view id, std::string_view canonical_name,
                     const Fingerprint& value) = 0;
  // Writes the rest and closes the file.
  virtual Status Close() = 0;
};

struct ParquetSinkOptions {
  size_t group_bytes = size_t{32} << 20;  // a row group ends where its values take as much
};

// Fails: kUnavailable without Arrow.
Result<std::unique_ptr<FingerprintSink>> OpenParquetSink(std::unique_ptr<WritableFile> out,
                                                         const ParquetSinkOptions& options = {});

// Whether the file was written by such a sink. Fails: kUnavailable without Arrow.
Result<bool> IsFingerprintParquet(std::unique_ptr<ReadableFile> file);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_FINGERPRINT_PARQUET_H_
