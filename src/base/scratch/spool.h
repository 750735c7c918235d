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
  // `name` is its file's in the folder, where one is needed.
  static Result<std::unique_ptr<Spool>> Create(Scratch& scratch, const std::string& name);
  // Opens what an earlier process saved, and drops what it appended afterwards. Fails also:
  // kNotFound, kUnreadable when the file does not hold what `mark` says.
  static Result<std::unique_ptr<Spool>> Reopen(Scratch& scratch, const std::string& name,
                                               const SpoolMark& mark);
  // Removes its file.
  ~Spool();

  // After a failure nothing can be appended any more; what was accepted before can be read.
  Status Append(std::string_view bytes);
  template <typename Row>
  Status AppendRow(const Row& row) {
    static_assert(std::is_trivially_copyable_v<Row>);
    return Append({reinterpret_cast<const char*>(&row), sizeof(Row)});
  }
  uint64_t size() const;

  // Everything appended so far survives the process (not a power cut) and is described by the mark.
  // Goes to the file, whatever the limit, as does what is appended later.
  Result<SpoolMark> Save();
  // Leaves the file to a later process when this object goes.
  void Keep();

  // Reads exactly out.size() bytes from `offset` on. Costs a whole frame for a few bytes: readers
  // of many places use a Reader, by ascending offset.
  Status ReadAt(uint64_t offset, std::span<char> out) const;

  // Reads front to back. Lives no longer than the spool; one for each thread. What is appended
  // later can be read later.
  class Reader {
   public:
    explicit Reader(const Spool& spool, uint64_t offset = 0) : spool_(&spool), offset_(offset) {}
    bool AtEnd() const { return offset_ >= spool_->size(); }
    uint64_t offset() const { return offset_; }
    // Goes to any place; without cost inside the frame read last.
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
    uint64_t begin_ = 0;      // of `bytes_` in the spool
    std::string_view bytes_;  // in buffer_
  };

 private:
  explicit Spool(std::unique_ptr<ScratchFile> file);
  std::unique_ptr<ScratchFile> file_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_SPOOL_H_
