#ifndef ZHIWEN_PIPELINE_EVIDENCE_PACKAGE_FILE_H_
#define ZHIWEN_PIPELINE_EVIDENCE_PACKAGE_FILE_H_

// The files that evidence writes (base/files/output_file.h): packages, and requests for time
// stamps. Each replaces files of its own kind alone.

#include <memory>
#include <string>

#include "base/files/output_file.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

Result<std::unique_ptr<OutputFile>> OpenPackageOutput(FileSystem& files, const std::string& path,
                                                      bool overwrite);
Result<std::unique_ptr<OutputFile>> OpenRequestOutput(FileSystem& files, const std::string& path,
                                                      bool overwrite);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVIDENCE_PACKAGE_FILE_H_
