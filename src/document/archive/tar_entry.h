#ifndef ZHIWEN_DOCUMENT_ARCHIVE_TAR_ENTRY_H_
#define ZHIWEN_DOCUMENT_ARCHIVE_TAR_ENTRY_H_

// One member of an archive as an entry of a tar archive (POSIX.1-2001, pax): the bytes of a record.
//
// An entry is a header of 512 bytes, the content, and zeros up to the next multiple of 512. Where
// the name is long or not ASCII, a pax header with the name in UTF-8 stands before it. A member
// that could not be read is an entry without content that says why; such entries are never written
// to a file.
//
// In          a member; or the entries that these functions wrote
// Guarantees  any bytes are accepted: what is no entry is a fault. tar, bsdtar and Python read the
//             entries back, with names and times
// Cost        one copy of the content when written, none when parsed
// Threads     free functions; TarScanner and TarCutter: one at a time
// Persisted   entries are what kept/ has of an archive

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Names are cut behind so many bytes.
inline constexpr size_t kMostNameBytes = size_t{32} << 10;
// What stands around the content of an entry is less.
inline constexpr size_t kMostEntryFrameBytes = size_t{64} << 10;

struct TarEntry {
  std::string name;  // in UTF-8; a name, never a place on this machine
  std::string_view content = {};
  int64_t modified = 0;             // seconds since 1970
  std::optional<Error> fault = {};  // why the member could not be read: kUnreadable, kExhausted
};

void AppendTarEntry(const TarEntry& entry, std::string& out);

// The parts of an entry around its content: what stands before it, and the zeros behind it.
void AppendTarHead(const TarEntry& entry, std::string& out);
std::string_view TarPadding(uint64_t content_bytes);

// Reads an entry; the content is a view of `bytes`.
TarEntry ParseTarEntry(std::string_view bytes);

// The zeros that end a tar archive.
std::string_view TarEnd();

// Whether a file begins with a header of tar, of any age: its checksum is right.
bool BeginsAsTar(std::string_view head);

// Finds where entries end, in pieces of any size.
class TarScanner {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  // Forgets everything; the next piece begins an entry.
  void Restart() { *this = TarScanner(); }

  // Scans the piece, and returns the end of the last entry that ends in it, or kNone.
  size_t FindLastEnd(std::string_view piece);

  // The same of the first one; after it returns an end, the scanner must be restarted.
  size_t FindFirstEnd(std::string_view piece);

 private:
  // Goes on up to the end of a header or of a content. Returns whether an entry ends at `at`.
  bool Advance(std::string_view piece, size_t& at);

  std::string header_;      // as much of a header as was scanned
  uint64_t left_ = 0;       // of the content, with its padding
  bool is_inside_ = false;  // a header came before
  bool goes_on_ = false;    // it is a pax header: another one belongs to the entry
};

// Cuts the entries off the front of bytes.
class TarCutter {
 public:
  explicit TarCutter(std::string_view bytes) : rest_(bytes) {}

  // Returns the next entry. Returns an empty view at the end.
  std::string_view Next();

 private:
  std::string_view rest_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_ARCHIVE_TAR_ENTRY_H_
