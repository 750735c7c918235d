#ifndef ZHIWEN_DOCUMENT_FOREIGN_OLE_DIRECTORY_H_
#define ZHIWEN_DOCUMENT_FOREIGN_OLE_DIRECTORY_H_

// The directory of an OLE file ([MS-CFB]), in which Word, Excel and PowerPoint kept documents until
// 2007, and in which they keep encrypted ones.
//
// In          the bytes of a file
// Out         the names and streams of its root; what is embedded in the document is not there;
//             whether one of its chains of sectors leads back to itself
// Guarantees  ends on every input: a directory that is damaged has fewer names. Of files of 7 MB
//             and more only the first sectors are looked at, so that streams may end there
// Cost        the sectors of the directory, of a stream, and of what holds small streams
// Threads     free functions

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zhiwen {

// Returns whether a file begins as OLE files do.
bool BeginsAsOle(std::string_view head);

// Whether a chain of sectors goes in a circle, which programs that read the file may follow for
// ever.
bool HasCircleOfSectors(std::string_view bytes);

// In ASCII: '?' stands for other characters.
std::vector<std::string> NamesInOleRoot(std::string_view bytes);

inline constexpr size_t kMostOleStreamBytes = size_t{256} << 10;

// The first kMostOleStreamBytes of the stream that has this one of NamesInOleRoot; empty where none
// has.
std::string StreamInOleRoot(std::string_view bytes, std::string_view name);

// The number that `size` bytes from `at` on are, the lowest first; 0 where they are not there.
uint32_t ReadOleNumber(std::string_view bytes, size_t at, size_t size);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_FOREIGN_OLE_DIRECTORY_H_
