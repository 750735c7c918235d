#ifndef ZHIWEN_DOCUMENT_FOREIGN_FOREIGN_PROGRAM_H_
#define ZHIWEN_DOCUMENT_FOREIGN_FOREIGN_PROGRAM_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/process/child_process.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A program that writes the text of a file, in UTF-8.
struct ForeignProgram {
  std::string_view name;                    // "pdftotext"
  std::string_view package;                 // of Debian: "poppler-utils"
  std::string_view files;                   // what it reads: "PDF files"
  std::vector<std::string_view> arguments;  // kChildInput among them
  ChildLimits limits = {};
  bool is_chatty = false;  // it also says things when it finds nothing, and all is well
};

struct ForeignText {
  std::string text;    // UTF-8; U+FFFD for what is none, no control characters but tabs, ends of
                       // lines and pages
  std::string errors;  // what the program said about the file
};

// What `program` writes when it has `bytes`. Fails: as ReadByProgram.
Result<ChildOutput> RunForeignProgram(const ForeignProgram& program, std::string_view bytes);

// The text that `program` makes of `bytes`, within the limits of child_process.h.
// Fails: kUnavailable: it is not installed · kExhausted: it took more than a limit · kUnreadable:
// it failed, which damaged and encrypted files make it do.
Result<ForeignText> ReadByProgram(const ForeignProgram& program, std::string_view bytes);

// The same, by a program that on some files reads memory that nobody wrote, and then makes another
// text each time. Fails also: kUnreadable: two texts of the file differ.
Result<ForeignText> ReadTwiceByProgram(const ForeignProgram& program, std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_FOREIGN_PROGRAM_H_
