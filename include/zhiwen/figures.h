#ifndef ZHIWEN_FIGURES_H_
#define ZHIWEN_FIGURES_H_

// Numbers as people read them, in messages, tables and pages.
//
// Threads     free functions

#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

std::string FormatCount(uint64_t count);                 // 22,409
std::string FormatBytes(uint64_t bytes);                 // 812 B, 1.5 kB, 110.2 MB (powers of ten)
std::string FormatShare(uint64_t part, uint64_t whole);  // 2.04 %; nothing when whole is 0
std::string FormatSeconds(double seconds);               // 0.42 s, 12.3 s, 3 min 05 s, 2 h 04 min
std::string FormatSimilarity(double similarity);  // 0.9312, rounded down; 1 only when it is 1
std::string FormatPlural(uint64_t count, std::string_view noun);  // 1 run, 2 runs

}  // namespace zhiwen

#endif  // ZHIWEN_FIGURES_H_
