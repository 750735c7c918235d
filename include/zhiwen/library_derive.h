#ifndef ZHIWEN_LIBRARY_DERIVE_H_
#define ZHIWEN_LIBRARY_DERIVE_H_

// Schemes by whose values the documents of a library are found (Library::FindByScheme), beside what
// its profile has: keywords, SimHash, any scheme that is made of a text, of language data and of
// files.
//
// Guarantees  the values are computed from the stored texts, and follow the library: additions and
//             removals change them. What was stopped is done by the next writer. The library keeps
//             copies of the files that a scheme was made with, and uses these from then on
// Cost        of Derive: every stored text is read, and sketched anew; a value takes some 30 bytes
//             on the disk; the keys of granules (initials_dna) some 70 bytes a granule, or 0.8
//             times the texts. Of an addition from then on: the scheme. A removal reads the numbers
//             of all documents in the index, some milliseconds for a million
// Fails       kNotFound: the library; language data, or a file that the scheme needs, such as
//             document frequencies · kInvalidArgument: the scheme is unknown, made of fields (and
//             so are all that have a key, which a library would not keep), or not made with a file
//             that is given · kConflict: another process writes to the library · as LibraryWriter
//             does
// Persisted   docs/formats/catalog.md, docs/formats/code_index.md

#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme_files.h"

namespace zhiwen {

struct DerivedScheme {
  std::string scheme;                 // canonical name
  std::vector<std::string> replaced;  // canonical names that other data or versions had made
  bool is_new = false;
};

// Computes the values of a scheme, `name` as people type it, for all documents. Of a scheme of
// granules these are the keys of granules, so that passages are found. Values of the same family
// that were made with other language data, or by another version of zhiwen, go. Of a scheme that
// the library has already, only copies of files that are lost or damaged are made anew.
Result<DerivedScheme> DeriveScheme(const std::string& folder, std::string_view name,
                                   const BatchEnvironment& environment,
                                   const SchemeFiles& given = {});

// Removes the values of a scheme, and the copies of files that no other one needs; `name` as for
// Library::FindByScheme. Returns its canonical name. Fails: kNotFound when the library has no such
// values, naming those it has.
Result<std::string> DropScheme(const std::string& folder, std::string_view name,
                               const BatchEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_LIBRARY_DERIVE_H_
