#ifndef ZHIWEN_PIPELINE_BATCHES_INPUT_PATHS_H_
#define ZHIWEN_PIPELINE_BATCHES_INPUT_PATHS_H_

// The paths of inputs, of which one may be standard input.

#include <span>
#include <string>
#include <vector>

#include "zhiwen/document_batches.h"

namespace zhiwen {

// Returns what ids and messages call an input.
std::string NameOfInput(const std::string& path);

// Fails: kInvalidArgument when standard input is named twice, or named and `environment` has none.
Status CheckStandardInput(std::span<const std::string> paths, const BatchEnvironment& environment);

// Puts an input that was not listed behind those of the first `place` paths.
void InsertInput(DocumentFile input, size_t place, std::vector<DocumentFile>& files);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_BATCHES_INPUT_PATHS_H_
