// Prints the encodings that are detected of texts, for eval/encoded_texts.py.
//
// detect_encodings < TEXTS   the name of an encoding for each line of TEXTS, bytes in hexadecimal

#include <cstdio>
#include <iostream>
#include <string>

#include "base/utf8/transcoder.h"

int main() {
  using namespace zhiwen;
  std::string line, bytes;
  while (std::getline(std::cin, line)) {
    bytes.clear();
    for (size_t at = 0; at + 1 < line.size(); at += 2) {
      bytes += static_cast<char>(std::stoi(line.substr(at, 2), nullptr, 16));
    }
    std::puts(std::string(TextEncodingName(DetectTextEncoding(bytes, HeadEnd::kFile))).c_str());
  }
}
