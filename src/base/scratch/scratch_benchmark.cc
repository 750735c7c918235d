#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/coding.h"
#include "base/hash.h"
#include "base/scratch/partitioned_spool.h"
#include "base/scratch/row_sorter.h"
#include "base/scratch/spool.h"

namespace zhiwen {
namespace {

struct Row {
  uint64_t words[3];
};

std::vector<Row> RandomRows(size_t count) {
  std::mt19937_64 random(1);
  std::vector<Row> rows(count);
  for (Row& row : rows) row = {{random(), random(), random()}};
  return rows;
}

// Keeps all rows in memory or in files, by the argument.
uint64_t LimitOf(const benchmark::State& state) { return state.range(0) == 0 ? 0 : UINT64_MAX; }

std::unique_ptr<Scratch> NewScratch(uint64_t limit) {
  const auto folder = std::filesystem::temp_directory_path() / "zhiwen_scratch_benchmark";
  return Scratch::Create(PosixFileSystem(), folder.string(), limit).value();
}

void SpoolAppend(benchmark::State& state) {
  const auto scratch = NewScratch(LimitOf(state));
  const std::vector<Row> rows = RandomRows(1 << 20);
  for (auto _ : state) {
    const auto spool = Spool::Create(*scratch, "a").value();
    for (const Row& row : rows) (void)spool->AppendRow(row);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(rows.size()));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(rows.size() * sizeof(Row)));
}
BENCHMARK(SpoolAppend)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void SpoolRead(benchmark::State& state) {
  const auto scratch = NewScratch(LimitOf(state));
  const std::vector<Row> rows = RandomRows(1 << 20);
  const auto spool = Spool::Create(*scratch, "a").value();
  for (const Row& row : rows) (void)spool->AppendRow(row);
  for (auto _ : state) {
    Spool::Reader reader(*spool);
    Row row{};
    while (!reader.AtEnd()) {
      (void)reader.ReadRow(row);
      benchmark::DoNotOptimize(row);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(rows.size()));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(rows.size() * sizeof(Row)));
}
BENCHMARK(SpoolRead)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// Distributes 4 M rows to `partitions` by their first word, then reads each partition once.
void PartitionAndRead(benchmark::State& state) {
  const auto scratch = NewScratch(LimitOf(state));
  const auto partitions = static_cast<uint32_t>(state.range(1));
  const auto buffer_bytes = static_cast<size_t>(state.range(2));
  const std::vector<Row> rows = RandomRows(4 << 20);
  std::vector<char> out;
  for (auto _ : state) {
    const auto spool = PartitionedSpool::Create(*scratch, "a", partitions, buffer_bytes).value();
    for (const Row& row : rows) {
      (void)spool->AppendRow(static_cast<uint32_t>(row.words[0] % partitions), row);
    }
    for (uint32_t partition = 0; partition < partitions; ++partition) {
      (void)spool->Read(partition, out);
      benchmark::DoNotOptimize(out.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(rows.size()));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(rows.size() * sizeof(Row)));
}
BENCHMARK(PartitionAndRead)
    ->Args({0, 256, 16 << 10})
    ->Args({0, 4096, 4 << 10})
    ->Args({0, 4096, 16 << 10})
    ->Args({1, 4096, 4 << 10})
    ->Unit(benchmark::kMillisecond);

// Sorts rows of 24 bytes by Add, Sort and Next: all in memory, or in `range(1)` MiB.
void SortRowsOf24Bytes(benchmark::State& state) {
  const auto scratch = NewScratch(UINT64_MAX);
  const std::vector<Row> rows = RandomRows(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    const auto sorter =
        RowSorter::Create(*scratch, "a", static_cast<uint64_t>(state.range(1)) << 20).value();
    for (const Row& row : rows) {
      (void)sorter->Add({reinterpret_cast<const char*>(&row), sizeof row});
    }
    (void)sorter->Sort();
    std::string_view view;
    while (sorter->Next(view).value()) benchmark::DoNotOptimize(view);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(rows.size()));
}
BENCHMARK(SortRowsOf24Bytes)
    ->Args({1 << 20, 1024})
    ->Args({8 << 20, 1024})
    ->Args({8 << 20, 64})
    ->Args({8 << 20, 4})
    ->Unit(benchmark::kMillisecond);

template <auto kChecksum>
void Checksum(benchmark::State& state) {
  const std::string bytes(size_t{256} << 10, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(kChecksum(bytes));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
uint64_t Xxh3(std::string_view bytes) { return HashBytes64(bytes); }
uint64_t Crc(std::string_view bytes) { return Crc32c(bytes); }
BENCHMARK(Checksum<Xxh3>);
BENCHMARK(Checksum<Crc>);

}  // namespace
}  // namespace zhiwen
