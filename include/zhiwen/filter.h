#ifndef ZHIWEN_FILTER_H_
#define ZHIWEN_FILTER_H_

// Which of many keys may be in a set, from one or two bytes a key instead of the set: sets of what
// was seen, of what is to be left out, of what is worth looking up.
//
//   bloom          split-block Bloom filter: F. Putze, P. Sanders, J. Singler, "Cache-, Hash- and
//                  Space-Efficient Bloom Filters", 2007, in the blocks of Apache Parquet. Keys can
//                  be added at any time
//   cuckoo         B. Fan, D. G. Andersen, M. Kaminsky, M. D. Mitzenmacher, "Cuckoo Filter:
//                  Practically Better Than Bloom", 2014. Keys can be added and removed
//   fuse8, fuse16  binary fuse filter: T. M. Graf, D. Lemire, "Binary Fuse Filters: Fast and
//                  Smaller Than Xor Filters", 2022. Made of all its keys at once
//
// In          64-bit keys of any distribution; of a text: its XXH3
// Out         which keys may be in the set. The same filter for the same calls on every machine
// Guarantees  every key that was added, and not removed, may be in the set: never a false "no".
//             Of other keys the share false_positives() passes; keys that are chosen with knowledge
//             of the filter excepted
// Cost        bits a key at a false positive rate of 1 %, 0.1 %: bloom 10.5, 16.9; cuckoo 10.5,
//             13.7; fuse8 (0.4 %) 9.1; fuse16 (0.0015 %) 18.1. A cache line a key (cuckoo two, fuse
//             three), asked for ahead. Making a fuse filter: linear, 20 bytes more a key
// Threads     const functions from many threads; others alone
// Fails       see the functions; std::bad_alloc
// Persisted   docs/formats/filters.md
// Not for     keys of an adversary; listing what is in the set

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Numbers are persisted.
enum class FilterKind : uint8_t { kBloom = 0, kCuckoo = 1, kFuse8 = 2, kFuse16 = 3 };

struct FilterKindTraits {
  FilterKind kind;
  std::string_view name;     // "bloom"
  bool can_add, can_remove;  // after it was made
};

// In the order of FilterKind.
std::span<const FilterKindTraits> AllFilterKinds();
const FilterKindTraits& TraitsOf(FilterKind kind);

// What the 64 bits of a key are. Numbers are persisted.
enum class KeyForm : uint8_t {
  kCode = 0,  // as the caller has them
  kLine = 1,  // KeyOfLine of a text
};

// XXH3 with seed 0 of the bytes.
uint64_t KeyOfLine(std::string_view line);

inline constexpr double kLeastFalsePositives = 1e-7;
inline constexpr double kMostFalsePositives = 0.5;
inline constexpr uint64_t kMostFilterKeys = uint64_t{1} << 36;  // of bloom and cuckoo
inline constexpr uint64_t kMostFuseKeys = uint64_t{3} << 30;

struct FilterOptions {
  FilterKind kind = FilterKind::kBloom;
  KeyForm form = KeyForm::kCode;
  // What bloom and cuckoo are sized for: distinct keys, and the share of others that may pass when
  // there are as many. Beyond that a bloom filter passes more and more, and a cuckoo filter is
  // full. They never grow.
  uint64_t keys = 0;
  double false_positives = 0.01;
};

class FilterTable;

class KeyFilter {
 public:
  // An empty filter. Fails: kInvalidArgument for options out of range, and for kinds that are made
  // of all their keys.
  static Result<KeyFilter> Create(const FilterOptions& options);

  // A filter of the distinct ones of `keys`, of any kind, sized for options.keys where there are
  // fewer. Fails as Create and Add; kInvalidArgument for too many keys.
  static Result<KeyFilter> Build(const FilterOptions& options, std::vector<uint64_t> keys);

  // Reads a file of FilterOutput. Fails: kNotFound; kUnreadable when it is damaged or no filter;
  // kConflict when it is of another format version.
  static Result<KeyFilter> Open(FileSystem& files, const std::string& path);

