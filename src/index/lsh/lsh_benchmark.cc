// Look-ups and insertions; items/s are queries and documents.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "index/lsh/containment_ensemble.h"
#include "index/lsh/durable_minhash.h"
#include "index/lsh/minhash_index.h"

namespace zhiwen {
namespace {

constexpr size_t kValues = 128;
constexpr size_t kBatch = 256;
constexpr uint32_t kShingles = 600;

uint64_t Hash(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// That of a document like no other, of which so many in a hundred values are others.
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

// Half of them like a document at a resemblance of 0.9, half of them like none.
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

void MinHashQuery(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  MinHashIndex index = *MinHashIndex::Create({});
  Fill(count, [&](const auto& numbers, const SignatureRows& rows) { index.Insert(numbers, rows); });
  const auto values = MixedQueries(count, 64 * kBatch);
  SimilarityAnswer answer;
  size_t begin = 0;
  for (auto _ : state) {
    const std::span batch(values.data() + begin * kValues, kBatch * kValues);
    answer = index.QueryVerified({batch, kValues}, kAccept);
    begin = (begin + kBatch) % (64 * kBatch);
  }
  Count(state, answer, index.bytes());
}

void MinHashInsert(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    MinHashIndex index = *MinHashIndex::Create({});
    Fill(count,
         [&](const auto& numbers, const SignatureRows& rows) { index.Insert(numbers, rows); });
    benchmark::DoNotOptimize(index.size());
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

// What MinHashInsert spends on making signatures.
void MakeSignatures(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    Fill(count,
         [&](const auto&, const SignatureRows& rows) { benchmark::DoNotOptimize(rows[0].data()); });
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

// Where an index is, empty before and gone afterwards.
class BenchmarkFolder {
 public:
  BenchmarkFolder() { std::filesystem::remove_all(path_); }
  ~BenchmarkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() / "lsh_benchmark.index";
};

// An index on disk, of segments as the logs made them.
std::unique_ptr<DurableMinHashWriter> FillDurable(const std::string& folder, uint64_t count) {
  FileSystem& files = PosixFileSystem();
  (void)DurableMinHash::Create(files, folder, {});
  std::unique_ptr<DurableMinHashWriter> writer = *DurableMinHashWriter::Open(files, folder, {});
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

void DurableQuery(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  const BenchmarkFolder folder;
  {
    const auto writer = FillDurable(folder.path(), count);
    const Cancellation never;
    if (state.range(1) == 1 && !writer->MergeAll(NoProgress(), never)) std::abort();
  }
  const auto index = *DurableMinHash::Open(PosixFileSystem(), folder.path());
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

void DurableFill(benchmark::State& state) {
  for (auto _ : state) {
    const BenchmarkFolder folder;
    FillDurable(folder.path(), static_cast<uint64_t>(state.range(0)));
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

void DurableMerge(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    const BenchmarkFolder folder;
    const auto writer = FillDurable(folder.path(), static_cast<uint64_t>(state.range(0)));
    const Cancellation never;
    state.ResumeTiming();
    if (!writer->MergeAll(NoProgress(), never)) std::abort();
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

void EnsembleQuery(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  ContainmentEnsemble index = *ContainmentEnsemble::Create({});
  // Sizes up to 16 times that of queries, as many up to each of its multiples.
  Fill(count, [&](const auto& numbers, const SignatureRows& rows) {
    std::vector<uint32_t> sizes;
    for (const uint64_t number : numbers) {
      sizes.push_back(static_cast<uint32_t>(kShingles * (1 + Hash(number) % 16)));
    }
    index.Insert(numbers, {rows, sizes});
  });
  const auto values = MixedQueries(count, 16 * kBatch);
  const std::vector<uint32_t> sizes(kBatch, kShingles);
  SimilarityAnswer answer;
  size_t begin = 0;
  for (auto _ : state) {
    const std::span batch(values.data() + begin * kValues, kBatch * kValues);
    answer = index.QueryVerified({{batch, kValues}, sizes}, kAccept);
    begin = (begin + kBatch) % (16 * kBatch);
  }
  Count(state, answer, index.bytes());
}

BENCHMARK(MinHashQuery)->Name("lsh/query")->Arg(100'000)->Arg(1'000'000)->Iterations(1000);
BENCHMARK(MinHashInsert)->Name("lsh/insert")->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(MakeSignatures)->Name("lsh/signatures")->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(DurableQuery)
    ->Name("lsh/durable_query")
    ->ArgNames({"documents", "merged"})
    ->Args({1'000'000, 1})
    ->Args({1'000'000, 0})
    ->Iterations(1000);
BENCHMARK(DurableFill)->Name("lsh/durable_fill")->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(DurableMerge)->Name("lsh/durable_merge")->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(EnsembleQuery)->Name("lsh/containment_query")->Arg(100'000);

}  // namespace
}  // namespace zhiwen
