#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/codes/code_index_test_support.h"
#include "index/codes/code_state.h"
#include "index/durable/segmented_faults_test_support.h"

namespace zhiwen {
namespace {

// The batches affect the log, segments, direct segments, and deleted rows of all.
struct CodeFaults {
  using Index = CodeIndex;
  using Writer = CodeIndexWriter;
  using Kind = CodesKind;
  using Content = ModelRows;

  static constexpr CodeWriterOptions kSmall = {.log_bytes = 500, .direct_rows = 40};

  static const std::vector<ModelChanges>& Batches() {
    static const std::vector<ModelChanges> batches = [] {
      ModelRandom random(3, 64);
      std::vector<ModelChanges> made;
      for (const auto& [additions, removals] : std::array<std::pair<uint64_t, uint64_t>, 7>{
               {{12, 0}, {50, 0}, {9, 9}, {14, 0}, {60, 0}, {5, 12}, {20, 4}}}) {
        made.push_back(random.Changes(additions, removals));
      }
      ModelRows rows;
      for (size_t i = 0; i < 5; ++i) made[i].MakeTo(rows);
      made.resize(kAddingBatch + 1);
      made[kDeletingBatch].RemoveCode(rows.begin()->first);
      made[kAddingBatch].Add(7, "in the log");
      return made;
    }();
    return batches;
  }

  static Status Create(FileSystem& files) { return CodeIndex::Create(files, "index", {}); }
  static Status Commit(Writer& writer, size_t batch) {
    return writer.Commit(Batches()[batch].changes());
  }
  static Content ContentOf(std::span<const size_t> batches) {
    ModelRows rows;
    for (const size_t batch : batches) Batches()[batch].MakeTo(rows);
    return rows;
  }
  static Result<Content> ContentOf(const Index& index) { return RowsOf(index); }
  static auto Check(FileSystem& files) {
    return CheckCodeIndex(files, "index", NoProgress(), Cancellation());
  }
  static std::string Record(const CodeState& /*state*/, uint64_t row) {
    CodeChanges changes;
    changes.Add(row);
    return std::string(changes.bytes());
  }
  static uint64_t CountOf(const Index& index) { return index.stats().rows(); }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Codes, SegmentedFaults, CodeFaults);
INSTANTIATE_TYPED_TEST_SUITE_P(Codes, DamagedSegmented, CodeFaults);

}  // namespace
}  // namespace zhiwen
