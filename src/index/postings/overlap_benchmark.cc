// Finds the ten documents, among many, that share the most with a text of 2 KB. Items are queries,
// or documents for insertions. A document has 120 selected shingles: three tenths of them are
// phrases that other documents have, too, few of these in very many documents; every twentieth
// document is a copy of another with a tenth changed. Every second query is such a copy, the others
// are new texts. For a million documents, compared with another index, run `./zw bench postings`.
// The index of a folder is merged to one segment, or left in several.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "index/line_table/mix_key.h"
#include "index/postings/memory_postings.h"
#include "index/postings/postings_index.h"
#include "index/postings/sealed_postings.h"

namespace zhiwen {
namespace {

constexpr size_t kFeatures = 120;

struct Corpus {
  std::vector<uint64_t> features;  // kFeatures for each document
  std::span<const uint64_t> Of(size_t document) const {
    return std::span(features).subspan(document * kFeatures, kFeatures);
  }
  size_t size() const { return features.size() / kFeatures; }
};

uint64_t RandomFeature(std::mt19937_64& random, size_t documents) {
  if (random() % 10 >= 3) return random();
  const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
  const double phrases = static_cast<double>(documents);
  return MixKey64(static_cast<uint64_t>(uniform * uniform * uniform * phrases));
}

Corpus MakeCorpus(size_t documents) {
  std::mt19937_64 random(1);
  Corpus corpus;
  corpus.features.resize(documents * kFeatures);
  for (size_t i = 0; i < documents; ++i) {
    uint64_t* const features = &corpus.features[i * kFeatures];
    const bool is_copy = i > 0 && random() % 20 == 0;
    if (is_copy) std::copy_n(corpus.Of(random() % i).begin(), kFeatures, features);
    for (size_t k = 0; k < kFeatures; ++k) {
      if (!is_copy || random() % 10 == 0) features[k] = RandomFeature(random, documents);
    }
  }
  return corpus;
}

std::vector<std::vector<uint64_t>> MakeQueries(const Corpus& corpus, size_t count) {
  std::mt19937_64 random(2);
  std::vector<std::vector<uint64_t>> queries(count);
  for (size_t i = 0; i < count; ++i) {
    const auto copied = corpus.Of(random() % corpus.size());
    queries[i].assign(copied.begin(), copied.end());
    for (uint64_t& feature : queries[i]) {
      if (i % 2 == 1 || random() % 10 == 0) feature = RandomFeature(random, corpus.size());
    }
  }
  return queries;
}

std::vector<FeatureAt> AsFeatures(std::span<const uint64_t> features) {
  std::vector<FeatureAt> made;
  for (const uint64_t feature : features) made.push_back({feature, 0});
  return made;
}

std::unique_ptr<MemoryPostings> InMemory(const Corpus& corpus) {
  auto postings = std::make_unique<MemoryPostings>(PostingsContent::kDocuments);
  for (size_t i = 0; i < corpus.size(); ++i) {
    postings->Insert(static_cast<uint32_t>(i), AsFeatures(corpus.Of(i)));
  }
  return postings;
}

std::unique_ptr<SealedPostings> InFile(const Corpus& corpus) {
  const auto path = std::filesystem::temp_directory_path() / "overlap_benchmark.zw";
  std::ofstream out(path, std::ios::binary);
  const auto written = WritePostings(InMemory(corpus)->Source(), [&](std::string_view bytes) {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return Status();
  });
  out.close();
  auto opened = SealedPostings::Open(PosixFileSystem(), path.string());
  std::filesystem::remove(path);  // the file stays mapped
  return written && opened ? *std::move(opened) : nullptr;
}

// An index that survives crashes. It is committed a thousand documents at a time, then merged if
// `is_merged`.
std::unique_ptr<PostingsIndex> InFolder(const Corpus& corpus, bool is_merged) {
  const auto folder = std::filesystem::temp_directory_path() / "overlap_benchmark";
  std::filesystem::remove_all(folder);
  FileSystem& files = PosixFileSystem();
  if (!PostingsIndex::Create(files, folder.string(), {})) return nullptr;
  const auto writer = PostingsIndexWriter::Open(files, folder.string(), {});
  bool is_fine = writer.has_value();
  PostingsChanges changes(PostingsContent::kDocuments);
  for (size_t i = 0; i < corpus.size() && is_fine; ++i) {
    changes.Add(static_cast<uint32_t>(i), AsFeatures(corpus.Of(i)));
    if (changes.size() < 1000 && i + 1 < corpus.size()) continue;
    is_fine = (*writer)->Commit(changes).has_value();
    changes.Clear();
    while (is_fine) {
      const auto merged = (*writer)->MergeOnce(NoProgress(), Cancellation());
      is_fine = merged.has_value();
      if (!is_fine || !*merged) break;
    }
  }
  is_fine = is_fine &&
            (is_merged ? (*writer)->MergeAll(NoProgress(), Cancellation()) : (*writer)->Flush(0));
  auto index = PostingsIndex::Open(files, folder.string());
  std::filesystem::remove_all(folder);  // the files stay mapped
  return is_fine && index ? *std::move(index) : nullptr;
}

std::unique_ptr<PostingsIndex> Merged(const Corpus& corpus) { return InFolder(corpus, true); }
std::unique_ptr<PostingsIndex> Segments(const Corpus& corpus) { return InFolder(corpus, false); }

// Returns the processor time of this thread.
double ThreadMicroseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

template <typename Index>
void Query(benchmark::State& state, std::unique_ptr<Index> (*make)(const Corpus&)) {
  const Corpus corpus = MakeCorpus(static_cast<size_t>(state.range(0)));
  const auto index = make(corpus);
  if (index == nullptr) return state.SkipWithError("the file could not be made");
  const auto queries = MakeQueries(corpus, 1000);
  // The figures are for a file in use: its blocks are in memory and were checked.
  for (const auto& query : queries) benchmark::DoNotOptimize(index->Query(query, {}));
  std::vector<double> times;
  uint64_t found = 0;
  size_t next = 0;
  for (auto _ : state) {
    const double begin = ThreadMicroseconds();
    const auto answer = index->Query(queries[next], {});
    times.push_back(ThreadMicroseconds() - begin);
    for (const OverlapMatch& match : answer->matches) found += match.overlap;
    next = (next + 1) % queries.size();
  }
  benchmark::DoNotOptimize(found);
  std::sort(times.begin(), times.end());
  state.SetItemsProcessed(state.iterations());
  state.counters["p50 us"] = times[times.size() / 2];
  state.counters["p99 us"] = times[times.size() * 99 / 100];
  state.counters["bytes/posting"] =
      static_cast<double>(index->bytes()) / static_cast<double>(index->statistics().postings);
}

void Insert(benchmark::State& state) {
  const Corpus corpus = MakeCorpus(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(InMemory(corpus)->bytes());
  state.SetItemsProcessed(state.range(0) * state.iterations());
}

BENCHMARK_CAPTURE(Query, sealed, InFile)->Arg(100'000);
BENCHMARK_CAPTURE(Query, merged, Merged)->Arg(100'000);
BENCHMARK_CAPTURE(Query, segments, Segments)->Arg(100'000);
BENCHMARK_CAPTURE(Query, memory, InMemory)->Arg(100'000);
BENCHMARK(Insert)->Name("overlap/insert")->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace zhiwen
