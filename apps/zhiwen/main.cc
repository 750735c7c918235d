// The entry point of the program. Only this file reads the environment; all other code receives
// what it needs.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "command_line/command_line.h"
#include "commands/commands.h"
#include "terminal/out_of_memory.h"
#include "terminal/signals.h"
#include "terminal/terminal.h"
#include "zhiwen/environment.h"
#include "zhiwen/simd.h"

namespace {

// ZHIWEN_SIMD=scalar|avx2|avx512 forces an instruction set; not set or empty means the best.
zhiwen::Status SelectKernelsFromEnvironment() {
  const char* wanted = std::getenv("ZHIWEN_SIMD");
  if (wanted == nullptr || *wanted == '\0') return {};
  ZHIWEN_ASSIGN_OR_RETURN(const zhiwen::SimdLevel level, zhiwen::ParseSimdLevel(wanted));
  return zhiwen::SelectKernels(level);
}

// ZHIWEN_LANGUAGE names the language data. If it is not set, the data is looked up where it is
// installed, beside the program.
std::string FindLanguageFile() {
  const char* wanted = std::getenv("ZHIWEN_LANGUAGE");
  if (wanted != nullptr && *wanted != '\0') return wanted;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path().parent_path() / "share/zhiwen/language.zwl").string();
}

}  // namespace

int main(int argc, char** argv) {
  zhiwen::ExitWhenOutOfMemory();
  zhiwen::GiveFreedMemoryBack();
  static zhiwen::Cancellation cancellation;
  zhiwen::StopOnSignals(cancellation);
  zhiwen::Console console(stdout, stderr, zhiwen::ReadTerminalFacts());
  if (const zhiwen::Status selected = SelectKernelsFromEnvironment(); !selected) {
    console.PrintError("ZHIWEN_SIMD: " + selected.error().message);
    return zhiwen::TraitsOf(selected.error().code).exit_status;
  }
  const std::vector<std::string> words(argv + 1, argv + argc);
  return zhiwen::StatusAfterSignals(zhiwen::RunCommandLine(zhiwen::MakeCommands(), words, console,
                                                           cancellation, FindLanguageFile()));
}
