#ifndef ZHIWEN_PIPELINE_LIBRARY_LIBRARY_TEST_SUPPORT_H_
#define ZHIWEN_PIPELINE_LIBRARY_LIBRARY_TEST_SUPPORT_H_

// Texts for tests of libraries.

#include <cstddef>
#include <random>
#include <string>

namespace zhiwen {

// Returns a text of sentences chosen by `seed`; texts of two seeds share nearly nothing.
inline std::string SentencesOf(unsigned seed, size_t sentences = 12) {
  std::mt19937 random(seed);
  std::string text;
  for (size_t i = 0; i < sentences; ++i) {
    for (int k = 0; k < 9; ++k) {
      const auto code = 0x4E00 + random() % 0x5000;
      text += static_cast<char>(0xE0 | code >> 12);
      text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      text += static_cast<char>(0x80 | (code & 0x3F));
    }
    text += "。";
  }
  return text;
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_LIBRARY_TEST_SUPPORT_H_
