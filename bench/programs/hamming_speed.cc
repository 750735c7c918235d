// Look-ups within a Hamming distance, beside the time of random cache lines over as much memory:
// what `./zw bench hamming` and `./zw bench lines` run. Prints one JSON object. Times are processor
// time of one thread; rounds of everything take turns, and a figure is the median of its rounds.
//
//   hamming_speed lines BYTES [--rounds N]
//   hamming_speed bloom BYTES [--rounds N]
//   hamming_speed growth N [--keys uniform|shared|narrow|drifting]
//   hamming_speed turns N [--keys uniform|shared|narrow|drifting]
//   hamming_speed codes N [--keys uniform|shared|narrow|drifting] [--packed FILE] [--dump FILE]
//                 [--folder NEW] [--join] [--third-bits N] [--rounds N]
//
// turns prints how fast codes are inserted, all at once, and how many matches within 3 the first
// 10,000 queries have; then, for every line that it reads, the microseconds of one of these, so
// that other programs take turns with it.
// --folder makes durable indexes in a new folder and removes it: codes in four segments, as between
// merges, in one, and in four with labels; each is asked as it is and after ReadIntoMemory.
// --dump writes the codes and then the 100,000 queries, for other programs. Beyond a hundred
// million codes only these are held beside the index: scans are scaled up, files and joins are of
// them.

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_memory.h"
#include "base/prefetch.h"
#include "base/radix_sort.h"
#include "index/codes/code_segment.h"
#include "index/codes/sorted_rows.h"
#include "index/filter/bloom_filter.h"
#include "index/hamming/half_key_index.h"
#include "index/hamming/hamming_join.h"
#include "kernels/kernels.h"
#include "zhiwen/code_index.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

double Seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double SecondsOf(const std::function<void()>& work) {
  const double start = Seconds();
  work();
  return Seconds() - start;
}

double WallSecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The bytes in huge pages of the mapping that holds the address, as the system tells.
uint64_t HugeBytesAt(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  bool is_in = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    uint64_t kilobytes = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2) {
      is_in = begin <= reinterpret_cast<uintptr_t>(address) &&
              reinterpret_cast<uintptr_t>(address) < end;
    } else if (is_in && std::sscanf(line.c_str(), "AnonHugePages: %" SCNu64, &kilobytes) == 1) {
      return kilobytes << 10;
    }
  }
  return 0;
}

// Random cache lines of a stretch of memory, sixteen of which are waited for together.
class LineProbe {
 public:
  explicit LineProbe(uint64_t bytes) : memory_(bytes), places_(kReads + kAhead) {
    std::fill(memory_.begin(), memory_.end(), char{1});
    std::mt19937_64 random(1);
    const uint64_t lines = std::max<uint64_t>(1, bytes / kLineBytes);
    for (uint64_t& place : places_) place = random() % lines * kLineBytes;
  }

  // Nanoseconds a line.
  double Measure() {
    uint64_t sum = 0;
    const double seconds = SecondsOf([&] {
      for (size_t i = 0; i < kReads; ++i) {
        Prefetch(&memory_[places_[i + kAhead]]);
        sum += static_cast<uint8_t>(memory_[places_[i]]);
      }
    });
    read_ += sum;
    return seconds / kReads * 1e9;
  }
  uint64_t read() const { return read_; }
  // Of the memory, how much is in huge pages, from 0 to 1.
  double huge_share() const {
    return static_cast<double>(HugeBytesAt(memory_.data())) / static_cast<double>(memory_.size());
  }

 private:
  static constexpr size_t kReads = 2'000'000, kAhead = 16;
  LargeVector<char> memory_;
  std::vector<uint64_t> places_;
  uint64_t read_ = 0;
};

struct Options {
  uint64_t amount = 0;
  std::string keys = "uniform";
  bool join = false;
  uint32_t third_bits = 0;
  std::string packed, dump, folder;
  size_t rounds = 5;
};

