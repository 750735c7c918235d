// Is a picture known? Prints the rows of an index whose codes differ from a new one in at most 3
// bits, then adds the new one. The index is made where there is none.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "zhiwen/code_index.h"
#include "zhiwen/file_system.h"

namespace {

zhiwen::Status Run(const std::string& folder, uint64_t code, const std::string& label) {
  zhiwen::FileSystem& files = zhiwen::PosixFileSystem();
  if (const auto there = files.Exists(folder); there && !*there) {
    if (auto made = zhiwen::CodeIndex::Create(files, folder, {}); !made) return made;
  }
  auto writer = zhiwen::CodeIndexWriter::Open(files, folder, {});
  if (!writer) return tl::unexpected(writer.error());

  zhiwen::CodeAnswer answer;
  if (auto asked = (*writer)->index().Query({&code, 1}, {.radius = 3}, answer); !asked) {
    return asked;
  }
  for (const zhiwen::CodeMatch& match : answer.matches) {
    std::printf("%016llx in %u bits: %s\n", static_cast<unsigned long long>(match.code),
                match.distance, std::string(answer.LabelOf(match)).c_str());
  }

  zhiwen::CodeChanges changes;
  changes.Add(code, label);
  if (auto committed = (*writer)->Commit(changes); !committed) return committed;
  return (*writer)->Close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: known_pictures INDEX CODE LABEL\n";
    return 2;
  }
  const zhiwen::Status done = Run(argv[1], std::strtoull(argv[2], nullptr, 16), argv[3]);
  if (done) return 0;
  std::cerr << done.error().message << "\n";
  return zhiwen::TraitsOf(done.error().code).exit_status;
}
