#ifndef ZHIWEN_BASE_FILES_SECTION_FILE_H_
#define ZHIWEN_BASE_FILES_SECTION_FILE_H_

// A file of named sections that are used in place, such as language data and document frequencies.
// Every section has a checksum, and so does the table of sections. Arrays are aligned to 64 bytes.
//
// Out         the same bytes for the same sections in the same order
// Cost        Open reads the whole file once, for the checksums: about 5 GB a second; sections are
//             views into the mapping and are not copied
// Threads     const after Open: share freely
// Fails       Open: kNotFound, kUnreadable for damage, kConflict for another kind or version
// Persisted   docs/formats/sections.md

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value_bytes.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The kind of a file, for example "language" in version 1. Another version of a kind is refused.
struct SectionFileKind {
  std::string_view name;  // at most 16 bytes
  uint32_t version = 0;
  // The whole that the file is a part of, for example "index", when users restore that as a whole.
  // Empty when the file stands alone.
  std::string_view part_of = {};
};

// Returns the advice for a damaged file: "make or install it again".
std::string AdviceOnDamage(const SectionFileKind& kind);

// Receives bytes of a file, front to back.
using SectionSink = std::function<Status(std::string_view bytes)>;

// A section whose bytes need not be in memory.
struct SectionContent {
  std::string name;  // at most 31 bytes
  uint64_t size = 0;
  // Passes the section's bytes, in pieces, to `take`. Called twice: for the checksum and for
  // writing.
  std::function<Status(const SectionSink& take)> read;
};

// Writes a file of `sections`, whose names are distinct. Returns its SectionFile::identity(). Fails
// with the first error of `read` and `take`.
Result<uint64_t> WriteSections(const SectionFileKind& kind,
                               std::span<const SectionContent> sections, const SectionSink& take);

// Returns whether the first kSectionHeadBytes of a file say that it is of this kind, in any
// version.
inline constexpr size_t kSectionHeadBytes = 24;
bool IsOfKind(std::string_view head, const SectionFileKind& kind);

// Returns the error for a file of the kind in another version.
tl::unexpected<Error> OtherVersion(std::string_view path, const SectionFileKind& kind,
                                   uint32_t version);

// Writes a file whose sections are in memory.
class SectionWriter {
 public:
  // Adds a section; names have at most 31 bytes and are distinct.
  void Add(std::string_view name, std::string_view bytes);

  template <typename Value>
  void AddValues(std::string_view name, std::span<const Value> values) {
    Add(name, BytesOfValues(values));
  }

  // Returns the sections, which are valid until the next Add.
  std::vector<SectionContent> contents() const;

  // Returns the bytes of the file.
  std::string Finish(const SectionFileKind& kind) const;

 private:
  struct Section {
    std::string name;
    std::string bytes;
  };
  std::vector<Section> sections_;
};

class SectionFile {
 public:
  // Maps the file and verifies every checksum.
  static Result<SectionFile> Open(FileSystem& files, const std::string& path,
                                  const SectionFileKind& kind);

  // Opens a file whose bytes are in memory and outlive the object; errors call it `path`. Bytes
  // that do not start at a multiple of 8 are copied, so that arrays can be used in place.
  static Result<SectionFile> Of(std::string_view bytes, const std::string& path,
                                const SectionFileKind& kind);

  bool Has(std::string_view name) const;
  // Returns the bytes of a section, which are valid as long as this object. Fails: kUnreadable,
  // naming the section.
  Result<std::string_view> Bytes(std::string_view name) const;

  // Returns a section as an array. Fails also when its size is not a multiple of the size of a
  // value.
  template <typename Value>
  Result<std::span<const Value>> Values(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) <= kMappedAlignment);
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, Bytes(name));
    if (bytes.size() % sizeof(Value) != 0) return Damaged(name, "a part of a value");
    return std::span(reinterpret_cast<const Value*>(bytes.data()), bytes.size() / sizeof(Value));
  }

  // Returns the error for a section with impossible content; readers use it for their own checks.
  tl::unexpected<Error> Damaged(std::string_view name, std::string_view what) const;

  // Returns 64 bits that differ for different contents: a hash of the table with its checksums.
  uint64_t identity() const { return identity_; }
  const std::string& path() const { return path_; }
  uint64_t size() const { return bytes_.size(); }

 private:
  struct Section {
    std::string_view name;
    std::string_view bytes;
  };

  Status Read(const SectionFileKind& kind);

  static constexpr size_t kMappedAlignment = 8;

  std::unique_ptr<MappedFile> file_;
  std::vector<uint64_t> copy_;
  std::string_view bytes_;
  std::string path_, advice_;
  std::vector<Section> sections_;
  uint64_t identity_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FILES_SECTION_FILE_H_
