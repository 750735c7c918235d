#include "index/hamming/third_tables.h"

#include <algorithm>
#include <bit>

#include "base/radix_sort.h"
#include "index/hamming/flips.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kThirdsAhead = 16;  // places that are waited for together
constexpr size_t kFewThirds = 4096;  // fewer codes are not worth sorting
// Lines that could be read while a single one is waited for.
constexpr size_t kLeastLines = 8;

}  // namespace

ThirdTables::ThirdTables(uint32_t bits) : bits_(std::min(bits, kPartBits)) {
  for (Table& table : tables_) table.first.assign(size_t{1} << bits_, 0);
}

uint64_t ThirdTables::bytes() const {
  uint64_t bytes = 0;
  for (const Table& table : tables_) {
    bytes += table.memory.bytes() + table.first.size() * sizeof(uint32_t);
  }
  return bytes;
}

void ThirdTables::Table::Add(uint32_t bucket, uint64_t code) {
  uint32_t link = first[bucket];
  if (link == 0 || at(link).count == kCodes) {
    const uint32_t next = link;
    link = free;
    if (link != 0) {
      free = at(link).link;
    } else {
      memory.Use(lines, lines + 1);
      link = static_cast<uint32_t>(++lines);
    }
    at(link) = {.codes = {}, .count = 0, .link = next};
    first[bucket] = link;
  }
  CodeLine& line = at(link);
  line.codes[line.count++] = code;
}

// Removes a code. The last code of the first line of its chain takes its place.
void ThirdTables::Table::Remove(uint32_t bucket, uint64_t code) {
  const uint32_t head = first[bucket];
  for (uint32_t link = head; link != 0; link = at(link).link) {
    CodeLine& line = at(link);
    const auto end = line.codes.begin() + line.count;
    const auto found = std::find(line.codes.begin(), end, code);
    if (found == end) continue;
    CodeLine& last = at(head);
    *found = last.codes[--last.count];
    if (last.count > 0) return;
    first[bucket] = last.link;
    last.link = free;
    free = head;
    return;
  }
}

void ThirdTables::Insert(std::span<const uint64_t> codes) {
  LargeVector<uint64_t> sorted, scratch;
  for (size_t t = 0; t < kParts; ++t) {
    Table& table = tables_[t];
    std::span<const uint64_t> in_order = codes;
    if (codes.size() >= kFewThirds) {
      // Sorts by this part, so that the chain of a bucket is contiguous.
      const auto rotation = static_cast<int>((t + 1) * kPartBits);
      sorted.assign(codes.begin(), codes.end());
      for (uint64_t& code : sorted) code = std::rotr(code, rotation);
      RadixSort(sorted, scratch);
      for (uint64_t& code : sorted) code = std::rotl(code, rotation);
      in_order = sorted;
    }
    for (size_t i = 0; i < in_order.size(); ++i) {
      if (i + kThirdsAhead < in_order.size())
        Prefetch(&table.first[PartOf(in_order[i + kThirdsAhead], t)]);
      if (i + kThirdsAhead / 2 < in_order.size()) {
        const uint32_t link = table.first[PartOf(in_order[i + kThirdsAhead / 2], t)];
        if (link != 0) Prefetch(&table.at(link));
      }
      table.Add(PartOf(in_order[i], t), in_order[i]);
    }
  }
  size_ += codes.size();
}

void ThirdTables::Remove(uint64_t code) {
  for (size_t t = 0; t < kParts; ++t) tables_[t].Remove(PartOf(code, t), code);
  --size_;
}

