#ifndef ZHIWEN_FEATURE_TERMS_TERM_LIST_H_
#define ZHIWEN_FEATURE_TERMS_TERM_LIST_H_

// The lines of the text files that users give: synonyms, stop words.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "zhiwen/result.h"
#include "zhiwen/terms.h"

namespace zhiwen {

struct TermListLine {
  std::string_view file;
  size_t number = 0;  // from 1
  std::string_view text;

  // kUnreadable, naming file and line.
  tl::unexpected<Error> Fault(std::string_view what) const;
};

// Without spaces and tabs at its ends.
std::string_view TrimSpaces(std::string_view text);

// Visits the lines that say something: not the empty ones and those that begin with '#'; without
// line ends, LF or CRLF, and without a byte order mark. Fails: kUnreadable for one that is not
// UTF-8, and as `take`.
Status ForEachTermLine(const TermListFile& file,
                       const std::function<Status(const TermListLine& line)>& take);

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_TERMS_TERM_LIST_H_
