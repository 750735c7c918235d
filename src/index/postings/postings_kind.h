#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_KIND_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_KIND_H_

// The kind of index (durable/index_kind.h) whose rows are documents with their features.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/durable/segmented_state.h"
#include "index/postings/memory_postings.h"
#include "index/postings/postings_index.h"
#include "index/postings/postings_segment.h"
#include "index/postings/segment_postings.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

class PostingsState;

// Adding a document first removes it from all segments and from the memory.
class PostingsChanger {
 public:
  using Segment = StateSegment<PostingsSegment>;

  PostingsChanger(MemoryDocuments& memory, std::span<Segment> segments)
      : memory_(memory.postings()), segments_(segments) {}

  Status Apply(std::string_view record);
  static Status Finish() { return {}; }

 private:
  MemoryPostings& memory_;
  const std::span<Segment> segments_;
};

struct PostingsIndexKind {
  static constexpr std::string_view kName = "postings";
  static constexpr bool kCommitsDirectly = false;

  using Settings = PostingsIndexOptions;
  using State = PostingsState;
  using Segment = PostingsSegment;
  using Rows = SegmentPostings;
  using Memory = MemoryDocuments;
  using Changer = PostingsChanger;
  using Check = PostingsIndexCheck;

  static Status CheckRecord(std::string_view record);
  static std::string WriteSettings(const Settings& settings);
  static Result<Settings> ReadSettings(std::string_view settings, const std::string& folder);
  static bool Fits(const PostingsSegment& segment, const Settings& settings) {
    return segment.content() == settings.content;
  }

  static Result<uint64_t> Write(const SegmentPostings& rows, const SectionSink& take) {
    return WritePostingsSegment(rows, take);
  }
  static Result<std::unique_ptr<SegmentPostings>> Merge(
      std::span<const StateSegment<PostingsSegment>> segments, ProgressSink& progress,
      const Cancellation& cancellation);
  // Checks that no document is in two segments. Cost: 4 bytes of memory a document.
  static Status CheckState(const PostingsState& state, ProgressSink& progress,
                           const Cancellation& cancellation);
  static double ShareOfFile(const PostingsSegment& segment) {
    return segment.postings().ShareOfFile();
  }
  static Result<std::optional<uint32_t>> FindRow(const PostingsSegment& segment, uint32_t row,
                                                 const PostingsSegment& merged);
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_KIND_H_
