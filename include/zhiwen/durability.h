#ifndef ZHIWEN_DURABILITY_H_
#define ZHIWEN_DURABILITY_H_

// Who keeps the changes of an index that are in none of its segments yet.

#include <cstdint>

namespace zhiwen {

enum class Durability : uint8_t {
  kOwnLog,           // the index, in a log that is synced before Commit returns
  kReplayedByOwner,  // who opened it: commits again what came after the sequence of the last Flush
};

}  // namespace zhiwen

#endif  // ZHIWEN_DURABILITY_H_
