#ifndef ZHIWEN_BASE_SCRATCH_SPOOL_H_
#define ZHIWEN_BASE_SCRATCH_SPOOL_H_

// A sequence of bytes, appended front to back, in memory or in a file. Guarantees, threads and
// errors: base/scratch/scratch.h.
//
// Cost        memory: a chunk (256 KiB), 16 bytes for each 256 KiB on disk; a Reader: a chunk

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/scratch/scratch.h"
#include "zhiwen/result.h"

namespace zhiwen {

class Spool {
 public:
  // `name` is the name of its file in the folder, if a file is needed.
  static Result<std::unique_ptr<Spool>> Create(Scratch& scratch, const std::string& name);
  // Opens a spool that an earlier process saved, and drops the bytes appended after the save. Fails
  // also: kNotFound, kUnreadable when the file does not match `mark`.
  static Result<std::unique_ptr<Spool>> Reopen(Scratch& scratch, const std::string& name,
                                               const SpoolMark& mark);
  // Removes the file, unless Keep was called.
  ~Spool();

  // After a failure nothing can be appended. Bytes accepted before can be read.
  Status Append(std::string_view bytes);
  template <typename Row>
  Status AppendRow(const Row& row) {
    static_assert(std::is_trivially_copyable_v<Row>);
    return Append({reinterpret_cast<const char*>(&row), sizeof(Row)});
  }
  uint64_t size() const;

  // Makes everything appended so far survive the process (not a power cut), and returns the mark
  // that describes it. These bytes and all later ones go to the file, whatever the limit.
  Result<SpoolMark> Save();
  // Leaves the file for a later process when this object is destroyed.
  void Keep();

  // Reads exactly out.size() bytes from `offset` on. A few bytes cost a whole frame; to read many
  // places, use a Reader by ascending offset.
  Status ReadAt(uint64_t offset, std::span<char> out) const;

  // Reads front to back. The spool must outlive the reader; each thread needs its own. Bytes
  // appended later can be read later.
  class Reader {
   public:
    explicit Reader(const Spool& spool, uint64_t offset = 0) : spool_(&spool), offset_(offset) {}
    bool AtEnd() const { return offset_ >= spool_->size(); }
    uint64_t offset() const { return offset_; }
    // Moves to any place, which costs nothing inside the frame read last.
    void Seek(uint64_t offset) { offset_ = offset; }
    // Reads exactly out.size() bytes.
    Status Read(std::span<char> out);
    template <typename Row>
    Status ReadRow(Row& row) {
      static_assert(std::is_trivially_copyable_v<Row>);
      return Read({reinterpret_cast<char*>(&row), sizeof(Row)});
    }

   private:
    Status Fill();

    const Spool* spool_;
    uint64_t offset_;
    std::vector<char> buffer_;
    uint64_t begin_ = 0;      // offset of bytes_ in the spool
    std::string_view bytes_;  // view of buffer_
  };

 private:
  explicit Spool(std::unique_ptr<ScratchFile> file);
  std::unique_ptr<ScratchFile> file_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_SPOOL_H_
