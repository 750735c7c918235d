#ifndef ZHIWEN_FINGERPRINT_SCHEME_NAME_H_
#define ZHIWEN_FINGERPRINT_SCHEME_NAME_H_

// Splits a scheme name as a person typed it into words, before families are looked up
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

// A name such as "shingle.v1(k=5)", "5" or "xxh3". A value is a name without arguments until its
// family decides otherwise.
struct SchemeName {
  std::string word;     // "shingle.v1"
  size_t position = 0;  // of the word, in bytes from 1
  std::vector<SchemeArgument> arguments;
};

struct SchemeArgument {
  std::string key;  // empty: positional
  size_t position = 0;
  SchemeName value;
};

Result<SchemeName> ParseSchemeName(std::string_view text);

// Prints the name without spaces.
std::string PrintSchemeName(const SchemeName& name);

// Returns the error of a name: `cannot use the scheme "TEXT": WHAT at character POSITION`, then `;
// HINT`.
tl::unexpected<Error> FailAt(std::string_view text, size_t position, std::string_view what,
                             std::string_view hint);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SCHEME_NAME_H_
