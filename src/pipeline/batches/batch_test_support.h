#ifndef ZHIWEN_PIPELINE_BATCHES_BATCH_TEST_SUPPORT_H_
#define ZHIWEN_PIPELINE_BATCHES_BATCH_TEST_SUPPORT_H_

// The surroundings of a batch in memory, for tests.

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/in_memory_file_system.h"
#include "zhiwen/code_files.h"
#include "zhiwen/document_batches.h"

namespace zhiwen {

// Standard input that arrives part by part: a part is there when the one before was read and
// somebody awaited it.
class PartsOfInput {
 public:
  std::vector<std::string> parts;

  std::unique_ptr<ReadableFile> Open() { return std::make_unique<File>(*this); }

  ArrivingInput Arriving() {
    return {.ready = [this] { return come_.size() - read_; },
            .await = [this](std::chrono::milliseconds patience) -> Result<bool> {
              if (come_.size() > read_ || next_ == parts.size()) return true;
              if (patience != std::chrono::milliseconds::max()) return false;
              come_ += parts[next_++];
              return true;
            }};
  }

 private:
  class File final : public ReadableFile {
   public:
    explicit File(PartsOfInput& input) : input_(input) {}
    Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
      std::string& come = input_.come_;
      while (come.size() < offset + out.size() && input_.next_ < input_.parts.size()) {
        come += input_.parts[input_.next_++];  // a reader that asks for more waits
      }
      const size_t count = offset >= come.size() ? 0 : come.copy(out.data(), out.size(), offset);
      input_.read_ = offset + count;
      return count;
    }
    Result<FileIdentity> Identity() const override { return FileIdentity(); }
    const std::string& path() const override { return name_; }

   private:
    PartsOfInput& input_;
    std::string name_ = "standard input";
  };

  std::string come_;
  size_t next_ = 0, read_ = 0;
};

class BatchSurroundings final : public LogSink {
 public:
  explicit BatchSurroundings(size_t threads = 1) : executor(MakeThreadPool(threads)) {}

  InMemoryFileSystem files;
  PartsOfInput standard_input;
  Cancellation cancellation;
  std::unique_ptr<Executor> executor;
  std::vector<std::string> warnings;

  // Lives as long as this object, until the next call.
  const BatchEnvironment& environment() { return environment(files); }
  const BatchEnvironment& environment(FileSystem& other_files) {
    environment_.emplace(BatchEnvironment{
        other_files, *executor, SystemClock(), NoProgress(), *this, cancellation,
        [this] { return standard_input.Open(); }, LanguageSource(), standard_input.Arriving()});
    return *environment_;
  }

  void Warn(std::string_view message) override { warnings.emplace_back(message); }

  // Whether some warning has `words` in it.
  bool warned_of(std::string_view words) const {
    return std::ranges::any_of(
        warnings, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }

 private:
  std::optional<BatchEnvironment> environment_;
};

// Returns records of JSON Lines, "0" to "count - 1"; a text has `sentences` sentences.
inline std::string NumberedRecords(size_t count, size_t sentences = 1) {
  std::string lines;
  for (size_t i = 0; i < count; ++i) {
    std::string text;
    for (size_t k = 0; k < sentences; ++k) {
      text += "这是第" + std::to_string(i) + "篇的第" + std::to_string(k) + "句。";
    }
    lines += "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"" + text + "\"}\n";
  }
  return lines;
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_BATCHES_BATCH_TEST_SUPPORT_H_
