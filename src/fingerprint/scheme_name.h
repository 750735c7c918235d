#ifndef ZHIWEN_FINGERPRINT_SCHEME_NAME_H_
#define ZHIWEN_FINGERPRINT_SCHEME_NAME_H_

// The words of a scheme name as a person typed them, before families are looked up
// (zhiwen/scheme.h has the grammar).
//
// In          a canonical or short name; spaces around words are skipped
// Out         SchemeName: the word with its arguments, each with its position
// Fails       kInvalidArgument, naming the position and what was expected there; names over 1024
//             bytes or nested deeper than eight

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

struct SchemeArgument;

// "shingle.v1(k=5)", "5", "xxh3": a value is a name without arguments until a family says more.
struct SchemeName {
  std::string word;     // "shingle.v1"
  size_t position = 0;  // of the word, counted in bytes from 1
  std::vector<SchemeArgument> arguments;
};

struct SchemeArgument {
  std::string key;  // empty: positional
  size_t position = 0;
  SchemeName value;
};

Result<SchemeName> ParseSchemeName(std::string_view text);

// The name as it is written, without spaces.
std::string PrintSchemeName(const SchemeName& name);

// The error of a name: `cannot use the scheme "TEXT": WHAT at character POSITION`, then `; HINT`.
tl::unexpected<Error> FailAt(std::string_view text, size_t position, std::string_view what,
                             std::string_view hint);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SCHEME_NAME_H_
