#ifndef ZHIWEN_INDEX_DURABLE_COMMIT_QUEUE_H_
#define ZHIWEN_INDEX_DURABLE_COMMIT_QUEUE_H_

// Group commit: the records of several threads that commit at the same time are written to the disk
// as one, with one sync. The first waiting thread does this for all that wait with it.
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
  bool is_direct = false;  // becomes a segment at once, if it is alone in its group
};

class CommitQueue {
 public:
  // Returns what `commit` returned for the group with `queued`. `commit` is called by one thread at
  // a time, with one or more records in the order of their arrival. A group of several has at most
  // `most_bytes` bytes in all.
  using CommitGroup = std::function<Status(std::span<const QueuedCommit> group)>;
  Status Commit(const QueuedCommit& queued, size_t most_bytes, const CommitGroup& commit);

 private:
  struct Waiting {
    QueuedCommit queued;
    Status status;
    bool is_done = false;
  };

  // Tells all records of a group their result, also when memory ran out on the way.
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
