#ifndef ZHIWEN_TESTS_SUPPORT_PATHS_H_
#define ZHIWEN_TESTS_SUPPORT_PATHS_H_

// Where tests find what is not compiled in. Defined in test_main.cc, so that only one object of a
// program depends on where the source is.

#include <string>

namespace zhiwen {

std::string SourceFolder();      // of the repository
std::string LanguageFilePath();  // the language data that the build made

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_PATHS_H_
