#include "index/codes/commit_queue.h"

namespace zhiwen {

Status CommitQueue::Commit(const CodeChanges& changes, size_t most_bytes,
                           const CommitGroup& commit) {
  Waiting self = {.changes = &changes, .status = {}};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&self);
  is_first_or_done_.wait(lock, [&] { return self.is_done || waiting_.front() == &self; });
  if (self.is_done) return self.status;
  std::vector<const CodeChanges*> group;
  size_t bytes = 0;
  for (const Waiting* waiting : waiting_) {
    bytes += waiting->changes->bytes().size();
    if (!group.empty() && bytes > most_bytes) break;
    group.push_back(waiting->changes);
  }
  lock.unlock();
  const Status status = commit(group);
  lock.lock();
  for (size_t i = 0; i < group.size(); ++i) {
    waiting_.front()->status = status;
    waiting_.front()->is_done = true;
    waiting_.pop_front();
  }
  lock.unlock();
  is_first_or_done_.notify_all();
  return status;
}

}  // namespace zhiwen
