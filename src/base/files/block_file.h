#ifndef ZHIWEN_BASE_FILES_BLOCK_FILE_H_
#define ZHIWEN_BASE_FILES_BLOCK_FILE_H_

// A file of named sections that is memory-mapped and used in place. It may be too large to be read
// when it is opened: every block of 4 KiB has a checksum, which is verified when the block is first
// touched. Files are written front to back in one go. base/files/section_file.h is for small files,
// which are read as a whole.
//
// Guarantees  no byte of a block with a wrong checksum is returned
// Cost        4 bytes and a bit of memory for each 4 KiB; Open reads those 4 bytes, and no block
//             but the first; a first touch costs about 0.5 µs beside reading the block
// Threads     const after Open: share freely
// Fails       Open: kNotFound, kUnreadable for damage, kConflict for another version
// Persisted   docs/formats/blocks.md

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/section_file.h"
#include "base/value_bytes.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint64_t kBlockBytes = 4096;

class BlockFileWriter {
 public:
  // Passes the bytes of the file to `take`, front to back.
  BlockFileWriter(const SectionFileKind& kind, SectionSink take);

  // Ends the previous section and starts a new one. Names have at most 31 bytes and are distinct.
  // All functions fail with the error of `take`; after that nothing more may be written.
  Status StartSection(std::string_view name);
  // Appends to the section that was started.
  Status Append(std::string_view bytes);
  template <typename Value>
  Status AppendValues(std::span<const Value> values) {
    return Append(BytesOfValues(values));
  }
  // Ends the file. Returns the identity that BlockFile::identity() will have.
  Result<uint64_t> Finish();

 private:
  struct Section {
    std::string name;
    uint64_t offset = 0, size = 0;
  };
  Status Put(std::string_view bytes);
  Status FillBlock();

  const SectionFileKind kind_;
  const SectionSink take_;
  std::vector<Section> sections_;
  std::vector<uint32_t> checksums_;
  uint64_t written_ = 0;
  uint32_t checksum_ = 0;  // of the block being written
};

class BlockFile;

// A view of a section, which is valid as long as the file.
class BlockSection {
 public:
  uint64_t size() const { return size_; }
  // Returns the bytes of the section. Call Touch before reading any of them.
  const uint8_t* data() const { return data_; }
  template <typename Value>
  const Value* values() const {
    return reinterpret_cast<const Value*>(data_);
  }

  // Returns whether the blocks that hold `bytes` bytes from `begin` on are undamaged. The bytes
  // must lie within the section.
  bool Touch(uint64_t begin, uint64_t bytes) const;

  // Returns the error for damaged blocks.
  tl::unexpected<Error> Damaged(uint64_t begin) const;

 private:
  friend class BlockFile;
  const BlockFile* file_ = nullptr;
  std::string_view name_;
  uint64_t offset_ = 0;  // offset in the file
  uint64_t size_ = 0;
  const uint8_t* data_ = nullptr;
};

class BlockFile {
 public:
  // Maps the file; sections are aligned to kBlockAlignment.
  static constexpr size_t kBlockAlignment = 64;
  static Result<std::unique_ptr<BlockFile>> Open(FileSystem& files, const std::string& path,
                                                 const SectionFileKind& kind);

  // Returns a section. Fails: kUnreadable when the section does not exist, or its size is not a
  // multiple of `value_bytes`.
  Result<BlockSection> Section(std::string_view name, uint64_t value_bytes = 1) const;

  // Reads and checks every block. Fails: kUnreadable, naming the section and the place.
  Status CheckAll() const;

  // Returns 64 bits that differ for different contents.
  uint64_t identity() const { return identity_; }
  const std::string& path() const { return path_; }
  uint64_t size() const { return bytes_.size(); }

 private:
  friend class BlockSection;
  struct Place {
    std::string name;
    uint64_t offset = 0, size = 0;
  };
  BlockFile() = default;
  Status Read(const SectionFileKind& kind);
  bool IsChecked(uint64_t block) const {
    return (checked_[block / 64].load(std::memory_order_acquire) >> block % 64 & 1) != 0;
  }
  bool CheckBlock(uint64_t block) const;
  tl::unexpected<Error> Damaged(std::string_view what) const;

  struct alignas(kBlockAlignment) Aligned {
    char bytes[kBlockAlignment];
  };

  std::unique_ptr<MappedFile> file_;
  // A copy of a file whose mapping is not aligned.
  std::vector<Aligned> copy_;
  std::string_view bytes_;
  std::string path_, advice_;
  std::vector<Place> sections_;
  std::vector<uint32_t> checksums_;
  mutable std::vector<std::atomic<uint64_t>> checked_;  // one bit for each block
  uint64_t identity_ = 0;
};

inline bool BlockSection::Touch(uint64_t begin, uint64_t bytes) const {
  if (bytes == 0) return true;
  const uint64_t last = (offset_ + begin + bytes - 1) / kBlockBytes;
  for (uint64_t block = (offset_ + begin) / kBlockBytes; block <= last; ++block) {
    if (!file_->IsChecked(block) && !file_->CheckBlock(block)) return false;
  }
  return true;
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FILES_BLOCK_FILE_H_
