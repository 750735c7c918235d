// Reading blocks from the page cache, cutting them and parsing them: bytes/s on one core.

#include <benchmark/benchmark.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <random>
#include <string>

#include "pipeline/reader/record_blocks.h"

namespace zhiwen {
namespace {

constexpr size_t kFileBytes = size_t{64} << 20;

enum class Sample { kLines, kShortLines, kPlainCsv, kQuotedCsv, kShortCsv, kManyQuotes };

std::string MakeSample(Sample sample) {
  std::mt19937 random(1);
  std::string out;
  if (sample != Sample::kLines && sample != Sample::kShortLines) out = "id,text,date\n";
  for (uint64_t id = 0; out.size() < kFileBytes; ++id) {
    std::string text;
    const bool is_short = sample == Sample::kShortLines || sample == Sample::kShortCsv;
    for (size_t i = is_short ? 3 : 100 + random() % 900; i > 0; --i) {
      text += static_cast<char>(0xE4 + random() % 5);
      text += static_cast<char>(0x80 + random() % 64);
      text += static_cast<char>(0x80 + random() % 64);
      if (sample == Sample::kManyQuotes && i % 8 == 0) text += "\"\"";
    }
    const std::string number = std::to_string(id);
    if (sample == Sample::kLines || sample == Sample::kShortLines) {
      out += "{\"id\":\"" + number + "\",\"text\":\"" + text + "\"}\n";
    } else if (sample == Sample::kPlainCsv || sample == Sample::kShortCsv) {
      out += number + "," + text + ",2024-01-01\n";
    } else {
      out += "\"" + number + "\",\"" + text + "\n\",\"2024-01-01\"\n";
    }
  }
  return out;
}

// The file of a sample, gone when the program ends.
const InputFile& FileOf(Sample sample) {
  static InputFile made[6];
  InputFile& input = made[static_cast<int>(sample)];
  if (!input.path.empty()) return input;
  const std::string bytes = MakeSample(sample);
  const int file = ::memfd_create("sample", 0);
  if (::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  const bool is_lines = sample == Sample::kLines || sample == Sample::kShortLines;
  input.path = "/proc/self/fd/" + std::to_string(file);
  input.identity = PosixFileSystem().OpenForRead(input.path).value()->Identity().value();
  input.format = is_lines ? RecordFormat::kJsonLines : RecordFormat::kCsv;
  return input;
}

enum class Work { kRead, kSplit, kParse };

void RecordBlocks(benchmark::State& state, Sample sample, Work work) {
  const InputFile& input = FileOf(sample);
  BlockParser parser = BlockParser::Create({}).value();
  RecordBlock block;
  uint64_t records = 0;
  for (auto _ : state) {
    const auto blocks = OpenFileBlocks(PosixFileSystem(), input, 0, {}).value();
    while (blocks->Next(block).value()) {
      if (work == Work::kSplit) SplitRecords(block, [&](const BlockRecord&) { ++records; });
      if (work != Work::kParse) continue;
      parser.ParseAll(block, [&](const BlockRecord&, ParsedRecord&& parsed) {
        benchmark::DoNotOptimize(parsed);
        ++records;
      });
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * input.identity.size));
  state.SetItemsProcessed(static_cast<int64_t>(records));
}

const int registered = [] {
  const std::pair<const char*, Sample> samples[] = {
      {"lines", Sample::kLines},          {"short_lines", Sample::kShortLines},
      {"plain_csv", Sample::kPlainCsv},   {"short_csv", Sample::kShortCsv},
      {"quoted_csv", Sample::kQuotedCsv}, {"many_quotes_csv", Sample::kManyQuotes},
  };
  for (const auto& [name, sample] : samples) {
    const std::string suffix = std::string("/") + name;
    benchmark::RegisterBenchmark(("read" + suffix).c_str(), RecordBlocks, sample, Work::kRead);
    benchmark::RegisterBenchmark(("split" + suffix).c_str(), RecordBlocks, sample, Work::kSplit);
    benchmark::RegisterBenchmark(("parse" + suffix).c_str(), RecordBlocks, sample, Work::kParse);
  }
  return 0;
}();

}  // namespace
}  // namespace zhiwen
