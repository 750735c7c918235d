#ifndef ZHIWEN_PIPELINE_EVIDENCE_CAPTURE_RECORDS_H_
#define ZHIWEN_PIPELINE_EVIDENCE_CAPTURE_RECORDS_H_

// The WARC records that belong to one capture of a crawl.
//
// In          a WARC file, and the number of a capture in it
// Out         the bytes of the capture group; those of the redirects that lead to it, each the last
//             one before it whose Location is the address of the next; those of the name lookups of
//             their hosts
// Cost        two passes over the file; an address and a place for each redirect, the bytes of each
//             name lookup, and what is returned
// Threads     free function
// Fails       as OpenFileBlocks; kNotFound: no such record; kInterrupted, kTerminated

#include <cstdint>
#include <string>

#include "zhiwen/documents.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CaptureRecords {
  std::string capture, redirects, lookups;
};

// `record` counts from 1.
Result<CaptureRecords> FindCaptureRecords(FileSystem& files, const DocumentFile& file,
                                          uint64_t record, const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVIDENCE_CAPTURE_RECORDS_H_
