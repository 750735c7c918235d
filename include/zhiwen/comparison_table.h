#ifndef ZHIWEN_COMPARISON_TABLE_H_
#define ZHIWEN_COMPARISON_TABLE_H_

// The table of a comparison (比对表) as courts and platforms ask for it: a Word file.
//
// In          two texts in UTF-8, their comparison and their passages
// Out         a DOCX file, in Chinese and English: both names with their characters, what is the
//             same, its share of both texts, the longest run and how it was disguised; then a table
//             of two columns. Of each passage it has a row with its number, its place in both texts
//             (characters, from 1), what is the same (symbols) and its kind, and a row with both
//             texts, whole, or several rows of a long one: red where they are the same, red and
//             underlined where that is disguised, black where they differ. A comparison without
//             passages says that none was found
// Guarantees  valid XML, whatever the texts have: control characters, and characters that turn or
//             hide others, are shown by their names. The same input gives the same bytes. As
//             base/files/output_file.h: a file that was there stays until the new one is whole, and
//             only a Word file of zhiwen is replaced
// Cost        linear in the passages; the file is held in memory, uncompressed, some 100 bytes for
//             each run of one colour
// Threads     free functions
// Fails       as OutputFile; kExhausted for a file of more than 1 GiB

#include <string>

#include "zhiwen/compare.h"
#include "zhiwen/compare_page.h"
#include "zhiwen/file_system.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the bytes of the file; of `options` the command and the channels count.
Result<std::string> RenderComparisonTable(const ComparedDocument& a, const ComparedDocument& b,
                                          const Comparison& comparison,
                                          const PassageComparison& passages,
                                          const ComparePageOptions& options);

// Writes the page of a comparison at its path in `page` and the table at `table`, each unless its
// path is empty. Where one of them cannot be made, neither is there: both are whole before the
// first gets its name.
Status WriteComparisonFiles(FileSystem& files, const ComparedDocument& a, const ComparedDocument& b,
                            const Comparison& comparison, const PassageComparison& passages,
                            const ComparePageOptions& page, const std::string& table);

}  // namespace zhiwen

#endif  // ZHIWEN_COMPARISON_TABLE_H_
