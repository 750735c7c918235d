#include "index/durable/commit_queue.h"

namespace zhiwen {

Status CommitQueue::Commit(const QueuedCommit& queued, size_t most_bytes,
                           const CommitGroup& commit) {
  Waiting self = {.queued = queued, .status = {}};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&self);
  is_first_or_done_.wait(lock, [&] { return self.is_done || waiting_.front() == &self; });
  if (self.is_done) return self.status;
  std::vector<QueuedCommit> group;
  size_t bytes = 0;
  for (const Waiting* waiting : waiting_) {
    bytes += waiting->queued.record.size();
    if (!group.empty() && bytes > most_bytes) break;
    group.push_back(waiting->queued);
  }
  lock.unlock();
  GroupEnd end = {*this, group.size(), Fail(ErrorCode::kExhausted, "out of memory in a commit")};
  end.status = commit(group);
  return end.status;
}

CommitQueue::GroupEnd::~GroupEnd() {
  {
    const std::scoped_lock lock(queue.mutex_);
    for (size_t i = 0; i < size; ++i) {
      queue.waiting_.front()->status = status;
      queue.waiting_.front()->is_done = true;
      queue.waiting_.pop_front();
    }
  }
  queue.is_first_or_done_.notify_all();
}

}  // namespace zhiwen
