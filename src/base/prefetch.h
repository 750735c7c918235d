#ifndef ZHIWEN_BASE_PREFETCH_H_
#define ZHIWEN_BASE_PREFETCH_H_

namespace zhiwen {

// Asks for the cache line at an address that will be read. GCC treats a function with nothing but
// __builtin_prefetch as one without effect and drops calls of it; the asm prevents this.
inline void Prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("" : : "r"(address));
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_PREFETCH_H_
