#ifndef ZHIWEN_DOCUMENT_FOREIGN_OLE_DIRECTORY_H_
#define ZHIWEN_DOCUMENT_FOREIGN_OLE_DIRECTORY_H_

// The directory of an OLE file ([MS-CFB]), in which Word, Excel and PowerPoint kept documents until
// 2007, and in which they keep encrypted ones.
//
// In          the bytes of a file
// Out         the names of what stands in its root; what is embedded in the document is not there;
//             whether one of its chains of sectors leads back to itself
// Guarantees  ends on every input: a directory that is damaged has fewer names
// Cost        the sectors of the directory
// Threads     free functions

#include <string>
#include <string_view>
#include <vector>

namespace zhiwen {

// Returns whether a file begins as OLE files do.
bool BeginsAsOle(std::string_view head);

// Whether a chain of sectors goes in a circle, which programs that read the file may follow for
// ever. Of files of 7 MB and more only the first sectors are looked at.
bool HasCircleOfSectors(std::string_view bytes);

// In ASCII: '?' stands for other characters.
std::vector<std::string> NamesInOleRoot(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_OLE_DIRECTORY_H_