double ThirdTables::NanosecondsFor(uint32_t radius) const {
  constexpr double kBucketNanoseconds = 25, kLineNanoseconds = 15, kWaveNanoseconds = 300;
  constexpr double kComparedNanoseconds = 1.5;
  const double all = kComparedNanoseconds * static_cast<double>(size_);
  const double lines = static_cast<double>(size_) / static_cast<double>(kCodes << bits_);
  double buckets = 0, waves = 0;
  for (size_t t = 0; t < kParts; ++t) {
    const int part_radius = RadiusOf(radius, t);
    if (part_radius > static_cast<int>(kMaxFlippedBits)) return all;
    if (part_radius < 0) continue;
    buckets += static_cast<double>(FlipCount(bits_, static_cast<uint32_t>(part_radius)));
    waves += 1 + lines;
  }
  return std::min(
      all, buckets * (kBucketNanoseconds + lines * kLineNanoseconds) + waves * kWaveNanoseconds);
}

void ThirdTables::Query(std::span<const uint64_t> queries, uint32_t radius,
                        HammingAnswer& answer) const {
  const size_t before = answer.matches.size();
  std::vector<uint32_t> links;
  for (size_t q = 0; q < queries.size(); ++q) {
    const Asked asked = {static_cast<uint32_t>(q), queries[q], radius};
    const size_t found = answer.matches.size();
    if (LookUp(asked, links, answer)) continue;
    answer.matches.resize(found);
    GoThrough(asked, answer);
  }
  SortMatches(answer, before);
}

// Goes along all chains together, so that their lines are waited for together. Returns false, with
// some of the matches, where chains turn out to be so long that all codes are sooner compared.
bool ThirdTables::LookUp(const Asked& asked, std::vector<uint32_t>& links,
                         HammingAnswer& answer) const {
  if (RadiusOf(asked.radius, 0) > static_cast<int>(kMaxFlippedBits)) return false;
  uint64_t lines = 0;
  for (size_t t = 0; t < kParts && RadiusOf(asked.radius, t) >= 0; ++t) {
    const Table& table = tables_[t];
    const uint32_t part = PartOf(asked.code, t);
    const auto flips = Flips(bits_, static_cast<uint32_t>(RadiusOf(asked.radius, t)));
    links.clear();
    for (size_t i = 0; i < flips.size(); ++i) {
      if (i + kThirdsAhead < flips.size()) Prefetch(&table.first[part ^ flips[i + kThirdsAhead]]);
      const uint32_t link = table.first[part ^ flips[i]];
      if (link == 0) continue;
      Prefetch(&table.at(link));
      links.push_back(link);
    }
    // A code that an earlier part finds is reported there.
    const auto keep = [&](uint64_t code) {
      for (size_t u = 0; u < t; ++u) {
        const int distance = std::popcount(PartOf(code, u) ^ PartOf(asked.code, u));
        if (distance <= RadiusOf(asked.radius, u)) return false;
      }
      return true;
    };
    while (!links.empty()) {
      lines += std::max(links.size(), kLeastLines);
      if (lines > table.lines + kLeastLines) return false;
      size_t kept = 0;
      for (const uint32_t link : links) {
        const CodeLine& line = table.at(link);
        if (line.link != 0) {
          Prefetch(&table.at(line.link));
          links[kept++] = line.link;
        }
        Compare(asked, line, answer, keep);
      }
      links.resize(kept);
    }
  }
  return true;
}

template <typename Keep>
void ThirdTables::Compare(const Asked& asked, const CodeLine& line, HammingAnswer& answer,
                          const Keep& keep) const {
  std::array<uint32_t, kCodes + 8> found;
  const size_t hits = ActiveKernels().codes_within(line.codes.data(), line.count, asked.code,
                                                   asked.radius, found.data());
  for (size_t i = 0; i < hits; ++i) {
    const uint64_t code = line.codes[found[i]];
    if (!keep(code)) continue;
    const auto distance = static_cast<uint32_t>(std::popcount(code ^ asked.code));
    answer.matches.push_back({asked.query, distance, code});
  }
}

void ThirdTables::GoThrough(const Asked& asked, HammingAnswer& answer) const {
  const Table& table = tables_[0];
  for (uint32_t link = 1; link <= table.lines; ++link) {
    Compare(asked, table.at(link), answer, [](uint64_t) { return true; });
  }
}

}  // namespace zhiwen
