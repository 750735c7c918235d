#ifndef ZHIWEN_INDEX_DURABLE_COMMIT_QUEUE_H_
#define ZHIWEN_INDEX_DURABLE_COMMIT_QUEUE_H_

// Group commit: records of several threads that meet go to the disk as one, with one sync. The
// first thread that waits does it for all that wait with it.
//
// Threads     any

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

struct QueuedCommit {
  std::string_view record;
  bool is_direct = false;  // becomes a segment at once, where it is alone
};

class CommitQueue {
 public:
  // Returns what `commit` returned for a group with `queued` in it: called by one thread at a
  // time, with those of one or more, in the order in which they came; of no more than `most_bytes`
  // in all where they are more than one.
  using CommitGroup = std::function<Status(std::span<const QueuedCommit> group)>;
  Status Commit(const QueuedCommit& queued, size_t most_bytes, const CommitGroup& commit);

 private:
  struct Waiting {
    QueuedCommit queued;
    Status status;
    bool is_done = false;
  };

  // Tells all of a group what became of it, also where memory ran out on the way.
  struct GroupEnd {
    ~GroupEnd();

    CommitQueue& queue;
    size_t size;
    Status status;
  };

  std::mutex mutex_;
  std::condition_variable is_first_or_done_;
  std::deque<Waiting*> waiting_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_COMMIT_QUEUE_H_
