// Look-ups within a Hamming distance, beside the time of random cache lines over as much memory:
// what `./zw bench hamming` and `./zw bench lines` run. Prints one JSON object. Times are processor
// time of one thread; rounds of everything take turns, and a figure is the median of its rounds.
//
//   hamming_speed lines BYTES [--rounds N]
//   hamming_speed codes N [--skewed] [--packed FILE] [--dump FILE] [--join] [--rounds N]
//
// --dump writes the codes and then the 100,000 queries, for other programs.

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_memory.h"
#include "base/prefetch.h"
#include "base/radix_sort.h"
#include "index/codes/code_segment.h"
#include "index/codes/sorted_rows.h"
#include "index/hamming/half_key_index.h"
#include "index/hamming/hamming_join.h"
#include "kernels/kernels.h"

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

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
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

 private:
  static constexpr size_t kReads = 2'000'000, kAhead = 16;
  LargeVector<char> memory_;
  std::vector<uint64_t> places_;
  uint64_t read_ = 0;
};

struct Options {
  uint64_t amount = 0;
  bool skewed = false, join = false;
  std::string packed, dump;
  size_t rounds = 5;
};

// A tenth of skewed codes share their low sixteen bits.
LargeVector<uint64_t> MakeCodes(const Options& options) {
  std::mt19937_64 random(2);
  LargeVector<uint64_t> codes(options.amount);
  for (uint64_t& code : codes) {
    code = random();
    if (options.skewed && random() % 10 == 0) code = (code & ~uint64_t{0xFFFF}) | 0x1234;
  }
  return codes;
}

// Half of them near a code, half of them as codes are.
std::vector<uint64_t> MakeQueries(const Options& options, const LargeVector<uint64_t>& codes) {
  constexpr size_t kQueries = 100'000;
  std::mt19937_64 random(3);
  std::vector<uint64_t> queries(kQueries);
  for (uint64_t& query : queries) {
    query = codes[random() % codes.size()];
    for (uint64_t flips = random() % 5; flips > 0; --flips) query ^= uint64_t{1} << random() % 64;
    if (random() % 2 == 0) {
      query = random();
      if (options.skewed && random() % 10 == 0) query = (query & ~uint64_t{0xFFFF}) | 0x1234;
    }
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

void Dump(const Options& options, const LargeVector<uint64_t>& codes,
          const std::vector<uint64_t>& queries) {
  std::ofstream file(options.dump, std::ios::binary);
  for (const std::span<const uint64_t> values :
       {std::span<const uint64_t>(codes), std::span<const uint64_t>(queries)}) {
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
                 {"read", static_cast<double>(probe.read())}});
}

void MeasureCodes(const Options& options) {
  const LargeVector<uint64_t> codes = MakeCodes(options);
  const std::vector<uint64_t> queries = MakeQueries(options, codes);
  if (!options.dump.empty()) Dump(options, codes, queries);
  std::map<std::string, double> figures;
  HalfKeyIndex index;
  const double seconds = SecondsOf([&] {
    constexpr size_t kBatch = 4096;
    for (size_t i = 0; i < codes.size(); i += kBatch) {
      index.Insert({codes.data() + i, std::min(kBatch, codes.size() - i)});
    }
  });
  const auto size = static_cast<double>(index.size());
  figures["codes"] = size;
  figures["inserts_per_second"] = static_cast<double>(codes.size()) / seconds;
  figures["bytes_per_code"] = static_cast<double>(index.bytes()) / size;
  LineProbe probe(index.bytes());
  Rounds rounds;
  uint64_t found = 0;
  for (size_t i = 0; i < options.rounds; ++i) {
    rounds["line_ns"].push_back(probe.Measure());
    for (const auto& [radius, count] : {std::pair{0U, 100'000U}, std::pair{3U, 100'000U},
                                        std::pair{5U, 5'000U}, std::pair{8U, 100U}}) {
      const std::string name = "r" + std::to_string(radius) + "_us";
      rounds[name].push_back(Query(index, {queries.data(), count}, radius, found));
      figures["r" + std::to_string(radius) + "_lines"] =
          static_cast<double>(HalfKeyPlan{.radius = radius}.look_ups());
    }
    // Every code compared, a query at a time.
    std::vector<uint32_t> places(codes.size() + 8);
    rounds["scan_us"].push_back(SecondsOf([&] {
                                  found += ActiveKernels().codes_within(
                                      codes.data(), codes.size(), queries[i], 3, places.data());
                                }) *
                                1e6);
  }
  HammingAnswer answer;
  // Of those that are given to other programs.
  if (!index.Query({queries.data(), 10'000}, 3, answer)) std::abort();
  figures["r3_first_matches"] = static_cast<double>(answer.matches.size());
  if (options.join) {
    LargeVector<uint64_t> sorted(codes.begin(), codes.end()), scratch;
    figures["sort_seconds"] = SecondsOf([&] { RadixSort(sorted, scratch); });
    figures["join_seconds"] = SecondsOf([&] {
      const auto count = [&](std::span<const CodePair> pairs) { found += pairs.size(); };
      if (!JoinWithin(codes, 3, count, Cancellation())) std::abort();
    });
  }
  if (!options.packed.empty()) {
    std::ofstream file(options.packed, std::ios::binary);
    const SortedRows rows(LargeVector<uint64_t>(codes.begin(), codes.end()), 64);
    const auto written = WriteCodeSegment(rows, [&](std::string_view bytes) {
      file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      return Status();
    });
    file.close();
    if (!written || !file) std::abort();
    const auto open = [&] { return CodeSegment::Open(PosixFileSystem(), options.packed); };
    std::unique_ptr<CodeSegment> packed;
    figures["packed_open_us"] = SecondsOf([&] { packed = std::move(*open()); }) * 1e6;
    figures["packed_bytes_per_code"] = static_cast<double>(packed->bytes()) / size;
    figures["packed_r3_first_us"] = Query(packed->hamming(), queries, 3, found);
    for (size_t i = 0; i < options.rounds; ++i) {
      rounds["packed_r3_us"].push_back(Query(packed->hamming(), queries, 3, found));
    }
  }
  figures["found"] = static_cast<double>(found);
  Print(rounds, figures);
}

int Run(const std::vector<std::string_view>& words) {
  Options options;
  const auto number = [](std::string_view word, auto& value) {
    return std::from_chars(word.data(), word.data() + word.size(), value).ec == std::errc();
  };
  bool is_right = words.size() >= 2 && number(words[1], options.amount) && options.amount > 0;
  for (size_t i = 2; i < words.size() && is_right; ++i) {
    if (words[i] == "--skewed") {
      options.skewed = true;
    } else if (words[i] == "--join") {
      options.join = true;
    } else if (words[i] == "--packed" && i + 1 < words.size()) {
      options.packed = words[++i];
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
  } else if (is_right && words[0] == "codes") {
    MeasureCodes(options);
  } else {
    std::fputs(
        "hamming_speed lines BYTES | codes N [--skewed] [--packed FILE] [--dump FILE] [--join]\n",
        stderr);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace zhiwen

int main(int count, char** words) { return zhiwen::Run({words + 1, words + count}); }
