#ifndef ZHIWEN_PIPELINE_RUN_REPORT_RERUN_COMMAND_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_RERUN_COMMAND_H_

// A command line as it can be pasted into a shell (bash, zsh).
//
// Guarantees  the shell sees the words unchanged; what does not read as it is (control characters,
//             bidirectional controls, broken UTF-8, invisible characters) is spelled in octal,
//             so that the line holds no such byte

#include <string>
#include <vector>

namespace zhiwen {

std::string QuoteCommand(const std::vector<std::string>& words);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_RERUN_COMMAND_H_
