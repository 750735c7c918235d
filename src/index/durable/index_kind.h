#ifndef ZHIWEN_INDEX_DURABLE_INDEX_KIND_H_
#define ZHIWEN_INDEX_DURABLE_INDEX_KIND_H_

// IndexKind: what the machinery of this folder asks of a kind of index, which says what rows are.
// A kind is a struct of types and static functions. Every hook is required, so that one that is
// missing, misspelt or of another type does not compile, and the error names it
// (index_kind_test.cc).

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/section_file.h"
#include "index/durable/index_folder.h"
#include "index/durable/row_bitmap.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A segment as a state has it.
template <typename Segment>
struct StateSegment {
  ManifestSegment entry;  // as the manifest has it
  std::shared_ptr<const Segment> segment;
  RowBitmap deleted;
  bool is_changed = false;  // more is deleted than the manifest knows
};

// Kind::Segment: a file of rows, which is mapped.
template <typename Segment>
concept IndexSegment = requires(FileSystem& files, const std::string& path, const Segment& segment,
                                const Cancellation& cancellation) {
  { Segment::Open(files, path) } -> std::same_as<Result<std::unique_ptr<Segment>>>;
  { segment.rows() } -> std::same_as<uint64_t>;
  { segment.identity() } -> std::same_as<uint64_t>;  // BlockFile::identity()
  { segment.bytes() } -> std::same_as<uint64_t>;
  { segment.path() } -> std::same_as<const std::string&>;
  // Reads everything. Fails: kUnreadable for damage.
  { segment.CheckAll(cancellation) } -> std::same_as<Status>;
};

// Kind::Rows is what a segment is written from. Kind::Memory has the rows that are in no segment
// and change; Kind::Settings are those that the manifest has.
template <typename Memory, typename Rows, typename Settings>
concept IndexMemory =
    std::derived_from<Memory, Rows> && std::constructible_from<Memory, const Settings&> &&
    requires(const Rows& rows) {
      { rows.rows() } -> std::same_as<uint64_t>;
    };

// Kind::Changer makes the changes of records: it adds to the rows in memory, and removes from these
// and from segments, at the latest in Finish(). Fails: kUnreadable, with some of the changes made,
// where the record or a segment is damaged.
template <typename Changer, typename Memory, typename Segment>
concept IndexChanger =
    std::constructible_from<Changer, Memory&, std::vector<StateSegment<Segment>>&> &&
    requires(Changer changer, std::string_view record) {
      { changer.Apply(record) } -> std::same_as<Status>;
      { changer.Finish() } -> std::same_as<Status>;
    };

// Kind::Check is what CheckSegmented returns.
template <typename Check>
concept IndexCheck = requires(Check check) {
  check.stats;  // what State::stats() returns
  { check.problems } -> std::same_as<std::vector<std::string>&>;
  { check.leftovers } -> std::same_as<std::vector<std::string>&>;
};

// The hooks for reading. Kind::State is derived from SegmentedState<Kind>, and may be incomplete
// here.
template <typename Kind>
concept IndexReadHooks = requires(
    std::string_view bytes, const std::string& folder, const typename Kind::Settings& settings,
    const typename Kind::Segment& segment, const typename Kind::State& state,
    ProgressSink& progress, const Cancellation& cancellation) {
  // Reads the settings of a manifest. Fails: kUnreadable, naming the folder.
  { Kind::ReadSettings(bytes, folder) } -> std::same_as<Result<typename Kind::Settings>>;
  // Whether a segment is of an index with these settings.
  { Kind::Fits(segment, settings) } -> std::same_as<bool>;
  // Fails: kUnreadable for a record that Changer::Apply could not read.
  { Kind::CheckRecord(bytes) } -> std::same_as<Status>;
  // Fails: kUnreadable where segments that are each sound contradict each other.
  { Kind::CheckState(state, progress, cancellation) } -> std::same_as<Status>;
};

// The hooks for writing.
template <typename Kind>
concept IndexWriteHooks = requires(const typename Kind::Rows& rows, const SectionSink& take,
                                   std::span<const StateSegment<typename Kind::Segment>> segments,
                                   uint32_t row, const typename Kind::Segment& segment,
                                   ProgressSink& progress, const Cancellation& cancellation) {
  // Hands the bytes of a segment to `take`. Returns its BlockFile::identity().
  { Kind::Write(rows, take) } -> std::same_as<Result<uint64_t>>;
  // Returns the live rows of all `segments` together.
  {
    Kind::Merge(segments, progress, cancellation)
  } -> std::same_as<Result<std::unique_ptr<typename Kind::Rows>>>;
  // Returns where a row of `segment` is in another segment, which was merged from it.
  { Kind::FindRow(segment, row, segment) } -> std::same_as<Result<std::optional<uint32_t>>>;
  // Returns how much of the largest merged segment this one would fill, where that has another
  // limit than kMostMergedRows; otherwise 0.
  { Kind::ShareOfFile(segment) } -> std::same_as<double>;
};

// Whether large additions become segments of their own (QueuedCommit::is_direct) is said by
// Kind::kCommitsDirectly; a kind that does so has RowsOf, which returns the rows of a record that
// only adds.
template <typename Kind>
concept IndexDirectHooks =
    std::same_as<decltype(Kind::kCommitsDirectly), const bool> &&
    (!Kind::kCommitsDirectly ||
     requires(std::string_view record, const typename Kind::Settings& settings) {
       {
         Kind::RowsOf(record, settings)
       } -> std::same_as<Result<std::unique_ptr<typename Kind::Rows>>>;
     });

// Kind::kName is the name of the kind in the manifest, at most 15 bytes.
template <typename Kind>
concept IndexKind =
    std::same_as<decltype(Kind::kName), const std::string_view> && Kind::kName.size() <= 15 &&
    IndexSegment<typename Kind::Segment> &&
    IndexMemory<typename Kind::Memory, typename Kind::Rows, typename Kind::Settings> &&
    IndexChanger<typename Kind::Changer, typename Kind::Memory, typename Kind::Segment> &&
    IndexCheck<typename Kind::Check> && IndexReadHooks<Kind> && IndexWriteHooks<Kind> &&
    IndexDirectHooks<Kind>;

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_INDEX_KIND_H_
