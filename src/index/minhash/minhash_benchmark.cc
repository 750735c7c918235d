// Measures queries, filling and merging of a MinHash index; items/s are queries and documents.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "index/minhash/minhash_index.h"

namespace zhiwen {
namespace {

constexpr size_t kValues = 128;
constexpr size_t kBatch = 256;

uint64_t Hash(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// Appends the signature of a document like no other, with `changed` in a hundred values replaced.
void AppendSignature(uint64_t document, uint64_t changed, std::vector<uint32_t>& values) {
  for (uint64_t i = 0; i < kValues; ++i) {
    const uint64_t value = Hash(document * kValues + i + 1);
    const bool is_changed = Hash(value) % 100 < changed;
    values.push_back(static_cast<uint32_t>(is_changed ? value >> 32 : value));
  }
}

template <typename Insert>
void Fill(uint64_t count, const Insert& insert) {
  std::vector<uint32_t> values;
  std::vector<uint64_t> numbers;
  for (uint64_t begin = 0; begin < count; begin += kBatch) {
    values.clear(), numbers.clear();
    for (uint64_t i = begin; i < std::min(count, begin + kBatch); ++i) {
      AppendSignature(i, 0, values);
      numbers.push_back(i);
    }
    insert(numbers, SignatureRows(values, kValues));
  }
}

// Makes queries of which half resemble a document at 0.9 and half resemble none.
std::vector<uint32_t> MixedQueries(uint64_t count, size_t queries) {
  std::vector<uint32_t> values;
  for (uint64_t i = 0; i < queries; ++i) {
    AppendSignature(i % 2 == 0 ? Hash(i) % count : count + i, 10, values);
  }
  return values;
}

const SimilarityOf kAccept = [](uint32_t, std::span<const uint64_t>, std::span<double> out) {
  std::fill(out.begin(), out.end(), 1.0);
};

void Count(benchmark::State& state, const SimilarityAnswer& answer, uint64_t bytes) {
  const auto documents = static_cast<double>(state.range(0));
  state.SetItemsProcessed(static_cast<int64_t>(kBatch) * state.iterations());
  state.counters["bytes/document"] = static_cast<double>(bytes) / documents;
  state.counters["asked/query"] = static_cast<double>(answer.asked) / kBatch;
  state.counters["found/query"] = static_cast<double>(answer.documents.size()) / kBatch;
}

// A folder for an index, empty at first and removed at the end.
class BenchmarkFolder {
 public:
  BenchmarkFolder() { std::filesystem::remove_all(path_); }
  ~BenchmarkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() / "minhash_benchmark.index";
};

// Fills an index on disk, with segments as the logs made them.
std::unique_ptr<MinHashIndexWriter> FillIndex(const std::string& folder, uint64_t count) {
  FileSystem& files = PosixFileSystem();
  (void)MinHashIndex::Create(files, folder, {});
  std::unique_ptr<MinHashIndexWriter> writer = *MinHashIndexWriter::Open(files, folder, {});
  MinHashChanges changes(writer->index().plan());
  const auto commit = [&] {
    if (!writer->Commit(changes)) std::abort();
    changes.Clear();
  };
  Fill(count, [&](const auto& numbers, const SignatureRows& rows) {
    for (size_t i = 0; i < numbers.size(); ++i) changes.Add(numbers[i], rows[i]);
    if (changes.size() >= 64 * kBatch) commit();
  });
  commit();
  if (!writer->Flush(1)) std::abort();
  return writer;
}

void MinHashQuery(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  const BenchmarkFolder folder;
  {
    const auto writer = FillIndex(folder.path(), count);
    const Cancellation never;
    if (state.range(1) == 1 && !writer->MergeAll(NoProgress(), never)) std::abort();
  }
  const auto index = *MinHashIndex::Open(PosixFileSystem(), folder.path());
  const auto values = MixedQueries(count, 64 * kBatch);
  SimilarityAnswer answer;
  size_t begin = 0;
  const auto query = [&] {
    const std::span batch(values.data() + begin * kValues, kBatch * kValues);
    answer = *index->QueryVerified({batch, kValues}, kAccept);
    begin = (begin + kBatch) % (64 * kBatch);
  };
  for (int i = 0; i < 64; ++i) query();  // checks the blocks
  for (auto _ : state) query();
  Count(state, answer, index->stats().bytes());
  state.counters["segments"] = static_cast<double>(index->stats().segments.size());
}

void MinHashFill(benchmark::State& state) {
  for (auto _ : state) {
    const BenchmarkFolder folder;
    FillIndex(folder.path(), static_cast<uint64_t>(state.range(0)));
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

void MinHashMerge(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    const BenchmarkFolder folder;
    const auto writer = FillIndex(folder.path(), static_cast<uint64_t>(state.range(0)));
    const Cancellation never;
    state.ResumeTiming();
    if (!writer->MergeAll(NoProgress(), never)) std::abort();
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

BENCHMARK(MinHashQuery)
    ->Name("minhash/query")
    ->ArgNames({"documents", "merged"})
    ->Args({1'000'000, 1})
    ->Args({1'000'000, 0})
    ->Iterations(1000);
BENCHMARK(MinHashFill)->Name("minhash/fill")->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(MinHashMerge)->Name("minhash/merge")->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace zhiwen
