#ifndef ZHIWEN_INDEX_DURABLE_INDEX_KIND_H_
#define ZHIWEN_INDEX_DURABLE_INDEX_KIND_H_

// IndexKind lists what this folder requires of a kind of index, which defines what rows are. A kind
// is a struct of types and static functions. Every hook is required, so that a missing or misspelt
// hook, or one of another type, does not compile, and the error names it (index_kind_test.cc).

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

// A segment in a state.
template <typename Segment>
struct StateSegment {
  ManifestSegment entry;  // its entry in the manifest
  std::shared_ptr<const Segment> segment;
  RowBitmap deleted;
  bool is_changed = false;  // whether more rows are deleted than the manifest says
};

// Kind::Segment is a mapped file of rows.
template <typename Segment>
concept IndexSegment = requires(FileSystem& files, const std::string& path, const Segment& segment,
                                const Cancellation& cancellation) {
  { Segment::Open(files, path) } -> std::same_as<Result<std::unique_ptr<Segment>>>;
  { segment.rows() } -> std::same_as<uint64_t>;
  { segment.identity() } -> std::same_as<uint64_t>;  // BlockFile::identity()
  { segment.bytes() } -> std::same_as<uint64_t>;
  { segment.path() } -> std::same_as<const std::string&>;
  // Reads all data. Fails: kUnreadable for damage.
  { segment.CheckAll(cancellation) } -> std::same_as<Status>;
};

// A segment is written from Kind::Rows. Kind::Memory has the changing rows that are in no segment.
// Kind::Settings are the settings in the manifest.
template <typename Memory, typename Rows, typename Settings>
concept IndexMemory =
    std::derived_from<Memory, Rows> && std::constructible_from<Memory, const Settings&> &&
    requires(const Rows& rows) {
      { rows.rows() } -> std::same_as<uint64_t>;
    };

// Kind::Changer applies the changes of records: it adds rows to the memory, and removes rows from
// the memory and from segments, at the latest in Finish(). Fails: kUnreadable when the record or a
// segment is damaged; then some of the changes were made.
template <typename Changer, typename Memory, typename Segment>
concept IndexChanger =
    std::constructible_from<Changer, Memory&, std::vector<StateSegment<Segment>>&> &&
    requires(Changer changer, std::string_view record) {
      { changer.Apply(record) } -> std::same_as<Status>;
      { changer.Finish() } -> std::same_as<Status>;
    };

// Kind::Check is the result of CheckSegmented.
template <typename Check>
concept IndexCheck = requires(Check check) {
  check.stats;  // result of State::stats()
  { check.problems } -> std::same_as<std::vector<std::string>&>;
  { check.leftovers } -> std::same_as<std::vector<std::string>&>;
};

// The hooks for reading. Kind::State must be derived from SegmentedState<Kind>, and may be
// incomplete here.
template <typename Kind>
concept IndexReadHooks = requires(
    std::string_view bytes, const std::string& folder, const typename Kind::Settings& settings,
    const typename Kind::Segment& segment, const typename Kind::State& state,
    ProgressSink& progress, const Cancellation& cancellation) {
  // Reads the settings of a manifest. Fails: kUnreadable, naming the folder.
  { Kind::ReadSettings(bytes, folder) } -> std::same_as<Result<typename Kind::Settings>>;
  // Returns whether a segment belongs to an index with these settings.
  { Kind::Fits(segment, settings) } -> std::same_as<bool>;
  // Fails: kUnreadable for a record that Changer::Apply could not read.
  { Kind::CheckRecord(bytes) } -> std::same_as<Status>;
  // Fails: kUnreadable when segments that are sound by themselves contradict each other.
  { Kind::CheckState(state, progress, cancellation) } -> std::same_as<Status>;
};

// The hooks for writing.
template <typename Kind>
concept IndexWriteHooks = requires(const typename Kind::Rows& rows, const SectionSink& take,
                                   std::span<const StateSegment<typename Kind::Segment>> segments,
                                   uint32_t row, const typename Kind::Segment& segment,
                                   ProgressSink& progress, const Cancellation& cancellation) {
  // Passes the bytes of a segment to `take`. Returns its BlockFile::identity().
  { Kind::Write(rows, take) } -> std::same_as<Result<uint64_t>>;
  // Returns the live rows of all `segments` together.
  {
    Kind::Merge(segments, progress, cancellation)
  } -> std::same_as<Result<std::unique_ptr<typename Kind::Rows>>>;
  // Returns the place of a row of `segment` in another segment, which was merged from it.
  { Kind::FindRow(segment, row, segment) } -> std::same_as<Result<std::optional<uint32_t>>>;
  // Returns which share of the largest merged segment this one would fill, when the kind has
  // another limit than kMostMergedRows; otherwise 0.
  { Kind::ShareOfFile(segment) } -> std::same_as<double>;
};

// Kind::kCommitsDirectly says whether large additions become segments of their own
// (QueuedCommit::is_direct). Such a kind has RowsOf, which returns the rows of a record that only
// adds.
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
