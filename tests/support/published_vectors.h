#ifndef ZHIWEN_TESTS_SUPPORT_PUBLISHED_VECTORS_H_
#define ZHIWEN_TESTS_SUPPORT_PUBLISHED_VECTORS_H_

// The test vectors that docs/formats publishes: the lines of a page's code blocks marked
// ```vectors, or ```vectors NAME, each "input → output".

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/paths.h"

namespace zhiwen {

inline std::vector<std::pair<std::string, std::string>> PublishedVectors(
    const std::string& page, const std::string& name = "") {
  const std::string mark = name.empty() ? "```vectors" : "```vectors " + name;
  std::vector<std::pair<std::string, std::string>> vectors;
  std::ifstream lines(SourceFolder() + "/docs/formats/" + page);
  const std::string arrow = " → ";
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) {
      inside = line == mark;
    } else if (const size_t at = line.rfind(arrow); inside && at != std::string::npos) {
      vectors.emplace_back(line.substr(0, at), line.substr(at + arrow.size()));
    }
  }
  return vectors;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_PUBLISHED_VECTORS_H_
