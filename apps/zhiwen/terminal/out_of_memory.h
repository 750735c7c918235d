#ifndef ZHIWEN_APPS_ZHIWEN_TERMINAL_OUT_OF_MEMORY_H_
#define ZHIWEN_APPS_ZHIWEN_TERMINAL_OUT_OF_MEMORY_H_

namespace zhiwen {

// Makes an allocation that the system refuses end the program, on whatever thread, with a message
// and the exit status of kExhausted.
void ExitWhenOutOfMemory();

// Makes the allocator return freed blocks of a megabyte or more to the system at once, so that a
// bound of memory holds. By default it raises its threshold, up to 32 MiB, with each larger block
// that is freed.
void GiveFreedMemoryBack();

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_TERMINAL_OUT_OF_MEMORY_H_