  KeyFilter(KeyFilter&&) noexcept;
  KeyFilter& operator=(KeyFilter&&) noexcept;
  ~KeyFilter();

  // Of the file that it was opened from, 16 hex digits of its checksum; empty for others.
  const std::string& id() const { return id_; }
  FilterKind kind() const { return options_.kind; }
  const FilterOptions& options() const { return options_; }  // what it is made for
  // Those in it. bloom: those of which it was sure, when they were added, that they were new.
  // cuckoo: one that was added twice counts twice.
  uint64_t keys() const;
  // Of the table.
  uint64_t bytes() const;
  // The share of keys that were not added which may be in the set, as far as it is known from what
  // is in the filter now. Cost: bloom: a look at each block, at most two million of them.
  double false_positives() const;

  // Adds keys. Fails, with no answer changed: kInvalidArgument for kinds that cannot; kExhausted
  // when a cuckoo filter has no room for one of them, or the same key too often (8 times).
  Status Add(std::span<const uint64_t> keys);

  // Removes keys that were added, each once for every time that it is given. A key that was not
  // added and passes all the same takes one that was along: then the guarantee is gone. Fails, with
  // nothing changed: kInvalidArgument for kinds that cannot; kNotFound when one is surely not in
  // the filter.
  Status Remove(std::span<const uint64_t> keys);

  bool MayContain(uint64_t key) const;

  // Writes the places in `keys`, fewer than 2³², of those that may be in the set, ascending, to
  // `places`, which has room for all. Returns how many. Many keys at once are several times as fast
  // as one after another.
  size_t Select(std::span<const uint64_t> keys, uint32_t* places) const;

 private:
  friend class FilterOutput;
  KeyFilter(const FilterOptions& options, std::unique_ptr<FilterTable> table);

  FilterOptions options_;
  std::unique_ptr<FilterTable> table_;
  std::string id_;
};

// A file of a filter, made or replaced. Who changes one makes this first, so that nobody else does
// meanwhile: output, open, add, publish.
class FilterOutput {
 public:
  struct Options {
    std::string path;
    bool overwrite = false;  // a filter, or an empty file, that is there
  };
  // Fails: kConflict when something is there that may not be replaced, or another process is at it;
  // kInvalidArgument for a path that names no file.
  static Result<FilterOutput> Create(FileSystem& files, const Options& options);
  FilterOutput(FilterOutput&&) noexcept;
  ~FilterOutput();

  // Writes the file and moves it to its place; what was there stays until the new one is whole.
  // Returns its id. Once only.
  Result<std::string> Publish(const KeyFilter& filter);

 private:
  struct State;
  explicit FilterOutput(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Some lines of a file, and their keys.
struct KeyBatch {
  std::vector<uint64_t> keys;
  std::vector<std::string_view> lines;  // without their ends; they live until the next is read
  uint64_t first_line = 1;              // the number of the first
};

// The lines of a file as keys: every line is one, an empty one too. It ends with LF, and one CR
// before that does not count; nor does a byte order mark at the beginning. gzip and zstd are
// decompressed. Codes are 1 to 16 hex digits, perhaps behind 0x.
class KeyReader {
 public:
  // Of a file, or of one that is read once from front to back; `name` is what messages call it.
  // Fails: as FileSystem; kUnreadable.
  static Result<KeyReader> Open(FileSystem& files, const std::string& path, KeyForm form);
  static Result<KeyReader> Create(std::unique_ptr<ReadableFile> file, const std::string& name,
                                  KeyForm form);
  KeyReader(KeyReader&&) noexcept;
  ~KeyReader();

  // Reads the next lines; none at the end. Fails: kUnreadable for damaged files and for a line that
  // is no code, or of more than kMostLineBytes, naming it.
  Status Next(KeyBatch& batch);

  // Taken from the file so far, compressed ones.
  uint64_t bytes_read() const;

 private:
  struct State;
  explicit KeyReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};
inline constexpr size_t kMostLineBytes = size_t{64} << 20;

}  // namespace zhiwen

#endif  // ZHIWEN_FILTER_H_
