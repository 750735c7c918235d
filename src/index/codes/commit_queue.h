#ifndef ZHIWEN_INDEX_CODES_COMMIT_QUEUE_H_
#define ZHIWEN_INDEX_CODES_COMMIT_QUEUE_H_

// Group commit: changes of several threads that meet go to the disk as one record, with one sync.
// The first one that waits does it for all that wait with it.
//
// Threads     any

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "zhiwen/code_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

class CommitQueue {
 public:
  // Returns what `commit` returned for a group with `changes` in it: called by one thread at a
  // time, with those of one or more, in the order in which they came; of no more than `most_bytes`
  // in all where they are more than one.
  using CommitGroup = std::function<Status(std::span<const CodeChanges* const> group)>;
  Status Commit(const CodeChanges& changes, size_t most_bytes, const CommitGroup& commit);

 private:
  struct Waiting {
    const CodeChanges* changes;
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

#endif  // ZHIWEN_INDEX_CODES_COMMIT_QUEUE_H_
