#ifndef ZHIWEN_TESTS_SUPPORT_LANGUAGE_H_
#define ZHIWEN_TESTS_SUPPORT_LANGUAGE_H_

// The language data that the build made, for tests. It has to be there: a build without it has
// fewer tests to pass, not the same ones skipped.

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "support/paths.h"
#include "zhiwen/file_system.h"
#include "zhiwen/language.h"

namespace zhiwen {

inline const std::shared_ptr<const Language>& TestLanguage() {
  static const std::shared_ptr<const Language> language = [] {
    auto opened = Language::Open(PosixFileSystem(), LanguageFilePath());
    if (!opened) {
      std::fprintf(stderr, "%s\n", opened.error().message.c_str());
      std::abort();
    }
    return *opened;
  }();
  return language;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_LANGUAGE_H_
