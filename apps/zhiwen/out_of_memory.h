#ifndef ZHIWEN_APPS_ZHIWEN_OUT_OF_MEMORY_H_
#define ZHIWEN_APPS_ZHIWEN_OUT_OF_MEMORY_H_

namespace zhiwen {

// From now on an allocation that the system refuses ends the program with a message and the exit
// status of kExhausted, on whatever thread it happens.
void ExitWhenOutOfMemory();

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_OUT_OF_MEMORY_H_
