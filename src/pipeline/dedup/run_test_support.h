#ifndef ZHIWEN_PIPELINE_DEDUP_RUN_TEST_SUPPORT_H_
#define ZHIWEN_PIPELINE_DEDUP_RUN_TEST_SUPPORT_H_

// Helpers shared by the tests of whole runs: inputs, warnings, outputs (below /out), and plans that
// make a run on a small corpus do what large runs do.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/dedup/plan.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/environment.h"

namespace zhiwen {

using Contents = std::map<std::string, std::string>;  // by path

// The standard input of a run.
class StoredInput final : public ReadableFile {
 public:
  explicit StoredInput(std::string content) : content_(std::move(content)) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    return offset >= content_.size() ? 0 : content_.copy(out.data(), out.size(), offset);
  }
  Result<FileIdentity> Identity() const override { return FileIdentity{}; }
  const std::string& path() const override { return name_; }

 private:
  std::string content_, name_ = "standard input";
};

class WarningList final : public LogSink {
 public:
  void Warn(std::string_view message) override { text_ += std::string(message) + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Everything below /out but what may differ between runs.
inline Contents OutputsOf(const InMemoryFileSystem& files) {
  Contents outputs;
  for (auto& [path, content] : files.Files()) {
    if (!path.starts_with("/out/") || path.ends_with("report.html")) continue;
    outputs[path] =
        path.ends_with("report.json") ? content.substr(0, content.find("\"run\"")) : content;
  }
  return outputs;
}

// From memory in which nothing fits to memory in which everything does.
inline constexpr MemoryPlan kMemoryPlans[] = {
    {0, 1}, {0, 6000}, {0, 60000}, {5000, 100000}, {1 << 20, 1 << 20}};

// ThreadSanitizer learns nothing from runs of one thread, which take long under it.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kNeedsThreads = true;
#else
inline constexpr bool kNeedsThreads = false;
#endif
#else
inline constexpr bool kNeedsThreads = false;
#endif

// Sets are read into batches, of which there are many where memory is small.
inline void WithoutLargeSets(Plan& plan) { plan.sets_in_batch = 0; }

// Texts are walked over in pieces, their sets are made in many ranges and mapped.
inline void WithLargeTexts(Plan& plan) {
  plan.reading.large_text_bytes = 150;
  plan.reading.range_shingles = 16;
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_RUN_TEST_SUPPORT_H_
