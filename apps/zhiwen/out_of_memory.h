#ifndef ZHIWEN_APPS_ZHIWEN_OUT_OF_MEMORY_H_
#define ZHIWEN_APPS_ZHIWEN_OUT_OF_MEMORY_H_

namespace zhiwen {

// From now on an allocation that the system refuses ends the program with a message and the exit
// status of kExhausted, on whatever thread it happens.
void ExitWhenOutOfMemory();

// From now on, what is freed in pieces of a megabyte or more goes back to the system at once, as
// --memory has it. The allocator would raise that bound, up to 32 MiB, with each larger piece that
// is freed.
void GiveFreedMemoryBack();

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_OUT_OF_MEMORY_H_
