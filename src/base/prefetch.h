#ifndef ZHIWEN_BASE_PREFETCH_H_
#define ZHIWEN_BASE_PREFETCH_H_

namespace zhiwen {

// Asks for the cache line at an address that will be read. GCC takes a function in which nothing
// but __builtin_prefetch happens for one without effect, and drops calls of it: hence the asm.
inline void Prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("" : : "r"(address));
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_PREFETCH_H_