// Number i of a sequence of random numbers. G. Steele, D. Lea, C. Flood, SplitMix64, 2014.
uint64_t Random(uint64_t i) {
  uint64_t x = i * 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// "uniform"; "shared": a tenth of the codes share their low sixteen bits; "narrow": the upper eight
// bits of all are 0; "drifting": those of all but the first ones, by which an index orders bits.
uint64_t CodeAt(const Options& options, uint64_t i) {
  const uint64_t code = Random(i);
  if (options.keys == "shared" && i % 10 == 0) return (code & ~uint64_t{0xFFFF}) | 0x1234;
  const bool drifts = options.keys == "drifting" && i >= HalfKeyIndex::kOrderedAt;
  return options.keys == "narrow" || drifts ? code >> 8 : code;
}

LargeVector<uint64_t> MakeCodes(const Options& options, uint64_t begin, uint64_t end) {
  LargeVector<uint64_t> codes(end - begin);
  for (uint64_t i = begin; i < end; ++i) codes[i - begin] = CodeAt(options, i);
  return codes;
}

// Half of them near a code, half of them as codes are.
std::vector<uint64_t> MakeQueries(const Options& options) {
  constexpr size_t kQueries = 100'000;
  std::mt19937_64 random(3);
  std::vector<uint64_t> queries(kQueries);
  for (uint64_t& query : queries) {
    query = CodeAt(options, random() % options.amount);
    for (uint64_t flips = random() % 5; flips > 0; --flips) query ^= uint64_t{1} << random() % 64;
    if (random() % 2 == 0) query = CodeAt(options, random());
  }
  return queries;
}

using Rounds = std::map<std::string, std::vector<double>>;

void Print(const Rounds& rounds, const std::map<std::string, double>& figures) {
  std::string out = "{";
  for (const auto& [name, values] : rounds) {
    out += "\"" + name + "\": " + std::to_string(Median(values)) + ", ";
  }
  for (const auto& [name, value] : figures) {
    out += "\"" + name + "\": " + std::to_string(value) + ", ";
  }
  out.resize(out.size() - 2);
  std::puts((out + "}").c_str());
}

// Microseconds a query.
double Query(const HammingIndex& index, std::span<const uint64_t> queries, uint32_t radius,
             uint64_t& found) {
  HammingAnswer answer;
  const double seconds = SecondsOf([&] {
    if (!index.Query(queries, radius, answer)) std::abort();
    for (const HammingMatch& match : answer.matches) found += match.code & 1;  // every hit is used
    found += answer.matches.size();
  });
  return seconds / static_cast<double>(queries.size()) * 1e6;
}

void WriteAll(const std::string& path, std::initializer_list<std::span<const uint64_t>> parts) {
  std::ofstream file(path, std::ios::binary);
  for (const auto& values : parts) {
    const std::string_view bytes = BytesOfValues(values);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  file.close();
  if (!file) std::abort();
}

void MeasureLines(const Options& options) {
  LineProbe probe(options.amount);
  Rounds rounds;
  for (size_t i = 0; i < options.rounds; ++i) rounds["line_ns"].push_back(probe.Measure());
  Print(rounds, {{"bytes", static_cast<double>(options.amount)},
                 {"huge_share", probe.huge_share()},
                 {"read", static_cast<double>(probe.read())}});
}

// A Bloom filter of so many bytes, in 4096 look-ups at a time, half of which are of its keys.
void MeasureBloom(const Options& options) {
  constexpr size_t kKeys = 20'000'000, kAsked = 2'000'000, kTogether = 4096;
  BloomFilter filter(options.amount / BloomFilter::kBlockBytes);
  if (!filter.Add(MakeCodes(options, 0, kKeys))) std::abort();
  std::vector<uint64_t> asked(kAsked);
  std::mt19937_64 random(5);
  for (uint64_t& key : asked) key = Random(random() % (2 * kKeys));
  LineProbe probe(options.amount);
  std::vector<uint32_t> places(kTogether);
  Rounds rounds;
  uint64_t found = 0;
  for (size_t i = 0; i < options.rounds; ++i) {
    rounds["line_ns"].push_back(probe.Measure());
    const double seconds = SecondsOf([&] {
      for (size_t begin = 0; begin < kAsked; begin += kTogether) {
        const auto some = std::span(asked).subspan(begin, std::min(kTogether, kAsked - begin));
        found += filter.Select(some, places.data());
      }
    });
    rounds["bloom_ns"].push_back(seconds / kAsked * 1e9);
  }
  Print(rounds, {{"bytes", static_cast<double>(options.amount)},
                 {"found", static_cast<double>(found)},
                 {"read", static_cast<double>(probe.read())}});
}

// Codes one at a time: the longest insertion, by the clock on the wall, and all of them. What the
// index does itself takes as long in every index that is made; waiting for the system, which gives
// memory and takes the processor away, does not: the longest insertion is that of the index where
// it was least. Beside it the longest of all, and what a huge page of memory takes to be touched
// first.
void MeasureGrowth(const Options& options) {
  constexpr size_t kIndexes = 3;
  constexpr uint64_t kProbedEvery = uint64_t{1} << 20;  // insertions
  std::vector<double> longest(kIndexes), page;
  std::vector<void*> pages;  // kept: what is given back is quicker the next time
  double all = 0;
  for (double& of_index : longest) {
    HalfKeyIndex index;
    for (uint64_t i = 0; i < options.amount; ++i) {
      const uint64_t code = CodeAt(options, i);
      const double seconds = WallSecondsOf([&] { index.Insert({&code, 1}); });
      of_index = std::max(of_index, seconds);
      all += seconds;
      if (i % kProbedEvery != 0) continue;
      pages.push_back(MapLarge(kHugePageBytes, PageKind::kHuge));
      page.push_back(SecondsOf([&] { std::memset(pages.back(), 1, kHugePageBytes); }));
    }
  }
  for (void* const memory : pages) UnmapLarge(memory, kHugePageBytes);
  Print({}, {{"longest_ms", *std::ranges::min_element(longest) * 1e3},
             {"longest_of_all_ms", *std::ranges::max_element(longest) * 1e3},
             {"page_ms", Median(page) * 1e3},
             {"longest_page_ms", *std::ranges::max_element(page) * 1e3},
             {"insert_us", all / static_cast<double>(kIndexes * options.amount) * 1e6}});
}

// Seconds to insert all codes, so many at a time.
double Fill(const Options& options, uint64_t together, HalfKeyIndex& index) {
  double seconds = 0;
  for (uint64_t i = 0; i < options.amount; i += together) {
    const auto some = MakeCodes(options, i, std::min(i + together, options.amount));
    seconds += SecondsOf([&] { index.Insert(some); });
  }
  return seconds;
}

// At most so many codes are held beside the index, and what needs them is of these.
constexpr uint64_t kHeldCodes = 100'000'000;

void MeasureJoin(std::span<const uint64_t> codes, std::map<std::string, double>& figures) {
  LargeVector<uint64_t> sorted(codes.begin(), codes.end()), scratch;
  figures["sort_seconds"] = SecondsOf([&] { RadixSort(sorted, scratch); });
  uint64_t found = 0;
  figures["join_seconds"] = SecondsOf([&] {
    const auto count = [&](std::span<const CodePair> pairs) { found += pairs.size(); };
    if (!JoinWithin(codes, 3, count, NoProgress(), Cancellation())) std::abort();
  });
  figures["joined"] = static_cast<double>(found);
}

// What is cold was not in memory: times by the clock.
void MeasurePacked(const Options& options, std::span<const uint64_t> codes,
                   std::span<const uint64_t> queries, Rounds& rounds,
                   std::map<std::string, double>& figures) {
  std::ofstream file(options.packed, std::ios::binary);
  const SortedRows rows(LargeVector<uint64_t>(codes.begin(), codes.end()), 64);
  const auto written = WriteCodeSegment(rows, [&](std::string_view bytes) {
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return Status();
  });
  file.close();
  const int descriptor = ::open(options.packed.c_str(), O_RDONLY | O_CLOEXEC);
  if (!written || !file || descriptor < 0 || ::fsync(descriptor) != 0) std::abort();
  std::unique_ptr<CodeSegment> packed;
  const auto open = [&] {
    packed = std::move(*CodeSegment::Open(PosixFileSystem(), options.packed));
  };
  uint64_t found = 0;
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  ::close(descriptor);
  const auto first = queries.first(1000);
  figures["packed_cold_open_us"] = WallSecondsOf(open) * 1e6;
  figures["packed_cold_r3_us"] =
      WallSecondsOf([&] { Query(packed->hamming(), first, 3, found); }) / 1000 * 1e6;
  figures["packed_bytes_per_code"] =
      static_cast<double>(packed->bytes()) / static_cast<double>(packed->codes());
  figures["packed_open_us"] = SecondsOf(open) * 1e6;
  figures["packed_first_r3_us"] = Query(packed->hamming(), queries, 3, found);
  for (size_t i = 0; i < options.rounds; ++i) {
    rounds["packed_r3_us"].push_back(Query(packed->hamming(), queries, 3, found));
  }
  figures["packed_found"] = static_cast<double>(found);
}

// Microseconds a query within 3.
double Query(const CodeIndex& index, std::span<const uint64_t> queries, uint64_t& found) {
  CodeAnswer answer;
  const double seconds = SecondsOf([&] {
    if (!index.Query(queries, {.radius = 3}, answer)) std::abort();
    for (const CodeMatch& match : answer.matches) found += (match.code + match.label_size) & 1;
    found += answer.matches.size();
  });
  return seconds / static_cast<double>(queries.size()) * 1e6;
}

enum class Labels : uint8_t { kNone, kNumbers };

// A new index of these codes in four segments.
std::unique_ptr<CodeIndexWriter> MakeFolder(const std::string& folder,
                                            std::span<const uint64_t> codes, Labels labels) {
  constexpr size_t kSegments = 4;
  FileSystem& files = PosixFileSystem();
  if (!CodeIndex::Create(files, folder, {})) std::abort();
  auto writer = std::move(*CodeIndexWriter::Open(files, folder, {}));
  for (size_t i = 0; i < kSegments; ++i) {
    CodeChanges changes;
    for (size_t at = codes.size() * i / kSegments; at < codes.size() * (i + 1) / kSegments; ++at) {
      changes.Add(codes[at], labels == Labels::kNone ? "" : std::to_string(at));
    }
    if (!writer->Commit(changes)) std::abort();
  }
  if (writer->index().stats().segments.size() != kSegments) std::abort();
  return writer;
}

void MeasureFolders(const Options& options, const HalfKeyIndex& tables,
                    std::span<const uint64_t> codes, std::span<const uint64_t> queries,
                    Rounds& rounds, std::map<std::string, double>& figures) {
  FileSystem& files = PosixFileSystem();
  if (!files.CreateDirectories(options.folder)) std::abort();
  const std::string plain = options.folder + "/plain", labelled = options.folder + "/labelled";
  std::map<std::string, std::unique_ptr<CodeIndex>> indexes;
  const auto open = [&](const std::string& name, const std::string& folder) {
    indexes[name] = std::move(*CodeIndex::Open(files, folder));
    CodeIndex& read = *(indexes[name + "_in_memory"] = std::move(*CodeIndex::Open(files, folder)));
    figures[name + "_read_seconds"] = SecondsOf([&] {
      if (!read.ReadIntoMemory(NoProgress(), Cancellation())) std::abort();
    });
    figures[name + "_table_bytes_per_code"] =
        static_cast<double>(read.stats().table_bytes) / static_cast<double>(codes.size());
  };
  {
    const auto writer = MakeFolder(plain, codes, Labels::kNone);
    open("four_segments", plain);
    if (!writer->MergeAll(NoProgress(), Cancellation())) std::abort();
    open("one_segment", plain);
    MakeFolder(labelled, codes, Labels::kNumbers);
    open("four_labelled", labelled);
  }
  uint64_t found = 0;
  for (size_t i = 0; i <= options.rounds; ++i) {
    Rounds round;  // the first one checks blocks
    round["folder_tables_us"].push_back(Query(tables, queries, 3, found));
    for (const auto& [name, index] : indexes) {
      round[name + "_us"].push_back(Query(*index, queries, found));
    }
    if (i == 0) continue;
    for (const auto& [name, values] : round) rounds[name].push_back(values.front());
  }
  figures["folder_found"] = static_cast<double>(found);
  indexes.clear();
  if (!files.RemoveAll(options.folder)) std::abort();
}

void MeasureQueries(const Options& options, const HalfKeyIndex& index,
                    std::span<const uint64_t> held, std::span<const uint64_t> queries,
                    Rounds& rounds, std::map<std::string, double>& figures) {
  struct Radius {
    uint32_t radius;
    size_t queries;
  };
  constexpr std::array<Radius, 7> kRadii = {
      {{0, 100'000}, {1, 100'000}, {2, 100'000}, {3, 100'000}, {5, 5'000}, {8, 100}, {10, 20}}};
  LineProbe probe(index.bytes());
  figures["huge_share"] = probe.huge_share();
  std::vector<uint32_t> places(held.size() + 8);
  const double scale = static_cast<double>(index.size()) / static_cast<double>(held.size());
  uint64_t found = 0;
  for (size_t i = 0; i < options.rounds; ++i) {
    rounds["line_ns"].push_back(probe.Measure());
    for (const auto& [radius, count] : kRadii) {
      const std::string name = "r" + std::to_string(radius);
      rounds[name + "_us"].push_back(Query(index, queries.first(count), radius, found));
      figures[name + "_lines"] = static_cast<double>(index.LinesFor(radius, count));
    }
    // Every code compared, a query at a time.
    const double scan = SecondsOf([&] {
      found += ActiveKernels().codes_within(held.data(), held.size(), queries[i], 3, places.data());
    });
    rounds["scan_us"].push_back(scan * scale * 1e6);
  }
  figures["found"] = static_cast<double>(found);
}

void MeasureCodes(const Options& options) {
  const std::vector<uint64_t> queries = MakeQueries(options);
  std::map<std::string, double> figures;
  Rounds rounds;
  const auto amount = static_cast<double>(options.amount);
  {
    HalfKeyIndex index({.third_bits = options.third_bits});
    figures["inserts_per_second"] = amount / Fill(options, kHeldCodes, index);
    figures["bulk_bytes_per_code"] =
        static_cast<double>(index.bytes()) / static_cast<double>(index.size());
  }
  HalfKeyIndex index({.third_bits = options.third_bits});
  figures["few_inserts_per_second"] = amount / Fill(options, 4096, index);
  figures["codes"] = static_cast<double>(index.size());
  figures["bytes_per_code"] = static_cast<double>(index.bytes()) / figures["codes"];
  const auto held = MakeCodes(options, 0, std::min(options.amount, kHeldCodes));
  if (!options.dump.empty()) WriteAll(options.dump, {held, queries});
  MeasureQueries(options, index, held, queries, rounds, figures);
  if (options.join) MeasureJoin(held, figures);
  if (!options.packed.empty()) MeasurePacked(options, held, queries, rounds, figures);
  if (!options.folder.empty()) MeasureFolders(options, index, held, queries, rounds, figures);
  Print(rounds, figures);
}

void TakeTurns(const Options& options) {
  constexpr size_t kAsked = 10'000;
  const std::vector<uint64_t> queries = MakeQueries(options);
  const auto asked = std::span(queries).first(kAsked);
  HalfKeyIndex index;
  const double seconds = Fill(options, kHeldCodes, index);
  HammingAnswer answer;
  if (!index.Query(asked, 3, answer)) std::abort();
  Print({}, {{"inserts", static_cast<double>(options.amount) / seconds},
             {"hits", static_cast<double>(answer.matches.size())}});
  std::fflush(stdout);
  uint64_t found = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::puts(std::to_string(Query(index, asked, 3, found)).c_str());
    std::fflush(stdout);
  }
  if (found == 0) std::abort();
}

int Run(const std::vector<std::string_view>& words) {
  Options options;
  const auto number = [](std::string_view word, auto& value) {
    return std::from_chars(word.data(), word.data() + word.size(), value).ec == std::errc();
  };
  bool is_right = words.size() >= 2 && number(words[1], options.amount) && options.amount > 0;
  for (size_t i = 2; i < words.size() && is_right; ++i) {
    if (words[i] == "--keys" && i + 1 < words.size()) {
      options.keys = words[++i];
      constexpr std::array<std::string_view, 4> kKeys = {"uniform", "shared", "narrow", "drifting"};
      is_right = std::ranges::find(kKeys, options.keys) != kKeys.end();
    } else if (words[i] == "--third-bits" && i + 1 < words.size()) {
      is_right = number(words[++i], options.third_bits);
    } else if (words[i] == "--join") {
      options.join = true;
    } else if (words[i] == "--packed" && i + 1 < words.size()) {
      options.packed = words[++i];
    } else if (words[i] == "--folder" && i + 1 < words.size()) {
      options.folder = words[++i];
    } else if (words[i] == "--dump" && i + 1 < words.size()) {
      options.dump = words[++i];
    } else if (words[i] == "--rounds" && i + 1 < words.size()) {
      is_right = number(words[++i], options.rounds) && options.rounds > 0;
    } else {
      is_right = false;
    }
  }
  if (is_right && words[0] == "lines") {
    MeasureLines(options);
  } else if (is_right && words[0] == "bloom") {
    MeasureBloom(options);
  } else if (is_right && words[0] == "growth") {
    MeasureGrowth(options);
  } else if (is_right && words[0] == "turns") {
    TakeTurns(options);
  } else if (is_right && words[0] == "codes") {
    MeasureCodes(options);
  } else {
    std::fputs(
        "hamming_speed lines BYTES | bloom BYTES | growth N [KEYS] | turns N [KEYS] | codes N "
        "[KEYS]\n"
        "    [--packed FILE] [--folder NEW] [--dump FILE] [--join] [--third-bits N]; each with\n"
        "    [--rounds N]; KEYS is --keys uniform|shared|narrow|drifting\n",
        stderr);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace zhiwen

int main(int count, char** words) { return zhiwen::Run({words + 1, words + count}); }
